//! Texts of authored files that are kept as long as the program runs.

use serde::{Deserialize, Deserializer};

pub(crate) fn kept_all(texts: Vec<String>) -> &'static [&'static str] {
    texts.into_iter().map(|text| &*text.leak()).collect::<Vec<&'static str>>().leak()
}

pub(crate) fn word<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    String::deserialize(from).map(|text| &*text.leak())
}

pub(crate) fn maybe<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'static str>, D::Error> {
    word(from).map(Some)
}

pub(crate) fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<&'static [&'static str], D::Error> {
    Vec::deserialize(from).map(kept_all)
}

pub(crate) fn pair<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(&'static str, &'static str)>, D::Error> {
    <(String, String)>::deserialize(from).map(|(one, other)| Some((&*one.leak(), &*other.leak())))
}

pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<&'static [T], D::Error> {
    Vec::deserialize(from).map(|items| &*items.leak())
}
