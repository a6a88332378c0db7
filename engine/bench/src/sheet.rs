//! Tables that a benchmark makes of all of an agent's episodes, beyond the scores of each.

use serde::{Deserialize, Serialize};

use crate::metric::Visibility;
use crate::run::record::EpisodeRecord;

/// A table over the episodes of an agent: what its benchmark's paper prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Its name: `metrics`.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// What has to be known to read it.
    pub note: String,
    /// Whether it is printed, or stands on the page alone.
    pub place: Visibility,
    /// From where to where its numbers go, where they are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows, with a cell for each column.
    pub rows: Vec<SheetRow>,
}

/// A row of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetRow {
    /// What stands before it.
    pub name: String,
    /// A cell for each column.
    pub cells: Vec<SheetCell>,
}

/// A number of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetCell {
    /// The number; nothing where it is undefined, which is never 0.
    pub value: Option<f64>,
    /// What to make of it, in a word or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl From<Option<f64>> for SheetCell {
    fn from(value: Option<f64>) -> SheetCell {
        SheetCell { value, remark: None }
    }
}

/// Counts the episodes of an agent for the sheets of its benchmark.
pub trait Survey: Send {
    /// Counts the next episode in unit order.
    fn add(&mut self, record: &EpisodeRecord);

    /// The sheets of those counted.
    fn sheets(self: Box<Self>) -> Vec<Sheet>;
}
