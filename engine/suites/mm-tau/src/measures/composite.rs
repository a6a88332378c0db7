//! The composite score mm-tap in its strict and its lenient form (paper, Table 5).

use serde::{Deserialize, Serialize};

use super::ratio::{MeasureRefusal, Quotient};

/// The nine terms of the composite; an undefined one is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompositeTerms {
    #[serde(rename = "CFA")]
    pub critical_field_accuracy: Option<f64>,
    /// pass^1 of the voice runs.
    pub pass1: Option<f64>,
    /// Modality robustness, voice pass over text pass; may exceed 1.
    #[serde(rename = "MRS")]
    pub modality_robustness: Option<f64>,
    /// Pass rate of the conversations with a recognition error.
    #[serde(rename = "ARGA")]
    pub asr_robust_goal_achievement: Option<f64>,
    #[serde(rename = "ERR")]
    pub error_recovery: Option<f64>,
    /// Optimal agent turns over actual ones.
    #[serde(rename = "TE")]
    pub turn_efficiency: Option<f64>,
    /// User effort, as a rate per user message (a count is accepted as well, as in the paper); never negative.
    #[serde(rename = "UES")]
    pub user_effort: Option<f64>,
    /// Extra agent messages of voice over text, as a share; above -1.
    #[serde(rename = "TO")]
    pub turn_overhead: Option<f64>,
    #[serde(rename = "IAS")]
    pub irreversible_action_safety: Option<f64>,
}

impl CompositeTerms {
    /// The same terms with the modality robustness held to at most 1 (an option; the paper seems not to cap).
    pub fn with_capped_robustness(self) -> CompositeTerms {
        CompositeTerms { modality_robustness: self.modality_robustness.map(|score| score.min(1.0)), ..self }
    }

    /// The three of success under noise, and the three of effort as numbers that are better when higher.
    fn inner(&self) -> [[Option<f64>; 3]; 2] {
        let falling = |value: Option<f64>| Quotient { dividend: 1.0, divisor: 1.0 + value? }.value();
        [
            [self.modality_robustness, self.asr_robust_goal_achievement, self.error_recovery],
            [self.turn_efficiency, falling(self.user_effort), falling(self.turn_overhead)],
        ]
    }

    /// The four brackets that the weights are put on, with a mean for the inner two.
    fn brackets(&self, mean: fn([Option<f64>; 3]) -> Option<f64>) -> [Option<f64>; 4] {
        let product = self.critical_field_accuracy.zip(self.pass1).map(|(accuracy, pass)| accuracy * pass);
        let [robustness, effort] = self.inner().map(mean);
        [product, robustness, effort, self.irreversible_action_safety]
    }

    fn check(&self) -> Result<(), MeasureRefusal> {
        if let Some(overhead) = self.turn_overhead.filter(|overhead| *overhead <= -1.0) {
            return Err(MeasureRefusal::ImpossibleOverhead(overhead));
        }
        if let Some(effort) = self.user_effort.filter(|effort| *effort < 0.0) {
            return Err(MeasureRefusal::ImpossibleEffort(effort));
        }
        let outer = [self.critical_field_accuracy, self.pass1, self.user_effort, self.turn_overhead];
        let all = outer.into_iter().chain(self.inner().into_iter().flatten()).chain([self.irreversible_action_safety]);
        all.flatten().find(|term| !term.is_finite()).map_or(Ok(()), |term| Err(MeasureRefusal::NotFinite(term)))
    }
}

/// The weights of the four brackets: task success, robustness, effort, safety.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 4]", into = "[f64; 4]")]
pub struct CompositeWeights([f64; 4]);

impl CompositeWeights {
    pub const PAPER: CompositeWeights = CompositeWeights([0.35, 0.35, 0.2, 0.1]);

    /// Weights in the order task success, robustness, effort, safety; they need not sum to 1.
    /// An error: when a weight is negative or not finite.
    pub fn new(weights: [f64; 4]) -> Result<CompositeWeights, MeasureRefusal> {
        match weights.into_iter().find(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            Some(weight) => Err(MeasureRefusal::ImpossibleWeight(weight)),
            None => Ok(CompositeWeights(weights)),
        }
    }
}

impl TryFrom<[f64; 4]> for CompositeWeights {
    type Error = MeasureRefusal;

    fn try_from(weights: [f64; 4]) -> Result<CompositeWeights, MeasureRefusal> {
        CompositeWeights::new(weights)
    }
}

impl From<CompositeWeights> for [f64; 4] {
    fn from(weights: CompositeWeights) -> [f64; 4] {
        weights.0
    }
}

/// The composite as the paper defines it: undefined as soon as one of its terms is, whatever that term's weight.
/// An error: when a term is impossible, which is told even where another term is undefined.
pub fn strict(terms: &CompositeTerms, weights: CompositeWeights) -> Result<Option<f64>, MeasureRefusal> {
    terms.check()?;
    let brackets = terms.brackets(mean_of_all).into_iter().zip(weights.0);
    Ok(brackets.map(|(bracket, weight)| Some(bracket? * weight)).sum())
}

/// The composite over what is defined: inside a bracket the mean of its defined terms (the product of accuracy and
/// pass^1 has no part of its own), among brackets the defined ones with their weights scaled up to the sum of all.
/// Undefined where no weight is left.
/// An error: when a term is impossible.
pub fn lenient(terms: &CompositeTerms, weights: CompositeWeights) -> Result<Option<f64>, MeasureRefusal> {
    terms.check()?;
    let defined = terms.brackets(mean_of_defined).into_iter().zip(weights.0);
    let (sum, left) = defined.fold((0.0, 0.0), |(sum, left), (bracket, weight)| match bracket {
        Some(bracket) => (sum + bracket * weight, left + weight),
        None => (sum, left),
    });
    let total: f64 = weights.0.iter().sum();
    Ok(Quotient { dividend: sum * total, divisor: left }.value())
}

/// The pass^1 with which the strict composite of `terms` comes to `score`; the terms' own pass^1 is not read. Undefined
/// where another term is, or where pass^1 has no weight.
/// An error: when a term is impossible.
pub fn implied_pass1(
    terms: &CompositeTerms,
    weights: CompositeWeights,
    score: f64,
) -> Result<Option<f64>, MeasureRefusal> {
    let rest = strict(&CompositeTerms { pass1: Some(0.0), ..*terms }, weights)?;
    let [weight, ..] = weights.0;
    let slope = terms.critical_field_accuracy.map(|accuracy| accuracy * weight);
    Ok(rest.zip(slope).and_then(|(rest, slope)| Quotient { dividend: score - rest, divisor: slope }.value()))
}

fn mean_of_all(terms: [Option<f64>; 3]) -> Option<f64> {
    let sum: Option<f64> = terms.into_iter().sum();
    sum.map(|sum| sum / 3.0)
}

fn mean_of_defined(terms: [Option<f64>; 3]) -> Option<f64> {
    let (sum, count) = terms.into_iter().flatten().fold((0.0, 0.0), |(sum, count), term| (sum + term, count + 1.0));
    Quotient { dividend: sum, divisor: count }.value()
}
