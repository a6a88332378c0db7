//! What of the disk it takes to start what a command names: the links that lead there, its interpreter, and the virtual
//! environment, prefix or package that it lies in. Looks at the disk and changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::command_line::find_program;

/// Links that one path may lead through; the system follows no more.
const MAX_LINKS: usize = 40;
/// Files that are looked into: a chain of interpreters is short.
const MAX_FILES: usize = 64;
/// How much is read of a script or a configuration.
const MAX_READ: u64 = 16 << 10;
/// How far above a script the package may be that it belongs to.
const PACKAGE_DEPTH: usize = 4;

/// Folders of programs: what lies beside one belongs to it.
const PROGRAMS: [&str; 4] = ["bin", "sbin", "libexec", "shims"];
/// All that is shown of a prefix: what else lies there, such as keys, is none of a program's.
const PREFIX: &str = "bin conda-meta include lib lib32 lib64 libexec pyvenv.cfg sbin share ssl";
/// All that is shown of a folder with versions of programs and scripts that choose between them (pyenv, asdf).
const VERSIONS: &str = "bin installs lib libexec plugins shims version versions asdf.sh";
/// All that is shown of a package that a script belongs to.
const PACKAGE: &str = "node_modules package.json .pnp.cjs";
/// What else is shown of one that a link leads to from among other packages.
const LINKED_PACKAGE: &str = "bin build dist esm lib out src";
/// Programs of a virtual environment that its other programs are started with.
const INTERPRETERS: [&str; 4] = ["python", "python3", "pypy3", "node"];
/// What a `pyvenv.cfg` says of the Python that it was made with.
const BASES: [&str; 4] = ["executable=", "base-executable=", "base-prefix=", "base-exec-prefix="];
const HOME: &str = "home=";

/// What the files and folders that a command names take, each where it really is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Installation {
    /// Links by their place, with what they hold.
    pub links: BTreeMap<PathBuf, PathBuf>,
    /// Folders that paths go through and leave again by `..`.
    pub passed: BTreeSet<PathBuf>,
    /// Folders that the command names.
    pub named: BTreeSet<PathBuf>,
    /// Parts of environments, prefixes and packages.
    pub parts: BTreeSet<PathBuf>,
    /// Programs and other files.
    pub files: BTreeSet<PathBuf>,
}

impl Installation {
    /// Of what a command names; programs without a path are those of `search`. No folder is a package in which
    /// something hidden lies.
    pub(super) fn of(named: &[PathBuf], search: &OsStr, hidden: &[PathBuf]) -> Installation {
        let mut installation = Installation::default();
        let hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let mut waiting = Vec::new();
        for path in named {
            let Some(walk) = installation.walk(path) else { continue };
            match walk.real.is_dir() {
                true => drop(installation.named.insert(walk.real)),
                false => waiting.push(path.clone()),
            }
        }
        while let Some(path) = waiting.pop().filter(|_| installation.files.len() < MAX_FILES) {
            let Some(walk) = installation.walk(&path) else { continue };
            if !walk.real.is_file() || !installation.files.insert(walk.real.clone()) {
                continue;
            }
            let is_linked = !walk.stations.is_empty();
            for place in walk.stations.iter().chain([&walk.real]) {
                waiting.extend(installation.around(place, is_linked && *place == walk.real, &hidden));
            }
            waiting.extend(interpreter(&walk.real, search));
        }
        installation
    }

    /// Notes what a path leads through; nothing where it leads nowhere.
    fn walk(&mut self, path: &Path) -> Option<Walk> {
        let walk = Walk::of(path)?;
        self.links.extend(walk.links.iter().cloned());
        self.passed.extend(walk.passed.iter().cloned());
        Some(walk)
    }

    /// Notes the environment, prefix and package that a file lies in; what else has to be followed.
    fn around(&mut self, file: &Path, is_linked: bool, hidden: &[PathBuf]) -> Vec<PathBuf> {
        let Some(folder) = file.parent() else { return Vec::new() };
        let above = folder.parent().filter(|_| PROGRAMS.iter().any(|name| folder.ends_with(name)));
        let mut waiting = Vec::new();
        for prefix in [Some(folder), above].into_iter().flatten() {
            waiting.extend(self.prefix(prefix));
        }
        match folder.ancestors().filter(|above| above.ends_with("node_modules")).last() {
            Some(modules) => modules.parent().into_iter().for_each(|package| self.parts_of(package, PACKAGE)),
            None => self.package(folder, is_linked, hidden),
        }
        waiting
    }

    fn package(&mut self, folder: &Path, is_linked: bool, hidden: &[PathBuf]) {
        let is_package = |folder: &&Path| folder.join("package.json").is_file();
        let has_hidden = |folder: &&Path| hidden.iter().any(|path| path.starts_with(folder));
        let package = folder.ancestors().take(PACKAGE_DEPTH).find(is_package);
        let Some(package) = package.filter(|package| !has_hidden(package)) else { return };
        self.parts_of(package, PACKAGE);
        let part = folder.strip_prefix(package).ok().map(|below| below.components().next());
        let is_in_part = part
            .is_some_and(|part| part.is_none_or(|part| LINKED_PACKAGE.split(' ').any(|name| part.as_os_str() == name)));
        if is_linked && is_in_part {
            self.parts_of(package, LINKED_PACKAGE);
        }
    }

    fn prefix(&mut self, prefix: &Path) -> Vec<PathBuf> {
        let config = prefix.join("pyvenv.cfg");
        let has_config = config.is_file();
        if prefix.join("shims").is_dir() && (prefix.join("versions").is_dir() || prefix.join("installs").is_dir()) {
            self.parts_of(prefix, VERSIONS);
        }
        // What a user installs for all programs is no environment, though it looks like one.
        let is_users = prefix.ends_with(".local");
        if !has_config && !prefix.join("conda-meta").is_dir() && (is_users || !has_python(prefix)) {
            return Vec::new();
        }
        self.parts_of(prefix, PREFIX);
        let mut waiting: Vec<PathBuf> = INTERPRETERS.iter().map(|name| prefix.join("bin").join(name)).collect();
        if has_config {
            waiting.extend(self.bases(&config));
        }
        waiting
    }

    /// The Python that a virtual environment was made with.
    fn bases(&mut self, config: &Path) -> Vec<PathBuf> {
        let text = String::from_utf8_lossy(&start(config)).into_owned();
        let said = text.lines().filter_map(|line| line.split_once('='));
        let said: Vec<(String, PathBuf)> =
            said.map(|(key, value)| (format!("{}=", key.trim().to_lowercase()), PathBuf::from(value.trim()))).collect();
        let mut waiting = Vec::new();
        for (key, path) in said.into_iter().filter(|(_, path)| path.is_absolute()) {
            if key == HOME {
                waiting.extend(INTERPRETERS.iter().map(|name| path.join(name)));
                waiting.extend(self.walk(&path).and_then(|walk| self.home(&walk.real)).unwrap_or_default());
            } else if BASES.contains(&key.as_str()) {
                waiting.push(if path.is_dir() { path.join("bin/python3") } else { path });
            }
        }
        waiting
    }

    /// The prefix of a folder with a Python: also one without a file that is called so.
    fn home(&mut self, bin: &Path) -> Option<Vec<PathBuf>> {
        let above = bin.parent().filter(|above| above.parent().is_some())?;
        Some(self.prefix(above))
    }

    /// Notes the parts of a folder that are there.
    fn parts_of(&mut self, folder: &Path, names: &str) {
        for name in names.split_whitespace() {
            if let Some(walk) = self.walk(&folder.join(name)) {
                self.parts.insert(walk.real);
            }
        }
    }
}

/// Whether a Python has its library there.
fn has_python(prefix: &Path) -> bool {
    let is_library = |name: OsString| {
        let name = name.to_string_lossy().into_owned();
        let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
        version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
    };
    ["lib", "lib64"].iter().any(|lib| {
        let entries = fs::read_dir(prefix.join(lib)).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().is_dir()).any(|entry| is_library(entry.file_name()))
    })
}

/// What starts a script, as its first line says.
fn interpreter(script: &Path, search: &OsStr) -> Vec<PathBuf> {
    let start = start(script);
    let line = start.split(|byte| *byte == b'\n').next().and_then(|line| line.strip_prefix(b"#!"));
    let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
    let mut words = line.split_whitespace();
    let Some(program) = words.next() else { return Vec::new() };
    let mut interpreters = vec![PathBuf::from(program)];
    if program.rsplit('/').next() == Some("env") {
        let named = words.find(|word| !word.starts_with('-') && !word.contains('='));
        interpreters.extend(named.and_then(|name| match name.contains('/') {
            true => Some(PathBuf::from(name)),
            false => find_program(name, search),
        }));
    }
    interpreters.retain(|path| path.is_absolute());
    interpreters
}

fn start(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What cannot be read has no first line.
    let _ = File::open(file).and_then(|file| file.take(MAX_READ).read_to_end(&mut bytes));
    bytes
}

/// A path as the system walks it.
struct Walk {
    real: PathBuf,
    links: Vec<(PathBuf, PathBuf)>,
    /// The links at the ends of paths: where the file is also called so.
    stations: Vec<PathBuf>,
    passed: Vec<PathBuf>,
}

impl Walk {
    fn of(path: &Path) -> Option<Walk> {
        let mut walk = Walk { real: PathBuf::from("/"), links: Vec::new(), stations: Vec::new(), passed: Vec::new() };
        let mut ahead = parts(path);
        while let Some(part) = ahead.pop() {
            if part == ".." {
                walk.passed.push(walk.real.clone());
                walk.real.pop();
                continue;
            }
            let place = walk.real.join(&part);
            if !fs::symlink_metadata(&place).ok()?.is_symlink() {
                walk.real = place;
                continue;
            }
            if walk.links.len() == MAX_LINKS {
                return None;
            }
            let target = fs::read_link(&place).ok()?;
            if target.is_absolute() {
                walk.real = PathBuf::from("/");
            }
            if ahead.is_empty() {
                walk.stations.push(place.clone());
            }
            ahead.extend(parts(&target));
            walk.links.push((place, target));
        }
        Some(walk)
    }
}

/// The parts of a path, the last first.
fn parts(path: &Path) -> Vec<OsString> {
    let part = |part: Component| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().rev().filter_map(part).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with files (`path` or `path: text`) and links (`path -> target`).
    fn laid_out(name: &str, entries: &[&str]) -> PathBuf {
        let base = std::env::temp_dir().join(format!("probity-installation-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        fs::create_dir_all(&base).unwrap();
        let base = base.canonicalize().unwrap();
        for entry in entries {
            let (path, target) = entry.split_once(" -> ").map_or((*entry, None), |(path, to)| (path, Some(to)));
            let (path, text) = path.split_once(": ").unwrap_or((path, ""));
            let text = text.replace("BASE", base.to_str().unwrap());
            fs::create_dir_all(base.join(path).parent().unwrap()).unwrap();
            match target {
                Some(target) => symlink(target.replace("BASE", base.to_str().unwrap()), base.join(path)).unwrap(),
                None => fs::write(base.join(path), text).unwrap(),
            }
        }
        base
    }

    /// What is shown for a command that names these: links (`@`), parts (`+`), files and folders.
    fn shown(name: &str, entries: &[&str], named: &[&str]) -> Vec<String> {
        shown_beside(name, entries, named, &[])
    }

    /// The same where these are hidden.
    fn shown_beside(name: &str, entries: &[&str], named: &[&str], hidden: &[&str]) -> Vec<String> {
        let base = laid_out(name, entries);
        let hidden: Vec<PathBuf> = hidden.iter().map(|name| base.join(name)).collect();
        let named: Vec<PathBuf> = named.iter().map(|name| base.join(name)).collect();
        let found = Installation::of(&named, base.join("path").as_os_str(), &hidden);
        let below = |path: &PathBuf, sign: &str| Some(format!("{sign}{}", path.strip_prefix(&base).ok()?.display()));
        let links = found.links.keys().filter_map(|path| below(path, "@"));
        let parts = found.parts.iter().filter_map(|path| below(path, "+"));
        let files = found.named.iter().chain(&found.files).filter_map(|path| below(path, ""));
        let all = links.chain(parts).chain(files).collect();
        fs::remove_dir_all(&base).unwrap();
        all
    }

    #[test]
    fn a_virtual_environment_is_followed_to_the_python_that_it_was_made_with() {
        let entries = [
            "venv/pyvenv.cfg: home = BASE/managed/cpython-3.12/bin",
            "venv/bin/python -> BASE/managed/cpython-3.12/bin/python3.12",
            "venv/bin/python3 -> python",
            "venv/lib/python3.12/site-packages/a.py",
            "venv/.env",
            "managed/cpython-3.12 -> cpython-3.12.4",
            "managed/cpython-3.12.4/bin/python3 -> python3.12",
            "managed/cpython-3.12.4/bin/python3.12",
            "managed/cpython-3.12.4/lib/python3.12/os.py",
            "managed/key",
            "current -> venv",
        ];
        let expected = [
            "@current",
            "@managed/cpython-3.12",
            "@managed/cpython-3.12.4/bin/python3",
            "@venv/bin/python",
            "@venv/bin/python3",
            "+managed/cpython-3.12.4/bin",
            "+managed/cpython-3.12.4/lib",
            "+venv/bin",
            "+venv/lib",
            "+venv/pyvenv.cfg",
            "managed/cpython-3.12.4/bin/python3.12",
        ];
        assert_eq!(shown("uv", &entries, &["current/bin/python"]), expected);
    }

    #[test]
    fn what_a_copied_python_was_copied_from_is_shown() {
        let entries = [
            "venv/pyvenv.cfg: home = BASE/py/bin\nversion = 3.12",
            "venv/bin/python",
            "py/bin/python3.12",
            "py/lib/python3.12/os.py",
        ];
        let expected = ["+py/bin", "+py/lib", "+venv/bin", "+venv/pyvenv.cfg", "venv/bin/python"];
        assert_eq!(shown("copies", &entries, &["venv/bin/python"]), expected);
    }

    #[test]
    fn a_folder_that_only_has_a_bin_stays_out_of_sight() {
        let keys = [".ssh/id_rsa", "notes.txt", "bin/agent", "bin/other", ".local/bin/agent"];
        let local = [".local/lib/python3.12/site-packages/a.py", ".local/share/keyrings/login"];
        let entries = [&keys[..], &local].concat();
        assert_eq!(shown("home", &entries, &["bin/agent"]), ["bin/agent"]);
        assert_eq!(shown("local", &entries, &[".local/bin/agent"]), [".local/bin/agent"]);
        let with_modules = [&entries[..], &["package.json", "node_modules/a/index.js"]].concat();
        let expected = ["+node_modules", "+package.json", "bin/agent"];
        assert_eq!(shown("modules", &with_modules, &["bin/agent"]), expected);
    }

    #[test]
    fn scripts_of_node_are_followed_through_their_packages() {
        let entries = [
            "app/node_modules/.bin/x -> ../pkg/cli.js",
            "app/node_modules/pkg -> ../../packages/pkg",
            "app/package.json",
            "app/.env",
            "packages/pkg/cli.js: #!/usr/bin/env -S node --x\n",
            "packages/pkg/package.json",
            "packages/pkg/lib/a.js",
            "path/node: #!BASE/own/sh\n",
            "own/sh",
        ];
        let expected = [
            "@app/node_modules/.bin/x",
            "@app/node_modules/pkg",
            "+app/node_modules",
            "+app/package.json",
            "+packages/pkg/lib",
            "+packages/pkg/package.json",
            "own/sh",
            "packages/pkg/cli.js",
            "path/node",
        ];
        assert_eq!(shown("node", &entries, &["app/node_modules/.bin/x"]), expected);
    }

    #[test]
    fn a_folder_is_a_package_only_of_what_lies_in_its_parts() {
        let link = "home/bin/agent -> ../dev/agent/run.py";
        let own = ["home/dev/agent/run.py", "home/src/a", "home/node_modules/a/b.js", "home/dev/lib/c"];
        let entries = [&[link], &own[..]].concat();
        let seen = ["@home/bin/agent", "home/dev/agent/run.py"];
        assert_eq!(shown("no_package", &entries, &["home/bin/agent"]), seen);
        let packages = [&entries[..], &["home/package.json", "home/dev/package.json"]].concat();
        let expected = ["@home/bin/agent", "+home/dev/package.json", "+home/node_modules", "+home/package.json"];
        let expected = [&expected[..], &["home/dev/agent/run.py"]].concat();
        assert_eq!(shown("beside", &packages, &["home/bin/agent"]), expected);
        let expected = ["@home/bin/agent", "+home/dev/package.json", "home/dev/agent/run.py"];
        assert_eq!(shown_beside("own_home", &packages, &["home/bin/agent"], &["home"]), expected);
        let hidden = ["home", "home/dev/lib"];
        assert_eq!(shown_beside("contains", &packages, &["home/bin/agent"], &hidden), seen);
        let part = ["bin/agent -> ../app/dist/run.js", "app/dist/run.js", "app/lib/a.js", "app/package.json"];
        let expected = ["@bin/agent", "+app/dist", "+app/lib", "+app/package.json", "app/dist/run.js"];
        assert_eq!(shown("part", &part, &["bin/agent"]), expected);
    }

    #[test]
    fn what_leads_nowhere_or_round_in_circles_is_nothing() {
        let entries = ["a -> b", "b -> a", "c -> none", "d/e -> ../f", "f/g", "venv/pyvenv.cfg: home = BASE/venv/bin"];
        assert_eq!(shown("circles", &entries, &["a", "c", "none"]), [""; 0]);
        assert_eq!(shown("folders", &entries, &["d/e/../f"]), ["@d/e", "f"]);
        assert_eq!(shown("itself", &entries, &["venv/pyvenv.cfg"]), ["+venv/pyvenv.cfg", "venv/pyvenv.cfg"]);
    }
}
