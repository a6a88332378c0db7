//! `recorded`: what `probity record` writes: a line for each request to a model, with what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::exchange::{Base, Exchange, Exchanges, Outcome, Told};
use crate::gather::{Gather, Out};
use crate::json;
use crate::unread::{Fault, Unit};

/// The version of the lines that this build reads.
const FORMAT: u64 = 1;

/// The lines of a file.
#[derive(Default)]
pub(crate) struct Recorded {
    exchanges: Exchanges,
    /// Requests by session and number, of files that were put one behind the other the last.
    named: BTreeMap<(String, u64), usize>,
    /// Requests by what a later one may call them: the id of their answer, a conversation.
    answers: BTreeMap<String, usize>,
}

impl Gather for Recorded {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        match self.exchange(&unit) {
            Ok((exchange, calls)) => {
                let (name, is_answered) = (exchange.name.clone(), matches!(exchange.outcome, Outcome::Answered(_)));
                let at = self.exchanges.push(exchange);
                self.named.insert(name, at);
                self.answers.extend(calls.into_iter().filter(|_| is_answered).map(|call| (call, at)));
            }
            Err(fault) => out.fault(fault),
        }
    }

    fn finish(&mut self, out: &mut Out) {
        self.exchanges.finish(out);
    }
}

impl Recorded {
    /// A line, and what later ones may call it.
    fn exchange(&self, unit: &Unit) -> Result<(Exchange, Vec<String>), Fault> {
        let value = &unit.value;
        let fault = |pointer: &str, what: &str| {
            let help = "it is not as `probity record` writes it; the other lines were read";
            unit.place.fault(pointer, what, help)
        };
        if value.get("recorded").and_then(Value::as_u64) != Some(FORMAT) {
            return Err(fault("/recorded", &format!("it is another format of records, and {FORMAT} is read here")));
        }
        let session = json::text(value, &["session"]).ok_or_else(|| fault("/session", "it names no session"))?;
        let number =
            value.get("exchange").and_then(Value::as_u64).ok_or_else(|| fault("/exchange", "it has no number"))?;
        let of = |number: &Value| self.named.get(&(session.to_owned(), number.as_u64()?)).copied();
        let missing = || fault("/from", "it goes on from a line that is not here");
        let turns = value.get("turns").and_then(Value::as_array).ok_or_else(|| fault("/turns", "it has no `turns`"))?;
        let conversation = json::name(value, &["conversation"]);
        let earlier = json::text(value, &["after"]).map(|after| self.answers.get(after));
        let is_cut = earlier == Some(None) && json::text(value, &["after"]) != conversation.as_deref();
        let base = match (value.get("from"), earlier) {
            (Some(from), _) => {
                let (of, kept) = of(from).zip(value.get("kept").and_then(Value::as_u64)).ok_or_else(missing)?;
                let kept = usize::try_from(kept).ok().filter(|kept| *kept <= self.exchanges.turns(of));
                Base::Turns(of, kept.ok_or_else(missing)?)
            }
            (None, Some(Some(of))) => Base::Answer(*of),
            (None, Some(None) | None) => Base::Nothing,
        };
        let beside = |key: &str, found: fn(&Exchange) -> &Arc<Value>| match (
            value.get(key),
            value.pointer(&format!("/same/{key}")),
        ) {
            (Some(own), _) => Ok(Arc::new(own.clone())),
            (None, None) => Ok(Arc::default()),
            (None, Some(other)) => {
                of(other).and_then(|of| self.exchanges.get(of)).map(found).cloned().ok_or_else(missing)
            }
        };
        let outcome = match (value.get("answer").and_then(Value::as_array), json::text(value, &["unanswered"])) {
            (Some(answer), _) => Outcome::Answered(answer.clone()),
            (None, Some(why)) => Outcome::Unanswered(why.to_owned()),
            (None, None) => return Err(fault("", "it says neither what was answered nor why nothing was")),
        };
        let exchange = Exchange {
            name: (session.to_owned(), number),
            place: unit.place.clone(),
            size: unit.size,
            start: value.get("start").cloned(),
            conversation,
            is_cut,
            base,
            turns: turns.clone(),
            told: Told {
                system: beside("system", |one| &one.told.system)?,
                lead: beside("lead", |one| &one.told.lead)?,
            },
            tools: beside("tools", |one| &one.tools)?,
            outcome,
        };
        let calls = ["id", "conversation"].iter().filter_map(|key| json::name(value, &[key])).collect();
        Ok((exchange, calls))
    }
}
