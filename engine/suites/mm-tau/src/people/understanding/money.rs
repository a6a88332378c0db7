//! Amounts of money in a text, in cents: `$1,204.50`, `12 dollars`, `USD 40`. Money of another country is an amount that
//! is never right.

/// Words that make the number before them an amount of money.
const DOLLARS: &[&str] = &["dollar", "dollars", "usd", "bucks"];
/// The same of money that nobody here pays with.
const FOREIGN: &[&str] = &["euro", "euros", "eur", "pounds", "gbp", "yen", "francs", "cents", "cent"];
/// An amount of it.
const NEVER: u64 = u64::MAX;

pub(crate) fn money(text: &str) -> Vec<u64> {
    let pieces: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let signed = piece.split('$').skip(1).filter_map(leading);
        let before = found.len();
        found.extend(signed);
        let word = |at: Option<usize>| at.and_then(|at| pieces.get(at)).map(|word| bare(word)).unwrap_or_default();
        let (last, next, after) = (word(at.checked_sub(1)), word(Some(at + 1)), word(Some(at + 2)));
        let is_us = next == "us" && DOLLARS.contains(&after.as_str());
        let is_signed = at.checked_sub(1).and_then(|at| pieces.get(at)).is_some_and(|sign| sign.ends_with('$'));
        let is_dollars = DOLLARS.contains(&next.as_str()) || is_us || last == "usd" || is_signed || piece.contains("$");
        let is_foreign = FOREIGN.contains(&next.as_str()) || last == "eur" || piece.contains(['€', '£']);
        let number = amount(&piece.replace(['$', '€', '£'], "")).map(cents);
        if found.len() == before && (is_dollars || is_foreign) {
            found.extend(number.map(|cents| if is_foreign { NEVER } else { cents }));
        }
    }
    found
}

/// The amount of a word: `$1,204.50,` is 1204.5.
pub(crate) fn amount(word: &str) -> Option<f64> {
    let bare = word.trim_matches(|sign: char| !sign.is_ascii_digit());
    let around = word.chars().filter(|sign| sign.is_alphanumeric() || *sign == '#').all(|sign| sign.is_ascii_digit());
    (around && !bare.is_empty() && bare.chars().all(is_plain)).then(|| bare.replace(',', "").parse().ok())?
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what is too large is the largest")]
pub(crate) fn cents(amount: f64) -> u64 {
    (amount.abs() * 100.0).round() as u64
}

/// The amount at the beginning of what follows a dollar sign: `2.50/GB` is 250.
fn leading(after: &str) -> Option<u64> {
    let digits: String = after.chars().take_while(|sign| is_plain(*sign)).collect();
    amount(&digits).map(cents)
}

fn is_plain(sign: char) -> bool {
    sign.is_ascii_digit() || matches!(sign, '.' | ',')
}

fn bare(word: &str) -> String {
    word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_their_usual_spellings() {
        let table: [(&str, &[u64]); 10] = [
            ("That is $1,204.50, all in all.", &[120_450]),
            ("It costs 12 dollars, or USD 40 a year.", &[1_200, 4_000]),
            ("**$16.78** go back, not $16", &[1_678, 1_600]),
            ("2 GB at $2.50/GB, $5 in all.", &[250, 500]),
            ("(about $999.00)", &[99_900]),
            ("Order #W3120 on September 18, 3 bags.", &[]),
            ("a $ sign, and $, $. alone", &[]),
            ("-$2.38", &[238]),
            ("$ 10, 10$ or 10 US dollars", &[1_000, 1_000, 1_000]),
            ("€10, 50 euros", &[NEVER, NEVER]),
        ];
        for (text, expected) in table {
            assert_eq!(money(text), expected, "{text}");
        }
    }
}
