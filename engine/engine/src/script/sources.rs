//! The scripts of an environment as text: its own file and the libraries it can call.

use std::collections::BTreeMap;

use crate::model::canonical::Hash;

/// One script: its path below the root (for messages) and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path below the root, with `/`.
    pub file: String,
    /// The Rhai text.
    pub text: String,
}

impl Source {
    /// The hash of the text, however its lines end.
    pub fn hash(&self) -> Hash {
        Hash::of_text(&self.text)
    }

    /// Line and column of a carriage return without a line feed. Rhai ends a comment there and counts a line,
    /// which no editor does: everything behind it would be looked for in another place.
    pub(super) fn lone_return(&self) -> Option<(usize, usize)> {
        let lines = self.text.split('\n').enumerate();
        lines.map(|(before, line)| (before + 1, line.strip_suffix('\r').unwrap_or(line))).find_map(|(number, line)| {
            let (start, _) = line.split_once('\r')?;
            Some((number, start.chars().count() + 1))
        })
    }
}

/// The scripts of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Tool bodies, `populate`, helpers.
    pub main: Source,
    /// Libraries by name: `names` is called as `names::first()`.
    pub libraries: BTreeMap<String, Source>,
}

impl Sources {
    pub(crate) fn hashes(&self) -> BTreeMap<String, Hash> {
        let all = std::iter::once(&self.main).chain(self.libraries.values());
        all.map(|source| (source.file.clone(), source.hash())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_ends_no_line_by_itself() {
        let lone = |text: &str| Source { file: String::new(), text: text.to_owned() }.lone_return();
        assert_eq!(lone("a\r\nb\n\r\n"), None);
        assert_eq!(lone("a\r\n// \u{e9}\rb\n"), Some((2, 5)));
        assert_eq!(lone("a\r\r\n"), Some((1, 2)));
    }
}
