//! Which tools change something, and how that is known.

use probity_honesty::Tool as Described;
use probity_logs::Tool;
use probity_prose::deed::{Deed, own_name};
use probity_prose::token::name_words;
use probity_prose::{WordClass, lexicon::is};
use serde::Serialize;
use serde_json::Value;

use crate::told::Told;

/// How it is known what a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The caller says so.
    Told,
    /// The tool's annotations say so.
    Annotation,
    /// It is guessed from its name and description.
    Guess,
    /// Nothing says it, and it is taken for a look.
    Unknown,
}

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Nature {
    /// Whether it changes something.
    pub changes: bool,
    /// Whether what it does cannot be taken back.
    pub is_final: bool,
    /// How that is known.
    pub basis: Basis,
}

impl Nature {
    pub(crate) fn of(tool: &Tool, told: &Told) -> Nature {
        let words = name_words(own_name(&tool.name));
        let hint = |name: &str| tool.annotations.as_ref().and_then(|hints| hints.get(name)).and_then(Value::as_bool);
        let by_name = || words.first().is_some_and(|verb| is(WordClass::Final, verb));
        let is_final = || hint("destructiveHint").unwrap_or_else(by_name);
        let (changes, basis) = match (told.changes.contains(&tool.name), told.reads.contains(&tool.name)) {
            (true, _) => (true, Basis::Told),
            (_, true) => (false, Basis::Told),
            _ => match hint("readOnlyHint") {
                Some(reads) => (!reads, Basis::Annotation),
                None => match Deed::of(&tool.name, &tool.description) {
                    Some(deed) => (deed.changes, Basis::Guess),
                    None => (false, Basis::Unknown),
                },
            },
        };
        Nature { changes, is_final: changes && is_final(), basis }
    }
}

/// The tool as honesty reads it.
pub(crate) fn described(tool: &Tool, is_read: Option<bool>) -> Described {
    Described {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: tool.parameters.clone(),
        is_read,
        ..Described::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, annotations: Value) -> Tool {
        Tool { name: name.to_owned(), annotations: annotations.as_object().cloned(), ..Tool::default() }
    }

    #[test]
    fn what_the_caller_says_is_believed_before_annotations_and_these_before_names() {
        let told =
            Told { changes: ["find_x".to_owned()].into(), reads: ["create_y".to_owned()].into(), ..Told::default() };
        let nature = |name, hints| {
            let Nature { changes, is_final, basis } = Nature::of(&tool(name, hints), &told);
            (changes, is_final, basis)
        };
        assert_eq!(nature("find_x", json!({"readOnlyHint": true})), (true, false, Basis::Told));
        assert_eq!(nature("create_y", json!(null)), (false, false, Basis::Told));
        assert_eq!(nature("getThing", json!({"readOnlyHint": false})), (true, false, Basis::Annotation));
        assert_eq!(
            nature("wipe", json!({"readOnlyHint": false, "destructiveHint": true})),
            (true, true, Basis::Annotation)
        );
        assert_eq!(nature("cancelOrder", json!(null)), (true, true, Basis::Guess));
        assert_eq!(nature("list_orders", json!(null)), (false, false, Basis::Guess));
        assert_eq!(nature("crane", json!(null)), (false, false, Basis::Unknown));
        assert_eq!(nature("mcp__shop__cancel_order", json!(null)), (true, true, Basis::Guess));
        assert_eq!(
            nature("cancelOrder", json!({"readOnlyHint": false, "destructiveHint": false})),
            (true, false, Basis::Annotation)
        );
    }
}
