//! Where an agent in a process lives: the folder, the environment and the barrier that it is started with, and how it
//! is told in `run.json` that they are kept apart.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use super::bubblewrap::View;
use super::command_line::{CommandLine, find_program};
use super::folder::OwnFolder;
use crate::provider::key::ApiKey;

/// Where programs are looked for when the caller does not say.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The language of agents whose caller has none.
const LANG: &str = "C.UTF-8";
/// A value of the environment that is so long is looked for in what the agent says: it may be a key.
const SHORTEST_SECRET: usize = 16;

/// Who calls: what agents have of our surroundings is taken from here, and from nowhere else.
pub struct Caller<'a> {
    /// The folder that relative paths in commands mean.
    pub folder: PathBuf,
    /// Where agents get folders of their own.
    pub temp: PathBuf,
    /// The environment.
    pub lookup: &'a dyn Fn(&str) -> Option<OsString>,
}

/// Where the agents of a run live.
#[derive(Clone, Default)]
pub struct Quarters {
    isolation: Isolation,
    /// The folder that relative paths in commands mean.
    caller: PathBuf,
    search: OsString,
    env: BTreeMap<String, OsString>,
    secrets: Vec<ApiKey>,
    /// Folders that a barrier keeps out of sight.
    hidden: Vec<PathBuf>,
    temp: PathBuf,
}

impl Quarters {
    /// Quarters as `isolation` has them, with what is given of the caller's environment; `hidden` are the folders that a
    /// barrier keeps out of sight.
    ///
    /// # Errors
    /// A variable that agents are to get is not set, or could not be struck from what they say.
    pub fn new(isolation: Isolation, hidden: &[PathBuf], caller: Caller) -> Result<Quarters, String> {
        let Caller { folder, temp, lookup } = caller;
        let search = lookup("PATH").unwrap_or_else(|| PATH.into());
        let lang = lookup("LANG").unwrap_or_else(|| LANG.into());
        let mut env = BTreeMap::from([("PATH".to_owned(), search.clone()), ("LANG".to_owned(), lang)]);
        let mut secrets = Vec::new();
        for named in &isolation.env {
            if let Some((name, value)) = named.split_once('=') {
                env.insert(name.to_owned(), value.into());
                continue;
            }
            let value = lookup(named).ok_or_else(|| format!("the environment variable `{named}` is not set"))?;
            secrets.extend(secret(&value).map_err(|what| format!("the environment variable `{named}` {what}"))?);
            env.insert(named.clone(), value);
        }
        let home = lookup("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let hidden = hidden.iter().chain(&isolation.suite).map(|path| folder.join(path));
        let hidden = hidden.chain(home).chain([temp.clone()]).collect();
        let dir = isolation.dir.as_ref().map(|dir| folder.join(dir));
        Ok(Quarters { isolation: Isolation { dir, ..isolation }, caller: folder, search, env, secrets, hidden, temp })
    }

    /// What agents are given, and kept from.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Whether an agent can be started there at all.
    ///
    /// # Errors
    /// Why not.
    pub fn try_out(&self) -> Result<(), String> {
        let folder = self.own_folder().map_err(|error| format!("no folder can be made for agents: {error}"))?;
        let tried = self.command("exit 0", folder.path()).stdin(Stdio::null()).output();
        let output = tried.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no `bwrap` on this machine".to_owned(),
            _ => error.to_string(),
        })?;
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.success() {
            true => Ok(()),
            false => Err(said.lines().next().unwrap_or("it ended without a word").to_owned()),
        }
    }

    pub(super) fn own_folder(&self) -> std::io::Result<OwnFolder> {
        OwnFolder::create(&self.temp)
    }

    /// A shell with a command, as it was written by the caller.
    pub(super) fn command(&self, command: &str, folder: &Path) -> Command {
        let search = self.env.get("PATH").unwrap_or(&self.search);
        let line = CommandLine::of(command, &self.caller, search);
        let dir = self.isolation.dir.as_deref().unwrap_or(folder);
        let mut shell = match self.isolation.barrier {
            Barrier::None => {
                let mut shell = Command::new("sh");
                shell.current_dir(dir);
                shell
            }
            Barrier::Bubblewrap => {
                let (isolation, named, hidden) = (&self.isolation, &line.named[..], &self.hidden[..]);
                let view = View { isolation, folder, named, search, hidden };
                let mut wrapped = Command::new(self.program("bwrap"));
                wrapped.args(view.arguments()).arg("sh");
                wrapped
            }
        };
        shell.arg("-c").arg(line.text).env_clear().env("HOME", folder).envs(&self.env);
        shell
    }

    /// A text of an agent without the secrets that it was given.
    pub(super) fn blot(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| secret.blot(&text))
    }

    /// A program of the caller, whatever path agents have.
    fn program(&self, name: &str) -> PathBuf {
        find_program(name, &self.search).unwrap_or_else(|| OsStr::new(name).into())
    }
}

/// What is struck from all that agents say who were given this value: nothing of one that is too short to be a secret.
fn secret(value: &OsStr) -> Result<Option<ApiKey>, String> {
    let bytes = value.as_encoded_bytes().trim_ascii();
    if bytes.len() < SHORTEST_SECRET {
        return Ok(None);
    }
    let text = std::str::from_utf8(bytes).ok().and_then(ApiKey::of_text);
    let what = "cannot be struck from what agents say, as a secret would be: it is long, or no ASCII text";
    text.map(Some).ok_or_else(|| what.to_owned())
}

/// What stands between an agent and the rest of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrier {
    /// Nothing but the rights of the user that it runs as.
    #[default]
    None,
    /// Namespaces of its own, made by `bwrap`.
    Bubblewrap,
}

/// What agents in a process are given, and what they are kept from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Isolation {
    /// What keeps them from the rest.
    pub barrier: Barrier,
    /// The folder they work in and read as their own, in place of an empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The folder of the suite, which a barrier keeps out of their sight, also when the run goes on from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// What of the caller's environment they get: `NAME`, or `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Whether they have a network in spite of the barrier.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// What of `dir` a barrier kept from them all the same, by its place there: data of the suite, and runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<PathBuf>,
}

impl Isolation {
    /// Whether a barrier kept them from the suite, its tasks' solutions among it.
    pub fn is_apart(&self) -> bool {
        self.barrier != Barrier::None && !self.shows_suite()
    }

    /// Whether they were given a folder with data of the suite in it, as could be done once.
    fn shows_suite(&self) -> bool {
        let given = self.dir.as_ref().filter(|_| self.masked.is_empty());
        given.zip(self.suite.as_ref()).is_some_and(|(dir, suite)| dir == suite || suite.starts_with(dir))
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if self.barrier == Barrier::None {
            return formatter.write_str("agents in a process could reach all that their user can: no barrier");
        }
        formatter.write_str("agents in a process were kept apart by bubblewrap")?;
        if self.network {
            formatter.write_str(", but for the network")?;
        }
        if self.shows_suite() {
            return formatter.write_str(", but were given the folder of the suite to read");
        }
        if !self.masked.is_empty() {
            let masked: Vec<String> = self.masked.iter().map(|path| path.display().to_string()).collect();
            write!(formatter, "; of the folder that they were given they did not see {}", masked.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(value: &str) -> Result<Quarters, String> {
        let isolation = Isolation { env: vec!["SECRET".to_owned()], ..Isolation::default() };
        let lookup = |name: &str| (name == "SECRET").then(|| value.into());
        Quarters::new(isolation, &[], Caller { folder: "/".into(), temp: "/tmp".into(), lookup: &lookup })
    }

    #[test]
    fn a_secret_of_several_words_or_lines_is_struck() {
        let words = "correct horse battery staple";
        assert_eq!(given(words).unwrap().blot(&format!("it is {words}!")), "it is [key]!");
        let lines = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END KEY-----\n";
        let told = format!("{:?} and MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", lines);
        let kept = given(lines).unwrap().blot(&told);
        assert!(!kept.contains("MIIEvQIBADAN") && !kept.contains("BKcwggSjAgEAA"), "{kept}");
        let indented = given("a key  with                       spaces").unwrap();
        assert_eq!(indented.blot("                        if x:"), "                        if x:");
    }

    #[test]
    fn a_secret_that_cannot_be_struck_is_not_given() {
        for value in ["ein Schlüssel mit Umlauten", &"x".repeat(5000)] {
            assert!(given(value).err().unwrap().starts_with("the environment variable `SECRET` cannot be struck"));
        }
        assert!(given("kurz: ü").is_ok());
    }

    #[test]
    fn a_report_says_no_more_of_a_barrier_than_holds() {
        let apart = Isolation { barrier: Barrier::Bubblewrap, suite: Some("/suite".into()), ..Isolation::default() };
        let with = |dir: &str, masked: &[&str]| {
            let masked = masked.iter().map(PathBuf::from).collect();
            Isolation { dir: Some(dir.into()), masked, ..apart.clone() }.to_string()
        };
        let kept = "agents in a process were kept apart by bubblewrap";
        assert_eq!(apart.to_string(), kept);
        assert_eq!(with("/suite/agent", &[]), kept);
        for shown in ["/suite", "/"] {
            assert_eq!(with(shown, &[]), format!("{kept}, but were given the folder of the suite to read"));
        }
        let masked = "; of the folder that they were given they did not see runs/old, tasks";
        assert_eq!(with("/suite", &["runs/old", "tasks"]), format!("{kept}{masked}"));
        let open = Isolation { network: true, ..apart };
        assert_eq!(open.to_string(), format!("{kept}, but for the network"));
    }
}
