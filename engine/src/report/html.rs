//! The report as one self-contained HTML page.

use super::aggregate::Report;
use crate::run::record::EpisodeRecord;

/// The page.
pub fn render(_report: &Report, _records: &[EpisodeRecord]) -> String {
    String::new()
}
