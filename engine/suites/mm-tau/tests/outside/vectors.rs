//! The peer's files, where they are present.

use std::fs;

use serde_json::Value;

use super::beside::outside;

/// A file of the peer's; nothing, and said so, where there is none.
fn bytes(name: &str) -> Option<Vec<u8>> {
    outside(&format!("shared/peers/tau2/{name}")).map(|path| fs::read(path).unwrap())
}

/// A JSON file, packed or not.
pub fn json(name: &str) -> Option<Value> {
    let bytes = bytes(name)?;
    let text = if name.ends_with(".gz") { unpacked(&bytes) } else { bytes };
    Some(serde_json::from_slice(&text).unwrap())
}

#[allow(dead_code, reason = "not every test reads one")]
pub fn json_lines(name: &str) -> Option<Vec<Value>> {
    let text = String::from_utf8(bytes(name)?).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// What a gzip file holds: ten bytes of head, a name if the flag says so, the data, eight bytes of checks.
fn unpacked(file: &[u8]) -> Vec<u8> {
    let (head, rest) = file.split_at(10);
    assert!(head.starts_with(&[0x1f, 0x8b, 8]) && head[3] & !8 == 0, "a gzip file with at most a name");
    let start = if head[3] == 8 { rest.iter().position(|byte| *byte == 0).unwrap() + 1 } else { 0 };
    let (data, checks) = rest[start..].split_at(rest.len() - start - 8);
    let unpacked = miniz_oxide::inflate::decompress_to_vec(data).unwrap();
    assert_eq!(checks[4..], u32::try_from(unpacked.len()).unwrap().to_le_bytes());
    unpacked
}
