//! What a path on the command line means: all tasks, or those that a name stands for.

use std::path::Path;

/// The tasks that one path stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// The folder of all tasks.
    All,
    /// An id, its last part, a start of it, or the name of an environment.
    Named(String),
}

impl Meant {
    /// What a path means; nothing when it names nothing.
    pub(super) fn of(path: &str, root: &Path) -> Option<Meant> {
        match below(path, &root.join("tasks")) {
            Some(below) if below.is_empty() => Some(Meant::All),
            Some(below) => name(&below),
            None => name(path),
        }
    }

    /// Whether a task is among them.
    pub(super) fn is(&self, id: &str) -> bool {
        let Meant::Named(name) = self else { return true };
        id == name
            || id.rsplit('/').next() == Some(name)
            || id.split('/').nth(1) == Some(name)
            || id.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// The part of a path below the folder of the tasks: as it is written, else as the disk has it.
fn below(path: &str, tasks: &Path) -> Option<String> {
    let written = Path::new(path);
    let text = |below: &Path| below.to_string_lossy().into_owned();
    if let Ok(below) = written.strip_prefix(tasks).or_else(|_| written.strip_prefix("tasks")) {
        return Some(text(below));
    }
    let real = written.canonicalize().ok()?;
    real.strip_prefix(tasks.canonicalize().ok()?).ok().map(text)
}

fn name(path: &str) -> Option<Meant> {
    let name = path.trim_end_matches('/');
    let name = name.strip_suffix(".json").unwrap_or(name);
    (!name.is_empty()).then(|| Meant::Named(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_what_lies_below_the_tasks_or_a_name() {
        let root = Path::new("here");
        let named = |name: &str| Some(Meant::Named(name.to_owned()));
        for (path, meant) in [
            ("", None),
            ("/", None),
            ("//", None),
            (".json", None),
            ("tasks", Some(Meant::All)),
            ("tasks/", Some(Meant::All)),
            ("here/tasks", Some(Meant::All)),
            ("tasks/shop/counter/buy.json", named("shop/counter/buy")),
            ("here/tasks/shop/", named("shop")),
            ("shop/", named("shop")),
            ("/shop", named("/shop")),
        ] {
            assert_eq!(Meant::of(path, root), meant, "{path}");
        }
    }

    #[test]
    fn a_name_is_a_whole_part_of_an_id() {
        for (name, is_meant) in [
            ("shop/counter/buy", true),
            ("buy", true),
            ("counter", true),
            ("shop", true),
            ("sho", false),
            ("uy", false),
        ] {
            assert_eq!(Meant::Named(name.to_owned()).is("shop/counter/buy"), is_meant, "{name}");
        }
    }
}
