//! Slips of names and places: a file is there, but not where or what it should be.

use std::fs;
use std::path::Path;

/// Makes a slip below a root with one of its files; which file tells of it now, or nothing where it cannot be made.
type Slip = fn(&Path, &str) -> Option<Vec<String>>;

pub const PLACES: [(&str, Slip); 16] = [
    ("name in capitals", |root, file| renamed(root, file, |name| name[..1].to_uppercase() + &name[1..])),
    ("copy beside it", |root, file| copied(root, file, |name| format!("Copy of {name}"))),
    ("ending in capitals", |root, file| {
        renamed(root, file, |name| name.replace(".json", ".JSON").replace(".rhai", ".RHAI"))
    }),
    ("ending doubled", |root, file| renamed(root, file, |name| format!("{name}.txt"))),
    ("another ending", |root, file| {
        renamed(root, file, |name| name.replace(".json", ".jsonc").replace(".rhai", ".js"))
    }),
    ("yaml beside it", |root, file| copied(root, file, |name| format!("{}.yaml", &name[..name.find('.').unwrap()]))),
    ("backup beside it", |root, file| copied(root, file, |name| format!("{name}.bak"))),
    ("backup of an editor", |root, file| copied(root, file, |name| format!("{name}~"))),
    ("zero-width space in the name", |root, file| {
        renamed(root, file, |name| format!("{}\u{200b}{}", &name[..2], &name[2..]))
    }),
    ("blank at the end of the name", |root, file| renamed(root, file, |name| format!("{name} "))),
    ("a folder too deep", |root, file| moved(root, file, |folder, name| format!("{folder}/old/{name}"))),
    ("a folder too high", |root, file| {
        moved(root, file, |folder, name| format!("{}/{name}", folder.rsplit_once('/').unwrap().0))
    }),
    ("in another folder of ours", |root, file| {
        let (of, name) = (file.split('/').next()?, file.rsplit('/').next()?);
        let other = if of == "scripts" { "tasks" } else { "scripts" };
        moved(root, file, |_, _| format!("{other}/somewhere/{name}"))
    }),
    ("a folder in its place", |root, file| {
        fs::remove_file(root.join(file)).unwrap();
        fs::create_dir(root.join(file)).unwrap();
        Some(Vec::new())
    }),
    ("a link that leads nowhere", linked),
    ("nobody may read it", unreadable),
];

fn moved(root: &Path, file: &str, to: impl Fn(&str, &str) -> String) -> Option<Vec<String>> {
    let (folder, name) = file.rsplit_once('/')?;
    let to = to(folder, name);
    fs::create_dir_all(root.join(&to).parent()?).unwrap();
    fs::rename(root.join(file), root.join(&to)).unwrap();
    Some(vec![to])
}

fn renamed(root: &Path, file: &str, to: impl Fn(&str) -> String) -> Option<Vec<String>> {
    moved(root, file, |folder, name| format!("{folder}/{}", to(name)))
}

fn copied(root: &Path, file: &str, to: impl Fn(&str) -> String) -> Option<Vec<String>> {
    let (folder, name) = file.rsplit_once('/')?;
    let to = format!("{folder}/{}", to(name));
    fs::copy(root.join(file), root.join(&to)).unwrap();
    Some(vec![to])
}

#[cfg(unix)]
fn linked(root: &Path, file: &str) -> Option<Vec<String>> {
    fs::remove_file(root.join(file)).unwrap();
    std::os::unix::fs::symlink("nowhere", root.join(file)).unwrap();
    Some(Vec::new())
}

#[cfg(not(unix))]
fn linked(_: &Path, _: &str) -> Option<Vec<String>> {
    None
}

/// Nobody but those who may read everything.
#[cfg(unix)]
fn unreadable(root: &Path, file: &str) -> Option<Vec<String>> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(root.join(file), fs::Permissions::from_mode(0o0)).unwrap();
    fs::read(root.join(file)).is_err().then(Vec::new)
}

#[cfg(not(unix))]
fn unreadable(_: &Path, _: &str) -> Option<Vec<String>> {
    None
}
