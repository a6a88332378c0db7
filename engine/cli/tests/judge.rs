//! What a judge of reading lists is shown; `cases/sessions/judge*.sh` have the rest.

use probity_behaviour::judge::judgement::EpisodeCard;
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::{JudgeQuestion, Subject};
use probity_bench::EpisodeRecord;
use serde_json::Value;

use crate::support::{played, sampled_suite, scratch, snapshots, text};

/// What a judge is asked of the first list of a run, for people who would change the wording or what is shown.
#[test]
fn what_a_judge_is_shown_can_be_read() {
    // An agent that says what nothing known speaks for.
    let agents = ["--agent", "oracle", "--agent", "fault:misreports", "--variant", "ideal", "--limit", "8"];
    let directory = played(&scratch("judge-shown"), "run", &agents);
    let lines = text(&directory, "episodes.jsonl");
    let mut records = lines.lines().map(|line| serde_json::from_str::<EpisodeRecord>(line).unwrap());
    let record = records.find(|record| !record.scores.reading_list.is_empty()).unwrap();
    let suite = sampled_suite();
    let (episode, listed) = (EpisodeCard::of(&record).unwrap(), record.scores.reading_list.as_slice());
    let subject = Subject { episode, task: &suite.tasks[record.task()].task, trace: &record.trace, listed };
    let question = JudgeQuestion::of(&subject, Wording::of(ReplyForm::Sentences));
    let content = |at: usize| question.messages()[at]["content"].as_str().unwrap().to_owned();
    let (system, asked) = (content(0), content(1));
    assert_eq!(question.characters(), system.chars().count() + asked.chars().count());
    let document: Value = serde_json::from_str(asked.lines().nth(1).unwrap()).unwrap();
    let shown = format!("{system}\n\n{}\n", serde_json::to_string_pretty(&document).unwrap());
    snapshots("judge").bind(|| insta::assert_snapshot!("unsupported", shown));
}
