//! Call patterns: the nodes of a constraint graph, written `tool` or `tool where <expression>`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;

use super::ids::is_tool_name;

/// Which calls are meant: those of a tool, all of them or those for which a predicate holds.
///
/// The predicate is a Rhai expression over `args` (the arguments with schema defaults filled in)
/// and `db` (the state before the call, read only).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "String")]
pub struct CallPattern {
    /// The tool's name.
    pub tool: String,
    /// The predicate's source, if there is one.
    pub predicate: Option<String>,
}

as_text!(CallPattern);

impl FromStr for CallPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (tool, rest) = match text.split_once(char::is_whitespace) {
            Some((tool, rest)) => (tool, rest.trim_start()),
            None => (text, ""),
        };
        let bad = || format!("`{text}` is not a call pattern; write `tool` or `tool where <expression>`");
        if !is_tool_name(tool) {
            return Err(bad());
        }
        let predicate = match rest.strip_prefix("where ").map(str::trim) {
            _ if rest.is_empty() => None,
            Some(expression) if !expression.is_empty() => Some(expression.to_owned()),
            Some(_) | None => return Err(bad()),
        };
        Ok(CallPattern { tool: tool.to_owned(), predicate })
    }
}

impl fmt::Display for CallPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tool)?;
        match &self.predicate {
            Some(expression) => write!(f, " where {expression}"),
            None => Ok(()),
        }
    }
}
