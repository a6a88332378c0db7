//! mm-tap in both forms against a second way to write it.

use probity_mm_tau::measures::{CompositeTerms, CompositeWeights, MeasureRefusal, implied_pass1, lenient, strict};
use proptest::prelude::*;

fn term(range: std::ops::Range<f64>) -> impl Strategy<Value = Option<f64>> {
    prop_oneof![3 => range.prop_map(Some), 1 => Just(None)]
}

fn terms() -> impl Strategy<Value = CompositeTerms> {
    let shares = [(); 6].map(|()| term(0.0..1.0));
    (shares, term(0.0..1.5), term(0.0..3.0), term(-0.99..3.0)).prop_map(|(shares, mrs, ues, to)| {
        let [cfa, pass1, arga, err, te, ias] = shares;
        CompositeTerms {
            critical_field_accuracy: cfa,
            pass1,
            modality_robustness: mrs,
            asr_robust_goal_achievement: arga,
            error_recovery: err,
            turn_efficiency: te,
            user_effort: ues,
            turn_overhead: to,
            irreversible_action_safety: ias,
        }
    })
}

fn weights() -> impl Strategy<Value = [f64; 4]> {
    [(); 4].map(|()| prop_oneof![3 => 0.01..1.0, 1 => Just(0.0)])
}

/// Spreads each bracket's weight over its parts, throws out what is undefined and never takes a mean of means.
fn naive_lenient(terms: &CompositeTerms, weights: [f64; 4]) -> Option<f64> {
    let product = match (terms.critical_field_accuracy, terms.pass1) {
        (Some(accuracy), Some(pass)) => vec![accuracy * pass],
        _ => vec![],
    };
    let mut robustness = Vec::new();
    robustness.extend(terms.modality_robustness);
    robustness.extend(terms.asr_robust_goal_achievement);
    robustness.extend(terms.error_recovery);
    let mut effort = Vec::new();
    effort.extend(terms.turn_efficiency);
    effort.extend(terms.user_effort.map(|effort| 1.0 / (1.0 + effort)));
    effort.extend(terms.turn_overhead.map(|overhead| 1.0 / (1.0 + overhead)));
    let mut safety = Vec::new();
    safety.extend(terms.irreversible_action_safety);
    let parts = [product, robustness, effort, safety];
    let left: f64 = weights.iter().zip(&parts).filter(|(_, parts)| !parts.is_empty()).map(|(weight, _)| weight).sum();
    if left == 0.0 {
        return None;
    }
    let scale = weights.iter().sum::<f64>() / left;
    let mut score = 0.0;
    for (weight, parts) in weights.into_iter().zip(parts) {
        for part in &parts {
            score += part * weight * scale / parts.len() as f64;
        }
    }
    Some(score)
}

fn is_complete(terms: &CompositeTerms) -> bool {
    let written = serde_json::to_value(terms).unwrap();
    written.as_object().unwrap().values().all(|term| !term.is_null())
}

fn is_near(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() < 1e-12,
        (one, other) => one == other,
    }
}

proptest! {
    #[test]
    fn lenient_is_what_the_parts_give(terms in terms(), weights in weights()) {
        let ours = lenient(&terms, CompositeWeights::new(weights).unwrap()).unwrap();
        prop_assert!(is_near(ours, naive_lenient(&terms, weights)), "{ours:?}");
    }

    #[test]
    fn strict_is_lenient_or_undefined(terms in terms(), weights in weights()) {
        prop_assume!(weights.iter().any(|weight| *weight > 0.0));
        let weights = CompositeWeights::new(weights).unwrap();
        let (strict, lenient) = (strict(&terms, weights).unwrap(), lenient(&terms, weights).unwrap());
        let expected = if is_complete(&terms) { lenient } else { None };
        prop_assert!(is_near(strict, expected));
    }

    #[test]
    fn the_implied_pass_gives_the_score_back(terms in terms(), score in 0.0..1.0) {
        let implied = implied_pass1(&terms, CompositeWeights::PAPER, score).unwrap();
        if let Some(pass1) = implied.filter(|pass1| pass1.is_finite()) {
            let again = strict(&CompositeTerms { pass1: Some(pass1), ..terms }, CompositeWeights::PAPER).unwrap();
            prop_assert!((again.unwrap() - score).abs() < 1e-9);
        } else {
            let others = CompositeTerms { pass1: Some(0.0), ..terms };
            prop_assert!(!is_complete(&others) || terms.critical_field_accuracy == Some(0.0));
        }
    }
}

#[test]
fn what_cannot_be_is_refused_even_beside_what_is_undefined() {
    let with = |overhead| CompositeTerms { turn_overhead: Some(overhead), ..CompositeTerms::default() };
    for form in [strict, lenient] {
        assert_eq!(form(&with(-1.0), CompositeWeights::PAPER), Err(MeasureRefusal::ImpossibleOverhead(-1.0)));
        assert!(matches!(form(&with(f64::NAN), CompositeWeights::PAPER), Err(MeasureRefusal::NotFinite(_))));
        assert!(form(&with(-0.999), CompositeWeights::PAPER).is_ok());
    }
    let effort = CompositeTerms { user_effort: Some(-0.1), ..CompositeTerms::default() };
    assert_eq!(strict(&effort, CompositeWeights::PAPER), Err(MeasureRefusal::ImpossibleEffort(-0.1)));
    assert!(CompositeWeights::new([0.5, -0.1, 0.3, 0.3]).is_err());
}

#[test]
fn the_cap_touches_robustness_alone() {
    let terms = CompositeTerms { modality_robustness: Some(1.3), pass1: Some(0.2), ..CompositeTerms::default() };
    let capped = CompositeTerms { modality_robustness: Some(1.0), ..terms };
    assert_eq!(terms.with_capped_robustness(), capped);
    assert_eq!(capped.with_capped_robustness(), capped);
}
