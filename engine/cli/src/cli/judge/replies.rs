//! `probity judge calibrate --replies`: the judges of recorded tickets held against readers, as the paper's Table 7.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::judges::{JudgeFlags, Keep, end};
use super::subjects::read_labels;
use crate::cli::exit::Exit;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_bench::{Fault, Interrupt};
use probity_ruling::agreement::pairs;
use probity_ruling::session::Round;
use probity_tickets::TicketSuite;
use probity_tickets::judge::{Backend, Confusion, FactJudge, LabelledReply, ModelJudge, lacking};

/// What a rater says of each reply, in their order.
type Verdicts = Vec<Option<bool>>;

/// Compares the facts and the models that are named with readers, and with each other.
pub(super) fn calibrate(
    global: &Global,
    path: &Path,
    judges: &JudgeFlags,
    directory: Option<&Path>,
) -> Result<Exit, Stopped> {
    let help = "leave it out: judges of tickets are asked one thing, whether a reply conveys the recorded one";
    judges.refuse_wording("with `--replies`", help)?;
    let suite = TicketSuite::load(&global.root);
    if suite.diagnostics.iter().any(probity_engine::Diagnostic::is_error) {
        return Err(output::refuse(global.json, &suite.diagnostics).into());
    }
    let read = |name: &str, text: &str| LabelledReply::read(name, text, &suite);
    let replies = read_labels(global, (path, "name a file of labelled replies"), read)?;
    let by_facts = replies.iter().map(|reply| {
        let ticket = suite.ticket(&reply.ticket)?;
        reply.judged(&ticket, &mut FactJudge(Arc::clone(&ticket)))
    });
    let facts: Verdicts = by_facts.collect();
    let mut raters = vec![("facts".to_owned(), facts)];
    let interrupt = Arc::new(Interrupt::default());
    Keep::beside(directory).prepare()?;
    let traffic = directory.map(|directory| directory.join(Wording::of(ReplyForm::Grades).cassette()));
    let mut exit = Exit::Clean;
    if let Some((models, way)) = judges.way(traffic, &interrupt)? {
        let form = way.client.config().form;
        let all: Vec<(&String, usize, &LabelledReply)> = models
            .iter()
            .flat_map(|model| replies.iter().zip(1..).map(move |(reply, number)| (model, number, reply)))
            .collect();
        let ask = |round: Round| {
            round.ask(&all, |(model, number, reply), usage| {
                let Some(ticket) = suite.ticket(&reply.ticket) else { return Ok(None) };
                let unit = format!("{model} reply {number}");
                let mut judge = ModelJudge::new(Arc::clone(&ticket), Arc::clone(&way.client), (*model).clone(), unit);
                let verdict = reply.judged(&ticket, &mut judge);
                *usage += judge.usage().unwrap_or_default();
                judge.fault().map_or(Ok(verdict), |why| Err(Fault::Unreachable(why)))
            })
        };
        let asked = way.ask(global, (all.len(), judges.jobs()), &interrupt, ask, |asked| asked.usage)?;
        let mut answers = asked.answers.into_iter().map(Option::flatten);
        let of_model = |model| (format!("{form}:{model}"), answers.by_ref().take(replies.len()).collect());
        raters.extend(models.iter().map(of_model));
        exit = end(&interrupt, asked.fault);
    }
    print(global, &suite, &replies, &raters);
    Ok(exit)
}

fn print(global: &Global, suite: &TicketSuite, replies: &[LabelledReply], raters: &[(String, Verdicts)]) {
    let labels: Verdicts = replies.iter().map(|reply| Some(reply.is_included())).collect();
    let against: Vec<(String, Confusion)> =
        raters.iter().map(|(name, said)| (name.clone(), Confusion::of(&labels, said))).collect();
    let of_two = |((first, one), (second, other)): (&(String, Verdicts), &(String, Verdicts))| {
        (format!("{first} and {second}"), Confusion::of(one, other))
    };
    let pairs: Vec<(String, Confusion)> = pairs(raters).map(of_two).collect();
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
        row[word] = json!(share);
    }
    row
}

fn line(name: &str, of: &Confusion) -> String {
    let counts = [of.both, of.reader, of.judge, of.neither, of.unjudged].map(|count| format!("{count:>10}"));
    let shares =
        shares(of).map(|(_, share)| format!("{:>10}", share.map_or("-".to_owned(), |share| format!("{share:.3}"))));
    format!("  {name:<32}{}{}\n", counts.concat(), shares.concat())
}
