//! Judged sentences as text for a terminal.

use std::collections::BTreeMap;

use super::super::judgement::NoGrades;
use super::super::labelled::table::{bill, share};
use super::super::table::{grid, title};
use super::compare::{ComparedSentences, ListReach, Reach};
use super::judged::SentenceState;
use super::summary::{Characters, SentencesOfJudge, SentencesSummary};
use probity_engine::plain::plain;

const LEGEND: &str = "\
Judged sentences: those of the reading list, read by a language model; they count in no score and in no gate.
";
const LOSS: &str = "\
lost: in no sentence of a reading list and in no contradicted finding, so that no verdict on sentences finds it.
Found in all: in a sentence that is called untrue, or contradicted by the rules. A sentence is untrue where a reader's
untruth overlaps it or stands within 40 characters, as for findings.
";

/// What judges say of the sentences, and what they were asked.
pub fn render(summary: &SentencesSummary) -> String {
    let SentencesSummary { episodes, with_list, sentences, characters, judges } = summary;
    let asked = format!(
        "{}, {with_list} with a reading list ({}); nobody is asked about the others\n",
        count(*episodes, "dialogue"),
        count(*sentences, "sentence"),
    );
    format!("{}{asked}{}", blocks(judges), sent(characters))
}

/// What judges say of the sentences, by judge and agent.
pub fn blocks(judges: &[SentencesOfJudge]) -> String {
    let blocks: Vec<String> = judges.iter().map(block).collect();
    if blocks.is_empty() { String::new() } else { format!("{}{LEGEND}", blocks.concat()) }
}

fn block(judge: &SentencesOfJudge) -> String {
    let header = std::iter::once("agent".to_owned())
        .chain(SentenceState::ALL.map(|state| format!("{}\n(judged)", state.name().replace('_', " "))));
    let row = |(agent, states): (&String, &BTreeMap<SentenceState, usize>)| {
        let counts = SentenceState::ALL.map(|state| states.get(&state).copied().unwrap_or(0).to_string());
        std::iter::once(plain(agent)).chain(counts).collect()
    };
    let rows: Vec<Vec<String>> = judge.agents.iter().map(row).collect();
    let table = if rows.is_empty() { String::new() } else { grid(header.collect(), rows) };
    format!("{}\n{table}{}", title(&judge.judge, judge.repeats), missing(&judge.not_judged))
}

fn missing(not_judged: &BTreeMap<NoGrades, usize>) -> String {
    let reasons = not_judged.iter().map(|(reason, count)| format!("{}: {count}", reason.name()));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    if reasons.is_empty() { reasons } else { format!("  dialogues without a verdict: {reasons}\n") }
}

/// What is sent, beside what would be.
fn sent(Characters { asked, whole }: &Characters) -> String {
    let percent = (asked * 100).checked_div(*whole).map(|percent| format!(" ({percent} % of that)"));
    format!(
        "characters sent to each judge, once: {asked}; whole dialogues would be {whole}{}\n",
        percent.unwrap_or_default()
    )
}

/// What is lost by asking about reading lists alone, and how well each judge reads them.
pub fn comparison(reach: &ListReach, characters: &Characters, judges: &[ComparedSentences]) -> String {
    let ListReach { dialogues, with_list, sentences, untrue_sentences, untruths, untruths_by_kind } = reach;
    let header = ["untruths", "labelled", "in a listed sentence", "contradicted", "lost"].map(str::to_owned);
    let row = |name: &str, of: &Reach| {
        let counts = [of.labelled, of.listed, of.contradicted, of.lost].map(|count| count.to_string());
        std::iter::once(name.to_owned()).chain(counts).collect::<Vec<String>>()
    };
    let rows = untruths_by_kind.iter().map(|(kind, of)| row(kind.name(), of)).chain([row("all", untruths)]);
    let mut text = format!(
        "reading lists of {dialogues} labelled dialogues: {with_list} have one, {}, {untrue_sentences} of them untrue\n{}{}",
        count(*sentences, "sentence"),
        grid(header.to_vec(), rows.collect()),
        sent(characters),
    );
    judges.iter().for_each(|judge| text.push_str(&format!("\n{}", compared(judge))));
    format!("{text}\n{LOSS}")
}

fn compared(judge: &ComparedSentences) -> String {
    let states = SentenceState::ALL.iter().filter_map(|state| Some((state, judge.sentences.get(state)?)));
    let states: Vec<String> =
        states.map(|(state, count)| format!("{}: {count}", state.name().replace('_', " "))).collect();
    let not_asked = if judge.not_asked > 0 { format!(", not asked about {}", judge.not_asked) } else { String::new() };
    format!(
        "{}\n  answered about {}{not_asked}; sentences: {}\n{}  called untrue and untrue: {}; untrue and called so: {}; \
         called true and not untrue: {}\n  found in all, with the rules: {}\n{}",
        title(&judge.judge, 1),
        count(judge.dialogues, "dialogue"),
        if states.is_empty() { "none".to_owned() } else { states.join(", ") },
        missing(&judge.not_judged),
        share(&judge.precision),
        share(&judge.recall),
        share(&judge.true_precision),
        share(&judge.found),
        bill(&judge.bill),
    )
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
