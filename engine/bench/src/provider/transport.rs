//! How a request gets to a provider and its answer back: over the network, or from a cassette.

use std::collections::BTreeMap;

use probity_engine::Hash;
use serde::{Deserialize, Serialize};

/// Longest body of an answer, in bytes.
pub(crate) const MAX_BODY: u64 = 8 << 20;

/// Tells whether everything is asked to stop.
pub type Stop = std::sync::Arc<dyn Fn() -> bool + Send + Sync>;

/// A request: one body, sent for one unit of a run.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// Which dialogue it belongs to; requests of one unit come one after the other.
    pub unit: &'a str,
    /// How many requests of this unit came before, those sent again included.
    pub number: u64,
    /// The model, where it stands in the path and not in the body.
    pub model: Option<&'a str>,
    /// The body, as canonical JSON.
    pub body: &'a str,
}

impl Outgoing<'_> {
    /// The hash of what is asked; no key is part of it.
    pub fn hash(&self) -> Hash {
        match self.model {
            Some(model) => Hash::of_text(&format!("{model}\n{}", self.body)),
            None => Hash::of_bytes(self.body.as_bytes()),
        }
    }
}

/// The headers that are kept of an answer: they may say whose fault it is.
pub(crate) const KEPT_HEADERS: [&str; 3] = ["x-amzn-errortype", "x-ms-error-code", "x-should-retry"];

/// An answer, whatever its status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Milliseconds after which the provider wants to be asked again, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// The body as text.
    pub body: String,
    /// What stands in the headers that are kept ([`KEPT_HEADERS`]).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", content = "what", rename_all = "snake_case")]
pub enum Broken {
    /// Nothing came in time.
    #[error("no answer within {0} seconds")]
    Timeout(u64),
    /// No connection, or it was lost.
    #[error("{0}")]
    Connection(String),
    /// The body is longer than allowed.
    #[error("the answer is longer than {0} bytes")]
    TooLong(u64),
    /// The answer is no text from this byte on.
    #[error("the answer is not UTF-8 after {0} bytes")]
    NotUtf8(u64),
    /// The cassette has no such request.
    #[error("{0}")]
    NotRecorded(String),
    /// Everything was asked to stop.
    #[error("the run was interrupted")]
    Interrupted,
}

/// Carries requests.
pub trait Transport: Send + Sync {
    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// There is no answer.
    fn send(&self, request: Outgoing) -> Result<Reply, Broken>;

    /// Whether somebody is at the other end who can be asked too often.
    fn is_live(&self) -> bool;
}

/// Two ways: units whose name begins so go one, all others the other.
pub struct Fork {
    /// How the names of units begin that go the first way.
    pub prefix: &'static str,
    /// The first way.
    pub with: Box<dyn Transport>,
    /// The other way.
    pub without: Box<dyn Transport>,
}

impl Transport for Fork {
    fn send(&self, request: Outgoing) -> Result<Reply, Broken> {
        match request.unit.starts_with(self.prefix) {
            true => self.with.send(request),
            false => self.without.send(request),
        }
    }

    fn is_live(&self) -> bool {
        self.with.is_live() || self.without.is_live()
    }
}

/// A function answers what is asked of it: nobody is behind it who can be asked too often, so there is no pace and no
/// wait between attempts.
impl<F: Fn(Outgoing) -> Result<Reply, Broken> + Send + Sync> Transport for F {
    fn send(&self, request: Outgoing) -> Result<Reply, Broken> {
        self(request)
    }

    fn is_live(&self) -> bool {
        false
    }
}
