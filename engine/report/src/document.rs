//! A page that needs nothing else: no network, no other file.
//!
//! Its data is embedded and drawn by its script. Text of models and users can break out neither here, where `<` is
//! escaped, nor there, where it is only ever set as text; and the page's policy lets no script run but its own. Episodes
//! are a line of JSON each, packed in bundles as they come in.

use std::borrow::Borrow;
use std::io::{Error, Read, Result, Seek, SeekFrom, Write};

use base64::Engine as _;
use miniz_oxide::deflate::compress_to_vec;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use probity_bench::{Card, EpisodeRecord};
use probity_engine::Hash;
use probity_engine::plain::plain_json;

const HEAD: &str = include_str!("page/head.html");
pub(super) const STYLE: &str =
    concat!(include_str!("page/report.css"), include_str!("page/compare.css"), include_str!("page/board.css"));
const SHARED: [&str; 3] =
    [include_str!("page/element.js"), include_str!("page/theme.js"), include_str!("page/metric.js")];

/// Fills the body of a page with data by name; `scripts` follow what all pages share, and the last one starts the page.
/// An error: the body has a marker that nothing fills.
pub fn page(title: &str, body: &str, scripts: &[&str], data: &[(&str, String)]) -> Result<String> {
    let mut page = Vec::new();
    write_page(&mut page, title, body, scripts, |name, out| {
        let (_, value) = data.iter().find(|(known, _)| *known == name).ok_or_else(|| unfilled(name))?;
        out.write_all(value.as_bytes())
    })?;
    String::from_utf8(page).map_err(Error::other)
}

/// The same piece by piece; `data` writes what stands under a name, and refuses a name that it does not know.
/// An error: it cannot be written, or `data` says so.
pub(crate) fn write_page<W: Write>(
    out: &mut W,
    title: &str,
    body: &str,
    scripts: &[&str],
    mut data: impl FnMut(&str, &mut W) -> Result<()>,
) -> Result<()> {
    let script = [SHARED.concat(), scripts.concat()].concat();
    fill(out, &[HEAD, body].concat(), |name, out| match name {
        "title" => out.write_all(title.as_bytes()),
        "policy" => out.write_all(policy(&script).as_bytes()),
        "style" => out.write_all(STYLE.as_bytes()),
        "script" => out.write_all(script.as_bytes()),
        _ => data(name, out),
    })
}

/// Replaces each `{{name}}` of the template, and nothing in what is put there.
fn fill<W: Write>(out: &mut W, template: &str, mut value: impl FnMut(&str, &mut W) -> Result<()>) -> Result<()> {
    let mut pieces = template.split("{{");
    out.write_all(pieces.next().unwrap_or_default().as_bytes())?;
    for piece in pieces {
        match piece.split_once("}}") {
            Some((name, rest)) => {
                value(name, out)?;
                out.write_all(rest.as_bytes())?;
            }
            None => return Err(unfilled(piece)),
        }
    }
    Ok(())
}

/// That a template has a marker that nothing fills.
pub fn unfilled(name: &str) -> Error {
    Error::other(format!("nothing fills the marker `{name}` of the page"))
}

/// JSON on one line that cannot end the element it stands in, nor turn or hide what is read around it; in JSON `<`
/// occurs in strings only.
pub fn embedded(value: &impl Serialize) -> Result<String> {
    Ok(plain_json(&serde_json::to_string(value)?).replace('<', "\\u003c"))
}

/// Nothing is loaded, and no script runs but this one.
fn policy(script: &str) -> String {
    let hash = base64(Hash::of_bytes(script.as_bytes()).bytes());
    let own = format!("script-src 'sha256-{hash}'; style-src 'unsafe-inline'");
    format!("default-src 'none'; {own}; base-uri 'none'; form-action 'none'")
}

/// Base64 with padding (RFC 4648).
pub(super) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        let page = page("a title", "<p>{{words}}", &[], &[("words", "{{script}}".to_owned())]).unwrap();
        assert!(page.contains("<title>a title</title>") && page.ends_with("<p>{{script}}"), "{page}");
    }

    #[test]
    fn a_marker_that_nothing_fills_is_an_error() {
        for body in ["<p>{{none}}", "<p>{{open"] {
            assert!(page("a title", body, &[], &[]).is_err(), "{body}");
        }
    }

    #[test]
    fn embedded_data_holds_no_character_that_turns_or_hides_what_is_read() {
        let words = "a\u{9b}b\u{202e}c\u{2028}d\u{2029}<e>\u{61c}";
        let text = embedded(&words).unwrap();
        assert!(text.is_ascii() && !text.contains('<'), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), words);
    }

    #[test]
    fn scripts_and_style_cannot_end_their_elements() {
        assert_eq!(SHARED.concat().matches("</").count() + STYLE.matches("</").count(), 0);
    }
}
