//! What is wanted at an instance, told to people who look at its episodes. Plain data: it decides nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is wanted at an instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Wanted {
    /// In a sentence.
    pub goal: String,
    /// The ways it may end well, the oracle's first.
    pub ways: Vec<WantedWay>,
    /// What else there is to know, such as what an agent is told; folded on a page.
    pub sections: Vec<Section>,
}

/// One way to end well.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WantedWay {
    /// Its name.
    pub name: String,
    /// The oracle's calls, in order.
    pub calls: Vec<WantedCall>,
}

/// A call of the oracle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WantedCall {
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// The turn of the user, from 1, after which it is made.
    pub turn: u32,
}

/// A titled text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// Which calls of an episode are which of those wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paired {
    /// The way that the episode came nearest to.
    pub way: String,
    /// For each call of that way the step that stands for it; nothing for one that was not made.
    pub steps: Vec<Option<u32>>,
    /// For each call that was not made the step that was made in its place, if there is one.
    pub instead: Vec<Option<u32>>,
}

impl Section {
    /// A section; nothing where there is no line.
    pub fn of(title: &str, lines: Vec<String>) -> Option<Section> {
        (!lines.is_empty()).then(|| Section { title: title.to_owned(), lines })
    }
}

impl Wanted {
    /// The way of a name; the oracle's where there is none of that name.
    pub fn way(&self, name: &str) -> Option<&WantedWay> {
        self.ways.iter().find(|way| way.name == name).or(self.ways.first())
    }
}
