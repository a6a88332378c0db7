//! What is written down while dialogues are read, a batch of them at a time.

use rayon::prelude::*;

use super::document;
use super::pages::Pages;
use super::summary::Summary;
use crate::cli::output;
use probity_audit::{Audited, Auditor, Told, record};
use probity_local::Failure;
use probity_logs::{Dialogue, Unread};

/// Dialogues that are in memory at the same time: so many, of so many bytes; one that is larger is alone.
pub const BATCH: usize = 256;
pub const BATCH_BYTES: usize = 32 << 20;
/// How a document of an audit begins, once there is something to say.
pub(crate) const EPISODES: &str = "{\"episodes\": [";

/// A dialogue, or what could not be read.
type Taken = Result<Dialogue, Unread>;

pub struct Books {
    pub summary: Summary,
    pub page: Option<Pages>,
    pub json: bool,
}

/// The next dialogues; nothing where there are none.
pub fn batch(reader: &mut impl Iterator<Item = Taken>) -> Option<Vec<Taken>> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < BATCH && bytes < BATCH_BYTES {
        let Some(taken) = reader.next() else { break };
        bytes += taken.as_ref().map_or(0, Dialogue::weight);
        batch.push(taken);
    }
    (!batch.is_empty()).then_some(batch)
}

/// Holds dialogues against their ledgers, in parallel, in their order.
pub fn hold(auditor: &Auditor, batch: Vec<Taken>) -> Vec<Result<(Dialogue, Audited), Unread>> {
    let hold = |dialogue: Dialogue| {
        let audited = auditor.hold(&dialogue);
        (dialogue, audited)
    };
    batch.into_par_iter().map(|taken| taken.map(hold)).collect()
}

impl Books {
    pub fn take(&mut self, batch: Vec<Result<(Dialogue, Audited), Unread>>, told: &Told) -> Result<(), Failure> {
        for taken in batch {
            let (dialogue, mut audited) = match taken {
                Ok(audited) => audited,
                Err(unread) => {
                    self.summary.unread(unread);
                    continue;
                }
            };
            if self.json {
                let between = if self.summary.dialogues == 0 { EPISODES } else { "," };
                output::json_text(&format!("{between}\n{}", document::episode(&dialogue, &audited)));
            }
            self.summary.names.extend(std::mem::take(&mut audited.names), told);
            let trial = self.summary.add(&dialogue, &audited);
            if let Some(page) = &mut self.page {
                let weight = dialogue.weight();
                page.add(record(&dialogue, audited, trial), weight)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use probity_logs::{Event, Form, Reader};

    use super::*;

    #[test]
    fn a_batch_ends_where_it_is_large() {
        let dialogue = |bytes: usize| {
            let text = r#"{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hi"}]}"#;
            let mut dialogue = Reader::new("a", text.as_bytes(), Some(Form::Chat)).next().unwrap().unwrap();
            dialogue.events.push(Event::Agent { message: 2, text: "x".repeat(bytes) });
            dialogue
        };
        let sizes = |each: usize, count: usize| {
            let mut all = (0..count).map(|_| Ok(dialogue(each)));
            std::iter::from_fn(move || batch(&mut all)).map(|batch| batch.len()).collect::<Vec<usize>>()
        };
        assert_eq!(sizes(10, 600), [256, 256, 88]);
        assert_eq!(sizes(BATCH_BYTES / 2, 5), [2, 2, 1]);
        assert_eq!(sizes(BATCH_BYTES, 3), [1, 1, 1]);
    }
}
