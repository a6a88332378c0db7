//! The command line that asks for a run, from what the run recorded of it.

use super::config::{NamedAgent, RunConfig};
use crate::agent::name::AgentName;
use crate::trace::Limits;

impl RunConfig {
    /// The command that asks for such a run: what is played, by whom and how. How providers are asked is in `run.json`
    /// alone, and where files lie on one machine is nowhere.
    pub fn command(&self) -> String {
        let mut words = vec!["probity run".to_owned(), format!("--suite {}", quoted(&self.suite))];
        // Either all agents are named, or none.
        let is_named = self.agents.iter().any(|named| named.name != named.agent.to_string());
        words.extend(self.agents.iter().map(|named| agent(named, is_named)));
        words.extend(self.selection.tasks.iter().map(|task| format!("--task {}", quoted(task))));
        for (factor, levels) in &self.selection.levels {
            words.extend(levels.iter().map(|level| format!("--level {}", quoted(&format!("{factor}={level}")))));
        }
        words.extend(self.selection.limit.map(|limit| format!("--limit {limit}")));
        words.extend((self.trials != 1).then(|| format!("--trials {}", self.trials)));
        words.extend((self.seed != 0).then(|| format!("--seed {}", self.seed)));
        let most = self.limits.max_messages;
        words.extend((most != Limits::default().max_messages).then(|| format!("--max-messages {most}")));
        words.push(format!("--user {}", quoted(&self.user)));
        words.extend(self.user_model.as_ref().map(|model| format!("--user-model {}", quoted(&model.model))));
        words.extend(self.judge.as_ref().map(|judge| format!("--judge {}", quoted(&judge.model))));
        words.join(" ")
    }
}

fn agent(named: &NamedAgent, is_named: bool) -> String {
    let spec = named.agent.to_string();
    let names_files = matches!(named.agent, AgentName::Exec(_) | AgentName::Replay(_));
    let word = |word| if names_files { without_folder(word) } else { String::from(word) };
    let own = spec.split(' ').map(word).collect::<Vec<_>>().join(" ");
    let name = if is_named { format!(" --as {}", quoted(&named.name)) } else { String::new() };
    format!("--agent {}{name}", quoted(&own))
}

/// A word of a command whose path begins at the root: its last part.
fn without_folder(word: &str) -> String {
    let start =
        word.find('/').filter(|at| word.get(..*at).is_some_and(|before| !before.contains(char::is_alphanumeric)));
    let start = start.or_else(|| word.find(":/").map(|at| at + 1));
    match (start, word.rfind('/')) {
        (Some(start), Some(last)) => {
            format!("{}…{}", word.get(..start).unwrap_or_default(), word.get(last..).unwrap_or_default())
        }
        (None, _) | (_, None) => word.to_owned(),
    }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@,#%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_one_machine_are_left_out() {
        let word = |word| without_folder(word);
        assert_eq!(
            ["/a/b/agent.py", "docs/agent.py", "exec:/a/x", "'/a/b", "--plain"].map(word),
            ["…/agent.py", "docs/agent.py", "exec:…/x", "'…/b", "--plain"]
        );
        assert_eq!([quoted("a=b"), quoted("it's")], ["a=b".to_owned(), r"'it'\''s'".to_owned()]);
    }
}
