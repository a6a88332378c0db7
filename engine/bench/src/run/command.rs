//! The command line that asks for a run, from what the run recorded of it.

use super::config::{DEFAULT_AGENT_TIMEOUT, NamedAgent, RunConfig, UserModel};
use crate::agent::name::AgentName;
use crate::agent::quarters::{Barrier, Isolation};
use crate::instance::Limits;
use crate::provider::form::{Form, ModelName};

impl RunConfig {
    /// The command that asks for such a run: what is played, by whom and how. How providers are asked and what variables
    /// are set to is in `run.json` alone, and of a file's place the last part is enough.
    pub fn command(&self) -> String {
        let mut words = vec!["probity run".to_owned(), format!("--suite {}", quoted(&self.suite))];
        // Either all agents are named, or none.
        let is_named = self.agents.iter().any(|named| named.name != named.agent.to_string());
        words.extend(self.agents.iter().map(|named| agent(named, is_named)));
        words.extend(self.selection.tasks.iter().map(|task| format!("--task {}", quoted(task))));
        for (factor, levels) in &self.selection.levels {
            words.extend(levels.iter().map(|level| format!("--level {}", quoted(&format!("{factor}={level}")))));
        }
        for (name, value) in &self.options {
            words.push(format!("--set {}", quoted(&format!("{name}={value}"))));
        }
        words.extend(self.selection.limit.map(|limit| format!("--limit {limit}")));
        words.extend((self.trials != 1).then(|| format!("--trials {}", self.trials)));
        words.extend((self.seed != 0).then(|| format!("--seed {}", self.seed)));
        let most = self.limits.max_messages;
        words.extend((most != Limits::default().max_messages).then(|| format!("--max-messages {most}")));
        words.push(format!("--user {}", quoted(&self.user)));
        words.extend(
            self.user_model.as_ref().map(|model| format!("--user-model {}", quoted(&self.user_name_of(model)))),
        );
        words.extend(
            self.speech.iter().map(|speech| format!("--tts {} --asr {}", quoted(&speech.tts), quoted(&speech.asr))),
        );
        words.extend(self.isolation.iter().flat_map(|isolation| kept_apart(isolation, self.agent_timeout)));
        words.extend(self.system.as_ref().map(|_| "--system FILE".to_owned()));
        words.extend(
            self.judge.as_ref().map(|judge| format!("--judge {}", quoted(&named(judge.provider.form, &judge.model)))),
        );
        words.join(" ")
    }

    /// A user's model: its name alone is asked as the agents are.
    fn user_name_of(&self, user: &UserModel) -> String {
        let agents = self.provider.as_ref().map(|provider| provider.form).unwrap_or_default();
        if user.provider.form == agents { user.model.clone() } else { named(user.provider.form, &user.model) }
    }
}

fn named(form: Form, model: &str) -> String {
    ModelName { form, model: model.to_owned() }.to_string()
}

/// How agents in a process are kept apart, and how long they may take.
fn kept_apart(isolation: &Isolation, timeout: u64) -> Vec<String> {
    let Isolation { barrier, dir, suite: _, masked: _, env, network } = isolation;
    let when = if *barrier == Barrier::None { "never" } else { "always" };
    let mut words = vec![format!("--isolate {when}")];
    words.extend(dir.iter().map(|dir| format!("--agent-dir {}", quoted(&without_folder(&dir.to_string_lossy())))));
    let name = |named: &String| named.split_once('=').map_or(named.clone(), |(name, _)| format!("{name}=…"));
    words.extend(env.iter().map(|named| format!("--agent-env {}", quoted(&name(named)))));
    words.extend(network.then(|| "--agent-network".to_owned()));
    words.extend((timeout != DEFAULT_AGENT_TIMEOUT).then(|| format!("--agent-timeout {timeout}")));
    words
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
    fn what_agents_in_a_process_are_given_is_asked_for() {
        let isolation = Isolation {
            barrier: Barrier::Bubblewrap,
            dir: Some("/srv/agents/mine".into()),
            env: vec!["KEY".to_owned(), "MODE=secret".to_owned()],
            network: true,
            ..Isolation::default()
        };
        let said = kept_apart(&isolation, 90).join(" ");
        let all = "--isolate always --agent-dir '…/mine' --agent-env KEY --agent-env 'MODE=…' --agent-network";
        assert_eq!(said, format!("{all} --agent-timeout 90"));
        assert_eq!(kept_apart(&Isolation::default(), DEFAULT_AGENT_TIMEOUT), ["--isolate never"]);
    }

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
