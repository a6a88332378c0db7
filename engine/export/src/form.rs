//! The forms, and how episodes are handed to them.

use std::io;
use std::path::Path;

use crate::episode::{Episodes, Exported, Source};
use crate::message::{Message, users};
use crate::{atif, inspect, otel};
use probity_bench::{EpisodeRecord, RunError};

/// A form of other programs.
pub struct Form {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it has no place for, and where that stands instead.
    pub no_place: &'static [&'static str],
    /// What is wrong with a place to write to, if anything.
    pub refusal: fn(&Path) -> Option<&'static str>,
    write: fn(&Path, Source, Episodes) -> io::Result<()>,
}

/// Every form: a new one is a line here.
pub const FORMS: [Form; 3] = [
    Form { name: "atif", no_place: &atif::NO_PLACE, refusal: atif::refusal, write: atif::write },
    Form { name: "inspect", no_place: &inspect::NO_PLACE, refusal: inspect::refusal, write: inspect::write },
    Form { name: "otel", no_place: &otel::NO_PLACE, refusal: |_| None, write: otel::write },
];

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Episodes.
    pub episodes: usize,
    /// Messages of both sides, and what agents were told beside the dialogue.
    pub messages: usize,
    /// Calls of agents.
    pub calls: usize,
    /// Calls of users.
    pub user_calls: usize,
    /// Calls whose arguments are no object.
    pub wrapped: usize,
    /// Episodes of which is not known what their agent was told.
    pub untold: usize,
}

impl Written {
    fn count(&mut self, episode: &Exported) {
        let messages = episode.messages();
        let calls =
            || messages.iter().filter_map(|m| if let Message::Agent(said) = m { Some(&said.calls) } else { None });
        self.episodes += 1;
        self.messages += messages.len();
        self.calls += calls().map(Vec::len).sum::<usize>();
        self.user_calls += users(episode.record.trace.steps()).count();
        self.wrapped += calls().flatten().filter(|step| !step.arguments.is_object()).count();
        self.untold += usize::from(episode.brief.is_none());
    }
}

/// Writes episodes in a form; nothing is written where there is none.
///
/// # Errors
/// They cannot be read (a [`RunError`] within), or the place cannot be written.
pub fn export(
    form: &Form,
    out: &Path,
    source: Source,
    batches: impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>>,
) -> io::Result<Written> {
    let (mut last, mut written) = (None, Written::default());
    let records = batches.flat_map(|batch| match batch {
        Ok(records) => records.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(io::Error::other(error))],
    });
    let mut episodes = records
        .map(|record| {
            let episode = source.episode(record?, &mut last);
            written.count(&episode);
            Ok(episode)
        })
        .peekable();
    if episodes.peek().is_some() {
        (form.write)(out, source, &mut episodes)?;
    }
    drop(episodes);
    Ok(written)
}
