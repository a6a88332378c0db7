//! Where a task stands in its file, for those who annotate files.

use std::collections::BTreeMap;

use probity_bench::Levels;

/// The files that a run was played on, by path.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, String>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    /// From 1.
    pub line: usize,
}

impl Sources {
    /// Of files, path by path.
    pub fn new(files: impl IntoIterator<Item = (String, String)>) -> Sources {
        Sources(files.into_iter().collect())
    }

    /// The file of a task, and the line in it that opens one of its levels: the first line where none does.
    pub fn place(&self, task: &str, levels: &Levels) -> Option<Place> {
        let is_of = |path: &str| {
            let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            stem.strip_suffix(task).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        };
        let (path, text) = self.0.iter().find(|(path, _)| is_of(path))?;
        let opens = |line: &str| {
            let line = line.trim_start();
            levels.iter().any(|(_, level)| {
                let rest = line.strip_prefix('"').and_then(|line| line.strip_prefix(level));
                rest.and_then(|rest| rest.strip_prefix('"')).is_some_and(|rest| rest.trim_start().starts_with(':'))
            })
        };
        let line = text.lines().position(opens).map_or(1, |at| at + 1);
        Some(Place { file: path.clone(), line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_found_by_its_path_and_a_level_by_its_key() {
        let task = "{\n \"goal\": \"ideal\",\n \"variants\": {\n  \"ideal\": {}\n }\n}";
        let files = [("tasks/shop/desk/t1.json", task), ("tasks/shop/desk/xt1.json", ""), ("scripts/a.rhai", "")];
        let sources = Sources::new(files.map(|(path, text)| (path.to_owned(), text.to_owned())));
        let at = |task, level| {
            let place = sources.place(task, &Levels::from_iter([("variant", level)]))?;
            Some((place.file, place.line))
        };
        assert_eq!(at("shop/desk/t1", "ideal"), Some(("tasks/shop/desk/t1.json".to_owned(), 4)));
        assert_eq!(at("shop/desk/t1", "other"), Some(("tasks/shop/desk/t1.json".to_owned(), 1)));
        assert_eq!(at("shop/desk/t2", "ideal"), None);
    }
}
