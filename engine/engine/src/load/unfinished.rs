//! What writes of files that were stopped have left beside them.

use std::fs::{self, File};
use std::path::Path;

/// Removes from a folder what processes that are gone have not finished: of one file, or of all.
pub fn clear_unfinished(folder: &Path, of: Option<&str>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some((file, process)) = name.to_str().and_then(unfinished) else { continue };
        if of.is_some_and(|of| of != file) || is_alive(process) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // Who writes it elsewhere, with the same disk, holds its lock.
        if File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is one that [`super::whole::write_whole`] gives to what it has not finished of a file.
pub fn is_unfinished(name: &str, of: &str) -> bool {
    unfinished(name).is_some_and(|(file, _)| file == of)
}

/// The file that an unfinished one is to become, and the process that writes it.
fn unfinished(name: &str) -> Option<(&str, u32)> {
    let (file, number) = name.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (process, number) = number.split_once('-')?;
    number.parse::<u32>().ok()?;
    Some((file, process.parse().ok()?))
}

fn is_alive(process: u32) -> bool {
    process == std::process::id() || Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_writes_any_more_is_removed() {
        let folder = std::env::temp_dir().join(format!("probity-unfinished-{}", std::process::id()));
        fs::create_dir_all(folder.join("b.4000000000-0.tmp")).unwrap();
        let own = format!("a.{}-0.tmp", std::process::id());
        // No process has such a number.
        let (left, others) = ("a.json.4000000000-0.tmp", "b.json.4000000000-12.tmp");
        for name in ["a.json", "notes.tmp", "a.1-.tmp", &own, left, others] {
            fs::write(folder.join(name), "").unwrap();
        }
        let names = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        clear_unfinished(&folder, Some("a.json"));
        assert!(names().count() == 6 && !names().any(|name| name == left));
        clear_unfinished(&folder, None);
        assert!(names().count() == 5 && !names().any(|name| name == others));
        fs::remove_dir_all(folder).unwrap();
    }
}
