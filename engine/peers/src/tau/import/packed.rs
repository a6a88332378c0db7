//! A file that may be packed with gzip.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use probity_engine::{Diagnostic, foreign};
use probity_wire::inflate::Gunzip;

/// The largest packed file that is read, in bytes.
const MAX_PACKED: u64 = 64 << 20;
/// The largest text that one may unpack to, in bytes.
const MAX_UNPACKED: u64 = 512 << 20;

/// The text of a JSON file, or of the packed file `.json.gz` beside it where it is not there.
/// An error, one diagnostic: neither can be read.
pub(super) fn text(path: &Path) -> Result<String, Diagnostic> {
    let packed = path.with_extension("json.gz");
    if path.exists() || !packed.exists() {
        return foreign::read(path);
    }
    let file = packed.to_string_lossy().into_owned();
    let wrong = |what: &str| {
        Diagnostic::file(file.as_str(), "bad_gzip", what).help(format!("unpack it beside itself: gunzip -k {file}"))
    };
    let unpacked = || -> io::Result<String> {
        let packed = BufReader::new(File::open(&packed)?.take(MAX_PACKED));
        let mut text = String::new();
        match Gunzip::new(packed)?.take(MAX_UNPACKED + 1).read_to_string(&mut text)? as u64 > MAX_UNPACKED {
            true => Err(io::Error::other("it is too large")),
            false => Ok(text),
        }
    };
    unpacked().map_err(|error| wrong(&format!("it cannot be unpacked here: {error}")))
}
