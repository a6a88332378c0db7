//! Rules and judges on labelled dialogues as text for a terminal.

use super::super::table::{grid, title};
use super::compare::{Bill, Compared, Grading, PointedAt};
use crate::dialogue::agreement::LabelAgreement;
use crate::dialogue::labels::{FaultKind, UntruthKind};
use crate::dialogue::overlap::{ObjectionOverlap, Overlap};
use probity_bench::Measure;
use probity_engine::number::two_digits;

const LEGEND: &str = "\
Seen: a finding or a quote overlaps the untruth that a reader found, or stands at the step of a certain fault.
judge adds: the judge sees it and no rule does. Rules and judge are compared on dialogues that the judge graded.
";

/// What the rules see, which is what a judge could add to, and then each judge beside them.
pub fn render(rules: &LabelAgreement, judges: &[Compared]) -> String {
    let mut text = rules_alone(rules);
    for judge in judges {
        text.push_str(&format!("\n{}", block(judge)));
    }
    format!("{text}\n{LEGEND}")
}

fn rules_alone(rules: &LabelAgreement) -> String {
    let whole = |number: f64| format!("{number}");
    let row = |name: &str, seen: &Measure| {
        vec![name.to_owned(), whole(seen.denominator), whole(seen.numerator), whole(seen.denominator - seen.numerator)]
    };
    let kinds = rules.recall_by_kind.iter().map(|(kind, seen)| row(kind.name(), seen));
    let untruths: Vec<Vec<String>> = kinds.chain([row("all", &rules.recall)]).collect();
    let header = |name: &str| [name, "labelled", "rules see", "left to a judge"].map(str::to_owned).to_vec();
    let flagged = share(&rules.blameless_flagged);
    format!(
        "rules on {} labelled dialogues\n{}{}  dialogues without an untruth, flagged: {flagged}\n",
        rules.dialogues,
        grid(header("untruths"), untruths),
        grid(header("certain tool faults"), vec![row("all", &rules.tool_faults)]),
    )
}

fn block(judge: &Compared) -> String {
    let mut text = format!("{}\n", title(&judge.judge, 1));
    let missing = judge.not_graded.iter().map(|(reason, count)| format!(", {}: {count}", reason.name()));
    let not_asked = if judge.not_asked > 0 { format!(", not asked: {}", judge.not_asked) } else { String::new() };
    text.push_str(&format!("  graded: {}{}{not_asked}\n", judge.graded, missing.collect::<String>()));
    let header = ["grades", "as the reader", "within one", "AUC", "AUC of the rules"].map(str::to_owned).to_vec();
    text.push_str(&grid(header, vec![graded("honesty", &judge.honesty), graded("discipline", &judge.discipline)]));
    let flagged = &judge.flagged;
    let rows = [
        ("with an untruth, flagged", &flagged.untrue),
        ("without an untruth, flagged", &flagged.without_untruth),
        ("with a tool fault, flagged", &flagged.faulty),
        ("without a tool fault, flagged", &flagged.without_fault),
    ];
    text.push_str(&overlaps("dialogues", rows.map(|(name, overlap)| (name, overlap)).into_iter()));
    text.push_str(&judge.pointed.as_ref().map_or_else(nothing_pointed_at, pointed));
    text.push_str(&bill(&judge.bill));
    text
}

fn nothing_pointed_at() -> String {
    "  its wording asks for no statements: ask with `--wording statements-1` for what it sees by kind\n".to_owned()
}

fn pointed(pointed: &PointedAt) -> String {
    let ObjectionOverlap { untruths, untruths_by_kind, tool_faults, tool_faults_by_kind } = &pointed.found;
    let kinds = UntruthKind::ALL.iter().filter_map(|kind| Some((kind.name(), untruths_by_kind.get(kind)?)));
    let faults = FaultKind::ALL.iter().filter_map(|kind| Some((kind.name(), tool_faults_by_kind.get(kind)?)));
    let faults = faults.filter(|(_, overlap)| overlap.labelled > 0);
    let precision = format!(
        "  what it points at stands on an untruth: {}, of the rules' findings {}; not believed, since it stands nowhere: {}\n",
        share(&pointed.precision),
        share(&pointed.rules_precision),
        pointed.unbelieved
    );
    let untruths = overlaps("untruths", kinds.chain([("all", untruths)]));
    let faults = overlaps("certain tool faults", faults.chain([("all", tool_faults)]));
    format!("{untruths}{faults}{precision}")
}

fn overlaps<'a>(name: &str, rows: impl Iterator<Item = (&'a str, &'a Overlap)>) -> String {
    let header = [name, "labelled", "rules", "judge", "both", "judge adds", "neither"].map(str::to_owned).to_vec();
    let row = |(name, overlap): (&str, &Overlap)| {
        let Overlap { labelled, rules, judge, both, neither } = *overlap;
        let numbers = [labelled, rules, judge, both, overlap.added(), neither].map(|number| number.to_string());
        std::iter::once(name.to_owned()).chain(numbers).collect()
    };
    grid(header, rows.map(row).collect())
}

fn graded(name: &str, grading: &Grading) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let (auc, rules) = (number(grading.auc), number(grading.rules_auc));
    vec![name.to_owned(), share(&grading.same), share(&grading.within_one), auc, rules]
}

pub(in crate::judge) fn bill(bill: &Bill) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a bill does not tell tokens apart beyond 2^53")]
    let mean = |count: u64| bill.for_each(count as f64).map_or("-".to_owned(), |mean| format!("{mean:.1}"));
    let Bill { usage, dialogues, cost } = bill;
    let uncounted =
        if usage.uncounted > 0 { format!(" ({} answers gave no count)", usage.uncounted) } else { String::new() };
    let cost = cost.and_then(|cost| Some(format!("; cost {:.4} each, {cost:.4} in all", bill.for_each(cost)?)));
    format!(
        "  asked about {dialogues} dialogues, for each {} requests, {} tokens read, {} written{uncounted}{}\n",
        mean(usage.requests),
        mean(usage.prompt_tokens),
        mean(usage.completion_tokens),
        cost.unwrap_or_default()
    )
}

pub(in crate::judge) fn share(measure: &Measure) -> String {
    let Measure { numerator, denominator } = measure;
    measure.value().map_or_else(|| "-".to_owned(), |value| format!("{} ({numerator}/{denominator})", two_digits(value)))
}
