//! What is another program's: it does that where it stands beside this one, and is named where it does not.

use std::ffi::OsString;
use std::process::Command;

use clap::error::{ContextKind, ContextValue};

use super::exit::Exit;
use super::output;
use probity_local::Failure;

/// What `probity-peers` does: the command, and the word that this program does not know.
const PEERS: [(&str, &str); 6] = [
    ("conform", "conform"),
    ("import", "rut-bench"),
    ("import", "cirrus"),
    ("import", "tau2"),
    ("score", "--format"),
    ("bench", "tau2"),
];

/// How `probity-peers` ends, where somebody typed what that program does.
pub(super) fn handed_on(error: &clap::Error, arguments: &[OsString]) -> Option<Exit> {
    let errand = peers_errand(error, arguments)?;
    Some(errand.hand_on())
}

/// What is asked of a program of ours that stands beside this one.
pub(super) struct Errand {
    /// The program's name.
    pub program: &'static str,
    /// What was asked for, and whose it is: told where the program is not there.
    pub what: String,
    pub arguments: Vec<OsString>,
}

impl Errand {
    /// How the program ends; what to type is said where it does not stand beside this one.
    pub(super) fn hand_on(&self) -> Exit {
        let own = std::env::current_exe().ok();
        let file = format!("{}{}", self.program, std::env::consts::EXE_SUFFIX);
        let Some(beside) = own.map(|own| own.with_file_name(file)).filter(|beside| beside.is_file()) else {
            return output::fail(&self.elsewhere());
        };
        match Command::new(&beside).args(&self.arguments).status() {
            Ok(status) => match status.code() {
                Some(0) => Exit::Clean,
                Some(1) => Exit::Failed,
                Some(3) => Exit::Infrastructure,
                Some(130) | None => Exit::Interrupted,
                Some(_) => Exit::BadInput,
            },
            Err(error) => {
                let what = format!("`{}` cannot be started: {error}", beside.display());
                output::fail(&Failure::new(what, format!("build it again: cargo build -p {}", self.program)))
            }
        }
    }

    fn elsewhere(&self) -> Failure {
        let typed: Vec<String> = self.arguments.iter().map(|argument| quoted(&argument.to_string_lossy())).collect();
        let help = format!("in a checkout of probity: cargo run -p {} -- {}", self.program, typed.join(" "));
        Failure::new(format!("{} the program `{}`", self.what, self.program), help)
    }
}

/// What somebody typed that `probity-peers` does.
fn peers_errand(error: &clap::Error, arguments: &[OsString]) -> Option<Errand> {
    let unknown = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg].iter().find_map(|kind| error.get(*kind))?;
    let ContextValue::String(unknown) = unknown else { return None };
    let is_typed = |command: &str| arguments.iter().any(|argument| argument == command);
    PEERS.iter().find(|(command, word)| unknown == word && is_typed(command))?;
    // Of formats only this is the other program's.
    let is_rut = |argument: &OsString| argument.to_string_lossy().ends_with("rut-bench");
    if unknown == "--format" && !arguments.iter().any(is_rut) {
        return None;
    }
    let what = format!("`{unknown}` is for other benchmarks' files, which are");
    Some(Errand { program: "probity-peers", what, arguments: arguments.iter().skip(1).cloned().collect() })
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "-_./=:,@".contains(sign);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser as _;

    fn said(line: &str) -> Option<Failure> {
        let arguments: Vec<OsString> = ["probity"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
        peers_errand(&Cli::try_parse_from(&arguments).err().unwrap(), &arguments).map(|errand| errand.elsewhere())
    }

    #[test]
    fn who_types_the_old_command_is_told_the_new_one() {
        for line in [
            "conform rut v.jsonl --failures f.jsonl",
            "--json conform tau2-gold --data d g.jsonl",
            "import rut-bench --samples s --blueprints b --out o",
            "import cirrus --tasks t --out o",
            "import tau2 --data d --out o",
            "score --format rut-bench --samples s --blueprints b --results r",
            "bench tau2 --data d g.jsonl",
        ] {
            let failure = said(line).unwrap_or_else(|| panic!("{line}"));
            assert!(failure.help.ends_with(&format!(" cargo run -p probity-peers -- {line}")), "{}", failure.help);
        }
        let failure = said("conform rut it's").unwrap();
        assert!(failure.help.ends_with("conform rut 'it'\\''s'"), "{}", failure.help);
    }

    #[test]
    fn other_slips_are_the_parsers() {
        for line in [
            "conforn rut",
            "report --format json",
            "score runs/a --format json",
            "import tau3",
            "bench tau",
            "run --conform",
            "import",
        ] {
            assert_eq!(said(line), None, "{line}");
        }
    }
}
