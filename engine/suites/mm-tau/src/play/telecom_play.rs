//! The telecom world: tasks whose user has a phone of their own, and what is right there.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::certificate::{beginning_at, household};
use crate::measures::{AgentAct, CriticalField, EscalationVerdict, FieldKind, is_heard};
use crate::people::understanding::AskedField;
use crate::people::{DeviceUser, ServiceAgent, ServiceManner, UserHears, UserMove, understand};
use crate::score::{CriticalFields, Person, PlayedTask, Retold, StagedCall, broken, not_ended, written};
use crate::telecom::{
    CUSTOMER_ID, CUSTOMER_NAME, Call, Diagnostic, Form, Gold, Persona, Source, TelecomTask, escalation,
};
use probity_bench::{Agent, EndReason, Event, Finding, Section, Step, Trace, Wanted, WantedCall, WantedWay, reply_in};
use probity_engine::{Actor, Environment, Hash, State, ToolCall};

const RULES: &str = concat!(probity_bench::how_to_work!(), include_str!("rules.txt")).trim_ascii_end();

const GUARD: &str = "\
Do not hand a user over before you have looked for the cause. Hand over only what neither you nor the user can repair.";

/// The seed of the population in which every task begins.
const POPULATION: u64 = 41;

/// A telecom task with its world.
pub struct TelecomPlay<'b> {
    pub environment: &'b Arc<Environment>,
    /// The state from which every task begins, once one is played.
    pub household: &'b OnceLock<Option<State>>,
    pub task: TelecomTask,
}

impl TelecomPlay<'_> {
    /// Assertions that do not hold in a state.
    fn unmet<'s>(&'s self, last: &'s State) -> impl Iterator<Item = String> + 's {
        let all = self.task.assertions().into_iter().map(|assertion| (assertion.call.made(), assertion.expected));
        let is_unmet = move |(call, expected): &(ToolCall, bool)| {
            let asked = self.environment.step(last, call, Actor::Task).result;
            !asked.is_ok_and(|applied| applied.observation == Value::Bool(*expected))
        };
        all.filter(is_unmet).map(|(call, _)| format!("{} {}", call.tool, call.arguments))
    }
}

impl PlayedTask for TelecomPlay<'_> {
    fn environment(&self) -> &Arc<Environment> {
        self.environment
    }

    fn hash(&self) -> Hash {
        Hash::of_serialized(&self.task)
    }

    fn beginning(&self) -> Option<State> {
        let household = self.household.get_or_init(|| household(self.environment, POPULATION).ok());
        beginning_at(self.environment, household.clone()?, &self.task).ok()
    }

    fn manual(&self) -> (&'static str, &'static str) {
        (RULES, GUARD)
    }

    fn names(&self) -> Vec<&str> {
        vec![CUSTOMER_NAME]
    }

    fn person(&self, persona: Persona) -> Box<dyn Person> {
        Box::new(DeviceUser::new(&self.task, persona))
    }

    fn agent(&self, manner: ServiceManner) -> Box<dyn Agent> {
        Box::new(ServiceAgent::new(&self.task, manner))
    }

    fn wanted(&self, persona: Persona) -> Wanted {
        let gold = self.task.gold();
        let call = |call: &Call| WantedCall { tool: call.function.clone(), arguments: call.arguments.clone(), turn: 1 };
        let assertions = self.task.assertions().into_iter().map(|assertion| {
            let ToolCall { tool, arguments } = assertion.call.made();
            format!("{tool} {arguments}")
        });
        let sections = [
            Section::of("What must hold at the end", assertions.collect()),
            Section::of("What the user knows", vec![self.task.scenario().text()]),
            Section::of("Who calls", persona.profile().map(|profile| profile.text.to_owned()).into_iter().collect()),
        ];
        let goal = if gold.is_transfer() { "Find out that it cannot be mended, and hand over." } else { "Mend it." };
        Wanted {
            goal: goal.to_owned(),
            ways: vec![WantedWay { name: "gold".to_owned(), calls: gold.calls().iter().map(call).collect() }],
            sections: sections.into_iter().flatten().collect(),
        }
    }

    /// What is said by one side and heard by the other. Two values of one argument are two fields. What the agent reads in
    /// the records, knows or proposes it need not ask for.
    fn fields(&self) -> CriticalFields {
        let (mut fields, mut names) = (CriticalFields::default(), Vec::new());
        let all = self.task.critical_fields().into_iter();
        for field in all.filter(|field| field.is_required && field.source != Source::Records) {
            let kind = match field.form {
                Form::Digits | Form::Amount => FieldKind::Digits,
                Form::Id => FieldKind::Id,
                Form::Name => FieldKind::Name,
            };
            let name = match names.iter().filter(|known| **known == field.name).count() {
                0 => field.name.to_owned(),
                earlier => format!("{}_{}", field.name, earlier + 1),
            };
            names.push(field.name);
            let slots = field.slots.iter().map(|slot| (slot.tool.clone(), slot.argument.to_owned()));
            let is_told = field.name == AskedField::PhoneNumber.name();
            fields.add((name, CriticalField { kind, value: written(&field.value) }), slots, is_told);
        }
        fields
    }

    fn asks_leave_for(&self) -> Vec<ToolCall> {
        match self.task.gold() {
            Gold::Repair(calls) => calls.iter().filter(|call| call.side == Actor::Agent).map(Call::made).collect(),
            Gold::Transfer(_) => Vec::new(),
        }
    }

    fn identifies(&self, step: &Step) -> bool {
        let id = step.observation().and_then(|shown| shown.get("customer_id"));
        step.tool.starts_with("get_customer_by_") && id.and_then(Value::as_str) == Some(CUSTOMER_ID)
    }

    fn told_in(&self, heard: &str) -> Vec<&str> {
        is_heard(FieldKind::Name, CUSTOMER_NAME, heard).then_some(AskedField::FullName.name()).into_iter().collect()
    }

    /// The first hand-over decides, on the state before it; the final state counts where there is none.
    fn verdict(&self, retold: &Retold) -> EscalationVerdict {
        let Some(at) = retold.calls.iter().position(|made| made.call.tool == escalation().tool) else {
            return match escalation().is_allowed(&retold.last.to_json()) {
                true => EscalationVerdict::Missed,
                false => EscalationVerdict::NotEscalated,
            };
        };
        let before = retold.calls.get(..at).unwrap_or_default();
        let state = retold.calls.get(at).map(|made| made.state.to_json());
        let holds =
            |state: &Value| escalation().grounds.iter().filter(|ground| ground.allowed_when.holds(state)).collect();
        let grounds: Vec<_> = state.as_ref().map(holds).unwrap_or_default();
        if grounds.is_empty() {
            return EscalationVerdict::Unwarranted;
        }
        match grounds.iter().any(|ground| has_looked(&ground.requires, before)) {
            true => EscalationVerdict::Correct,
            false => {
                let looks = grounds.iter().flat_map(|ground| &ground.requires.any_of);
                EscalationVerdict::Premature { missing: looks.map(|call| call.function.clone()).collect() }
            }
        }
    }

    fn wants(&self, verdict: &EscalationVerdict) -> bool {
        match self.task.gold().is_transfer() {
            true => *verdict == EscalationVerdict::Correct,
            false => *verdict == EscalationVerdict::NotEscalated,
        }
    }

    fn findings(&self, retold: &Retold, trace: &Trace) -> Vec<Finding> {
        let missed = self.unmet(&retold.last);
        let missed = missed.map(|what| Finding::new("not_as_wanted", format!("at the end this does not hold: {what}")));
        let broken_off = not_ended(trace, &[EndReason::AgentFailed, EndReason::ContextOverflow]);
        missed.chain(broken(retold)).chain(broken_off).collect()
    }

    fn wrong_hand_over(&self, verdict: &EscalationVerdict) -> Option<String> {
        let mended = ["although everything can be mended", "although something cannot be mended"];
        verdict.complaint(mended, " or ")
    }
}

fn has_looked(look: &Diagnostic, calls: &[StagedCall]) -> bool {
    let mut looks = calls.iter().filter(|made| look.any_of.iter().any(|call| made.call == call.made()));
    looks.any(|made| look.shows_when.holds(&made.state.to_json()))
}

/// What a user with a phone hears of what happened since their last move.
fn heard(since: &[Event]) -> UserHears<'_> {
    if let Some(Event::Step(step)) = since.last()
        && step.actor == Actor::User
    {
        return UserHears::Shown(step.observation().and_then(Value::as_str).unwrap_or_default());
    }
    let is_hand_over = |step: &Step| step.actor == Actor::Agent && step.tool == escalation().tool && step.is_ok();
    match since {
        [] => UserHears::Beginning,
        _ if since.iter().filter_map(Event::step).any(is_hand_over) => UserHears::Transferred,
        _ => UserHears::Agent(reply_in(since).unwrap_or_default()),
    }
}

impl Person for DeviceUser {
    fn next_move(&mut self, since: &[Event]) -> UserMove {
        self.next(&heard(since))
    }

    fn conversation(&self) -> &str {
        &self.book.name
    }

    fn reads(&self, text: &str) -> Option<Vec<AgentAct>> {
        Some(understand(text).agent_acts())
    }

    fn acts(&self) -> Vec<AgentAct> {
        Vec::new()
    }
}
