//! Digits out of spoken numbers, token by token.

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
        return (digit.repeat(times), after);
    }
    if let Some(ten) = tens(first) {
        return match digit(next) {
            Some(unit) if unit != "0" => (format!("{ten}{unit}"), after),
            _ => (format!("{ten}0"), rest),
        };
    }
    (digit(first).or_else(|| teen(first)).unwrap_or(first).to_owned(), rest)
}

/// A single digit, as a word or in figures.
fn single(token: &str) -> Option<&str> {
    let is_figure = matches!(token.as_bytes(), [byte] if byte.is_ascii_digit());
    if is_figure { Some(token) } else { digit(token) }
}

fn times(token: &str) -> Option<usize> {
    match token {
        "double" => Some(2),
        "triple" => Some(3),
        _ => None,
    }
}

fn digit(token: &str) -> Option<&'static str> {
    Some(match token {
        "zero" | "oh" | "o" => "0",
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        _ => return None,
    })
}

fn teen(token: &str) -> Option<&'static str> {
    Some(match token {
        "ten" => "10",
        "eleven" => "11",
        "twelve" => "12",
        "thirteen" => "13",
        "fourteen" => "14",
        "fifteen" => "15",
        "sixteen" => "16",
        "seventeen" => "17",
        "eighteen" => "18",
        "nineteen" => "19",
        _ => return None,
    })
}

fn tens(token: &str) -> Option<&'static str> {
    Some(match token {
        "twenty" => "2",
        "thirty" => "3",
        "forty" => "4",
        "fifty" => "5",
        "sixty" => "6",
        "seventy" => "7",
        "eighty" => "8",
        "ninety" => "9",
        _ => return None,
    })
}
