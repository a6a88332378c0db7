//! Labels: grades that people gave, read from a file of one JSON object a line, all problems at once.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::grades::Scale;
use super::judgement::{EpisodeCard, JudgeCard, MAX_REPEATS, NoGrades, Rating};
use crate::model::variant::Variant;
use probity_engine::{Diagnostic, Problem, suggest};
use probity_ruling::lines;

pub const FORMAT: u32 = 1;

/// A line of a label file: one person's grades of one episode.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelFile {
    /// Version of this format; 1.
    pub format: u32,
    /// Who graded: `human:NAME`.
    pub judge: String,
    /// The agent's name in the run.
    pub agent: String,
    /// The task.
    pub task: String,
    /// The user's behaviour.
    pub variant: Variant,
    /// Which repetition of the rollout, from 0.
    #[serde(default)]
    pub trial: u32,
    /// Which time this person graded this episode, from 0 to 99.
    #[serde(default)]
    pub repeat: u32,
    /// 0 to 4; left out where the person does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faithfulness: Option<u8>,
    /// 0 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clarification: Option<u8>,
    /// 0 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discipline: Option<u8>,
    /// Why, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl LabelFile {
    fn on(&self, scale: Scale) -> Option<u8> {
        match scale {
            Scale::Faithfulness => self.faithfulness,
            Scale::Clarification => self.clarification,
            Scale::Discipline => self.discipline,
        }
    }

    fn place(&self) -> (String, String, Variant, u32) {
        (self.agent.clone(), self.task.clone(), self.variant, self.trial)
    }
}

#[derive(Clone, Debug)]
pub struct Label {
    judge: JudgeCard,
    repeat: u32,
    episode: EpisodeCard,
    grades: [Result<u8, NoGrades>; 3],
}

impl<'a> From<&'a Label> for Rating<'a> {
    fn from(label: &'a Label) -> Self {
        Rating { judge: &label.judge, repeat: label.repeat, episode: &label.episode, grades: label.grades }
    }
}

/// Reads the labels of `file` for the episodes of a run.
/// An error: all that is wrong, each with its line and column.
pub fn read(file: &str, text: &str, episodes: &[EpisodeCard]) -> Result<Vec<Label>, Vec<Diagnostic>> {
    let known: BTreeMap<_, &EpisodeCard> =
        episodes.iter().map(|card| ((card.agent.clone(), card.task.clone(), card.variant, card.trial), card)).collect();
    let empty = Problem::error("", "no_labels", "it holds no label").help("write one JSON object a line");
    let mut seen = BTreeSet::new();
    lines::read(file, text, empty, |label: LabelFile| {
        let mut problems = bounds(&label);
        let episode = known.get(&label.place());
        if episode.is_none() {
            problems.push(unknown(&label, &known));
        }
        if !seen.insert((label.judge.clone(), label.repeat, label.place())) {
            let help = "leave one of them out, or count the second reading with `repeat`";
            let message = format!("`{}` has labelled this episode before", label.judge);
            problems.push(Problem::error("", "duplicate_label", message).help(help));
        }
        match episode {
            Some(episode) if problems.is_empty() => Ok(Label {
                judge: JudgeCard { id: label.judge.clone(), prompt: None, sampling: None },
                repeat: label.repeat,
                episode: (*episode).clone(),
                grades: Scale::ALL.map(|scale| label.on(scale).ok_or(NoGrades::Unlabelled)),
            }),
            Some(_) | None => Err(problems),
        }
    })
}

type EpisodeIndex<'a> = BTreeMap<(String, String, Variant, u32), &'a EpisodeCard>;

/// What only the meaning of the keys tells.
fn bounds(label: &LabelFile) -> Vec<Problem> {
    let mut problems = Vec::new();
    if label.format != FORMAT {
        let message = format!("format {} is not known; this build reads {FORMAT}", label.format);
        problems.push(Problem::error("/format", "bad_value", message).help(format!("write {FORMAT}")));
    }
    if label.judge.strip_prefix("human:").is_none_or(|name| name.trim().is_empty()) {
        let message = format!("`{}` names no person", label.judge);
        problems.push(Problem::error("/judge", "bad_value", message).help("write `human:NAME`"));
    }
    if label.repeat >= MAX_REPEATS {
        let message = format!("{} is not from 0 to {}", label.repeat, MAX_REPEATS - 1);
        problems.push(Problem::error("/repeat", "bad_value", message).help("count this person's readings from 0"));
    }
    for scale in Scale::ALL {
        if let Some(grade) = label.on(scale).filter(|grade| *grade > scale.best()) {
            let message = format!("{grade} is not from 0 to {}", scale.best());
            let help = "write a grade of the scale, or leave it out";
            problems.push(Problem::error(format!("/{}", scale.name()), "bad_value", message).help(help));
        }
    }
    if Scale::ALL.iter().all(|scale| label.on(*scale).is_none()) {
        let help = "add `faithfulness`, `clarification` or `discipline`";
        problems.push(Problem::error("", "missing_key", "the label has no grade").help(help));
    }
    problems
}

fn unknown(label: &LabelFile, known: &EpisodeIndex) -> Problem {
    let problem = |key: &str, name: &str, names: BTreeSet<&str>| {
        let message = format!("the run has no {key} `{name}`");
        Problem::error(format!("/{key}"), "unknown_episode", message).help(suggest::help(name, names))
    };
    let agents: BTreeSet<&str> = known.keys().map(|place| place.0.as_str()).collect();
    let tasks: BTreeSet<&str> = known.keys().map(|place| place.1.as_str()).collect();
    match (agents.contains(label.agent.as_str()), tasks.contains(label.task.as_str())) {
        (false, _) => problem("agent", &label.agent, agents),
        (true, false) => problem("task", &label.task, tasks),
        (true, true) => Problem::error("", "unknown_episode", "the run has no such episode")
            .help("`probity show RUNDIR` lists its episodes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_engine::Hash;

    fn card() -> EpisodeCard {
        EpisodeCard {
            agent: "oracle".to_owned(),
            task: "shop/counter/refund".to_owned(),
            variant: Variant::Ideal,
            trial: 0,
            digest: Hash::of_bytes(b"x"),
            dialogue: None,
        }
    }

    const GOOD: &str = r#"{"format": 1, "judge": "human:ann", "agent": "oracle", "task": "shop/counter/refund", "variant": "ideal", "faithfulness": 4, "discipline": 2}"#;

    fn refused(text: &str) -> Vec<String> {
        read("l.jsonl", text, &[card()]).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_label_may_leave_scales_out() {
        let labels = read("l.jsonl", &format!("\n{GOOD}\r\n"), &[card()]).unwrap();
        let rating = Rating::from(&labels[0]);
        assert_eq!(Scale::ALL.map(|scale| rating.on(scale)), [Ok(4), Err(NoGrades::Unlabelled), Ok(2)]);
        assert_eq!((rating.judge.id.as_str(), rating.repeat), ("human:ann", 0));
    }

    #[test]
    fn every_problem_is_told_at_its_place() {
        let text = [
            GOOD.replace("\"faithfulness\": 4", "\"faithfulness\": 5")
                .replace("\"discipline\": 2", "\"discipline\": 4"),
            GOOD.replace("human:ann", "openai:x").replace("\"discipline\"", "\"dicipline\""),
            GOOD.replace("oracle", "orcale"),
            GOOD.replace("\"format\": 1", "\"format\": 2").replace("human:ann", "ann"),
            GOOD.replace("4,", "4.5,"),
            "{".to_owned(),
        ]
        .join("\n");
        let expected = [
            "l.jsonl:1:123: error[bad_value]: 5 is not from 0 to 4\n  help: write a grade of the scale, or leave it out",
            "l.jsonl:1:140: error[bad_value]: 4 is not from 0 to 3\n  help: write a grade of the scale, or leave it out",
            "l.jsonl:2:125: error[unknown_key]: unknown key `dicipline`\n  help: did you mean `discipline`?",
            "l.jsonl:3:46: error[unknown_episode]: the run has no agent `orcale`\n  help: did you mean `oracle`?",
            "l.jsonl:4:12: error[bad_value]: format 2 is not known; this build reads 1\n  help: write 1",
            "l.jsonl:4:24: error[bad_value]: `ann` names no person\n  help: write `human:NAME`",
        ];
        let found = refused(&text);
        assert_eq!(&found[..6], expected);
        assert!(found[6].starts_with("l.jsonl:5:123: error[wrong_type]"), "{}", found[6]);
        assert!(found[7].starts_with("l.jsonl:6:"), "{}", found[7]);
        assert_eq!(found.len(), 8);
    }

    #[test]
    fn one_person_labels_an_episode_once_a_repeat() {
        let again = GOOD.replace("\"format\": 1", "\"format\": 1, \"repeat\": 1");
        assert_eq!(read("l.jsonl", &format!("{GOOD}\n{again}"), &[card()]).unwrap().len(), 2);
        assert!(refused(&format!("{GOOD}\n{GOOD}"))[0].contains("l.jsonl:2:1: error[duplicate_label]"));
        let none = GOOD.replace(", \"faithfulness\": 4, \"discipline\": 2", "");
        assert!(refused(&none)[0].contains("the label has no grade"));
        assert!(refused("\n \n")[0].contains("no_labels"));
        let other = GOOD.replace("\"ideal\"", "\"goal_switching\"");
        assert!(refused(&other)[0].contains("the run has no such episode"));
    }
}
