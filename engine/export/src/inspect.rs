//! `inspect`: a log of Inspect, as one JSON value or as an archive of samples.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, IntoInnerError, Seek as _, SeekFrom, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::archive::{Archive, Packed};
use crate::episode::{Episodes, Exported, Source};
use crate::message::{Message, Said, arguments, call_id, details, put, refused, shown};
use probity_bench::{EndReason, Reading, Spool, Step, Usage};
use probity_engine::{Hash, canonical, write_once};

/// How the names of archives end.
const ARCHIVE: &str = "eval";
const VERSION: u32 = 2;
/// The time of everything: an episode knows no clock, and a log must have one.
const NEVER: &str = "1970-01-01T00:00:00+00:00";
/// Digits of a hash that a log is known by.
const ID: usize = 22;

pub(crate) const NO_PLACE: [&str; 3] = [
    "findings, the end reason and how it was played: in `metadata` of the sample",
    "what calls changed: in `metadata` of the tool's event",
    "times: an episode knows no clock, so that all are the first moment of 1970",
];

pub(crate) fn refusal(out: &Path) -> Option<&'static str> {
    let ending = out.extension().and_then(|ending| ending.to_str());
    (!matches!(ending, Some(ARCHIVE | "json"))).then_some("Inspect opens files that end in `.eval` or `.json`")
}

pub(crate) fn write(out: &Path, source: Source, episodes: Episodes) -> io::Result<()> {
    match out.extension().is_some_and(|ending| ending == ARCHIVE) {
        true => write_once(out, |mut file| archive(&mut file, source, episodes)),
        false => whole(out, source, episodes),
    }
}

/// One JSON value. Its head, which who looks for it alone reads up to the samples, knows the means over them.
fn whole(out: &Path, source: Source, episodes: Episodes) -> io::Result<()> {
    let (mut log, mut spool) = (Log::new(source), BufWriter::new(Spool::beside(out)?));
    let mut between = "\n";
    for episode in episodes {
        write!(spool, "{between}{}", canonical::to_string(&log.sample(&episode?)))?;
        between = ",\n";
    }
    let mut samples = spool.into_inner().map_err(IntoInnerError::into_error)?;
    samples.seek(SeekFrom::Start(0))?;
    let mut head = canonical::to_string(&log.header());
    head.truncate(head.len() - 1);
    write_once(out, |file| {
        write!(file, "{head},\"samples\":[")?;
        io::copy(&mut samples, file)?;
        file.write_all(b"\n]}\n")
    })
}

fn archive(file: &mut impl Write, source: Source, episodes: Episodes) -> io::Result<()> {
    let (mut log, mut archive, mut summaries) = (Log::new(source), Archive::new(file), Packed::new());
    let start = json!({"version": VERSION, "eval": log.eval(), "plan": {}});
    archive.text("_journal/start.json", &canonical::to_string(&start))?;
    let mut between = "[";
    for episode in episodes {
        let sample = log.sample(&episode?);
        let name = format!("samples/{}_epoch_{}.json", said(&sample, "id"), said(&sample, "epoch"));
        archive.text(&name, &canonical::to_string(&sample))?;
        summaries.add(between)?;
        summaries.add(&canonical::to_string(&summary(&sample)))?;
        between = ",";
    }
    summaries.add("]")?;
    archive.entry("summaries.json", summaries)?;
    archive.text("header.json", &canonical::to_string(&log.header()))?;
    archive.finish()
}

fn said(sample: &Value, key: &str) -> String {
    match sample.get(key) {
        Some(Value::String(text)) => text.clone(),
        other => other.map(Value::to_string).unwrap_or_default(),
    }
}

/// What of a sample stands in the list of samples.
fn summary(sample: &Value) -> Value {
    const KEYS: [&str; 8] = ["id", "epoch", "input", "target", "scores", "model_usage", "metadata", "uuid"];
    const KNOWN: [&str; 5] = ["agent", "digest", "outcome", "task", "trial"];
    let of = |value: &Value, keys: &[&str]| -> Map<String, Value> {
        keys.iter().filter_map(|key| Some(((*key).to_owned(), value.get(key)?.clone()))).collect()
    };
    let mut short = of(sample, &KEYS);
    let error = sample.pointer("/error/message").cloned();
    short.extend(short.get("metadata").map(|all| ("metadata".to_owned(), Value::Object(of(all, &KNOWN)))));
    short.extend(error.map(|error| ("error".to_owned(), error)));
    short.insert("completed".to_owned(), true.into());
    Value::Object(short)
}

/// A log and what is known of all its samples so far.
struct Log<'a> {
    source: Source<'a>,
    samples: usize,
    /// Of these, samples that ended in an error.
    errors: usize,
    /// The values of each metric, by agent: their sum and their number.
    sums: BTreeMap<String, BTreeMap<String, (f64, u32)>>,
    usage: BTreeMap<String, Usage>,
}

impl<'a> Log<'a> {
    fn new(source: Source<'a>) -> Self {
        Log { source, samples: 0, errors: 0, sums: BTreeMap::new(), usage: BTreeMap::new() }
    }

    /// All but the samples.
    fn header(&self) -> Value {
        json!({
            "version": VERSION, "status": "success", "eval": self.eval(), "plan": {}, "results": self.results(),
            "stats": self.stats(),
        })
    }

    fn eval(&self) -> Value {
        let (config, card) = (self.source.config, self.source.benchmark.card());
        let id: String = Hash::of_serialized(config).hex().chars().take(ID).collect();
        let models = self.source.agents.iter().map(|agent| self.source.model(agent).unwrap_or_else(|| agent.clone()));
        json!({
            "created": NEVER, "eval_id": id, "run_id": id, "task": card.name, "task_id": card.name,
            "task_description": card.title, "dataset": {"name": card.name},
            "model": models.collect::<Vec<String>>().join(", "),
            "config": {"epochs": config.trials, "message_limit": config.limits.max_messages},
            "packages": {"probity": config.engine}, "metadata": {"seed": config.seed, "user": config.user_name()},
        })
    }

    fn sample(&mut self, episode: &Exported) -> Value {
        let (record, agent) = (&episode.record, &episode.record.agent);
        self.samples += 1;
        for (metric, value) in record.scores.metrics.iter().filter_map(|(name, read)| Some((name, read.value()?))) {
            let (sum, count) = self.sums.entry(metric.clone()).or_default().entry(agent.clone()).or_default();
            (*sum, *count) = (*sum + value, *count + 1);
        }
        if let Some(usage) = record.usage {
            *self.usage.entry(agent.clone()).or_default() += usage;
        }
        let (messages, events) = transcript(episode);
        let input = messages.iter().find(|message| message.get("role") == Some(&"user".into()));
        let last = events.iter().rev().find_map(|event| event.pointer("/output/choices"));
        let choices = last.cloned().unwrap_or_else(|| json!([]));
        let mut sample = json!({
            "id": format!("{agent} {} {}", record.task(), record.trace.header.levels), "epoch": record.trial + 1,
            "uuid": Hash::of(&json!([record.name(), record.digest])).hex().chars().take(ID).collect::<String>(),
            "input": input.and_then(|message| message.get("content")).cloned().unwrap_or_else(|| "".into()),
            "target": &*episode.goal, "messages": messages, "output": {"model": agent, "choices": choices},
            "scores": scores(episode, self.source.benchmark.card().headline()), "metadata": episode.metadata,
            "events": events, "events_data": {"messages": messages, "calls": []}, "attachments": {},
        });
        put(&mut sample, "model_usage", record.usage.map(|usage| json!({agent: used(&usage)})));
        match record.trace.end() {
            Some((EndReason::MaxMessages, _)) => {
                let limit = json!({"type": "message", "limit": record.trace.header.limits.max_messages});
                put(&mut sample, "limit", Some(limit));
            }
            Some((reason, detail)) if reason.is_unreached() => {
                self.errors += 1;
                let message = format!("{}: {}", said(&json!({"reason": reason}), "reason"), detail.unwrap_or_default());
                put(&mut sample, "error", Some(json!({"message": message, "traceback": "", "traceback_ansi": ""})));
            }
            Some(_) | None => {}
        }
        sample
    }

    /// The mean of each metric over the samples that have it: of the only agent, or of each by its name.
    fn results(&self) -> Value {
        let is_one = self.source.agents.len() == 1;
        let metrics = self.source.benchmark.card().metrics.iter();
        let scores = metrics.filter_map(|metric| {
            let by_agent = self.sums.get(metric.name)?;
            let scored: u32 = by_agent.values().map(|(_, count)| count).sum();
            let means = by_agent.iter().map(|(agent, (sum, count))| {
                let name = if is_one { "mean" } else { agent.as_str() };
                (name.to_owned(), json!({"name": name, "value": sum / f64::from(*count)}))
            });
            let unscored = self.samples.saturating_sub(usize::try_from(scored).unwrap_or(usize::MAX));
            Some(json!({
                "name": metric.name, "scorer": metric.name, "scored_samples": scored, "unscored_samples": unscored,
                "metrics": means.collect::<Map<String, Value>>(),
            }))
        });
        let scores: Vec<Value> = scores.collect();
        json!({"total_samples": self.samples, "completed_samples": self.samples - self.errors, "scores": scores})
    }

    fn stats(&self) -> Value {
        let usage = self.usage.iter().map(|(agent, usage)| (agent.clone(), used(usage)));
        json!({"model_usage": usage.collect::<Map<String, Value>>()})
    }
}

fn used(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.prompt_tokens.saturating_sub(usage.cached_tokens),
        "input_tokens_cache_read": usage.cached_tokens, "output_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens.saturating_add(usage.completion_tokens),
    })
}

/// What was scored; what was not is left out. The first metric says what was found.
fn scores(episode: &Exported, headline: &str) -> Map<String, Value> {
    let found: Vec<String> =
        episode.record.scores.findings().map(|finding| format!("{}: {}", finding.code, finding.text)).collect();
    let mut scores = Map::new();
    for (metric, reading) in &episode.record.scores.metrics {
        let Reading::Scored { value, of } = reading else { continue };
        let mut score = json!({"value": value});
        put(&mut score, "metadata", of.as_ref().map(|of| json!(of)));
        let is_told = metric == headline && !found.is_empty();
        put(&mut score, "explanation", is_told.then(|| found.join("\n").into()));
        scores.insert(metric.clone(), score);
    }
    scores
}

/// The messages, and the events that tell with which tools each of the agent's was made and what calls changed.
fn transcript(episode: &Exported) -> (Vec<Value>, Vec<Value>) {
    let (mut messages, mut events) = (Vec::new(), Vec::new());
    let tools: Vec<Value> = episode.tools().iter().map(tool).collect();
    messages.extend(episode.system().map(|text| json!({"id": "1", "role": "system", "content": text})));
    for message in &episode.messages() {
        let id = (messages.len() + 1).to_string();
        match message {
            Message::User(text, beside) => {
                messages
                    .push(json!({"id": id, "role": "user", "content": text, "source": "input", "metadata": beside}));
            }
            Message::Told(text) => messages.push(json!({"id": id, "role": "system", "content": text})),
            Message::Agent(said) => {
                let own = assistant(said, &id, &episode.record.agent);
                let mut output = json!({
                    "model": episode.record.agent,
                    "choices": [{"message": own, "stop_reason": if said.calls.is_empty() { "stop" } else { "tool_calls" }}],
                });
                put(&mut output, "usage", said.tokens.map(|tokens| json!({"output_tokens": tokens})));
                let about = json!({
                    "event": "model", "model": episode.record.agent, "input": [], "input_refs": [[0, messages.len()]],
                    "tools": tools, "tool_choice": "auto", "config": {}, "output": output,
                });
                events.push(event(about, events.len()));
                messages.push(own);
                for step in &said.calls {
                    let id = (messages.len() + 1).to_string();
                    events.push(event(called(step, &id), events.len()));
                    messages.push(returned(step, &id));
                }
            }
        }
    }
    (messages, events)
}

fn assistant(said: &Said, id: &str, agent: &str) -> Value {
    let mut message = json!({
        "id": id, "role": "assistant", "content": said.text.unwrap_or_default(), "source": "generate", "model": agent,
    });
    let call = |step: &&Step| json!({"id": call_id(step), "type": "function", "function": step.tool, "arguments": arguments(step)});
    put(&mut message, "tool_calls", (!said.calls.is_empty()).then(|| said.calls.iter().map(call).collect()));
    message
}

fn returned(step: &Step, id: &str) -> Value {
    let mut message = json!({
        "id": id, "role": "tool", "tool_call_id": call_id(step), "function": step.tool, "content": shown(step),
    });
    put(&mut message, "error", error(step));
    message
}

fn called(step: &Step, message: &str) -> Value {
    let mut event = json!({
        "event": "tool", "type": "function", "id": call_id(step), "function": step.tool, "arguments": arguments(step),
        "result": shown(step), "message_id": message, "metadata": details(step),
    });
    put(&mut event, "error", error(step));
    event
}

fn error(step: &Step) -> Option<Value> {
    refused(step).map(|why| json!({"type": "unknown", "message": why}))
}

fn event(mut event: Value, at: usize) -> Value {
    for (key, value) in
        [("uuid", json!((at + 1).to_string())), ("timestamp", json!(NEVER)), ("working_start", json!(at))]
    {
        put(&mut event, key, Some(value));
    }
    event
}

/// A tool in Inspect's words, from those that providers take.
fn tool(tool: &Value) -> Value {
    let own = tool.get("function").unwrap_or(tool);
    let field = |key: &str| own.get(key).filter(|value| !value.is_null()).cloned();
    let mut told = json!({"name": field("name"), "description": field("description").unwrap_or_else(|| "".into())});
    put(&mut told, "parameters", field("parameters"));
    told
}
