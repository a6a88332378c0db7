//! The judged block: how far raters agree, names of judges, and all of it as text for a terminal.

use std::collections::{BTreeMap, BTreeSet};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde::Serialize;

use super::grades::Scale;
use super::judgement::{EpisodeCard, JudgeCard, NoGrades, Rating, Sampling};
use super::prompt::PromptCard;
use probity_bench::{Measure, Undefined};
use probity_engine::Hash;
use probity_engine::number::two_digits;
use probity_engine::plain::plain;
use probity_ruling::agreement::{Agreement, Column, pairs};

const LEGEND: &str = "\
Judged: grades given by a language model or a person; not the quantities that stand under the same words with (rules).
A number is the sum of the grades over the best there could be; what was not graded is in none of them.
kappa: Cohen's; weighted: with quadratic weights; alpha: Krippendorff's for ordered grades; 0 is what chance gives.
";

pub fn render(summary: &Summary) -> String {
    let blocks: Vec<String> = summary.judges.iter().map(block).collect();
    let agreement = match summary.agreement.is_empty() {
        true => String::new(),
        false => format!("agreement\n{}\n", agreement(&summary.agreement)),
    };
    format!("{}\n{agreement}{LEGEND}", blocks.join("\n"))
}

/// Who a judge is and how it was asked, on one line.
pub fn title(judge: &JudgeCard, repeats: usize) -> String {
    let prompt = judge.prompt.as_ref().map_or_else(String::new, |prompt| format!(", {}", wording(prompt)));
    let sampling = judge.sampling.as_ref().map_or_else(String::new, |sampling| {
        let options = options(sampling);
        let options = if options.is_empty() { options } else { format!(", {options}") };
        format!(", temperature {}, max_tokens {}{options}", sampling.temperature, sampling.max_tokens)
    });
    let repeats = if repeats > 1 { format!(", {repeats} repeats") } else { String::new() };
    plain(&format!("judge {}{prompt}{sampling}{repeats}", judge.id))
}

fn block(judge: &JudgeSummary) -> String {
    let scales = Scale::ALL.map(|scale| format!("{}\n(judged)", scale.name()));
    let header = std::iter::once("agent".to_owned()).chain(scales).chain(["not graded".to_owned()]);
    let rows = judge.agents.iter().map(|(agent, scales)| {
        let graded = Scale::ALL.map(|scale| scales.get(&scale).cloned().unwrap_or_default());
        let cells = graded.iter().map(mean).chain([missing(&graded)]);
        std::iter::once(plain(agent)).chain(cells).collect()
    });
    format!("{}\n{}", title(&judge.judge, judge.repeats), grid(header.collect(), rows.collect()))
}

fn mean(graded: &GradeSummary) -> String {
    let GradeSummary { numerator, denominator, .. } = graded;
    graded.mean.map_or_else(|| "-".to_owned(), |mean| format!("{} ({numerator}/{denominator})", two_digits(mean)))
}

/// What was not graded, by reason: the most of any scale.
fn missing(graded: &[GradeSummary]) -> String {
    let mut most = std::collections::BTreeMap::<NoGrades, usize>::new();
    for (reason, count) in graded.iter().flat_map(|graded| &graded.not_scored) {
        let entry = most.entry(*reason).or_default();
        *entry = (*entry).max(*count);
    }
    match most.is_empty() {
        true => "0".to_owned(),
        false => {
            most.iter().map(|(reason, count)| format!("{}: {count}", reason.name())).collect::<Vec<_>>().join(", ")
        }
    }
}

fn agreement(agreements: &[RaterAgreement]) -> String {
    let header = ["scale", "raters", "episodes", "equal", "kappa", "weighted", "alpha"].map(str::to_owned);
    let row = |agreement: &RaterAgreement| {
        let equal = &agreement.equal;
        let share = equal.value().map_or_else(
            || "-".to_owned(),
            |share| format!("{} ({}/{})", two_digits(share), equal.numerator, equal.denominator),
        );
        vec![
            agreement.scale.name().to_owned(),
            plain(&agreement.raters.join(" / ")),
            agreement.episodes.to_string(),
            share,
            coefficient(&agreement.kappa),
            coefficient(&agreement.weighted_kappa),
            coefficient(&agreement.alpha),
        ]
    };
    grid(header.to_vec(), agreements.iter().map(row).collect())
}

fn coefficient(coefficient: &Coefficient) -> String {
    match coefficient {
        Coefficient::Value(value) if *value < 0.0 => format!("-{}", two_digits(-value)),
        Coefficient::Value(value) => two_digits(*value),
        Coefficient::Undefined(why) => format!("undefined: {why}"),
    }
}

/// Rows below their titles, the first column to the left.
pub fn grid(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub judges: Vec<JudgeSummary>,
    /// How far judges agree among each other and with themselves.
    pub agreement: Vec<RaterAgreement>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgeSummary {
    pub judge: JudgeCard,
    pub repeats: usize,
    /// Its grades by the agent that is graded.
    pub agents: BTreeMap<String, BTreeMap<Scale, GradeSummary>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GradeSummary {
    /// Grades added up, over the best there could be; nothing when nothing was graded.
    pub mean: Option<f64>,
    pub numerator: u64,
    /// The best grade, times those that were given.
    pub denominator: u64,
    pub graded: usize,
    /// Grades not given, by reason; they are in no mean.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_scored: BTreeMap<NoGrades, usize>,
}

impl GradeSummary {
    fn add(&mut self, scale: Scale, grade: Result<u8, NoGrades>) {
        match grade {
            Ok(grade) => {
                self.graded += 1;
                self.numerator += u64::from(grade);
                self.denominator += u64::from(scale.best());
                #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
                let mean = self.numerator as f64 / self.denominator as f64;
                self.mean = Some(mean);
            }
            Err(reason) => *self.not_scored.entry(reason).or_default() += 1,
        }
    }
}

impl Summary {
    pub fn of(ratings: &[Rating]) -> Summary {
        let mut judges: BTreeMap<String, JudgeSummary> = BTreeMap::new();
        let mut repeats: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for rating in ratings {
            let empty = || JudgeSummary { judge: rating.judge.clone(), repeats: 0, agents: BTreeMap::new() };
            let judge = judges.entry(rating.judge.key()).or_insert_with(empty);
            let repeats = repeats.entry(rating.judge.key()).or_default();
            repeats.insert(rating.repeat);
            judge.repeats = repeats.len();
            let agent = judge.agents.entry(rating.episode.agent.clone()).or_default();
            for scale in Scale::ALL {
                agent.entry(scale).or_default().add(scale, rating.on(scale));
            }
        }
        Summary { judges: judges.into_values().collect(), agreement: agreements(ratings) }
    }
}

/// Longest text of further options that is shown; of a longer one the hash is.
const MAX_OPTIONS: usize = 60;

/// The name of each judge, by its key.
pub fn names<'a>(judges: impl IntoIterator<Item = &'a JudgeCard>) -> BTreeMap<String, String> {
    let cards: BTreeMap<String, &JudgeCard> = judges.into_iter().map(|judge| (judge.key(), judge)).collect();
    let mut alike: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    for card in cards.values() {
        alike.entry(&card.id).or_default().push(parts(card));
    }
    let name = |card: &JudgeCard| {
        let others = alike.get(card.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let differs = |part: &String| !part.is_empty() && others.iter().any(|parts| !parts.contains(part));
        let own: Vec<String> = parts(card).into_iter().filter(differs).collect();
        if own.is_empty() { card.id.clone() } else { format!("{} ({})", card.id, own.join(", ")) }
    };
    cards.iter().map(|(key, card)| (key.clone(), name(card))).collect()
}

/// How a judge is asked, part by part; a part that it does not have is empty.
fn parts(card: &JudgeCard) -> Vec<String> {
    let sampling = card.sampling.as_ref();
    vec![
        card.prompt.as_ref().map(wording).unwrap_or_default(),
        sampling.map(|sampling| format!("temperature {}", sampling.temperature)).unwrap_or_default(),
        sampling.map(|sampling| format!("max_tokens {}", sampling.max_tokens)).unwrap_or_default(),
        sampling.map(options).unwrap_or_default(),
    ]
}

pub fn wording(prompt: &PromptCard) -> String {
    format!("prompt {} ({})", prompt.id, short(&prompt.hash))
}

pub fn options(sampling: &Sampling) -> String {
    if sampling.extra_body.is_empty() {
        return String::new();
    }
    let options = serde_json::Value::Object(sampling.extra_body.clone());
    let text = options.to_string();
    let text = if text.chars().count() > MAX_OPTIONS { short(&Hash::of(&options)) } else { text };
    format!("extra_body {text}")
}

fn short(hash: &Hash) -> String {
    let start: String = hash.hex().chars().take(12).collect();
    format!("sha256:{start}")
}

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
        found.push(agreement_of(names, scale, &judge.repeats.values().collect::<Vec<_>>()));
    }
    let none = Column::new();
    let first: Vec<(String, &Column<_>)> =
        judges.iter().map(|judge| (judge.name.clone(), judge.repeats.get(&0).unwrap_or(&none))).collect();
    for ((left, of_left), (right, of_right)) in pairs(&first) {
        found.push(agreement_of(vec![left.clone(), right.clone()], scale, &[of_left, of_right]));
    }
    if first.len() > 2 {
        let (names, columns): (Vec<String>, Vec<&Column<_>>) = first.into_iter().unzip();
        found.push(agreement_of(names, scale, &columns));
    }
    found
}

fn agreement_of(raters: Vec<String>, scale: Scale, columns: &[&Column<&EpisodeCard>]) -> RaterAgreement {
    let Agreement { units, equal, kappa, weighted_kappa, alpha } = Agreement::of(columns);
    let [kappa, weighted_kappa, alpha] = [kappa, weighted_kappa, alpha].map(Coefficient::of);
    RaterAgreement { raters, scale, episodes: units, equal, kappa, weighted_kappa, alpha }
}

#[cfg(test)]
mod tests {
    use super::super::judgement::JudgeCard;
    use super::super::prompt::{ReplyForm, Wording};
    use super::*;
    use crate::model::variant::Variant;
    use probity_engine::Hash;

    fn card(id: &str, temperature: f64, options: &serde_json::Value) -> JudgeCard {
        let extra_body = options.as_object().unwrap().clone();
        let sampling = Some(Sampling { temperature, max_tokens: 9, extra_body });
        JudgeCard { id: id.to_owned(), prompt: Some(Wording::of(ReplyForm::Grades).card()), sampling }
    }

    #[test]
    fn names_say_what_differs_and_nothing_else() {
        let (none, seed) = (serde_json::json!({}), serde_json::json!({"seed": 3}));
        let cards = [
            card("openai:a", 0.0, &none),
            card("openai:b", 0.0, &none),
            card("openai:b", 0.5, &none),
            card("openai:b", 0.5, &seed),
        ];
        let names = names(&cards);
        let found = cards.each_ref().map(|card| names[&card.key()].as_str());
        let other = "openai:b (temperature 0.5, extra_body {\"seed\":3})";
        assert_eq!(found, ["openai:a", "openai:b (temperature 0)", "openai:b (temperature 0.5)", other]);
    }

    #[test]
    fn long_options_are_named_by_their_hash() {
        let long = |end: &str| serde_json::json!({"stop": format!("{}{end}", "x".repeat(100))});
        let cards = [card("openai:a", 0.0, &long("1")), card("openai:a", 0.0, &long("2"))];
        let names: Vec<String> = names(&cards).into_values().collect();
        assert!(names.iter().all(|name| name.starts_with("openai:a (extra_body sha256:") && name.len() < 60));
        assert_ne!(names[0], names[1]);
    }

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
