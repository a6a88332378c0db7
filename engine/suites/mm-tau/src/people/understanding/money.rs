//! Amounts of money in a text, in cents: `$1,204.50`, `12 dollars`, `USD 40`. Money of another country is an amount that
//! is never right.

use probity_prose::quantity::{quantity_at, small_number};
use probity_prose::token::tokens;
use probity_prose::{Quantity, Shape, Token, Unit, WordClass, lexicon::is};

/// An amount of foreign money.
const NEVER: u64 = u64::MAX;

pub(crate) fn money(text: &str) -> Vec<u64> {
    let tokens = tokens(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let (taken, quantity) = quantity_at(&tokens, at).unzip();
        let to = at + taken.unwrap_or(1);
        // `not a cent` is no amount.
        let is_number = tokens.get(at).is_some_and(|t| t.shape != Shape::Word || small_number(&t.folded).is_some());
        let is_money = |quantity: &Quantity| is_number && matches!(quantity.unit, Some(Unit::Money | Unit::Cents));
        if let Some(quantity) = quantity.filter(is_money) {
            let cents = quantity.value.scaled(100, 1).and_then(|cents| u64::try_from(cents.as_whole()?).ok());
            found.extend(if is_dollars(&tokens, at, to) { cents } else { Some(NEVER) });
        }
        at = to;
    }
    found
}

/// Whether the amount from `at` to before `to` is in dollars: by a sign on either side, or a word.
fn is_dollars(tokens: &[Token], at: usize, to: usize) -> bool {
    let sign = |token: Option<&Token>, gap: fn(&Token) -> &str| token.is_some_and(|token| gap(token).contains('$'));
    let words = tokens.get(at.saturating_sub(1)..to).unwrap_or_default();
    sign(tokens.get(at), |token| token.gap.trim_end().rsplit(' ').next().unwrap_or_default())
        || sign(tokens.get(to - 1), |token| token.after.trim_start().split(' ').next().unwrap_or_default())
        || words.iter().any(|token| is(WordClass::Dollars, &token.folded))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what is too large is the largest")]
pub(crate) fn cents(amount: f64) -> u64 {
    (amount.abs() * 100.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_their_usual_spellings() {
        let table: [(&str, &[u64]); 11] = [
            ("That is $1,204.50, all in all.", &[120_450]),
            ("It costs 12 dollars, or USD 40 a year.", &[1_200, 4_000]),
            ("**$16.78** go back, not $16", &[1_678, 1_600]),
            ("2 GB at $2.50/GB, $5 in all.", &[250, 500]),
            ("(about $999.00)", &[99_900]),
            ("Order #W3120 on September 18, 3 bags.", &[]),
            ("a $ sign, and $, $. alone, and not a cent", &[]),
            ("-$2.38", &[238]),
            ("$ 10, 10$ or 10 US dollars", &[1_000, 1_000, 1_000]),
            ("€10, 50 euros", &[NEVER, NEVER]),
            ("five dollars and fifty cents, not 5 euros or $7", &[550, NEVER, 700]),
        ];
        for (text, expected) in table {
            assert_eq!(money(text), expected, "{text}");
        }
    }
}
