//! Bindings in predicates: `cancel_booking where args.booking_id == $june` means the key that `$june` stands for.

use std::collections::BTreeMap;

use crate::model::task_file::TaskFile;
use crate::task::reference::unbound;
use probity_engine::{CallPattern, Problem};

/// Puts keys for the bindings in all call patterns of a task.
pub(super) fn fill_all(file: &mut TaskFile, bindings: &BTreeMap<String, String>, problems: &mut Vec<Problem>) {
    let mut fill = |pattern: &mut CallPattern, at: String| {
        let Some(predicate) = pattern.predicate.as_mut().filter(|predicate| predicate.contains('$')) else { return };
        let (filled, unknown) = fill(predicate, bindings);
        problems.extend(unknown.iter().map(|name| unbound(&at, name, bindings)));
        *predicate = filled;
    };
    for (i, edge) in file.constraints.precedence.iter_mut().enumerate() {
        fill(&mut edge.before, format!("/constraints/precedence/{i}/before"));
        fill(&mut edge.after, format!("/constraints/precedence/{i}/after"));
    }
    for (i, exclusion) in file.constraints.exclusions.iter_mut().enumerate() {
        for (j, call) in exclusion.calls.iter_mut().enumerate() {
            fill(call, format!("/constraints/exclusions/{i}/calls/{j}"));
        }
    }
    for (i, outcome) in file.outcomes.iter_mut().enumerate() {
        for (j, call) in outcome.forbidden.iter_mut().enumerate() {
            fill(call, format!("/outcomes/{i}/forbidden/{j}"));
        }
    }
    for (name, variant) in &mut file.variants {
        for (turn, calls) in &mut variant.consents {
            for (j, call) in calls.iter_mut().enumerate() {
                fill(call, format!("/variants/{name}/consents/{turn}/{j}"));
            }
        }
        for (i, contradiction) in variant.contradicts.iter_mut().enumerate() {
            for (j, call) in contradiction.holds.iter_mut().enumerate() {
                fill(call, format!("/variants/{name}/contradicts/{i}/holds/{j}"));
            }
        }
    }
}

/// A predicate with keys as texts in the place of bindings, and the names that are bound to nothing. What stands in a
/// text of the predicate is left.
fn fill(predicate: &str, bindings: &BTreeMap<String, String>) -> (String, Vec<String>) {
    let (mut filled, mut unknown) = (String::new(), Vec::new());
    let (mut quote, mut rest) = (None, predicate);
    while let Some(next) = rest.chars().next() {
        let name = rest.strip_prefix('$').filter(|_| quote.is_none()).map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            rest.split_at_checked(end).map_or("", |(name, _)| name)
        });
        let taken = match name {
            Some(name) if !name.is_empty() => {
                let name = format!("${name}");
                match bindings.get(&name) {
                    Some(key) => filled.push_str(&serde_json::Value::from(key.as_str()).to_string()),
                    None => unknown.push(name.clone()),
                }
                name.len()
            }
            Some(_) | None => {
                let escaped = if next == '\\' && quote.is_some() { rest.chars().nth(1) } else { None };
                quote = match (quote, next) {
                    (None, '"' | '`' | '\'') => Some(next),
                    (Some(open), _) if open == next => None,
                    (quote, _) => quote,
                };
                let taken = next.len_utf8() + escaped.map_or(0, char::len_utf8);
                filled.push_str(rest.get(..taken).unwrap_or_default());
                taken
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    if unknown.is_empty() { (filled, unknown) } else { ("true".to_owned(), unknown) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_for_bindings_but_not_in_texts() {
        let bindings = BTreeMap::from([("$june".to_owned(), "B\"61".to_owned())]);
        for (predicate, filled) in [
            ("args.id == $june", "args.id == \"B\\\"61\""),
            ("$june in [$june]", "\"B\\\"61\" in [\"B\\\"61\"]"),
            ("args.id == \"$june\" && `$june` != '$'", "args.id == \"$june\" && `$june` != '$'"),
            (r#"args.id != "a\"$june" || $june == 1"#, r#"args.id != "a\"$june" || "B\"61" == 1"#),
        ] {
            assert_eq!(fill(predicate, &bindings), (filled.to_owned(), Vec::new()), "{predicate}");
        }
        assert_eq!(fill("args.id == $jun", &bindings).1, ["$jun"]);
    }
}
