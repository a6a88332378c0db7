//! `probity judge calibrate --replies`: the judges of recorded tickets held against readers, as the paper's Table 7.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::judges::{Connected, JudgeFlags};
use super::stopped::Stopped;
use crate::cli::exit::Exit;
use crate::cli::program::progress;
use crate::cli::{Global, output, signals};
use crate::failure::Failure;
use probity_behaviour::judge::prompt::Wording;
use probity_bench::{Client, Interrupt, Usage};
use probity_engine::{MAX_FILE_BYTES, read::read_named};
use probity_tickets::TicketSuite;
use probity_tickets::judge::{Backend, Confusion, FactJudge, LabelledReply, ModelJudge, lacking};

/// What a rater says of each reply, in their order.
type Verdicts = Vec<Option<bool>>;

struct Asked {
    verdicts: BTreeMap<String, Verdicts>,
    usage: Usage,
    fault: Option<String>,
}

/// Compares the facts and the models that are named with readers, and with each other.
pub(super) fn calibrate(
    global: &Global,
    path: &Path,
    judges: &JudgeFlags,
    directory: Option<&Path>,
) -> Result<Exit, Stopped> {
    if judges.has_wording() {
        let help = "leave it out: judges of tickets are asked one thing, whether a reply conveys the recorded one";
        return Err(Failure::new("`--wording` means nothing with `--replies`", help).into());
    }
    let suite = TicketSuite::load(&global.root);
    if suite.diagnostics.iter().any(probity_engine::Diagnostic::is_error) {
        return Err(Stopped::Told(output::refuse(global.json, &suite.diagnostics)));
    }
    let replies = read(path, &suite)?;
    let by_facts = replies.iter().map(|reply| {
        let ticket = suite.ticket(&reply.ticket)?;
        reply.judged(&ticket, &mut FactJudge(&ticket))
    });
    let facts: Verdicts = by_facts.collect();
    let mut raters = vec![("facts".to_owned(), facts)];
    let interrupt = Arc::new(Interrupt::default());
    super::kept::prepare(directory)?;
    let mut fault = None;
    if let Some(Connected { models, client, recorder, prices }) =
        judges.way(directory.map(|directory| directory.join(Wording::Reliability.cassette())), &interrupt)?
    {
        signals::stop(&interrupt);
        let asked = ask(global, &suite, &replies, (&models, &client), judges.jobs())?;
        super::judges::finish(recorder.as_deref());
        if !global.quiet {
            super::judges::tell(prices, &asked.usage);
        }
        raters.extend(asked.verdicts);
        fault = asked.fault;
    }
    print(global, &suite, &replies, &raters);
    match fault {
        _ if interrupt.is_set() => Ok(Exit::Interrupted),
        Some(why) => {
            output::note(&format!("error: a judge could not be reached: {why}"));
            Ok(Exit::Infrastructure)
        }
        None => Ok(Exit::Clean),
    }
}

fn read(path: &Path, suite: &TicketSuite) -> Result<Vec<LabelledReply>, Failure> {
    let name = path.display().to_string();
    let text = read_named(path, MAX_FILE_BYTES)
        .map_err(|what| Failure::new(format!("`{name}`: {what}"), "name a file of labelled replies"))?;
    let mut replies = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |what: String| {
            let help = "docs/TICKETS.md, section \"Judging\", has the form of a line";
            Failure::new(format!("`{name}`, line {}: {what}", index + 1), help)
        };
        let reply: LabelledReply = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let checkpoints = suite.ticket(&reply.ticket).map_or(0, |ticket| ticket.checkpoints.len());
        if !(1..=checkpoints).contains(&reply.checkpoint) {
            return Err(wrong(format!("there is no checkpoint {} of a ticket `{}`", reply.checkpoint, reply.ticket)));
        }
        replies.push(reply);
    }
    match replies.is_empty() {
        true => Err(Failure::new(format!("`{name}` has no reply"), "name a file of labelled replies")),
        false => Ok(replies),
    }
}

/// Asks every model about every reply; once one cannot be reached, nobody is asked any more.
fn ask(
    global: &Global,
    suite: &TicketSuite,
    replies: &[LabelledReply],
    (models, client): (&[String], &Arc<Client>),
    jobs: usize,
) -> Result<Asked, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| Failure::new(format!("no threads: {error}"), "ask for fewer `--jobs`"))?;
    let bar = progress(global, models.len() * replies.len());
    let is_lost = std::sync::atomic::AtomicBool::new(false);
    let one = |model: &String, (index, reply): (usize, &LabelledReply)| {
        use std::sync::atomic::Ordering::Relaxed;
        let ticket = suite.ticket(&reply.ticket).filter(|_| !is_lost.load(Relaxed))?;
        let unit = format!("{model} reply {}", index + 1);
        let mut judge = ModelJudge::new(&ticket, Arc::clone(client), model.clone(), unit);
        let verdict = reply.judged(&ticket, &mut judge);
        is_lost.fetch_or(judge.fault().is_some(), Relaxed);
        bar.inc(1);
        Some((verdict, judge.fault(), judge.usage().unwrap_or_default()))
    };
    let mut asked = Asked { verdicts: BTreeMap::new(), usage: Usage::default(), fault: None };
    for model in models {
        let said: Vec<_> = pool.install(|| replies.par_iter().enumerate().map(|reply| one(model, reply)).collect());
        let mut verdicts = Verdicts::new();
        for (verdict, fault, usage) in said.into_iter().map(|said| said.unwrap_or_default()) {
            asked.usage += usage;
            asked.fault = asked.fault.or(fault);
            verdicts.push(verdict);
        }
        asked.verdicts.insert(format!("openai:{model}"), verdicts);
    }
    bar.finish_and_clear();
    Ok(asked)
}

fn print(global: &Global, suite: &TicketSuite, replies: &[LabelledReply], raters: &[(String, Verdicts)]) {
    let labels: Verdicts = replies.iter().map(|reply| Some(reply.is_included())).collect();
    let against: Vec<(String, Confusion)> =
        raters.iter().map(|(name, said)| (name.clone(), Confusion::of(&labels, said))).collect();
    let pairs: Vec<(String, Confusion)> = raters
        .iter()
        .enumerate()
        .flat_map(|(index, first)| raters.iter().skip(index + 1).map(move |second| (first, second)))
        .map(|((first, one), (second, other))| (format!("{first} and {second}"), Confusion::of(one, other)))
        .collect();
    let facts = raters.first().map(|(_, said)| said.as_slice()).unwrap_or_default();
    let missed = replies.iter().zip(facts).filter(|(reply, said)| **said != Some(reply.is_included()));
    if global.json {
        let missed: Vec<Value> =
            missed.map(|(reply, _)| json!({"reply": reply, "lacking": lost(suite, reply)})).collect();
        let rows = |rows: &[(String, Confusion)]| rows.iter().map(|(name, of)| row(name, of)).collect::<Vec<_>>();
        return output::json(&json!({"judges": rows(&against), "between": rows(&pairs), "missed_by_facts": missed}));
    }
    let head = ["both", "reader", "judge", "neither", "none", "accuracy", "precision", "recall", "kappa"];
    let mut text = format!("{:<34}{}\n", "against readers", head.map(|word| format!("{word:>10}")).concat());
    against.iter().for_each(|(name, of)| text.push_str(&line(name, of)));
    if !pairs.is_empty() {
        text.push_str("between judges, the first as the reader\n");
        pairs.iter().for_each(|(name, of)| text.push_str(&line(name, of)));
    }
    if !global.quiet {
        text.push_str("what the facts and a reader see differently\n");
        for (reply, _) in missed {
            let said = if reply.is_included() { "included" } else { "not included" };
            let lost = lost(suite, reply).map_or_else(String::new, |lost| format!("; lacks `{}`", lost.join("`, `")));
            text.push_str(&format!("  {} {}: {said}, {}{lost}\n", reply.ticket, reply.checkpoint, reply.why));
        }
    }
    output::print(&text);
}

/// What the facts miss in a reply, if anything.
fn lost(suite: &TicketSuite, reply: &LabelledReply) -> Option<Vec<String>> {
    let ticket = suite.ticket(&reply.ticket)?;
    Some(lacking(&ticket, reply.checkpoint, &reply.reply)).filter(|lost| !lost.is_empty())
}

fn shares(of: &Confusion) -> [(&'static str, Option<f64>); 4] {
    [("accuracy", of.accuracy()), ("precision", of.precision()), ("recall", of.recall()), ("kappa", of.kappa())]
}

fn row(name: &str, of: &Confusion) -> Value {
    let mut row = json!({"name": name, "replies": of});
    for (word, share) in shares(of) {
        if let Some(row) = row.as_object_mut() {
            row.insert(word.to_owned(), json!(share));
        }
    }
    row
}

fn line(name: &str, of: &Confusion) -> String {
    let counts = [of.both, of.reader, of.judge, of.neither, of.unjudged].map(|count| format!("{count:>10}"));
    let shares =
        shares(of).map(|(_, share)| format!("{:>10}", share.map_or("-".to_owned(), |share| format!("{share:.3}"))));
    format!("  {name:<32}{}{}\n", counts.concat(), shares.concat())
}
