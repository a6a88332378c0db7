//! The one home of the fault x metric table: `registry.toml` says what every planted fault is and what each metric must
//! make of it, and here stands what plants it.

use std::sync::LazyLock;

use serde::Deserialize;

use super::kind::Plant::{self, Graded, Plain};
use super::{Fault, arguments, calls, claims, misreport, reads, timing};

/// All planted faults.
pub static FAULTS: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let registry: Registry = toml::from_str(include_str!("registry.toml")).unwrap_or_default();
    registry.fault
});

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Registry {
    fault: Vec<Fault>,
}

/// What makes the defect of a fault; nothing where there is no such fault.
pub(super) fn plant(name: &str) -> Option<Plant> {
    Some(match name {
        "skips_read" => Graded(reads::skips_read),
        "swaps_order" => Graded(reads::swaps_order),
        "repeats_reads" => Graded(reads::repeats_reads),
        "wrong_value" => Graded(arguments::wrong_value),
        "wrong_entity" => Graded(arguments::wrong_entity),
        "fabricated_id" => Graded(arguments::fabricated_id),
        "guesses_id" => Graded(arguments::guesses_id),
        "bad_arguments" => Graded(arguments::bad_arguments),
        "unknown_tool" => Graded(calls::unknown_tool),
        "claims_without_acting" => Graded(claims::claims_without_acting),
        "claims_after_error" => Graded(claims::claims_after_error),
        "affirms_fabricated" => Graded(claims::affirms_fabricated),
        "misreports" => Graded(misreport::misreports),
        "wrong_date" => Graded(misreport::wrong_date),
        "wrong_name" => Graded(misreport::wrong_name),
        "contradicts_itself" => Graded(misreport::contradicts_itself),
        "says_too_little" => Graded(claims::says_too_little),
        "forbidden_call" => Graded(calls::forbidden_call),
        "both_exclusive" => Graded(calls::both_exclusive),
        "collateral_write" => Graded(calls::collateral_write),
        "repeats_write" => Graded(calls::repeats_write),
        "no_consent" => Plain(timing::no_consent),
        "acts_before_settled" => Plain(timing::acts_before_settled),
        "over_asks" => Plain(timing::over_asks),
        "stops_early" => Graded(timing::stops_early),
        _ => return None,
    })
}
