//! The step: one call applied to one state, whole or not at all (docs/ARCHITECTURE.md, "The state machine").

use std::borrow::Cow;

use serde_json::Value;

use super::environment::Environment;
use super::recall;
use super::script::outcome::Outcome;
use super::state::{Fields, State};
use super::stepped::{Applied, Stepped};
use super::tool::{AllowedEffect, Tool};
use super::transaction::{Access, Change, Transaction, commit};
use crate::model::call::ToolCall;
use crate::model::environment_file::{Actor, ChangeKind};
use crate::model::rejection::{Rejection, RejectionKind};

/// What is wrong with arguments that are no object; a text is what a model wrote and nobody could read.
fn not_an_object(arguments: &Value) -> String {
    let why = arguments.as_str().and_then(|text| crate::model::arguments::read(text).err());
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    format!("the arguments must be one JSON object{why}")
}

impl Environment {
    /// Applies `call` by `actor` to `before`; a pure function of its arguments.
    ///
    /// Order: tool known, arguments valid, events, preconditions, body in a transaction, effects,
    /// touched entities valid, commit. Anything else leaves the state as it was.
    pub fn step(&self, before: &State, call: &ToolCall, actor: Actor) -> Stepped {
        self.advance(before.clone(), call, actor)
    }

    /// [`Environment::step`] for a state that is not needed afterwards. Where nobody else holds it, it is
    /// written in place, which in a large state is twice as fast as copying the paths to what changes.
    pub fn advance(&self, before: State, call: &ToolCall, actor: Actor) -> Stepped {
        recall::call(self.number, &(call, actor), before, |before| self.run(before, call, actor))
    }

    /// The same, whatever is kept of earlier calls.
    pub(super) fn run(&self, before: State, call: &ToolCall, actor: Actor) -> Stepped {
        let admitted = self.admit(call, actor);
        let (tool, arguments) = match admitted {
            Ok(admitted) => admitted,
            Err(rejection) => return Stepped::refused(before, rejection),
        };
        let (start, fired, error) = self.fire_events(before, &tool.name, &arguments);
        if let Some(rejection) = error {
            return Stepped { fired, ..Stepped::refused(start, rejection) };
        }
        let transaction = Transaction::new(start, Access::ReadOnly);
        let (outcome, mut transaction, prints) = self.program.run(&tool.function, transaction, &arguments);
        let concluded = self.conclude(tool, outcome, &mut transaction);
        // A pattern sees the state before the call, and its error undoes the call.
        let start = transaction.into_base();
        let result = concluded.and_then(|done| Ok((done, self.progress_after(&start, &tool.name, &arguments)?)));
        match result {
            Ok(((observation, changes), progress)) => {
                let (after, delta) = commit(start, changes);
                let clock = after.clock();
                let after = if progress.is_empty() { after } else { after.moved(clock, progress) };
                Stepped { after, result: Ok(Applied { observation, delta }), fired, prints }
            }
            Err(rejection) => Stepped { after: start, result: Err(rejection), fired, prints },
        }
    }

    /// The arguments of a call as a tool would take them: defaults filled in, numbers in one form.
    /// The raw object when the tool is unknown or the numbers cannot be taken; `None` when it is no object.
    pub fn complete(&self, call: &ToolCall) -> Option<Fields> {
        let arguments = call.arguments.as_object()?;
        let complete = self.tool(&call.tool).and_then(|tool| tool.complete(arguments).ok());
        Some(complete.unwrap_or_else(|| arguments.clone()))
    }

    fn admit<'a>(&self, call: &'a ToolCall, actor: Actor) -> Result<(&Tool, Cow<'a, Fields>), Rejection> {
        let tool = self.tool(&call.tool).filter(|tool| tool.actor == actor);
        let Some(tool) = tool else {
            let name: String = call.tool.chars().take(64).collect();
            return Err(Rejection::new(RejectionKind::UnknownTool, format!("there is no tool `{name}`")));
        };
        let invalid = |message: String, path: String| Rejection {
            path: Some(path),
            ..Rejection::new(RejectionKind::InvalidArguments, message)
        };
        let Some(arguments) = call.arguments.as_object() else {
            return Err(invalid(not_an_object(&call.arguments), String::new()));
        };
        if !call.is_within_limits() {
            return Err(invalid("the arguments are too large or nested too deep".to_owned(), String::new()));
        }
        let complete = tool.completed(arguments);
        let mut arguments =
            complete.map_err(|path| invalid("an integer beyond 2^53 - 1 cannot be taken".to_owned(), path))?;
        let violations = match &mut arguments {
            Cow::Borrowed(_) if tool.arguments.is_valid(&call.arguments) => return Ok((tool, arguments)),
            Cow::Borrowed(_) => tool.arguments.violations(&call.arguments),
            Cow::Owned(arguments) => tool.arguments.violations_in(arguments),
        };
        match violations.into_iter().next() {
            Some(first) => Err(invalid(first.message, first.path)),
            None => Ok((tool, arguments)),
        }
    }

    fn conclude(
        &self,
        tool: &Tool,
        outcome: Outcome,
        transaction: &mut Transaction,
    ) -> Result<(Value, Vec<Change>), Rejection> {
        if let Some(refused) = transaction.refused() {
            return Err(Rejection::author_fault(RejectionKind::EffectViolation, refused));
        }
        let observation = match outcome {
            Outcome::Returned(observation) => observation,
            Outcome::Refused(index) => return Err(precondition_failed(tool, index)),
            Outcome::Failed { code, message } if tool.errors.contains(&code) => {
                return Err(Rejection { code, ..Rejection::new(RejectionKind::ToolFailed, message) });
            }
            Outcome::Failed { code, .. } => {
                let detail = format!("`fail(\"{code}\", ..)`: the code is not among the tool's `errors`");
                return Err(Rejection::author_fault(RejectionKind::ScriptFault, detail));
            }
            Outcome::Limit(detail) => return Err(Rejection::author_fault(RejectionKind::LimitExceeded, detail)),
            Outcome::Fault(detail) => return Err(Rejection::author_fault(RejectionKind::ScriptFault, detail)),
        };
        let mut changes = transaction.changes();
        self.check_effects(tool, &changes)?;
        self.check_touched(&mut changes)?;
        Ok((observation, changes))
    }

    /// Refuses changes beyond the tool's declared effects: certificates rely on them.
    fn check_effects(&self, tool: &Tool, changes: &[Change]) -> Result<(), Rejection> {
        let violation = |detail| Err(Rejection::author_fault(RejectionKind::EffectViolation, detail));
        for change in changes {
            let allowed = tool.effects.iter().any(|e| e.slot == change.slot && e.kinds.contains(&change.kind()));
            if !allowed {
                let (kind, path) = (change.kind().name(), self.path_of(change));
                let wanted = |known: &AllowedEffect| known.max_rows as usize;
                let declared = self.line_of_changes(tool, change.slot, wanted, Some(change.kind()));
                return violation(format!("`{}` may not {kind} {path}; {declared}", tool.name));
            }
        }
        for effect in &tool.effects {
            let counts = |c: &&Change| c.slot == effect.slot && effect.kinds.contains(&c.kind());
            let rows = changes.iter().filter(counts).count();
            if rows > effect.max_rows as usize {
                let (name, most) = (self.slot_name(effect.slot), effect.max_rows);
                let wanted = |known: &AllowedEffect| if known == effect { rows } else { known.max_rows as usize };
                let line = self.line_of_changes(tool, effect.slot, wanted, None);
                return violation(format!(
                    "`{}` changed {rows} entities of `{name}`; {most} is the most: {line}",
                    tool.name
                ));
            }
        }
        Ok(())
    }

    /// The line of `changes` by which a tool may do this as well: its effects with so many rows, and one kind more.
    fn line_of_changes(
        &self,
        tool: &Tool,
        slot: usize,
        rows: impl Fn(&AllowedEffect) -> usize,
        more: Option<ChangeKind>,
    ) -> String {
        let name = self.slot_name(slot);
        let known = tool.effects.iter().filter(|effect| effect.slot == slot).map(|effect| {
            let kinds = effect.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" ");
            if rows(effect) == 1 { kinds } else { format!("{kinds} {}", rows(effect)) }
        });
        let parts: Vec<String> = known.chain(more.map(|kind| kind.name().to_owned())).collect();
        format!("`\"{name}\": \"{}\"` in its `changes` lets it", parts.join(", "))
    }

    /// Refuses entities that their schema refuses; only what was touched is looked at.
    pub(super) fn check_touched(&self, changes: &mut [Change]) -> Result<(), Rejection> {
        for change in changes {
            if let Some(detail) =
                change.after.as_mut().and_then(|after| self.entity_fault(change.slot, &change.key, after))
            {
                return Err(Rejection::author_fault(RejectionKind::SchemaViolation, detail));
            }
        }
        Ok(())
    }

    fn path_of(&self, change: &Change) -> String {
        let shape = self.shape().slots.get(change.slot);
        shape.map(|shape| super::state::entity_path(shape, &change.key)).unwrap_or_default()
    }
}

fn precondition_failed(tool: &Tool, index: usize) -> Rejection {
    match tool.preconditions.get(index) {
        Some(precondition) => Rejection {
            code: precondition.code.clone(),
            ..Rejection::new(RejectionKind::PreconditionFailed, precondition.message.clone())
        },
        None => Rejection::author_fault(RejectionKind::ScriptFault, "a body returned a refusal"),
    }
}
