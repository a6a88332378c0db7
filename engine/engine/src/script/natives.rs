//! The functions scripts can call: text, money and seeded randomness; dates have a file of their own.

use std::sync::{Arc, Mutex, PoisonError};

use rhai::{Array, Dynamic, Engine, EvalAltResult, ImmutableString, Position};

use super::error::{ScriptResult, fault};
use super::{dates, fuel, growth};
use crate::matching;
use crate::model::stream::Stream;

/// What `fail(code, message)` throws.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The business code.
    pub code: String,
    /// One line for the agent.
    pub message: String,
}

/// The random source handed to `populate` as `rng`.
#[derive(Clone)]
pub struct Rng(Arc<Mutex<Stream>>);

impl Rng {
    /// A source that draws from `stream`.
    pub fn new(stream: Stream) -> Self {
        Rng(Arc::new(Mutex::new(stream)))
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut Stream) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Text without regard to case and to surrounding or repeated white space; what is long costs operations.
pub fn fold(text: &str) -> String {
    fuel::burn_text(text.len());
    matching::fold(text)
}

/// Makes the functions known to an engine.
pub fn register(engine: &mut Engine) {
    dates::register(engine);
    register_text(engine);
    register_long(engine);
    growth::register(engine);
    register_random(engine);
    engine.register_type_with_name::<Failure>("failure");
    engine.register_fn("fail", |code: ImmutableString, message: ImmutableString| -> ScriptResult<()> {
        let failure = Failure { code: code.into(), message: message.into() };
        Err(Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(failure), Position::NONE)))
    });
    engine.register_fn("div_round", div_round);
}

/// `a / b` rounded half away from zero: shares and percentages of integer money.
fn div_round(a: i64, b: i64) -> ScriptResult<i64> {
    if b == 0 {
        return fault("division by zero");
    }
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    let twice = 2 * wide_a.abs() + wide_b.abs();
    let size = twice / (2 * wide_b.abs());
    let signed = if (a < 0) == (b < 0) { size } else { -size };
    i64::try_from(signed).or_else(|_| fault("the quotient is too large"))
}

fn register_text(engine: &mut Engine) {
    engine.register_fn("same_text", |a: ImmutableString, b: ImmutableString| fold(&a) == fold(&b));
    engine.register_fn("has_text", |text: ImmutableString, part: ImmutableString| fold(&text).contains(&fold(&part)));
    engine.register_fn("digits", |text: ImmutableString| -> String {
        fuel::burn_text(text.len());
        text.chars().filter(char::is_ascii_digit).collect()
    });
    engine.register_fn("pad", |number: i64, width: i64| -> ScriptResult<String> {
        match usize::try_from(width) {
            Ok(width) if width <= 32 => Ok(format!("{number:0width$}")),
            Ok(_) | Err(_) => fault("a width is 0 to 32"),
        }
    });
    engine.register_fn("compare", |a: i64, b: i64| a.cmp(&b) as i64);
    engine.register_fn("compare", |a: ImmutableString, b: ImmutableString| a.as_str().cmp(b.as_str()) as i64);
}

/// Functions of Rhai's own that read or make a whole text, once more with their price.
fn register_long(engine: &mut Engine) {
    fn paid<T>(text: &str, value: T) -> T {
        fuel::burn_text(text.len());
        value
    }
    fn pieces<'a>(text: &str, pieces: impl Iterator<Item = &'a str>) -> Array {
        let pieces: Array = pieces.map(|piece| Dynamic::from(ImmutableString::from(piece))).collect();
        fuel::burn(pieces.len() as u64);
        paid(text, pieces)
    }
    engine.register_fn("to_upper", |text: ImmutableString| paid(&text, text.to_uppercase()));
    engine.register_fn("to_lower", |text: ImmutableString| paid(&text, text.to_lowercase()));
    fn most(segments: i64) -> usize {
        usize::try_from(segments).unwrap_or(0).max(1)
    }
    type Text = ImmutableString;
    engine.register_fn("split", |text: Text| pieces(&text, text.split_whitespace()));
    engine.register_fn("split", |text: Text, by: Text| pieces(&text, text.split(by.as_str())));
    engine.register_fn("split", |text: Text, by: char| pieces(&text, text.split(by)));
    engine.register_fn("split", |text: Text, by: Text, n: i64| pieces(&text, text.splitn(most(n), by.as_str())));
    engine.register_fn("split", |text: Text, by: char, n: i64| pieces(&text, text.splitn(most(n), by)));
    engine.register_fn("split_rev", |text: Text, by: Text| pieces(&text, text.rsplit(by.as_str())));
    engine.register_fn("split_rev", |text: Text, by: char| pieces(&text, text.rsplit(by)));
    engine.register_fn("split_rev", |text: Text, by: Text, n: i64| pieces(&text, text.rsplitn(most(n), by.as_str())));
    engine.register_fn("split_rev", |text: Text, by: char, n: i64| pieces(&text, text.rsplitn(most(n), by)));
    engine.register_fn("contains", |text: ImmutableString, part: ImmutableString| {
        paid(&text, text.contains(part.as_str()))
    });
    engine.register_fn("to_chars", |text: ImmutableString| -> Array {
        fuel::burn(text.len() as u64);
        text.chars().map(Dynamic::from_char).collect()
    });
}

fn register_random(engine: &mut Engine) {
    engine.register_type_with_name::<Rng>("rng");
    engine.register_fn("below", |rng: &mut Rng, n: i64| -> i64 {
        let drawn = rng.draw(|stream| stream.below(u64::try_from(n).unwrap_or(0)));
        i64::try_from(drawn).unwrap_or(i64::MAX)
    });
    engine.register_fn("range", |rng: &mut Rng, low: i64, high: i64| rng.draw(|stream| stream.range(low, high)));
    engine.register_fn("chance", |rng: &mut Rng, of: i64, in_all: i64| {
        let (of, in_all) = (u64::try_from(of).unwrap_or(0), u64::try_from(in_all).unwrap_or(0));
        rng.draw(|stream| stream.chance(of, in_all))
    });
    engine.register_fn("pick", |rng: &mut Rng, items: Array| -> ScriptResult<Dynamic> {
        fuel::burn(items.len() as u64);
        let picked = rng.draw(|stream| stream.pick(&items).cloned());
        picked.map_or_else(|| fault("there is nothing to pick from"), Ok)
    });
    engine.register_fn("shuffle", |rng: &mut Rng, mut items: Array| -> Array {
        fuel::burn(items.len() as u64);
        rng.draw(|stream| stream.shuffle(&mut items));
        items
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_money_round_half_away_from_zero() {
        let cases = [(5, 2, 3), (-5, 2, -3), (5, -2, -3), (4, 3, 1), (i64::MIN, 1, i64::MIN), (0, 7, 0)];
        for (a, b, expected) in cases {
            assert_eq!(div_round(a, b).unwrap(), expected, "{a} / {b}");
        }
        assert!(div_round(1, 0).is_err());
        assert!(div_round(i64::MIN, -1).is_err());
    }
}
