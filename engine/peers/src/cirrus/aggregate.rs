//! Vectors of groups: the readings of tickets and responses, and the means that a report makes of them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use probity_bench::Reading;
use probity_tickets::judge::Verdict;
use probity_tickets::measures::{
    CHECKPOINTS, TOKENS, checkpoints_level, of_figures, of_response, tokens_level, tools_level,
};
use probity_tickets::recording::Coverage;
use probity_tickets::resolution::{Figures, Marks};

/// The categories that the paper tells apart.
const HEADS: [&str; 6] = ["Server", "Registration", "SMS Services", "Website", "Email", "Others"];
/// The reply types, and what is none of them.
const REPLY_TYPES: [&str; 6] = ["solution", "standard", "inquire", "clarify", "appease", "other"];

struct Member {
    levels: [(&'static str, &'static str); 4],
    readings: BTreeMap<&'static str, Reading>,
}

impl Member {
    fn value(&self, metric: &str) -> Option<f64> {
        self.readings.get(metric)?.value()
    }
}

/// The mean of what is scored; nothing where nothing is.
fn mean(members: &[&Member], metric: &str) -> Option<f64> {
    let values: Vec<f64> = members.iter().filter_map(|member| member.value(metric)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn grouped(members: &[Member], by: &str, levels: &[&str], told: &dyn Fn(&[&Member]) -> Value) -> Value {
    let of = |level: &&str| {
        let is_in = |member: &&Member| member.levels.iter().any(|(name, own)| *name == by && own == level);
        ((*level).to_owned(), told(&members.iter().filter(is_in).collect::<Vec<_>>()))
    };
    Value::Object(levels.iter().map(of).collect::<Map<String, Value>>())
}

fn head(category: &str) -> &'static str {
    HEADS.into_iter().find(|head| *head == category).unwrap_or("Others")
}

pub(crate) fn of_tickets(input: &Value) -> Option<Value> {
    let members: Vec<Member> = input.get("tasks")?.as_array()?.iter().map(ticket).collect::<Option<_>>()?;
    let told = |members: &[&Member]| {
        let metrics = ["sr_pass1", "atpr", "alj", "anei", "amtl", "alj_all", "anei_all"];
        let means = metrics.map(|metric| (metric.to_owned(), json!(mean(members, metric))));
        let mut all: Map<String, Value> = means.into_iter().collect();
        // Two attempts must have been allowed everywhere.
        let is_known = members.iter().all(|member| member.value("sr_pass2").is_some());
        all.insert("sr_pass2".to_owned(), json!(mean(members, "sr_pass2").filter(|_| is_known)));
        all.insert("n".to_owned(), json!(members.len()));
        let successes = members.iter().filter(|member| member.value("alj").is_some()).count();
        all.insert("n_with_success".to_owned(), json!(successes));
        Value::Object(all)
    };
    let by = |name: &str, levels: &[&str]| grouped(&members, name, levels, &told);
    Some(json!({
        "overall": told(&members.iter().collect::<Vec<_>>()),
        "by_checkpoints": by("checkpoints", &CHECKPOINTS), "by_category": by("category", &HEADS),
        "by_tool": by("tools", &["with_tool", "without_tool"]), "by_tokens": by("tokens", &TOKENS),
    }))
}

fn ticket(task: &Value) -> Option<Member> {
    let count = |name: &str| usize::try_from(task.get(name)?.as_u64()?).ok();
    let number = |name: &str| task.get(name).and_then(Value::as_f64);
    let (covered, checkpoints, lj) = (count("k")?, count("K")?, count("lj")?);
    let figures = Figures {
        covered,
        checkpoints,
        accepted: covered.checked_sub(lj)?,
        lj,
        nei: number("nei")?,
        tpr: covered as f64 / checkpoints as f64,
        mtl: number("mtl"),
        mtl_per_response: None,
        mtl_alg1: None,
        pass_at_1: task.get("pass_at_1")?.as_bool()?,
        pass_at_2: task.get("pass_at_2").and_then(Value::as_bool),
    };
    Some(Member {
        levels: [
            ("checkpoints", checkpoints_level(checkpoints)),
            ("category", head(task.get("category")?.as_str()?)),
            ("tools", tools_level(task.get("has_tool")?.as_bool()?)),
            ("tokens", tokens_level(task.get("input_tokens")?.as_u64()?)),
        ],
        readings: of_figures(&figures).into_iter().collect(),
    })
}

pub(crate) fn of_responses(input: &Value) -> Option<Value> {
    let members: Vec<Member> = input.get("subtasks")?.as_array()?.iter().map(response).collect::<Option<_>>()?;
    let told = |members: &[&Member]| {
        let mut all: Map<String, Value> = ["rr_pass1", "rr_pass2", "tia", "tsa", "tev", "stl"]
            .map(|metric| (metric.to_owned(), json!(mean(members, metric))))
            .into_iter()
            .collect();
        let needed = members.iter().filter(|member| member.value("tsa").is_some()).count();
        all.extend([("n".to_owned(), json!(members.len())), ("n_tool_required".to_owned(), json!(needed))]);
        Value::Object(all)
    };
    Some(json!({
        "overall": told(&members.iter().collect::<Vec<_>>()),
        "by_reply_type": grouped(&members, "reply_type", &REPLY_TYPES, &told),
        "by_tokens": grouped(&members, "tokens", &TOKENS, &told),
    }))
}

fn response(subtask: &Value) -> Option<Member> {
    let mark = |name: &str| subtask.get(name).and_then(Value::as_u64).map(|mark| mark == 1);
    let attempts: Vec<u64> = subtask.get("rr")?.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
    let passed = |tries: usize| attempts.iter().take(tries).any(|rr| *rr == 1);
    let is = |passed: bool| if passed { Verdict::Yes } else { Verdict::No };
    let coverage = Coverage { tia: mark("tia")?, tsa: mark("tsa"), tev: mark("tev") };
    let tokens = subtask.get("stl").and_then(Value::as_u64);
    let mut readings: BTreeMap<&'static str, Reading> =
        of_response(&Marks { rr: is(passed(1)), coverage }, tokens).into_iter().collect();
    readings.extend(
        [("rr_pass1", 1), ("rr_pass2", 2)]
            .map(|(name, tries)| (name, Reading::new(Some(f64::from(u8::from(passed(tries)))), ""))),
    );
    let kind = subtask.get("reply_type")?.as_str()?;
    Some(Member {
        levels: [
            ("reply_type", REPLY_TYPES.into_iter().find(|known| *known == kind).unwrap_or("other")),
            ("tokens", tokens_level(subtask.get("input_tokens")?.as_u64()?)),
            ("checkpoints", ""),
            ("category", ""),
        ],
        readings,
    })
}
