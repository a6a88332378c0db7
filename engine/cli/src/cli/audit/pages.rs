//! The page of an audit.

use std::path::Path;

use super::books::{BATCH, BATCH_BYTES};
use super::summary::Summary;
use super::{text, unwritable};
use probity_audit::CARD;
use probity_bench::{EpisodeRecord, Spool};
use probity_engine::write_out;
use probity_local::Failure;
use probity_report::{About, Page, SuiteCounts, Tally};

/// The page while it is made.
pub struct Pages {
    page: Page<Spool>,
    tally: Tally<'static>,
    waiting: Vec<EpisodeRecord>,
    bytes: usize,
}

impl Pages {
    pub fn new(path: &Path) -> Result<Pages, Failure> {
        let spool = Spool::beside(path).map_err(|error| unwritable(path, &error))?;
        let (page, tally) = (Page::new(&CARD, spool), Tally::of_card(&CARD));
        Ok(Pages { page, tally, waiting: Vec::new(), bytes: 0 })
    }

    /// Takes in an episode of so many bytes.
    pub fn add(&mut self, record: EpisodeRecord, weight: usize) -> Result<(), Failure> {
        self.tally.add(&record);
        self.waiting.push(record);
        self.bytes += weight;
        if self.waiting.len() >= BATCH || self.bytes >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let waiting = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        self.page.add(&waiting).map_err(|error| unwritable(Path::new("the page"), &error))
    }

    pub fn write(mut self, path: &Path, summary: &Summary) -> Result<(), Failure> {
        self.flush()?;
        let (tasks, task_instances) = (summary.dialogues, summary.dialogues);
        let report = self.tally.report(SuiteCounts { tasks, task_instances, ..SuiteCounts::default() });
        let mut about = About::default();
        about.logs = Some(text::of_page(summary));
        write_out(path, |file| self.page.write(file, &report, &about)).map_err(|error| unwritable(path, &error))
    }
}
