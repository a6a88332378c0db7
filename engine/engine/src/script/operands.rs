//! The operands of a predicate: what its comparisons compare, so that an author sees their values.

/// What joins or compares operands, longest first.
const OPERATORS: [&str; 8] = ["&&", "||", "==", "!=", "<=", ">=", "<", ">"];

/// The operands of a predicate outside of brackets and texts, in order and each once; a literal is none.
pub fn operands(expression: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut quote, mut start, mut at) = (0_usize, None, 0, 0);
    while let Some(rest) = expression.get(at..).filter(|rest| !rest.is_empty()) {
        let next = rest.chars().next().unwrap_or(' ');
        let mut taken = next.len_utf8();
        match (quote, next) {
            (Some(_), '\\') => taken += rest.chars().nth(1).map_or(0, char::len_utf8),
            (Some(open), _) if open == next => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`' | '\'') => quote = Some(next),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {
                if let Some(operator) = OPERATORS.into_iter().find(|sign| depth == 0 && rest.starts_with(sign)) {
                    found.push(expression.get(start..at));
                    taken = operator.len();
                    start = at + taken;
                }
            }
        }
        at += taken;
    }
    found.push(expression.get(start..));
    let mut operands: Vec<&str> = Vec::new();
    for operand in found.into_iter().flatten().map(|text| text.trim().trim_start_matches('!')) {
        if !is_literal(operand) && !operands.contains(&operand) {
            operands.push(operand);
        }
    }
    operands
}

fn is_literal(operand: &str) -> bool {
    let is_text = operand.starts_with(['"', '`', '\'']);
    is_text || operand.is_empty() || operand.parse::<f64>().is_ok() || ["true", "false", "()"].contains(&operand)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_taken_apart_but_not_texts_and_brackets() {
        for (expression, expected) in [
            ("db.orders[args.id].status == \"open\"", vec!["db.orders[args.id].status"]),
            ("args.a <= db.b.len() && args.a > 0", vec!["args.a", "db.b.len()"]),
            ("!has(db, args.x) || weekday(args.day) != `a && b`", vec!["has(db, args.x)", "weekday(args.day)"]),
            ("db.a.filter(|x| x.n > 1).len() == 2", vec!["db.a.filter(|x| x.n > 1).len()"]),
            ("\"a\\\" == b\" == args.ö", vec!["args.ö"]),
            ("true", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(operands(expression), expected, "{expression}");
        }
    }
}
