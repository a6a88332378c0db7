//! Comparisons of what a native function returns, or of a field with listed values, with a literal that it never is: they
//! always come out the same.

use rhai::{Dynamic, Expr, FnCallExpr, Position};
use serde_json::Value;

use super::chain::literal;
use super::types::Type;
use super::walk::Walker;
use crate::model::suggest;
use crate::script::dates;

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

impl Walker<'_> {
    /// Looks at `a == b`, `a != b` and `a in [..]`; `types` are those of both.
    pub(super) fn comparison(&mut self, call: &FnCallExpr, types: &[Type], at: Position) {
        let [one, other] = call.args.as_ref() else { return };
        if let ([of_one, of_other], "==" | "!=" | "contains") = (types, call.name.as_str()) {
            self.listed_value(&call.name, [(of_one, other), (of_other, one)], at);
        }
        let pairs = match call.name.as_str() {
            "==" | "!=" => [(one, other), (other, one)],
            "contains" => [(other, one), (other, one)],
            _ => return,
        };
        for (native, compared) in pairs {
            let Expr::FnCall(native, _) = native else { continue };
            let is_own = self.world.function(&self.library, &native.name, native.args.len()).is_some();
            if is_own || !native.namespace.is_empty() {
                continue;
            }
            let wrong = literals(compared).into_iter().find_map(|text| Some((returns(&native.name, &text)?, text)));
            if let Some((what, text)) = wrong {
                let message = format!("`{}` never returns {text}", native.name);
                self.report.error(at, "impossible_value", message, what);
                return;
            }
        }
    }

    /// Looks at a field that lists its values, beside what it is compared with.
    fn listed_value(&mut self, operator: &str, pairs: [(&Type, &Expr); 2], at: Position) {
        for (of, compared) in pairs.iter().skip(usize::from(operator == "contains")) {
            let Type::Copy(schema) = of else { continue };
            let Some(values) = schema.get("enum").and_then(Value::as_array) else { continue };
            let known: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            let mut texts =
                literals(compared).into_iter().filter_map(|text| serde_json::from_str::<String>(&text).ok());
            if let Some(text) = texts.find(|text| !known.contains(&text.as_str())) {
                let message = format!("the value is never \"{text}\"");
                self.report.error(at, "impossible_value", message, suggest::help(&text, known.iter().copied()));
                return;
            }
        }
    }
}

/// The literals of an operand, as they are written.
fn literals(operand: &Expr) -> Vec<String> {
    let constant = |value: &Dynamic| match value.clone().into_string() {
        Ok(text) => Some(format!("{text:?}")),
        Err(_) => value.as_int().ok().map(|number| number.to_string()),
    };
    match operand {
        Expr::IntegerConstant(number, _) => vec![number.to_string()],
        Expr::Array(items, _) => items.iter().flat_map(literals).collect(),
        Expr::DynamicConstant(value, _) => match value.read_lock::<rhai::Array>() {
            Some(items) => items.iter().filter_map(constant).collect(),
            None => constant(value).into_iter().collect(),
        },
        _ => literal(operand).map(|text| format!("{text:?}")).into_iter().collect(),
    }
}

/// What a native function returns instead of a literal; nothing when it may return that.
fn returns(native: &str, literal: &str) -> Option<String> {
    let text = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_date = |text: &str| text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
    match native {
        "weekday" if text.is_none_or(|text| !WEEKDAYS.contains(&text)) => {
            let lower = text.map(str::to_lowercase).filter(|lower| WEEKDAYS.contains(&lower.as_str()));
            let meant = lower.map_or_else(String::new, |lower| format!(": write \"{lower}\""));
            Some(format!("it returns \"monday\" to \"sunday\", in lower case{meant}"))
        }
        "compare" if !["-1", "0", "1"].contains(&literal) => Some("it returns -1, 0 or 1".to_owned()),
        "digits" if text.is_none_or(|text| !text.chars().all(|c| c.is_ascii_digit())) => {
            Some("it returns a text of digits alone, such as \"4711\"".to_owned())
        }
        "today" | "add_days" if text.is_none_or(|text| !is_date(text)) => {
            Some("it returns a date such as \"2026-06-11\"".to_owned())
        }
        "now" | "add_minutes" if text.is_none_or(|text| dates::time(text).is_err()) => {
            Some("it returns a time such as \"2026-06-11T09:00:00Z\"".to_owned())
        }
        "days_until" | "days_between" | "minutes_between" | "div_round" if text.is_some() => {
            Some("it returns a whole number".to_owned())
        }
        _ => None,
    }
}
