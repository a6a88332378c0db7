//! The barrier that `bwrap` makes: namespaces of the agent's own, in which it sees the system's programs, its folder,
//! and what its command names.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::isolation::Isolation;

/// Nothing of it outlives us, no process but its own is there, and no right beyond its user's.
const FLAGS: [&str; 8] = [
    "--die-with-parent",
    "--new-session",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--cap-drop",
    "ALL",
];
/// Where programs and their libraries are.
const SYSTEM: [&str; 9] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"];
/// What interpreters read of the configuration: libraries, names, certificates, time.
const ETC: [&str; 14] = [
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/group",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/ssl",
    "/etc/static",
];
/// What must not be taken over from the host, whoever names it.
const NEVER: [&str; 4] = ["/dev", "/proc", "/run", "/sys"];

/// What is shown to an agent, and what is not.
pub(super) struct View<'a> {
    pub isolation: &'a Isolation,
    /// Its own folder: all that it can write to.
    pub folder: &'a Path,
    /// What its command names.
    pub named: &'a [PathBuf],
    /// What it must not see even where it lies in a folder that is shown.
    pub hidden: &'a [PathBuf],
}

impl View<'_> {
    /// The arguments of `bwrap`, up to the command. What comes later lies over what came before.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let mut arguments = Arguments(FLAGS.iter().map(OsString::from).collect());
        if !self.isolation.network {
            arguments.push(&[OsStr::new("--unshare-net")]);
        }
        for (kind, place) in [("--proc", "/proc"), ("--dev", "/dev"), ("--tmpfs", "/tmp")] {
            arguments.push(&[OsStr::new(kind), OsStr::new(place)]);
        }
        let (files, folders): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.named.iter().filter(|path| can_be_shown(path)).partition(|path| path.is_file());
        ETC.iter().for_each(|path| arguments.show(Path::new(path)));
        self.show_folders(&mut arguments, &mut SYSTEM.iter().map(Path::new));
        self.show_folders(&mut arguments, &mut folders.into_iter().map(PathBuf::as_path));
        if let Some(dir) = &self.isolation.dir {
            arguments.show(dir);
            // Who gives the suite's own folder to agents means it; the run in it is none of theirs.
            self.covered(dir).iter().filter(|path| *path != dir).for_each(|path| arguments.cover(path));
        }
        files.into_iter().for_each(|path| arguments.show(path));
        arguments.push(&[OsStr::new("--bind"), self.folder.as_ref(), self.folder.as_ref()]);
        // The root is empty and the agent's own; there is nothing to keep there either.
        arguments.push(&[OsStr::new("--remount-ro"), OsStr::new("/")]);
        let start = self.isolation.dir.as_deref().unwrap_or(self.folder);
        arguments.push(&[OsStr::new("--chdir"), start.as_ref(), OsStr::new("--")]);
        arguments.0
    }

    /// Shows folders without what is hidden in them.
    fn show_folders(&self, arguments: &mut Arguments, folders: &mut dyn Iterator<Item = &Path>) {
        for folder in folders {
            arguments.show(folder);
            self.covered(folder).iter().for_each(|path| arguments.cover(path));
        }
    }

    /// What must not be seen within a folder that is shown, as it is called there.
    fn covered(&self, shown: &Path) -> Vec<PathBuf> {
        let Ok(real) = shown.canonicalize() else { return Vec::new() };
        let hidden = self.hidden.iter().filter_map(|path| path.canonicalize().ok());
        hidden.filter_map(|path| path.strip_prefix(&real).ok().map(|rest| shown.join(rest))).collect()
    }
}

struct Arguments(Vec<OsString>);

impl Arguments {
    fn push(&mut self, words: &[&OsStr]) {
        self.0.extend(words.iter().map(|word| (*word).to_owned()));
    }

    fn show(&mut self, path: &Path) {
        self.push(&[OsStr::new("--ro-bind-try"), path.as_ref(), path.as_ref()]);
    }

    fn cover(&mut self, path: &Path) {
        self.push(&[OsStr::new("--tmpfs"), path.as_ref()]);
    }
}

/// Whether a path that a command names may be taken over as it is.
fn can_be_shown(path: &Path) -> bool {
    let real = path.canonicalize().unwrap_or_default();
    let is_never = NEVER.iter().any(|place| real.starts_with(place) || path.starts_with(place));
    (real.is_dir() || real.is_file()) && real != Path::new("/") && !is_never
}
