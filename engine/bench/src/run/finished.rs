//! What an earlier part of a run has played: it stays where it stands and is not played again.

use std::collections::BTreeSet;

use super::directory::RunDirectory;
use super::episodes::Episodes;
use super::error::RunError;
use super::journal::LineSpan;
use super::units::Units;

/// The places of the episodes that need not be played again, each beside its unit.
pub struct Finished {
    places: Vec<Option<LineSpan>>,
    /// Line numbers (from 1) that cannot be read, with what is wrong: their episodes are played again.
    pub damaged: Vec<(usize, String)>,
}

impl Finished {
    /// Looks at what the directory holds of these units; episodes whose provider could not be reached are taken out of it.
    ///
    /// # Errors
    /// The file of episodes cannot be read, or not be written where some are taken out.
    pub fn of(units: &Units, directory: &RunDirectory) -> Result<Finished, RunError> {
        let mut episodes = directory.episodes()?;
        let damaged = std::mem::take(&mut episodes.damaged);
        let (mut places, unreached) = look(units, &episodes)?;
        if !unreached.is_empty() {
            let mut number = 0..;
            episodes.entries.retain(|_| number.next().is_none_or(|number: usize| !unreached.contains(&number)));
            (places, _) = look(units, &directory.rewrite(&episodes, None)?)?;
        }
        Ok(Finished { places, damaged })
    }

    /// Where the record of the unit with this number stands.
    pub(super) fn place(&self, unit: usize) -> Option<LineSpan> {
        self.places.get(unit).copied().flatten()
    }
}

/// The places of the units' records, of doubles the last, and the numbers of the records that say nothing.
fn look(units: &Units, episodes: &Episodes) -> Result<(Vec<Option<LineSpan>>, BTreeSet<usize>), RunError> {
    let (mut places, mut unreached) = (vec![None; units.len()], BTreeSet::new());
    let mut entries = episodes.entries.iter().enumerate();
    for batch in episodes.batches() {
        for (record, (number, entry)) in batch?.iter().zip(&mut entries) {
            if record.is_unreached() {
                unreached.insert(number);
                continue;
            }
            let Some(number) = units.place(entry.order()) else { continue };
            let unit = units.get(number).filter(|unit| unit.is_recorded_in(record));
            if let Some(place) = places.get_mut(number) {
                *place = unit.map(|_| entry.place);
            }
        }
    }
    Ok((places, unreached))
}
