//! A desk task as it is played, and what is right at a desk.

use std::sync::Arc;

use serde_json::Value;

use super::agent::DeskAgent;
use super::desk_user::DeskUser;
use super::reading::tells;
use super::task::{DeskCall, DeskFact, DeskField, DeskTask, StageEnd, finding_calls};
use crate::measures::{CriticalField, EscalationVerdict, is_heard};
use crate::people::ServiceManner;
use crate::score::{CriticalFields, Person, PlayedTask, Retold, broken, key, not_ended};
use crate::telecom::Persona;
use probity_bench::{
    Agent, EndReason, Event, Finding, Instance, Levels, Section, Step, Trace, Wanted, WantedCall, WantedWay,
};
use probity_engine::{Environment, Hash, State};

const RULES: &str = concat!(probity_bench::how_to_work!(), include_str!("rules.txt")).trim_ascii_end();

const GUARD: &str = "Hand over only what is beyond your tools, and not before you have looked.";

pub(super) const TRANSFER: &str = "transfer_to_human_agents";

impl DeskTask {
    pub fn instance(&self, setting: Levels) -> Instance {
        let domain = self.id.split_once('/').map_or("", |(domain, _)| domain);
        let domain = crate::card::DOMAINS.iter().find(|level| level.name == domain).map_or("", |level| level.name);
        let ends = if self.hand_over().is_some() {
            "transfer"
        } else if self.gold().next().is_none() {
            "refusal"
        } else {
            "repair"
        };
        let properties = Levels::from_iter([(crate::card::DOMAIN, domain), ("ends", ends)]);
        Instance { task: self.id.clone(), setting, properties }
    }

    /// Whether the records are as they ought to be; upper and lower case make no difference.
    fn is_as_wanted(&self, last: &State) -> bool {
        let begun = self.beginning();
        let ended = begun.and_then(|begun| self.gold().try_fold(begun, |state, call| self.after(&state, call)));
        ended.is_ok_and(|ended| ended.hash() == last.hash() || is_same(&ended.to_json(), &last.to_json()))
    }

    fn untold<'t>(&'t self, trace: &Trace) -> Vec<&'t String> {
        let replies: Vec<&str> = trace.events.iter().filter_map(Event::last_reply).collect();
        let wanted = self.last_stages().flat_map(|stage| &stage.file.tells);
        wanted.filter(|value| !replies.iter().any(|text| tells(text, value))).collect()
    }

    /// Looks without which nobody knows that something has to be refused, and that were not taken: who does nothing at
    /// all has refused nothing.
    fn unlooked(&self, retold: &Retold) -> impl Iterator<Item = &DeskCall> {
        let refused = self.last_stages().filter(|stage| stage.file.ends == StageEnd::Refused);
        refused.flat_map(|stage| &stage.file.looks).filter(|look| !has_made(retold, look, usize::MAX))
    }
}

/// Whether a call was among the first so many that were carried out.
fn has_made(retold: &Retold, call: &DeskCall, before: usize) -> bool {
    let wanted = call.made();
    retold.calls.iter().take(before).any(|made| made.call == wanted)
}

fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one.to_lowercase() == other.to_lowercase(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has_same = |(name, one): (&String, &Value)| other.get(name).is_some_and(|other| is_same(one, other));
            one.len() == other.len() && one.iter().all(has_same)
        }
        (one, other) => one == other,
    }
}

impl PlayedTask for Arc<DeskTask> {
    fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    fn hash(&self) -> Hash {
        Hash::of_serialized(&self.file)
    }

    fn beginning(&self) -> Option<State> {
        DeskTask::beginning(self).ok()
    }

    fn manual(&self) -> (&'static str, &'static str) {
        (RULES, GUARD)
    }

    fn names(&self) -> Vec<&str> {
        let is_name = |fact: &&DeskFact| matches!(fact.field, DeskField::FirstName | DeskField::LastName);
        self.facts.iter().filter(is_name).map(|fact| fact.value.as_str()).collect()
    }

    fn person(&self, persona: Persona) -> Box<dyn Person> {
        Box::new(DeskUser::new(self, persona))
    }

    fn agent(&self, manner: ServiceManner) -> Box<dyn Agent> {
        Box::new(DeskAgent::new(self, manner))
    }

    fn wanted(&self, persona: Persona) -> Wanted {
        let call = |call: &DeskCall| WantedCall { tool: call.tool.clone(), arguments: call.arguments.clone(), turn: 1 };
        let says = self.wishes.iter().flatten().filter_map(|stage| stage.file.says.first()).cloned();
        let facts = self.facts.iter().map(|fact| format!("{}: {}", fact.name, fact.value));
        let profile = persona.profile().map(|profile| profile.text.to_owned());
        let told = self.last_stages().flat_map(|stage| stage.file.tells.clone());
        let sections = [
            Section::of("What the user wants, in turn", says.collect()),
            Section::of("What the user knows", facts.collect()),
            Section::of("What must be told", told.collect()),
            Section::of("Who calls", profile.into_iter().collect()),
        ];
        let is_refused =
            self.wishes.iter().all(|stages| stages.last().is_some_and(|stage| stage.file.ends == StageEnd::Refused));
        let goal = match (self.hand_over().is_some(), is_refused) {
            (true, _) => "Look, and hand over.",
            (_, true) => "Refuse what is not allowed, and change nothing.",
            _ => "Do what the user agrees to in the end, and nothing else.",
        };
        Wanted {
            goal: goal.to_owned(),
            ways: vec![WantedWay { name: "gold".to_owned(), calls: self.gold().map(call).collect() }],
            sections: sections.into_iter().flatten().collect(),
        }
    }

    /// Arguments that have a fact's value in a call of the task, and those by which a user is found.
    fn fields(&self) -> CriticalFields {
        let mut fields = CriticalFields::default();
        for fact in self.facts.iter().filter(|fact| fact.is_critical) {
            let finding = finding_calls(fact.field).map(|(tool, argument)| (tool.to_owned(), argument.to_owned()));
            let calls = self.calls().flat_map(|call| {
                let takes = |value: &Value| value.as_str().is_some_and(|text| fact.is(text));
                let takers = call.arguments.iter().filter(move |(_, value)| takes(value));
                takers.map(|(argument, _)| (call.tool.clone(), argument.clone()))
            });
            let field = CriticalField { kind: fact.kind, value: fact.value.clone() };
            fields.add((fact.name.clone(), field), finding.chain(calls), true);
        }
        fields
    }

    fn asks_leave_for(&self) -> Vec<probity_engine::ToolCall> {
        let offered = self.wishes.iter().flatten().filter(|stage| stage.is_offered());
        offered.filter_map(|stage| stage.file.call.as_ref()).map(DeskCall::made).collect()
    }

    fn identifies(&self, step: &Step) -> bool {
        self.is_identifying(&step.call())
    }

    fn is_identified_by(&self, heard: &str) -> bool {
        DeskTask::is_identified_by(self, heard)
    }

    fn told_in(&self, heard: &str) -> Vec<&str> {
        let told = self.facts.iter().filter(|fact| is_heard(fact.kind, &fact.value, heard));
        told.map(|fact| fact.name.as_str()).collect()
    }

    fn forgives_looks(&self) -> bool {
        true
    }

    fn verdict(&self, retold: &Retold) -> EscalationVerdict {
        let at = retold.calls.iter().position(|made| made.call.tool == TRANSFER);
        match (self.hand_over(), at) {
            (None, None) => EscalationVerdict::NotEscalated,
            (None, Some(_)) => EscalationVerdict::Unwarranted,
            (Some(_), None) => EscalationVerdict::Missed,
            (Some(stage), Some(at)) => {
                let looks = &stage.file.looks;
                match looks.is_empty() || looks.iter().any(|look| has_made(retold, look, at)) {
                    true => EscalationVerdict::Correct,
                    false => {
                        let missing = looks.iter().map(|look| look.tool.clone()).collect();
                        EscalationVerdict::Premature { missing }
                    }
                }
            }
        }
    }

    fn findings(&self, retold: &Retold, trace: &Trace) -> Vec<Finding> {
        let mut found: Vec<Finding> = broken(retold).collect();
        let reasons = [EndReason::AgentFailed, EndReason::ContextOverflow, EndReason::MaxMessages];
        found.extend(not_ended(trace, &reasons));
        if retold.is_unrefused {
            found.push(Finding::new("not_refused", "the user was never told that it cannot be had"));
        }
        if !self.is_as_wanted(&retold.last) {
            let wanted: Vec<String> = self.gold().map(|call| key(&self.environment, &call.made())).collect();
            let text = match wanted.is_empty() {
                true => "something was changed although nothing may be".to_owned(),
                false => format!("the records are not as after: {}", wanted.join(", ")),
            };
            found.push(Finding::new("not_as_wanted", text));
        }
        let untold = self.untold(trace).into_iter();
        found.extend(untold.map(|value| Finding::new("not_told", format!("the user was never told `{value}`"))));
        found.extend(self.unlooked(retold).map(|look| {
            let text = format!("nothing shows that this must be refused: `{}` was not called", look.tool);
            Finding::new("not_looked", text)
        }));
        found
    }

    fn wrong_hand_over(&self, verdict: &EscalationVerdict) -> Option<String> {
        let served = ["although the desk can serve them", "although the desk cannot serve them"];
        verdict.complaint(served, ", ")
    }
}
