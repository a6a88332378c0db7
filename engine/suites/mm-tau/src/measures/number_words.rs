//! Digits out of spoken numbers, token by token.

use probity_prose::quantity::small_number;

/// The tokens with every number word in digits. Tokens that are no number words stay as they are.
pub(super) fn in_digits(tokens: &[String]) -> Vec<String> {
    let mut left = tokens;
    let mut read = Vec::with_capacity(tokens.len());
    while let Some((first, rest)) = left.split_first() {
        let (piece, after) = piece(first, rest);
        read.push(piece);
        left = after;
    }
    read
}

/// What the first token comes to, with those that follow it, and what is left.
fn piece<'t>(first: &str, rest: &'t [String]) -> (String, &'t [String]) {
    let (next, after) = rest.split_first().map_or(("", rest), |(next, after)| (next.as_str(), after));
    if let (Some(times), Some(digit)) = (times(first), single(next)) {
        return (digit.to_string().repeat(times), after);
    }
    match (number(first), number(next)) {
        (Some(tens @ 20..), Some(unit @ 1..=9)) => ((tens + unit).to_string(), after),
        (Some(number), _) => (number.to_string(), rest),
        (None, _) => (first.to_owned(), rest),
    }
}

/// A single digit, as a word or in figures.
fn single(token: &str) -> Option<i64> {
    let is_figure = matches!(token.as_bytes(), [byte] if byte.is_ascii_digit());
    if is_figure { token.parse().ok() } else { number(token).filter(|number| *number < 10) }
}

fn times(token: &str) -> Option<usize> {
    match token {
        "double" => Some(2),
        "triple" => Some(3),
        _ => None,
    }
}

fn number(token: &str) -> Option<i64> {
    if matches!(token, "oh" | "o") { Some(0) } else { small_number(token) }
}
