//! What it costs to name a value: Rhai copies a list, a map or a closure with all that is in it for one operation.

use rhai::{Array, Dynamic, Engine, EvalAltResult, EvalContext, FnPtr, ImmutableString, Map, Position};

use super::error::ScriptResult;
use super::fuel;

/// Deepest nesting of lists, maps and closures: to copy, compare or drop a value takes stack for each level.
const MAX_DEPTH: usize = 64;
/// Values that are copied for one operation. One counts for 32 bytes, so an operation makes some 512 bytes at most.
pub(super) const VALUES_OF_OPERATION: usize = 16;
/// Values that a map weighs beside those in it: it has memory of its own, as a value of a closure has.
pub(super) const MAP: usize = VALUES_OF_OPERATION;

/// Charges each variable that a script names with what its value weighs.
pub(super) fn charge(engine: &mut Engine) {
    #[expect(
        deprecated,
        reason = "called volatile, not deprecated; Cargo.lock and the tests of fuel hold its behaviour"
    )]
    engine.on_var(|name, index, context| named(name, index, &context).map(|()| None));
}

fn named(name: &str, index: usize, context: &EvalContext<'_, '_, '_, '_, '_, '_>) -> ScriptResult<()> {
    let scope = context.scope();
    let value = match index.checked_sub(1) {
        // The last variable comes first.
        Some(place) => scope.iter_raw().nth(place).map(|(_, _, value)| value),
        None => scope.get(name),
    };
    value.map_or(Ok(()), pay)
}

pub(super) fn pay(value: &Dynamic) -> ScriptResult<()> {
    // A handle of ours weighs as little as a number, and is what scripts name most.
    if value.is_variant() || value.is_int() || value.is_bool() || value.is_unit() {
        return Ok(());
    }
    let weight = weigh(value, 0)?;
    if weight >= VALUES_OF_OPERATION && !fuel::burn((weight / VALUES_OF_OPERATION) as u64) {
        return Err(Box::new(EvalAltResult::ErrorTooManyOperations(Position::NONE)));
    }
    Ok(())
}

/// How many values there are in a value, text counted as fuel counts it.
fn weigh(value: &Dynamic, depth: usize) -> ScriptResult<usize> {
    if depth > MAX_DEPTH {
        let what = format!("Nesting of a value beyond {MAX_DEPTH} levels");
        return Err(Box::new(EvalAltResult::ErrorDataTooLarge(what, Position::NONE)));
    }
    if value.is_int() || value.is_bool() {
        return Ok(1);
    }
    // What is locked is being written to where it is named, and is charged there.
    if value.is_shared() && value.is_locked() {
        return Ok(1);
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Ok(1 + text.len() / fuel::TEXT_OF_OPERATION * VALUES_OF_OPERATION);
    }
    if let Some(items) = value.read_lock::<Array>() {
        return all(items.iter(), depth);
    }
    if let Some(map) = value.read_lock::<Map>() {
        let keys: usize = map.keys().map(|name| key(name.len())).sum();
        return Ok(MAP - 1 + keys + all(map.values(), depth)?);
    }
    if let Some(closure) = value.read_lock::<FnPtr>() {
        return Ok(VALUES_OF_OPERATION * all(closure.iter_curry(), depth)?);
    }
    Ok(1)
}

/// How many values a key of so many bytes counts for: unlike a text it is copied, and each has its place in the map.
pub(super) fn key(bytes: usize) -> usize {
    3 + bytes / 16
}

fn all<'a>(mut values: impl Iterator<Item = &'a Dynamic>, depth: usize) -> ScriptResult<usize> {
    values.try_fold(1_usize, |sum, value| Ok(sum.saturating_add(weigh(value, depth + 1)?)))
}
