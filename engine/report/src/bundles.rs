//! The episodes of a page, a line of JSON each, packed in bundles as they come in.

use std::borrow::Borrow;
use std::io::{Read, Result, Seek, SeekFrom, Write};

use miniz_oxide::deflate::compress_to_vec;
use rayon::prelude::*;
use serde_json::Value;

use super::document::base64;
use probity_bench::{Card, EpisodeRecord};

/// Episodes in a bundle; `store.js` has the same number.
pub(super) const BUNDLE: usize = 64;
/// How hard a bundle is packed, from 1 to 10: more takes longer and saves little.
const PACKING: u8 = 6;

/// Bundles, a line each; the full ones in a spool.
pub(super) struct Bundles<S> {
    card: &'static Card,
    spool: S,
    is_begun: bool,
    /// The lines of the bundle that is not full.
    open: Vec<String>,
}

impl<S: Read + Write + Seek> Bundles<S> {
    /// None yet; the spool is empty.
    pub fn new(card: &'static Card, spool: S) -> Bundles<S> {
        Bundles { card, spool, is_begun: false, open: Vec::new() }
    }

    pub fn add<R: Borrow<EpisodeRecord> + Sync>(&mut self, records: &[R]) -> Result<()> {
        let line = |record: &R| Ok(serde_json::to_string(&shown(self.card, record.borrow())?)?);
        let lines: Vec<String> = records.par_iter().map(line).collect::<Result<_>>()?;
        self.open.extend(lines);
        let rest = self.open.split_off(self.open.len() / BUNDLE * BUNDLE);
        let full = std::mem::replace(&mut self.open, rest);
        self.pack(&full)
    }

    pub fn copy(&mut self, out: &mut impl Write) -> Result<()> {
        let last = std::mem::take(&mut self.open);
        self.pack(&last)?;
        self.spool.seek(SeekFrom::Start(0))?;
        std::io::copy(&mut self.spool, out).map(drop)
    }

    fn pack(&mut self, lines: &[String]) -> Result<()> {
        let bundle = |lines: &[String]| base64(&compress_to_vec(lines.join("\n").as_bytes(), PACKING));
        let packed: Vec<String> = lines.par_chunks(BUNDLE).map(bundle).collect();
        for bundle in packed {
            if self.is_begun {
                self.spool.write_all(b"\n")?;
            }
            self.is_begun = true;
            self.spool.write_all(bundle.as_bytes())?;
        }
        Ok(())
    }
}

/// An episode without the hashes that no one reads on a page, and without findings that do not count.
fn shown(card: &Card, record: &EpisodeRecord) -> Result<Value> {
    let mut value = serde_json::to_value(record)?;
    if let Some(header) = value.pointer_mut("/trace/header").and_then(Value::as_object_mut) {
        header.remove("scripts");
    }
    let events = value.pointer_mut("/trace/events").and_then(Value::as_array_mut);
    for step in events.into_iter().flatten().filter_map(Value::as_object_mut) {
        step.remove("state_hash");
    }
    let counted = record.scores.found.iter().filter(|found| card.is_counted(&record.scores, found));
    if let Some(found) = value.pointer_mut("/scores/found") {
        *found = serde_json::to_value(counted.collect::<Vec<_>>())?;
    }
    Ok(value)
}
