//! The engine that scripts run in: chosen packages, every limit set, and of mathematics what is exact.

use std::sync::Once;

use rhai::module_resolvers::DummyModuleResolver;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, ImmutableString, OptimizationLevel};

use super::error::{ScriptResult, fault};
use super::{fuel, weight};

/// Longest text, in bytes: as long as arguments may be.
pub(super) const LIMIT_TEXT: usize = 64 << 10;
pub(super) const LIMIT_ITEMS: usize = 10_000;

/// An engine with chosen packages and every limit set: Rhai's own defaults differ by build profile.
pub fn sandbox() -> Engine {
    static SEED: Once = Once::new();
    // A host that embeds the library may have set a seed already; any fixed one will do.
    SEED.call_once(|| {
        let _ = rhai::config::hashing::set_hashing_seed(Some([1, 2, 3, 4]));
    });
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicFnPackage::new().register_into_engine(&mut engine);
    register_math(&mut engine);
    engine.set_module_resolver(DummyModuleResolver::new());
    engine
        .disable_symbol("eval")
        .disable_symbol("**")
        .disable_symbol("**=")
        .disable_symbol("import")
        .disable_symbol("export")
        .disable_symbol("this");
    // What is written is what is counted: a list of constants is not made one constant.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true).set_fail_on_invalid_map_property(true);
    engine.set_max_strings_interned(0);
    engine.set_max_call_levels(32).set_max_expr_depths(64, 64).set_max_operations(0);
    engine.set_max_variables(256).set_max_functions(512).set_max_modules(32);
    engine.set_max_string_size(LIMIT_TEXT).set_max_array_size(LIMIT_ITEMS).set_max_map_size(LIMIT_ITEMS);
    engine.on_progress(|_| (!fuel::burn(1)).then_some(Dynamic::UNIT));
    weight::charge(&mut engine);
    engine.on_print(fuel::print).on_debug(|text, _, _| fuel::print(text));
    engine
}

/// Of Rhai's mathematics what is the same on every machine to the last bit. Sines, logarithms and powers
/// are the host's own and differ; the operator `**` is one of them.
fn register_math(engine: &mut Engine) {
    engine.register_fn("to_int", |x: char| i64::from(u32::from(x)));
    engine.register_fn("to_int", |x: i64| x);
    engine.register_fn("to_int", to_int);
    engine.register_fn("to_float", |x: f64| x);
    #[expect(clippy::cast_precision_loss, reason = "the nearest double is what is asked for")]
    engine.register_fn("to_float", |x: i64| x as f64);
    engine.register_fn("parse_int", |text: ImmutableString| parse_int(&text, 10));
    engine.register_fn("parse_int", |text: ImmutableString, radix: i64| parse_int(&text, radix));
    engine.register_fn("parse_float", |text: ImmutableString| -> ScriptResult<f64> {
        text.trim().parse().or_else(|_| fault(format!("`{text}` is not a number")))
    });
    for (name, function) in [
        ("floor", f64::floor as fn(f64) -> f64),
        ("ceiling", f64::ceil),
        ("round", f64::round),
        ("int", f64::trunc),
        ("fraction", f64::fract),
    ] {
        engine.register_fn(name, move |x: f64| function(x));
        engine.register_get(name, move |x: &mut f64| function(*x));
    }
    for (name, function) in [("is_nan", f64::is_nan as fn(f64) -> bool), ("is_finite", f64::is_finite)] {
        engine.register_fn(name, move |x: f64| function(x));
        engine.register_get(name, move |x: &mut f64| function(*x));
    }
    engine.register_fn("sqrt", f64::sqrt);
}

fn to_int(x: f64) -> ScriptResult<i64> {
    // 2^63 is exact in a double; the largest i64 is not.
    let limit = 9_223_372_036_854_775_808.0;
    if !(-limit..limit).contains(&x) {
        return fault(format!("{x} is no whole number of 64 bits"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "within the range of an i64")]
    Ok(x.trunc() as i64)
}

fn parse_int(text: &str, radix: i64) -> ScriptResult<i64> {
    let base = u32::try_from(radix).ok().filter(|base| (2..=36).contains(base));
    let Some(base) = base else { return fault(format!("{radix} is no radix from 2 to 36")) };
    i64::from_str_radix(text.trim(), base).or_else(|_| fault(format!("`{text}` is not a whole number")))
}
