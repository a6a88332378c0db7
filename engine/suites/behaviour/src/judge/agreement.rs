//! How far raters agree on a scale: judges among each other, and one judge with itself.

use std::collections::BTreeMap;

use serde::Serialize;

use super::grades::Scale;
use super::judgement::{EpisodeCard, Rating};
use super::name::names;
use probity_bench::{Measure, Undefined};
use probity_ruling::agreement::{Agreement, Column, pairs};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Coefficient {
    /// At most 1; 0 is what chance gives.
    Value(f64),
    Undefined(&'static str),
}

impl Coefficient {
    fn of(found: Result<f64, Undefined>) -> Self {
        match found {
            Ok(value) => Coefficient::Value(value),
            Err(Undefined::NoPairs) => Coefficient::Undefined("no episode has two grades"),
            Err(Undefined::NoVariance) => Coefficient::Undefined("all grades are the same"),
            Err(Undefined::NotTwo) => Coefficient::Undefined("kappa compares two raters"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaterAgreement {
    /// The raters by name; `NAME #2` is the second repetition of a judge.
    pub raters: Vec<String>,
    pub scale: Scale,
    /// Episodes with two grades or more.
    pub episodes: usize,
    /// Of all pairs of grades of one episode, those that are equal.
    pub equal: Measure,
    pub kappa: Coefficient,
    pub weighted_kappa: Coefficient,
    /// Krippendorff's alpha for ordered grades.
    pub alpha: Coefficient,
}

struct JudgeGrades<'a> {
    name: String,
    repeats: BTreeMap<u32, Column<&'a EpisodeCard>>,
}

/// Every agreement that can be asked for: of the repetitions of each judge, of each two judges, and of all judges
/// when there are more. Judges are compared by their first repetition.
pub fn agreements(ratings: &[Rating]) -> Vec<RaterAgreement> {
    let keyed: Vec<(String, &Rating)> = ratings.iter().map(|rating| (rating.judge.key(), rating)).collect();
    let names = names(ratings.iter().map(|rating| rating.judge));
    Scale::ALL.into_iter().flat_map(|scale| on_scale(scale, &sheets(&keyed, &names, scale))).collect()
}

fn sheets<'a>(keyed: &[(String, &Rating<'a>)], names: &BTreeMap<String, String>, scale: Scale) -> Vec<JudgeGrades<'a>> {
    let mut judges: BTreeMap<&str, JudgeGrades> = BTreeMap::new();
    for (key, rating) in keyed {
        let name = || names.get(key).unwrap_or(&rating.judge.id).clone();
        let sheets = judges.entry(key).or_insert_with(|| JudgeGrades { name: name(), repeats: BTreeMap::new() });
        let column = sheets.repeats.entry(rating.repeat).or_default();
        column.extend(rating.on(scale).ok().map(|grade| (rating.episode, grade)));
    }
    judges.into_values().collect()
}

fn on_scale(scale: Scale, judges: &[JudgeGrades]) -> Vec<RaterAgreement> {
    let mut found = Vec::new();
    for judge in judges.iter().filter(|judge| judge.repeats.len() > 1) {
        let names = judge.repeats.keys().map(|repeat| format!("{} #{}", judge.name, u64::from(*repeat) + 1)).collect();
        found.push(agreement(names, scale, &judge.repeats.values().collect::<Vec<_>>()));
    }
    let none = Column::new();
    let first: Vec<(String, &Column<_>)> =
        judges.iter().map(|judge| (judge.name.clone(), judge.repeats.get(&0).unwrap_or(&none))).collect();
    for ((left, of_left), (right, of_right)) in pairs(&first) {
        found.push(agreement(vec![left.clone(), right.clone()], scale, &[of_left, of_right]));
    }
    if first.len() > 2 {
        let (names, columns): (Vec<String>, Vec<&Column<_>>) = first.into_iter().unzip();
        found.push(agreement(names, scale, &columns));
    }
    found
}

fn agreement(raters: Vec<String>, scale: Scale, columns: &[&Column<&EpisodeCard>]) -> RaterAgreement {
    let Agreement { units, equal, kappa, weighted_kappa, alpha } = Agreement::of(columns);
    let [kappa, weighted_kappa, alpha] = [kappa, weighted_kappa, alpha].map(Coefficient::of);
    RaterAgreement { raters, scale, episodes: units, equal, kappa, weighted_kappa, alpha }
}

#[cfg(test)]
mod tests {
    use super::super::judgement::JudgeCard;
    use super::*;
    use crate::model::variant::Variant;
    use probity_engine::Hash;

    fn judge(id: &str) -> JudgeCard {
        JudgeCard { id: id.to_owned(), prompt: None, sampling: None }
    }

    fn episodes(count: u32) -> Vec<EpisodeCard> {
        let card = |trial| EpisodeCard {
            agent: "a".to_owned(),
            task: "t".to_owned(),
            variant: Variant::Ideal,
            trial,
            digest: Hash::of_bytes(b""),
            dialogue: None,
        };
        (0..count).map(card).collect()
    }

    /// A rating whose three grades are the same.
    fn rating<'a>(judge: &'a JudgeCard, repeat: u32, episode: &'a EpisodeCard, grade: u8) -> Rating<'a> {
        Rating { judge, repeat, episode, grades: [Ok(grade); 3] }
    }

    #[test]
    fn all_judges_and_each_two_are_compared_by_their_first_repeat() {
        let judges = ["openai:a", "openai:b", "human:c"].map(judge);
        let episodes = episodes(2);
        let mut ratings = Vec::new();
        for (at, judge) in judges.iter().enumerate() {
            let grade = u8::try_from(at).unwrap();
            ratings.extend([rating(judge, 0, &episodes[0], grade), rating(judge, 0, &episodes[1], 3)]);
        }
        ratings.push(rating(&judges[0], 1, &episodes[0], 1));
        let found = agreements(&ratings);
        let on_one: Vec<(Vec<&str>, usize, f64)> = found
            .iter()
            .filter(|agreement| agreement.scale == Scale::Discipline)
            .map(|a| (a.raters.iter().map(String::as_str).collect(), a.episodes, a.equal.numerator))
            .collect();
        let expected = [
            (vec!["openai:a #1", "openai:a #2"], 1, 0.0),
            (vec!["human:c", "openai:a"], 2, 1.0),
            (vec!["human:c", "openai:b"], 2, 1.0),
            (vec!["openai:a", "openai:b"], 2, 1.0),
            (vec!["human:c", "openai:a", "openai:b"], 2, 3.0),
        ];
        assert_eq!(on_one, expected);
        assert_eq!(found.last().unwrap().kappa, Coefficient::Undefined("kappa compares two raters"));
    }
}
