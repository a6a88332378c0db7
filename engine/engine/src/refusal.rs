//! Why a precondition refused a call or stopped, for authors: its expression with the values that it looked at, and which
//! one it is.

use serde_json::Value;

use super::environment::Environment;
use super::script::operands;
use super::state::State;
use super::transaction::{Access, Transaction};
use crate::model::call::ToolCall;

/// Longest value that is shown, in characters.
const LONGEST_VALUE: usize = 60;

/// A precondition that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedPrecondition {
    /// Its expression.
    pub expression: String,
    /// What it compares, each with its value in short.
    pub values: Vec<(String, String)>,
}

/// A precondition that neither holds nor does not: it stops with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedPrecondition {
    /// Which of the tool's, from 0.
    pub index: usize,
    /// Its code.
    pub code: String,
    /// What went wrong. Where it stands in the expression is left out: the expression is short, and lies in no script.
    pub detail: String,
}

impl Environment {
    /// The precondition of the called tool that stops in the state `before` the call, if it is one that does.
    pub fn stopped_precondition(&self, before: &State, call: &ToolCall) -> Option<StoppedPrecondition> {
        let tool = self.file().tools.iter().find(|tool| tool.name == call.tool)?;
        let arguments = self.complete(call)?;
        for (index, precondition) in tool.preconditions.iter().enumerate() {
            let expression = self.program.expression(&precondition.expr).ok()?;
            let transaction = Transaction::new(before.clone(), Access::ReadOnly);
            let stopped = match self.program.holds(&expression, transaction, &arguments) {
                Ok(true) => continue,
                Ok(false) => return None,
                Err(stopped) => stopped.into_detail(),
            };
            let place = stopped.rfind(" (line ").filter(|_| !self.program.may_call_functions(&precondition.expr));
            let detail = stopped.get(..place.unwrap_or(stopped.len())).unwrap_or_default().to_owned();
            return Some(StoppedPrecondition { index, code: precondition.code.clone(), detail });
        }
        None
    }

    /// The precondition with this code of the called tool, and what it saw in the state `before` the call.
    pub fn failed_precondition(&self, before: &State, call: &ToolCall, code: &str) -> Option<FailedPrecondition> {
        let tool = self.file().tools.iter().find(|tool| tool.name == call.tool)?;
        let expression = &tool.preconditions.iter().find(|precondition| precondition.code == code)?.expr;
        let arguments = self.complete(call)?;
        let value = |operand: &str| {
            let transaction = Transaction::new(before.clone(), Access::ReadOnly);
            Some((operand.to_owned(), short(&self.program.value(operand, transaction, &arguments)?)))
        };
        let values = operands(expression).into_iter().filter_map(value).collect();
        Some(FailedPrecondition { expression: expression.clone(), values })
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
