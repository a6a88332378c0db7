//! A file that may be packed with gzip.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use probity_engine::{Diagnostic, foreign};

/// The largest packed file that is read, in bytes.
const MAX_PACKED: u64 = 64 << 20;
/// The largest text that one may unpack to, in bytes.
const MAX_UNPACKED: usize = 512 << 20;

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
    let mut bytes = Vec::new();
    let read = File::open(&packed).and_then(|file| file.take(MAX_PACKED).read_to_end(&mut bytes));
    read.map_err(|error| wrong(&format!("it cannot be read: {error}")))?;
    let unpacked = unpacked(&bytes).ok_or_else(|| wrong("it cannot be unpacked here"))?;
    String::from_utf8(unpacked).map_err(|_| wrong("it is not UTF-8"))
}

/// What a gzip file holds: ten bytes of head, a name if the flag says so, the data, eight bytes of checks.
fn unpacked(file: &[u8]) -> Option<Vec<u8>> {
    let (head, rest) = file.split_at_checked(10)?;
    let flags = match head {
        [0x1f, 0x8b, 8, flags, ..] => *flags,
        _ => return None,
    };
    let start = match flags {
        0 => 0,
        8 => rest.iter().position(|byte| *byte == 0)? + 1,
        _ => return None,
    };
    let data = rest.get(start..rest.len().checked_sub(8)?)?;
    let unpacked = decompress_to_vec_with_limit(data, MAX_UNPACKED).ok()?;
    let length = u32::from_le_bytes(rest.last_chunk::<4>().copied()?);
    (usize::try_from(length) == Ok(unpacked.len())).then_some(unpacked)
}
