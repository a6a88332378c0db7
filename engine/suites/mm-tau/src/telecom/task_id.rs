//! The ids of tasks: `[intent]issue|issue`, as in the peer's files, there followed by `[PERSONA:name]`.

use super::issue::Issue;
use super::persona::Persona;
use super::tables::Intent;
use super::task::TelecomTask;

impl TelecomTask {
    pub fn id(&self) -> String {
        let issues: Vec<&str> = self.issues().iter().map(|issue| issue.name()).collect();
        format!("[{}]{}", self.intent(), issues.join("|"))
    }

    /// The id of the task with a persona, as the peer writes it.
    pub fn id_with(&self, persona: Persona) -> String {
        format!("{}[PERSONA:{persona}]", self.id())
    }
}

/// The task of an id, with or without a persona; the issues may stand in any order, each once.
pub fn task(id: &str) -> Option<TelecomTask> {
    parse_id(id).map(|(task, _)| task)
}

/// The task and the persona of an id. Any persona can stand with any task: the peer's own is
/// [`dealt_persona`](super::dealt_persona).
pub fn parse_id(id: &str) -> Option<(TelecomTask, Option<Persona>)> {
    let (intent, rest) = id.strip_prefix('[')?.split_once(']')?;
    let (issues, persona) = match rest.split_once('[') {
        Some((issues, persona)) => {
            let name = persona.strip_prefix("PERSONA:")?.strip_suffix(']')?;
            (issues, Some(Persona::from_name(name)?))
        }
        None => (rest, None),
    };
    let issues: Vec<Issue> = issues.split('|').map(Issue::from_name).collect::<Option<_>>()?;
    let count = issues.len();
    let task = TelecomTask::compose(Intent::from_name(intent)?, issues).ok()?;
    (task.issues().len() == count).then_some((task, persona))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_ids_are_no_tasks() {
        for id in [
            "",
            "[]",
            "service_issue",
            "[service_issue]",
            "[service_issue]nothing",
            "[nothing_issue]airplane_mode_on",
            "[service_issue]airplane_mode_on|airplane_mode_on",
            "[service_issue]airplane_mode_on|",
            "[service_issue]airplane_mode_on[PERSONA:Easy",
            "[service_issue]airplane_mode_on[PERSONA:Middling]",
            "[service_issue]airplane_mode_on[PERSONA:Easy][PERSONA:Easy]",
            "[mms_issue]bad_vpn",
        ] {
            assert_eq!(task(id), None, "{id}");
        }
    }

    #[test]
    fn order_and_persona_do_not_matter() {
        let named = task("[service_issue]unseat_sim_card|airplane_mode_on[PERSONA:Hard]").unwrap();
        assert_eq!(named.id(), "[service_issue]airplane_mode_on|unseat_sim_card");
        assert_eq!(named.id_with(Persona::Easy), "[service_issue]airplane_mode_on|unseat_sim_card[PERSONA:Easy]");
        assert_eq!(Some(named), task("[service_issue]airplane_mode_on|unseat_sim_card"));
    }
}
