//! The barrier that `bwrap` makes: namespaces of the agent's own, in which it sees the system's programs, its folder,
//! and what its command names.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::installation::Installation;
use super::quarters::Isolation;

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

pub(super) struct View<'a> {
    pub isolation: &'a Isolation,
    /// Its own folder: all that it can write to.
    pub folder: &'a Path,
    /// What its command names.
    pub named: &'a [PathBuf],
    /// Where programs are looked for.
    pub search: &'a OsStr,
    /// What it must not see even where it lies in a folder that is shown.
    pub hidden: &'a [PathBuf],
}

impl View<'_> {
    /// The arguments of `bwrap`, up to the command. What comes later lies over what came before.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let mut arguments = Arguments { words: FLAGS.iter().map(OsString::from).collect(), layers: Vec::new() };
        if !self.isolation.network {
            arguments.push(&[OsStr::new("--unshare-net")]);
        }
        for (kind, place) in [("--proc", "/proc"), ("--dev", "/dev"), ("--tmpfs", "/tmp")] {
            arguments.push(&[OsStr::new(kind), OsStr::new(place)]);
        }
        // Root without a right may write there all the same: they are files of its own.
        arguments.show(Path::new("/proc/sys"));
        ETC.iter().for_each(|path| arguments.show(Path::new(path)));
        self.show_folders(&mut arguments, &mut SYSTEM.iter().map(Path::new));
        let needed = Installation::of(self.named, self.search, self.hidden);
        let named = needed.named.iter().filter(|folder| can_be_shown(folder) && !self.is_hidden(folder));
        self.show_folders(&mut arguments, &mut named.map(PathBuf::as_path));
        if let Some(dir) = &self.isolation.dir {
            arguments.show(dir);
            // Who gives a folder that is out of sight means it; what is private in it is named by itself.
            self.covered(dir).iter().filter(|path| *path != dir).for_each(|path| arguments.cover(path));
        }
        self.show_folders(
            &mut arguments,
            &mut needed.parts.iter().map(PathBuf::as_path).filter(|part| can_be_shown(part)),
        );
        needed.passed.iter().for_each(|folder| arguments.make(folder));
        needed.links.iter().for_each(|(place, target)| arguments.link(place, target));
        needed.files.iter().filter(|file| can_be_shown(file)).for_each(|file| arguments.show_unseen(file));
        arguments.push(&[OsStr::new("--bind"), self.folder.as_ref(), self.folder.as_ref()]);
        // The root is empty and the agent's own; there is nothing to keep there either.
        arguments.push(&[OsStr::new("--remount-ro"), OsStr::new("/")]);
        let start = self.isolation.dir.as_deref().unwrap_or(self.folder);
        arguments.push(&[OsStr::new("--chdir"), start.as_ref(), OsStr::new("--")]);
        arguments.words
    }

    fn show_folders(&self, arguments: &mut Arguments, folders: &mut dyn Iterator<Item = &Path>) {
        for folder in folders {
            arguments.show(folder);
            self.covered(folder).iter().for_each(|path| arguments.cover(path));
        }
    }

    /// Whether a folder lies in one that is hidden: a word of a command is not enough to show it, `--agent-dir` is.
    fn is_hidden(&self, folder: &Path) -> bool {
        let Ok(real) = folder.canonicalize() else { return true };
        self.hidden
            .iter()
            .filter_map(|path| path.canonicalize().ok())
            .any(|path| path != real && real.starts_with(path))
    }

    /// What must not be seen within a folder that is shown, as it is called there.
    fn covered(&self, shown: &Path) -> Vec<PathBuf> {
        let Ok(real) = shown.canonicalize() else { return Vec::new() };
        let hidden = self.hidden.iter().filter_map(|path| path.canonicalize().ok());
        hidden.filter_map(|path| path.strip_prefix(&real).ok().map(|rest| shown.join(rest))).collect()
    }
}

struct Arguments {
    words: Vec<OsString>,
    /// What is shown and covered so far; the last that a path lies in says whether it is seen.
    layers: Vec<(PathBuf, bool)>,
}

impl Arguments {
    fn push(&mut self, words: &[&OsStr]) {
        self.words.extend(words.iter().map(|word| (*word).to_owned()));
    }

    fn show(&mut self, path: &Path) {
        self.push(&[OsStr::new("--ro-bind-try"), path.as_ref(), path.as_ref()]);
        self.layers.push((path.to_owned(), true));
    }

    fn cover(&mut self, path: &Path) {
        match path.is_file() {
            true => self.push(&[OsStr::new("--ro-bind"), OsStr::new("/dev/null"), path.as_ref()]),
            false => self.push(&[OsStr::new("--tmpfs"), path.as_ref()]),
        }
        self.layers.push((path.to_owned(), false));
    }

    fn is_seen(&self, path: &Path) -> bool {
        let is_kernels = NEVER.iter().any(|place| *place != "/run" && path.starts_with(place));
        is_kernels
            || self.layers.iter().rev().find(|(layer, _)| path.starts_with(layer)).is_some_and(|(_, shown)| *shown)
    }

    fn show_unseen(&mut self, path: &Path) {
        if !self.is_seen(path) {
            self.show(path);
        }
    }

    fn make(&mut self, folder: &Path) {
        if !self.is_seen(folder) {
            self.push(&[OsStr::new("--dir"), folder.as_ref()]);
        }
    }

    fn link(&mut self, place: &Path, target: &Path) {
        if !self.is_seen(place) {
            self.push(&[OsStr::new("--symlink"), target.as_ref(), place.as_ref()]);
        }
    }
}

/// Whether a path that a command names may be taken over as it is.
fn can_be_shown(path: &Path) -> bool {
    let real = path.canonicalize().unwrap_or_default();
    let is_never = NEVER.iter().any(|place| real.starts_with(place) || path.starts_with(place));
    (real.is_dir() || real.is_file()) && real != Path::new("/") && !is_never
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places that are shown (`+`), covered (`-`) or can be written to (`=`), in order, without those of the system.
    fn shown(isolation: &Isolation, named: &[&str], hidden: &[PathBuf], base: &Path) -> Vec<String> {
        let named: Vec<PathBuf> = named.iter().map(|name| base.join(name)).collect();
        let view = View { isolation, folder: &base.join("own"), named: &named, search: OsStr::new(""), hidden };
        let words: Vec<String> = view.arguments().iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let kinds = [("--ro-bind-try", '+'), ("--tmpfs", '-'), ("--bind", '=')];
        let place = |pair: &[String]| {
            let (_, sign) = kinds.iter().find(|(kind, _)| *kind == pair[0])?;
            let path = Path::new(&pair[1]).strip_prefix(base).ok()?;
            Some(format!("{sign}{}", path.display()))
        };
        words.windows(2).filter_map(place).collect()
    }

    #[test]
    fn what_is_hidden_stays_so_in_whatever_is_shown() {
        let base = std::env::temp_dir().join(format!("probity-view-{}", std::process::id()));
        for folder in ["suite/tasks", "suite/runs/new", "agents", "venv/bin", "home/bin", "home/.local/bin", "own"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
        }
        for file in [
            "agents/a.py",
            "venv/bin/python",
            "venv/pyvenv.cfg",
            "venv/key",
            "home/bin/tool",
            "home/.local/bin/tool",
            "suite/a.py",
        ] {
            std::fs::write(base.join(file), "").unwrap();
        }
        let base = base.canonicalize().unwrap();
        let hidden = ["suite", "suite/runs/new", "home"].map(|name| base.join(name));
        let shown = |dir: Option<&str>, named: &[&str]| {
            let isolation = Isolation { dir: dir.map(|dir| base.join(dir)), ..Isolation::default() };
            shown(&isolation, named, &hidden, &base)
        };
        assert_eq!(shown(None, &["agents/a.py"]), ["+agents/a.py", "=own"]);
        assert_eq!(shown(None, &["suite/a.py", "agents"]), ["+agents", "+suite/a.py", "=own"]);
        assert_eq!(shown(None, &["suite"]), ["+suite", "-suite", "-suite/runs/new", "=own"]);
        assert_eq!(shown(Some("suite"), &[]), ["+suite", "-suite/runs/new", "=own"]);
        assert_eq!(shown(None, &["suite/tasks", "home/bin"]), ["=own"]);
        assert_eq!(shown(Some("suite/tasks"), &["suite/tasks"]), ["+suite/tasks", "=own"]);
        assert_eq!(shown(None, &["venv/bin/python"]), ["+venv/bin", "+venv/pyvenv.cfg", "=own"]);
        assert_eq!(shown(None, &["home/bin/tool"]), ["+home/bin/tool", "=own"]);
        assert_eq!(shown(None, &["home/.local/bin/tool"]), ["+home/.local/bin/tool", "=own"]);
        assert!(
            !can_be_shown(Path::new("/")) && !can_be_shown(Path::new("/proc")) && !can_be_shown(&base.join("none"))
        );
        std::fs::remove_dir_all(&base).unwrap();
    }
}
