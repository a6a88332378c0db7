//! Functions of Rhai's own that make much of little, once more with their price and their limit.

use rhai::{Array, Dynamic, Engine, EvalAltResult, ImmutableString, NativeCallContext, OP_EQUALS, Position};

use super::error::ScriptResult;
use super::sandbox::{LIMIT_ITEMS, LIMIT_TEXT};
use super::{fuel, weight};

/// Makes them known to an engine, in the place of Rhai's.
pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("pad", pad_list);
    engine.register_fn("pad", |text: &mut ImmutableString, length: i64, with: char| {
        pad_text(text, length, with.encode_utf8(&mut [0; 4]))
    });
    engine.register_fn("pad", |text: &mut ImmutableString, length: i64, with: ImmutableString| {
        pad_text(text, length, &with)
    });
    engine.register_fn("replace", |text: &mut ImmutableString, part: ImmutableString, by: ImmutableString| {
        replace(text, &part, &by)
    });
    engine.register_fn("replace", |text: &mut ImmutableString, part: ImmutableString, by: char| {
        replace(text, &part, by.encode_utf8(&mut [0; 4]))
    });
    engine.register_fn("replace", |text: &mut ImmutableString, part: char, by: ImmutableString| {
        replace(text, part.encode_utf8(&mut [0; 4]), &by)
    });
    engine.register_fn("replace", |text: &mut ImmutableString, part: char, by: char| {
        replace(text, part.encode_utf8(&mut [0; 4]), by.encode_utf8(&mut [0; 4]))
    });
    engine.register_fn("contains", |context: NativeCallContext, list: &mut Array, value: Dynamic| {
        position(&context, list, &value, 0).map(|found| found.is_some())
    });
    engine.register_fn("index_of", |context: NativeCallContext, list: &mut Array, value: Dynamic| {
        position(&context, list, &value, 0).map(index)
    });
    engine.register_fn("index_of", |context: NativeCallContext, list: &mut Array, value: Dynamic, start: i64| {
        let from_end = |back: u64| list.len().saturating_sub(usize::try_from(back).unwrap_or(usize::MAX));
        let start = usize::try_from(start).unwrap_or_else(|_| from_end(start.unsigned_abs()));
        position(&context, list, &value, start).map(index)
    });
}

fn too_large<T>(what: &str) -> ScriptResult<T> {
    Err(Box::new(EvalAltResult::ErrorDataTooLarge(what.to_owned(), Position::NONE)))
}

/// Where a value stands in a list, looked for from a place on. It is copied for each item, and paid for each time.
fn position(
    context: &NativeCallContext<'_>,
    list: &mut Array,
    value: &Dynamic,
    start: usize,
) -> ScriptResult<Option<usize>> {
    for (place, item) in list.iter_mut().enumerate().skip(start) {
        weight::pay(value)?;
        if is_equal(context, item, value)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Whether two values are the same; those of two types are not, unless their types can be compared.
fn is_equal(context: &NativeCallContext<'_>, item: &mut Dynamic, value: &Dynamic) -> ScriptResult<bool> {
    // Texts, which lists of ours hold nearly always, need no look-up of what compares them.
    if let (Ok(item), Ok(value)) = (item.as_immutable_string_ref(), value.as_immutable_string_ref()) {
        return Ok(*item == *value);
    }
    let is_other_type = item.type_id() != value.type_id();
    match context.call_native_fn_raw(OP_EQUALS, true, &mut [item, &mut value.clone()]) {
        Ok(equal) => Ok(equal.as_bool().unwrap_or(false)),
        Err(error) => match *error {
            EvalAltResult::ErrorFunctionNotFound(ref function, _)
                if is_other_type && function.starts_with(OP_EQUALS) =>
            {
                Ok(false)
            }
            _ => Err(error),
        },
    }
}

fn index(place: Option<usize>) -> i64 {
    place.and_then(|place| i64::try_from(place).ok()).unwrap_or(-1)
}

/// A list made longer with copies of an item.
fn pad_list(list: &mut Array, length: i64, item: Dynamic) -> ScriptResult<()> {
    let length = usize::try_from(length).unwrap_or(0);
    if length > LIMIT_ITEMS {
        return too_large("Size of array/BLOB");
    }
    for _ in list.len()..length {
        // Each copy is an operation and what it weighs; none is made once the operations are gone.
        weight::pay(&item)?;
        if !fuel::burn(1) {
            break;
        }
        list.push(item.clone());
    }
    Ok(())
}

/// A text made longer with copies of another, up to so many characters.
fn pad_text(text: &mut ImmutableString, length: i64, with: &str) -> ScriptResult<()> {
    let length = usize::try_from(length).unwrap_or(0);
    let missing = length.saturating_sub(text.chars().count());
    let bytes = missing.saturating_mul(with.chars().map(char::len_utf8).max().unwrap_or(0));
    if length > LIMIT_TEXT || text.len().saturating_add(bytes) > LIMIT_TEXT {
        return too_large("Length of string");
    }
    if missing > 0 && !with.is_empty() && fuel::burn_text(length) {
        let (whole, rest) = (missing / with.chars().count(), missing % with.chars().count());
        let made = text.make_mut();
        made.push_str(&with.repeat(whole));
        made.extend(with.chars().take(rest));
    }
    Ok(())
}

fn replace(text: &mut ImmutableString, part: &str, by: &str) -> ScriptResult<()> {
    fuel::burn_text(text.len());
    let times = text.matches(part).count();
    let grown = text.len().saturating_add(times.saturating_mul(by.len()));
    if grown.saturating_sub(times.saturating_mul(part.len())) > LIMIT_TEXT {
        return too_large("Length of string");
    }
    if fuel::burn_text(grown) {
        *text = text.replace(part, by).into();
    }
    Ok(())
}
