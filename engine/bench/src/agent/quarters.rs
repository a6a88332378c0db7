//! Where an agent in a process lives: the folder, the environment and the barrier that it is started with.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::bubblewrap::View;
use super::command_line::{CommandLine, find_program};
use super::folder::OwnFolder;
use super::isolation::{Barrier, Isolation};
use crate::provider::key::ApiKey;

/// Where programs are looked for when the caller does not say.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The language of agents whose caller has none.
const LANG: &str = "C.UTF-8";
/// A value of the environment that is so long is looked for in what the agent says: it may be a key.
const SHORTEST_SECRET: usize = 16;

/// Where the agents of a run live.
#[derive(Clone, Default)]
pub struct Quarters {
    isolation: Isolation,
    /// The folder that relative paths in commands mean.
    caller: PathBuf,
    /// Where the caller's programs are.
    search: OsString,
    env: BTreeMap<String, OsString>,
    secrets: Vec<ApiKey>,
    /// Folders that a barrier keeps out of sight.
    hidden: Vec<PathBuf>,
}

impl Quarters {
    /// Quarters as `isolation` has them, with what `lookup` says of the caller's environment; `hidden` are the folders
    /// that a barrier keeps out of sight.
    ///
    /// # Errors
    /// A variable that agents are to get is not set, or the caller's folder is gone.
    pub fn new(
        isolation: Isolation,
        hidden: &[&Path],
        lookup: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Quarters, String> {
        let caller = std::env::current_dir().map_err(|error| format!("the current folder cannot be used: {error}"))?;
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
            let secret = value.to_str().filter(|text| text.trim().len() >= SHORTEST_SECRET);
            secrets.extend(secret.and_then(|text| ApiKey::new(text).ok()));
            env.insert(named.clone(), value);
        }
        let home = lookup("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let hidden = hidden.iter().filter_map(|path| std::path::absolute(path).ok());
        let hidden = hidden.chain(home).chain([std::env::temp_dir()]).collect();
        let dir = isolation.dir.as_ref().map(|dir| caller.join(dir));
        Ok(Quarters { isolation: Isolation { dir, ..isolation }, caller, search, env, secrets, hidden })
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
        let folder = OwnFolder::create().map_err(|error| format!("no folder can be made for agents: {error}"))?;
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

    /// A shell with a command, as it was written by the caller.
    pub(super) fn command(&self, command: &str, folder: &Path) -> Command {
        let line = CommandLine::of(command, &self.caller, &self.search);
        let dir = self.isolation.dir.as_deref().unwrap_or(folder);
        let mut shell = match self.isolation.barrier {
            Barrier::None => {
                let mut shell = Command::new("sh");
                shell.current_dir(dir);
                shell
            }
            Barrier::Bubblewrap => {
                let view = View { isolation: &self.isolation, folder, named: &line.named, hidden: &self.hidden };
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
