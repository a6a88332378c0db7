//! Why a precondition refused a call, for authors: its expression with the values that it looked at.

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

impl Environment {
    /// The precondition with this code of the called tool, and what it saw in the state `before` the call.
    pub fn failed_precondition(&self, before: &State, call: &ToolCall, code: &str) -> Option<FailedPrecondition> {
        let tool = self.file().tools.iter().find(|tool| tool.name == call.tool)?;
        let expression = &tool.preconditions.iter().find(|precondition| precondition.code == code)?.expr;
        let arguments = self.complete(call)?;
        let value = |operand: &str| {
            let transaction = Transaction::new(before.clone(), Access::ReadOnly);
            Some((operand.to_owned(), short(&self.program().value(operand, transaction, &arguments)?)))
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
