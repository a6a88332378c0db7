//! Vectors about a judge's counts; pass@k, pass^k and the plug-in power.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::given::given;
use probity_mm_tau::measures::{
    self, ConfusionCounts, JudgedCounts, JudgedReport, JudgedText, MeasureRefusal, Ratio, Spread,
};

pub(super) fn at_k(input: &Value) -> Option<Value> {
    given!(input: total: u64, correct: u64, k: u64);
    Some(json!({"value": pass_at_k(total, correct, k).ok()?}))
}

pub(super) fn pow_k(input: &Value) -> Option<Value> {
    given!(input: total: u64, correct: u64, k: u64);
    Some(json!({"value": pass_pow_k(total, correct, k).ok()?}))
}

pub(super) fn hat_k(input: &Value) -> Option<Value> {
    given!(input: trials: u64, successes: u64, k: u64);
    Some(json!({"value": pass_hat_k(trials, successes, k).ok()?}))
}

pub(super) fn arga(input: &Value) -> Option<Value> {
    given!(
        input: tasks_identified: u64,
        tasks_with_agent_understanding_errors: u64,
        tasks_with_agent_understanding_errors_succeeded: u64
    );
    let (errors, passed) = (tasks_with_agent_understanding_errors, tasks_with_agent_understanding_errors_succeeded);
    let ratio = measures::arga(tasks_identified, errors, passed).ok()?;
    Some(match ratio.value() {
        Some(value) => json!({"value": value}),
        None => json!({"value": null, "undefined": ratio.to_string()}),
    })
}

pub(super) fn turn_overhead(input: &Value) -> Option<Value> {
    given!(input: voice_agent_messages: u64, text_agent_messages: u64);
    Some(json!({"value": measures::turn_overhead(voice_agent_messages, text_agent_messages).ok()?}))
}

/// Several conversations as one; a sum that no `u64` holds stays at the greatest. The three figures are made from the
/// sums and not averaged.
/// Nothing: when the judge saw no task in any of them, or more successes than tasks.
pub(super) fn consolidate(input: &Value) -> Option<Value> {
    given!(input: conversations: Vec<JudgedConversation>);
    let sum = |count: fn(&JudgedConversation) -> u64| conversations.iter().map(count).fold(0, u64::saturating_add);
    let sums = JudgedConversation {
        agent_msg_counts: sum(|one| one.agent_msg_counts),
        user_msg_counts: sum(|one| one.user_msg_counts),
        tasks_identified: sum(|one| one.tasks_identified),
        tasks_succeeded: sum(|one| one.tasks_succeeded),
        tasks_with_agent_understanding_errors: sum(|one| one.tasks_with_agent_understanding_errors),
        tasks_with_agent_understanding_errors_succeeded: sum(|one| one.tasks_with_agent_understanding_errors_succeeded),
    };
    let (tasks, passed) = (sums.tasks_identified, sums.tasks_succeeded);
    let misheard = sums.tasks_with_agent_understanding_errors;
    let arga = measures::arga(tasks, misheard, sums.tasks_with_agent_understanding_errors_succeeded).ok()?;
    let figures = [
        ("ARGA", arga.value()),
        ("pass@1", Some(pass_at_k(tasks, passed, 1).ok()?)),
        ("pass^1", Some(pass_pow_k(tasks, passed, 1).ok()?)),
    ];
    let mut answer = json!(sums);
    if let Some(answer) = answer.as_object_mut() {
        answer.extend(figures.map(|(name, value)| (name.to_owned(), json!(value))));
    }
    Some(answer)
}

pub(super) fn report(input: &Value) -> Option<Value> {
    given!(input: metrics: JudgedCounts, text_metrics: JudgedText);
    Some(printed(&JudgedReport::of(&metrics, &text_metrics).ok()?))
}

/// A report under the names that the peer prints, with the fractions that have no value.
fn printed(report: &JudgedReport) -> Value {
    let mut values = Map::new();
    let mut undefined = Map::new();
    let mut put = |name: &str, value: Option<f64>, fraction: String| {
        values.insert(name.to_owned(), json!(value));
        if value.is_none() {
            undefined.insert(name.to_owned(), Value::String(fraction));
        }
    };
    for (name, ratio) in &report.ratios {
        put(name, ratio.value(), ratio.to_string());
    }
    let robustness = report.modality_robustness;
    put("Modality Robustness Score", robustness.value(), robustness.to_string());
    let others = [
        ("Critical field Accuracy", json!(report.critical_field_accuracy)),
        ("Turn Overhead", json!(report.turn_overhead)),
        ("Voice pass@1", json!(report.voice_pass_at_1)),
        ("Voice pass^1", json!(report.voice_pass_pow_1)),
        ("Text pass^1", json!(report.text_pass_pow_1)),
        ("Clarification counts", confusion(report.clarification)),
        ("Safety counts", confusion(report.safety)),
    ];
    values.extend(others.map(|(name, value)| (name.to_owned(), value)));
    json!({"values": values, "undefined": undefined})
}

fn confusion(counts: ConfusionCounts) -> Value {
    json!({
        "True Positives": counts.true_positives,
        "False Positives": counts.false_positives,
        "False Negatives": counts.false_negatives,
        "True Negatives": counts.true_negatives,
    })
}

pub(super) fn stats(input: &Value) -> Option<Value> {
    given!(input: reports: Vec<BTreeMap<String, Option<f64>>>);
    let names: BTreeSet<&String> = reports.iter().flat_map(BTreeMap::keys).collect();
    let spread = |name: &String| Spread::of(reports.iter().map(|report| report.get(name).copied().flatten()));
    Some(names.into_iter().map(|name| (name.clone(), figures(spread(name)))).collect())
}

fn figures(spread: Option<Spread>) -> Value {
    json!({
        "Mean": spread.map(|spread| spread.mean),
        "Median": spread.map(|spread| spread.median),
        "Std Dev": spread.map(|spread| spread.deviation),
        "Min": spread.map(|spread| spread.min),
        "Max": spread.map(|spread| spread.max),
    })
}

/// What the judge of a whole conversation counted, with the messages of each party; also the sum of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct JudgedConversation {
    /// Agent messages.
    agent_msg_counts: u64,
    /// User messages.
    user_msg_counts: u64,
    /// Tasks that the judge saw; it may see several in a conversation.
    tasks_identified: u64,
    tasks_succeeded: u64,
    tasks_with_agent_understanding_errors: u64,
    tasks_with_agent_understanding_errors_succeeded: u64,
}

/// The chance that at least one of `k` trials, drawn without replacement, succeeded: 1 - C(n-c, k) / C(n, k).
/// An error: when there are fewer than `k` trials, or more successes than trials.
pub(super) fn pass_at_k(trials: u64, successes: u64, k: u64) -> Result<f64, MeasureRefusal> {
    let failures = trials.checked_sub(successes).ok_or(MeasureRefusal::TooManySuccesses { successes, trials })?;
    if trials < k {
        return Err(MeasureRefusal::TooFewTrials { trials, k });
    }
    Ok(match exact_draw(trials, failures, k) {
        Some((none, all)) => (all - none) as f64 / all as f64,
        None => 1.0 - rounded_draw(trials, failures, k),
    })
}

/// The chance that all of `k` trials, drawn without replacement, succeeded: C(c, k) / C(n, k), the unbiased pass^k of a
/// task. Nothing where there are fewer than `k` trials.
/// An error: when there are more successes than trials.
pub(super) fn pass_hat_k(trials: u64, successes: u64, k: u64) -> Result<Option<f64>, MeasureRefusal> {
    if successes > trials {
        return Err(MeasureRefusal::TooManySuccesses { successes, trials });
    }
    Ok((k <= trials).then(|| match exact_draw(trials, successes, k) {
        Some((some, all)) => some as f64 / all as f64,
        None => rounded_draw(trials, successes, k),
    }))
}

/// (c/n)^k, the form that MM-tau-p2's own program prints: biased for k > 1, and above 1 where the judge counted more
/// successes than tasks.
/// An error: when there is no task.
pub(super) fn pass_pow_k(tasks: u64, successes: u64, k: u64) -> Result<f64, MeasureRefusal> {
    let share = Ratio::new(successes, tasks).value().ok_or(MeasureRefusal::NoTasks)?;
    Ok(share.powf(k as f64))
}

/// C(c, k) / C(n, k) as factors (dividend, divisor), from whichever of its two products is shorter. Needs c, k <= n.
fn factors(n: u64, c: u64, k: u64) -> impl Iterator<Item = (u64, u64)> {
    let (count, top) = if k <= n - c { (k, c) } else { (n - c, n - k) };
    (0..count).map(move |i| (top.saturating_sub(i), n - i))
}

/// The fraction itself, in lowest terms, while it fits.
fn exact_draw(n: u64, c: u64, k: u64) -> Option<(u128, u128)> {
    // Fewer successes than are drawn: a factor is zero, however many there are.
    if k > c {
        return Some((0, 1));
    }
    factors(n, c, k).try_fold((1_u128, 1_u128), |(part, whole), (up, down)| {
        let (part, whole) = (part.checked_mul(up.into())?, whole.checked_mul(down.into())?);
        let shared = divisor(part, whole);
        Some((part / shared, whole / shared))
    })
}

/// The fraction rounded factor by factor, for trials in numbers that no run has.
fn rounded_draw(n: u64, c: u64, k: u64) -> f64 {
    let product = factors(n, c, k).try_fold(1.0_f64, |product, (up, down)| {
        let next = product * (up as f64 / down as f64);
        if next > 0.0 { Ok(next) } else { Err(()) }
    });
    product.unwrap_or(0.0)
}

/// The greatest common divisor of a number and one above zero.
fn divisor(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sets of `k` among `n` trials of which the first `c` succeeded: (all, without a failure, without a success).
    fn draws(n: u64, c: u64, k: u64) -> (u64, u64, u64) {
        let successes = (1_u64 << c) - 1;
        let sets = (0_u64..1 << n).filter(|set| u64::from(set.count_ones()) == k);
        sets.fold((0, 0, 0), |(all, passed, failed), set| {
            (all + 1, passed + u64::from(set & !successes == 0), failed + u64::from(set & successes == 0))
        })
    }

    proptest! {
        #[test]
        fn every_draw_is_counted(n in 0_u64..=10, c in 0_u64..=11, k in 0_u64..=11) {
            let (at, hat) = (pass_at_k(n, c, k), pass_hat_k(n, c, k));
            if c > n {
                prop_assert!(at.is_err() && hat.is_err());
            } else if k > n {
                prop_assert_eq!(at, Err(MeasureRefusal::TooFewTrials { trials: n, k }));
                prop_assert_eq!(hat, Ok(None));
            } else {
                let (all, passed, failed) = draws(n, c, k);
                prop_assert!((at.unwrap() - (all - failed) as f64 / all as f64).abs() < 1e-15);
                prop_assert!((hat.unwrap().unwrap() - passed as f64 / all as f64).abs() < 1e-15);
            }
        }

        #[test]
        fn of_one_trial_all_forms_are_the_share((n, c) in (1_u64..1_000_000).prop_flat_map(|n| (Just(n), 0..=n))) {
            let share = c as f64 / n as f64;
            prop_assert_eq!(pass_hat_k(n, c, 1), Ok(Some(share)));
            prop_assert!((pass_at_k(n, c, 1).unwrap() - share).abs() < 1e-15);
            prop_assert_eq!(pass_pow_k(n, c, 1), Ok(share));
        }

        #[test]
        fn many_trials_stay_in_bounds((n, c, k) in (1_u64..5_000).prop_flat_map(|n| (Just(n), 0..=n, 0..=n))) {
            let (at, hat) = (pass_at_k(n, c, k).unwrap(), pass_hat_k(n, c, k).unwrap().unwrap());
            prop_assert!((0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&hat));
            // All of k succeed among c exactly when none of k fails among n - c.
            prop_assert!((hat + pass_at_k(n, n - c, k).unwrap() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_plug_in_form_keeps_what_the_peer_prints() {
        assert_eq!(pass_pow_k(1, 2, 5), Ok(32.0));
        assert_eq!(pass_pow_k(0, 0, 1), Err(MeasureRefusal::NoTasks));
    }
}
