//! Deterministic events: armed by a call, fired before a later one (as the dynamic events of RUT-Bench).

use super::environment::Environment;
use super::script::outcome::Stopped;
use super::script::program::Expression;
use super::state::{EventProgress, Fields, State};
use super::stepped::Fired;
use super::transaction::{Access, Transaction, commit};
use crate::model::environment_file::EventFile;
use crate::model::pattern::CallPattern;
use crate::model::rejection::{Rejection, RejectionKind};

/// A call pattern with its predicate compiled.
#[derive(Clone)]
pub struct Pattern {
    /// The pattern as authored.
    pub source: CallPattern,
    pub(super) predicate: Option<Expression>,
}

/// A checked event.
pub struct Event {
    pub(super) file: EventFile,
    pub(super) armed_by: Option<Pattern>,
    pub(super) fires_before: Option<Pattern>,
}

impl Event {
    fn is_due(&self, progress: &EventProgress) -> bool {
        !progress.fired && progress.calls_since_armed.is_some_and(|calls| calls >= self.file.after_calls)
    }
}

impl Environment {
    /// Whether some call made in this state, even one that is refused, may make an event fire.
    pub fn is_event_due(&self, state: &State) -> bool {
        self.events.iter().zip(state.progress()).any(|(event, progress)| event.is_due(progress))
    }

    /// Whether a call (with its arguments complete) in a state is one that `pattern` means.
    ///
    /// # Errors
    /// A line for the author when the predicate stops with an error or is no truth value.
    pub fn matches(&self, pattern: &Pattern, state: &State, tool: &str, arguments: &Fields) -> Result<bool, String> {
        self.means(pattern, state, tool, arguments).map_err(Stopped::into_detail)
    }

    fn means(&self, pattern: &Pattern, state: &State, tool: &str, arguments: &Fields) -> Result<bool, Stopped> {
        if pattern.source.tool != tool {
            return Ok(false);
        }
        let Some(predicate) = &pattern.predicate else { return Ok(true) };
        self.holds(predicate, state, arguments)
    }

    /// Fires what is due before a call: the state then, what fired, and the error that takes the call's place.
    pub(super) fn fire_events(
        &self,
        before: State,
        tool: &str,
        arguments: &Fields,
    ) -> (State, Vec<Fired>, Option<Rejection>) {
        let mut state = before;
        let mut fired = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            if !state.progress().get(index).is_some_and(|progress| event.is_due(progress)) {
                continue;
            }
            match event.fires_before.as_ref().map_or(Ok(true), |p| self.means(p, &state, tool, arguments)) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(stopped) => return (state, fired, Some(rejected(stopped))),
            }
            match self.fire(&state, index, event) {
                Ok((after, record)) => {
                    state = after;
                    fired.push(record);
                }
                Err(rejection) => return (state, fired, Some(rejection)),
            }
            if let Some(error) = &event.file.error {
                let refusal = Rejection::new(RejectionKind::ToolFailed, error.message.clone());
                return (state, fired, Some(Rejection { code: error.code.clone(), ..refusal }));
            }
        }
        (state, fired, None)
    }

    fn fire(&self, state: &State, index: usize, event: &Event) -> Result<(State, Fired), Rejection> {
        let mut changes = Vec::new();
        if let Some(function) = &event.file.function {
            let transaction = Transaction::new(state.clone(), Access::Write);
            changes = self.program.run_event(function, transaction).map_err(rejected)?.lock().changes();
            self.check_touched(&mut changes)?;
        }
        let (after, delta) = commit(state.clone(), changes);
        let mut progress = after.progress().to_vec();
        if let Some(progress) = progress.get_mut(index) {
            progress.fired = true;
        }
        let clock = after.clock() + 60 * i64::from(event.file.advance_minutes);
        let advanced_minutes = event.file.advance_minutes;
        Ok((after.moved(clock, progress), Fired { event: event.file.id.clone(), delta, advanced_minutes }))
    }

    /// How far the events are once a call has succeeded; `state` is the one it was made in.
    ///
    /// # Errors
    /// A pattern that stops with an error, in the place of the call's result.
    pub(super) fn progress_after(
        &self,
        state: &State,
        tool: &str,
        arguments: &Fields,
    ) -> Result<Vec<EventProgress>, Rejection> {
        let events = self.events.iter().zip(state.progress());
        events.map(|(event, progress)| self.event_after(event, progress, (state, tool, arguments))).collect()
    }

    fn event_after(
        &self,
        event: &Event,
        progress: &EventProgress,
        (state, tool, arguments): (&State, &str, &Fields),
    ) -> Result<EventProgress, Rejection> {
        if progress.fired {
            return Ok(progress.clone());
        }
        let calls_since_armed = match (progress.calls_since_armed, &event.armed_by) {
            (Some(calls), _) => Some((calls + 1).min(event.file.after_calls)),
            (None, Some(pattern)) => self.means(pattern, state, tool, arguments).map_err(rejected)?.then_some(0),
            (None, None) => None,
        };
        Ok(EventProgress { calls_since_armed, fired: false })
    }
}

fn rejected(stopped: Stopped) -> Rejection {
    let kind = match &stopped {
        Stopped::Limit(_) => RejectionKind::LimitExceeded,
        Stopped::Fault(_) => RejectionKind::ScriptFault,
    };
    Rejection::author_fault(kind, stopped.into_detail())
}

#[cfg(test)]
mod tests;
