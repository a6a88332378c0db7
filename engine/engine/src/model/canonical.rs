//! Canonical JSON (RFC 8785; integers beyond ±(2^53 - 1) with all their digits) and the SHA-256 hashes published over it.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use schemars::JsonSchema;
use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};

/// Appends the canonical form of `value` to `out`.
pub fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => write_map(map, out),
    }
}

/// Appends the canonical form of an object to `out`.
pub fn write_map(map: &Map<String, Value>, out: &mut String) {
    out.push('{');
    // UTF-8 order and the UTF-16 order the RFC asks for differ only beyond the basic plane.
    if map.keys().any(|key| key.chars().any(|c| c > '\u{d7ff}')) {
        let mut entries: Vec<(&String, &Value)> = map.iter().collect();
        entries.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
        write_entries(entries.into_iter(), out);
    } else {
        write_entries(map.iter(), out);
    }
    out.push('}');
}

fn write_entries<'a>(entries: impl Iterator<Item = (&'a String, &'a Value)>, out: &mut String) {
    for (i, (key, value)) in entries.enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_string(key, out);
        out.push(':');
        write(value, out);
    }
}

fn write_number(number: &Number, out: &mut String) {
    if let Some(integer) = number.as_i64() {
        let _ = write!(out, "{integer}");
    } else if let Some(integer) = number.as_u64() {
        out.push_str(&integer.to_string());
    } else if let Some(whole) = number.as_f64().and_then(whole) {
        out.push_str(&whole.to_string());
    } else if let Some(float) = number.as_f64() {
        out.push_str(ryu_js::Buffer::new().format(float));
    }
}

/// A double beyond 2^53 that an integer of 64 bits could equal. All its digits are written, so that no
/// two numbers have one text; RFC 8785 would round the digits.
fn whole(float: f64) -> Option<i128> {
    let is_wide = float.abs() > 9_007_199_254_740_992.0 && float.abs() < 18_446_744_073_709_551_616.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole, and below 2^64")]
    is_wide.then_some(float as i128)
}

fn write_string(text: &str, out: &mut String) {
    // To the end without leaving early, which the compiler does sixteen bytes at a time.
    let plain = text.bytes().fold(true, |plain, b| plain & (b >= 0x20) & (b != b'"') & (b != b'\\'));
    if plain {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&Value::String(text.to_owned()).to_string());
    }
}

/// The canonical form of `value`.
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// A text whose lines end in a line feed alone.
pub fn lines_of(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

/// A published SHA-256 hash, written `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of some bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Hash(Sha256::digest(bytes).into())
    }

    /// The hash of a text, however its lines end: a checkout that ends them with a carriage return changes nothing.
    pub fn of_text(text: &str) -> Self {
        Hash::of_bytes(lines_of(text).as_bytes())
    }

    /// The hash of a value's canonical JSON.
    pub fn of(value: &Value) -> Self {
        Hash::of_bytes(to_string(value).as_bytes())
    }

    /// The hash of the canonical JSON of what our own types hold.
    #[expect(clippy::expect_used, reason = "a common hash for all that has no JSON form would make them one")]
    pub fn of_serialized(value: &impl serde::Serialize) -> Self {
        Hash::of(&serde_json::to_value(value).expect("types with text for keys have a JSON form"))
    }

    /// The raw 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 64 hexadecimal digits alone, as used in file names.
    pub fn hex(&self) -> String {
        let mut hex = String::with_capacity(64);
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        hex.extend(digits.filter_map(|digit| char::from_digit(digit.into(), 16)));
        hex
    }
}

/// The hash of a list of texts as canonical JSON, taken in one by one.
#[derive(Default)]
pub struct ListHasher {
    hasher: Sha256,
    is_begun: bool,
}

impl ListHasher {
    /// Takes in the next text.
    pub fn add(&mut self, text: &str) {
        let mut piece = String::from(if self.is_begun { "," } else { "[" });
        self.is_begun = true;
        write_string(text, &mut piece);
        self.hasher.update(piece);
    }

    /// The hash of the list.
    pub fn hash(mut self) -> Hash {
        self.hasher.update(if self.is_begun { "]" } else { "[]" });
        Hash(self.hasher.finalize().into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

as_text!(Hash);

impl FromStr for Hash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is not `sha256:` and 64 lower-case hexadecimal digits");
        let hex = text.strip_prefix("sha256:").ok_or_else(bad)?;
        let digits = hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if hex.len() != 64 || !digits {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| bad())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| bad())?;
        }
        Ok(Hash(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn keys_beyond_the_basic_plane_sort_by_utf16() {
        let value = json!({"\u{e000}": 1, "\u{10000}": 2});
        assert_eq!(to_string(&value), "{\"\u{10000}\":2,\"\u{e000}\":1}");
    }

    #[test]
    fn a_hash_round_trips_and_refuses_other_text() {
        let hash = Hash::of(&json!({"a": 1}));
        assert_eq!(hash.to_string().parse::<Hash>(), Ok(hash));
        assert!("sha256:00".parse::<Hash>().is_err());
        assert!(format!("sha256:{}", "+1".repeat(32)).parse::<Hash>().is_err());
    }

    /// Numbers of all kinds, many of them close to a power of two.
    fn any_number() -> impl Strategy<Value = Number> {
        let near = (50_u32..64, -3_i64..=3).prop_map(|(bits, off)| (1_u64 << bits).wrapping_add_signed(off));
        prop_oneof![
            any::<i64>().prop_map(Number::from),
            any::<u64>().prop_map(Number::from),
            near.clone().prop_map(Number::from),
            near.prop_map(|n| Number::from_f64(n as f64).unwrap()),
            any::<f64>().prop_filter_map("finite", Number::from_f64),
        ]
    }

    /// The exact value of a whole number of at most 64 bits.
    fn exact(number: &Number) -> Option<i128> {
        let integer = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
        let whole = |f: &f64| f.fract() == 0.0 && f.abs() < 2_f64.powi(64);
        integer.or_else(|| number.as_f64().filter(whole).map(|f| f as i128))
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
            any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn integers_of_64_bits_keep_their_digits() {
        for text in ["18446744073709551615", "18446744073709551614", "9007199254740993", "-9223372036854775808"] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(to_string(&value), text);
        }
        assert_ne!(Hash::of(&json!(u64::MAX)), Hash::of(&json!(u64::MAX - 1)));
        // A double has all its digits too: RFC 8785 would write 12345678901234567000.
        assert_eq!(to_string(&json!(1.234_567_890_123_456_7e19)), "12345678901234567168");
    }

    proptest! {
        /// No two numbers of different value have one text.
        #[test]
        fn different_numbers_have_different_texts(a in any_number(), b in any_number()) {
            let same_value = match (exact(&a), exact(&b)) {
                (Some(a), Some(b)) => a == b,
                (None, None) => a.as_f64() == b.as_f64(),
                (Some(_), None) | (None, Some(_)) => false,
            };
            prop_assert_eq!(to_string(&Value::Number(a)) == to_string(&Value::Number(b)), same_value);
        }

        /// The reference crate is slow and right; ours must say the same.
        #[test]
        fn agrees_with_the_reference_crate(mut value in any_json()) {
            prop_assume!(crate::model::number::normalise(&mut value).is_ok());
            prop_assert_eq!(to_string(&value), serde_json_canonicalizer::to_string(&value).unwrap());
        }
    }
}
