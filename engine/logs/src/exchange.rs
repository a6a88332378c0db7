//! Requests to a model with what came of each, put together to dialogues. A request tells its whole history: where that
//! begins with all that an earlier one came to, it goes on from it. Each is gone on from once; what goes on from it again
//! is a retry, a branch or somebody else's, and a dialogue of its own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::Value;

use crate::draft::{Draft, Speaker};
use crate::gather::Out;
use crate::message::message;
use crate::remark::Remark;
use crate::unread::Place;

/// How much dialogues may tell again of each other, in bytes.
const MAX_AGAIN: u64 = 256 << 20;
/// The moment before anything was said.
const ROOT: usize = 0;

/// A request and what came of it.
pub(crate) struct Exchange {
    /// The session it was recorded in, and its number in that.
    pub name: (String, u64),
    pub place: Place,
    pub size: usize,
    pub start: Option<Value>,
    /// The conversation that it says it belongs to.
    pub conversation: Option<String>,
    /// Whether it goes on from an answer that nobody knows.
    pub is_cut: bool,
    pub base: Base,
    /// What its history goes on with.
    pub turns: Vec<Value>,
    pub told: Told,
    pub tools: Arc<Value>,
    pub outcome: Outcome,
}

/// With what a history begins.
#[derive(Clone, Copy)]
pub(crate) enum Base {
    Nothing,
    /// So many turns of another request.
    Turns(usize, usize),
    /// All that another request came to.
    Answer(usize),
}

/// What the agent was told before anybody spoke.
#[derive(Clone, Default)]
pub(crate) struct Told {
    /// Words beside the list.
    pub system: Arc<Value>,
    /// Messages that the list begins with.
    pub lead: Arc<Value>,
}

impl Told {
    /// Tells it, as what was told in this place.
    fn tell(&self, draft: &mut Draft, at: usize) {
        draft.say(Speaker::System, at, &self.system);
        list(&self.lead).iter().enumerate().for_each(|(more, value)| message(draft, at + more, value));
    }

    /// Whether the words are the same, however they are written.
    fn is_same(&self, other: &Told) -> bool {
        let is_one = Arc::ptr_eq(&self.system, &other.system) && Arc::ptr_eq(&self.lead, &other.lead);
        let meanings = |told: &Told| {
            let mut draft = Draft::new(Place::default());
            told.tell(&mut draft, 0);
            draft.meanings()
        };
        is_one || meanings(self) == meanings(other)
    }
}

/// What came of a request.
pub(crate) enum Outcome {
    Answered(Vec<Value>),
    /// Why it was not answered.
    Unanswered(String),
}

/// The requests of a file.
#[derive(Default)]
pub(crate) struct Exchanges {
    placed: Vec<Placed>,
    /// What was said after a moment, and the moment after that.
    moments: BTreeMap<(usize, String), usize>,
    /// The moment before each, the first left out.
    before: Vec<usize>,
}

/// A request among the others.
struct Placed {
    exchange: Exchange,
    /// How many turns of its list stand in another's.
    kept: usize,
    /// The moment its own turns begin at.
    begins: usize,
    /// The moment after each of its own turns, and of the answer.
    path: Vec<usize>,
}

impl Placed {
    fn is_answered(&self) -> bool {
        matches!(self.exchange.outcome, Outcome::Answered(_))
    }

    /// The moment after so many of its own turns and messages.
    fn after(&self, own: usize) -> usize {
        own.checked_sub(1).and_then(|at| self.path.get(at)).copied().unwrap_or(self.begins)
    }

    /// The moment at which it was asked.
    fn asked(&self) -> usize {
        self.after(self.exchange.turns.len())
    }

    /// The moment that it came to.
    fn end(&self) -> usize {
        self.after(self.path.len())
    }
}

/// What goes on from what.
struct Course {
    before: Vec<Option<usize>>,
    is_over: Vec<bool>,
    /// Whether another one goes on from where it does, or asked the same.
    is_shared: Vec<bool>,
    /// What came to a moment and is not gone on from.
    open: BTreeMap<usize, VecDeque<usize>>,
    /// Who asked at a moment.
    asked: BTreeMap<usize, usize>,
    /// How often each was asked in vain before.
    tries: Vec<u32>,
    /// How much may be read again to find what ties requests, in bytes.
    left: u64,
}

impl Exchanges {
    /// How many turns the list of a request has, that of another where it begins included.
    pub(crate) fn turns(&self, at: usize) -> usize {
        self.placed.get(at).map_or(0, |placed| placed.kept + placed.exchange.turns.len())
    }

    /// What stands in a request that came before.
    pub(crate) fn get(&self, at: usize) -> Option<&Exchange> {
        self.placed.get(at).map(|placed| &placed.exchange)
    }

    /// Takes a request; the ones it names came before. Its number among all.
    pub(crate) fn push(&mut self, exchange: Exchange) -> usize {
        let (kept, begins) = match exchange.base {
            Base::Nothing => (0, ROOT),
            Base::Turns(of, kept) => (kept, self.moment(of, kept)),
            Base::Answer(of) => (0, self.placed.get(of).map_or(ROOT, Placed::end)),
        };
        let (mut path, mut moment) = (Vec::new(), begins);
        let answer = match &exchange.outcome {
            Outcome::Answered(answer) => answer.as_slice(),
            Outcome::Unanswered(_) => &[],
        };
        for value in exchange.turns.iter().chain(answer) {
            let mut said = Draft::new(Place::default());
            message(&mut said, 0, value);
            for meaning in said.meanings() {
                let next = self.before.len() + 1;
                moment = *self.moments.entry((moment, meaning)).or_insert_with_key(|(before, _)| {
                    self.before.push(*before);
                    next
                });
            }
            path.push(moment);
        }
        self.placed.push(Placed { exchange, kept, begins, path });
        self.placed.len() - 1
    }

    /// The moment after so many turns of a request's list.
    fn moment(&self, mut of: usize, kept: usize) -> usize {
        while let Some(placed) = self.placed.get(of) {
            match placed.exchange.base {
                Base::Turns(other, _) if kept <= placed.kept => of = other,
                _ => return placed.after(kept.saturating_sub(placed.kept)),
            }
        }
        ROOT
    }

    /// Gives the dialogues, in the order in which they begin.
    pub(crate) fn finish(&mut self, out: &mut Out) {
        let course = self.course();
        let mut chains: Vec<Vec<usize>> = Vec::new();
        for at in (0..self.placed.len()).filter(|at| !course.is_over.get(*at).is_some_and(|is_over| *is_over)) {
            let mut chain = vec![at];
            while let Some(before) = chain.last().and_then(|last| *course.before.get(*last)?) {
                chain.push(before);
            }
            chain.reverse();
            chains.push(chain);
        }
        chains.sort_by_key(|chain| chain.first().and_then(|first| self.get(*first)).map(|first| first.name.clone()));
        let own = self.placed.iter().map(|placed| placed.exchange.size as u64).sum::<u64>();
        let mut left = own.saturating_add(MAX_AGAIN);
        for chain in chains {
            let Some(draft) = self.draft(&chain, &course, &mut left) else {
                let place = chain.first().and_then(|first| self.get(*first)).map(|first| first.place.clone());
                let what = format!("dialogues tell more than {} MiB again of each other", MAX_AGAIN >> 20);
                let help = "write the record out in several files; what begins before was read";
                return out.fault(place.unwrap_or_default().fault("", what, help));
            };
            match chain.last().and_then(|last| self.get(*last)).map(|last| (&last.outcome, &last.place)) {
                Some((Outcome::Unanswered(why), place)) if !draft.has_agent() => {
                    let help = "nothing in it is the agent's; look at what the provider said";
                    out.fault(place.fault("", format!("the request was not answered: {why}"), help));
                }
                _ => out.dialogue(draft),
            }
        }
    }

    /// In the order in which they were asked: an answer may have been written down after the request that goes on from it.
    fn course(&self) -> Course {
        let count = self.placed.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|at| self.get(*at).map(|exchange| &exchange.name));
        let mut course = Course {
            before: vec![None; count],
            is_over: vec![false; count],
            is_shared: vec![false; count],
            open: BTreeMap::new(),
            asked: BTreeMap::new(),
            tries: vec![0; count],
            left: MAX_AGAIN,
        };
        let (answered, unanswered): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|at| self.placed.get(*at).is_some_and(Placed::is_answered));
        for at in answered {
            let Some(placed) = self.placed.get(at) else { continue };
            self.go_on(&mut course, at, placed);
            course.open.entry(placed.end()).or_default().push_back(at);
        }
        // What was asked in vain and then answered is no dialogue of its own, and keeps nothing from going on.
        for at in unanswered {
            let Some(placed) = self.placed.get(at) else { continue };
            match course.asked.get(&placed.asked()).copied() {
                Some(other) => {
                    mark(&mut course.is_over, at);
                    course.tries.get_mut(other).into_iter().for_each(|tries| *tries = tries.saturating_add(1));
                }
                None => {
                    self.go_on(&mut course, at, placed);
                    course.tries.get_mut(at).into_iter().for_each(|tries| *tries = 1);
                }
            }
        }
        course
    }

    /// Finds what a request goes on from: of those that came to the last moment of its history at which one ended, the
    /// first that is not gone on from and was told the same, or else is tied to it. Where people begin alike, others are
    /// somebody else's.
    fn go_on(&self, course: &mut Course, at: usize, placed: &Placed) {
        let mut moment = placed.asked();
        while moment != ROOT && !course.open.contains_key(&moment) {
            moment = self.before.get(moment - 1).copied().unwrap_or(ROOT);
        }
        if *course.asked.entry(placed.asked()).or_insert(at) != at {
            mark(&mut course.is_shared, at);
        }
        let Course { open, left, .. } = course;
        let Some(open) = open.get_mut(&moment) else { return };
        let own = &placed.exchange;
        let wanted = match own.base {
            Base::Answer(of) => open.iter().position(|one| *one == of),
            Base::Nothing | Base::Turns(..) => {
                let is_same = |one: &usize| {
                    let names = self.get(*one).map(|one| one.conversation.as_ref().zip(own.conversation.as_ref()));
                    names.flatten().map(|(one, own)| one == own)
                };
                let is_told_so = |one: &usize| self.get(*one).is_some_and(|one| one.told.is_same(&own.told));
                let may_be = |one: &usize| is_same(one) != Some(false);
                open.iter().position(|one| may_be(one) && is_told_so(one)).or_else(|| {
                    open.iter()
                        .position(|one| may_be(one) && (is_same(one) == Some(true) || self.is_tied(*one, at, left)))
                })
            }
        };
        match wanted.and_then(|wanted| open.remove(wanted)) {
            Some(before) => {
                mark(&mut course.is_over, before);
                course.before.get_mut(at).into_iter().for_each(|slot| *slot = Some(before));
            }
            None => mark(&mut course.is_shared, at),
        }
    }

    /// Whether an id that a provider gave stands in what both tell; not where too much was read for that by now.
    fn is_tied(&self, one: usize, other: usize, left: &mut u64) -> bool {
        let mut ids = |at: usize| {
            let mut found = BTreeSet::new();
            self.history(at, left).into_iter().flatten().for_each(|(value, _)| given(value, &mut found));
            found
        };
        !ids(one).is_disjoint(&ids(other))
    }

    /// The dialogue of requests that go on from each other, told as its last one tells it; nothing where all dialogues are
    /// too long by now.
    fn draft(&self, chain: &[usize], course: &Course, left: &mut u64) -> Option<Draft> {
        let first = self.get(*chain.first()?)?;
        let history = self.history(*chain.last()?, left)?;
        let mut draft = Draft::new(first.place.clone());
        draft.id = first.conversation.clone();
        draft.remark_times(Remark::EarlierLog, u32::from(first.is_cut));
        draft.start(first.start.as_ref());
        first.told.tell(&mut draft, 0);
        let lead = list(&first.told.lead).len();
        let mut news: BTreeMap<usize, Vec<&Told>> = BTreeMap::new();
        for (before, after) in chain.iter().zip(chain.iter().skip(1)) {
            let (before, after) = (self.placed.get(*before)?, self.get(*after)?);
            if !before.exchange.told.is_same(&after.told) {
                news.entry(before.end()).or_default().push(&after.told);
            }
        }
        for (at, (value, moment)) in history.into_iter().enumerate() {
            message(&mut draft, lead + at, value);
            news.remove(&moment).into_iter().flatten().for_each(|told| told.tell(&mut draft, lead + at));
        }
        for at in chain {
            draft.tools(&self.get(*at)?.tools);
            draft.remark_times(Remark::SharedHistory, u32::from(*course.is_shared.get(*at)?));
            draft.remark_times(Remark::Unanswered, *course.tries.get(*at)?);
        }
        Some(draft)
    }

    /// All that a request came to, with the moment after each message.
    fn history(&self, at: usize, left: &mut u64) -> Option<Vec<(&Value, usize)>> {
        let mut told: Vec<(&Value, usize)> = Vec::new();
        let (mut next, mut most) = (Some(at), usize::MAX);
        while let Some(placed) = next.and_then(|at| self.placed.get(at)) {
            let exchange = &placed.exchange;
            *left = left.checked_sub(exchange.size as u64)?;
            let answer = match &exchange.outcome {
                Outcome::Answered(answer) => answer.as_slice(),
                Outcome::Unanswered(_) => &[],
            };
            let own = exchange.turns.iter().chain(answer).zip(placed.path.iter().copied());
            // Put together from its end.
            told.extend(own.take(most.saturating_sub(placed.kept)).collect::<Vec<_>>().into_iter().rev());
            (next, most) = match exchange.base {
                Base::Nothing => (None, 0),
                Base::Turns(of, kept) => (Some(of), most.min(kept)),
                Base::Answer(of) => (Some(of), usize::MAX),
            };
        }
        told.reverse();
        Some(told)
    }
}

/// The ids of messages and calls in a message; not those in what was said or given.
fn given<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    const IDS: [&str; 5] = ["id", "call_id", "tool_call_id", "tool_use_id", "toolUseId"];
    const DATA: [&str; 8] = ["arguments", "input", "args", "response", "output", "result", "json", "text"];
    match value {
        Value::Array(items) => items.iter().for_each(|item| given(item, found)),
        Value::Object(map) => {
            map.iter().filter(|(key, _)| !DATA.contains(&key.as_str())).for_each(|(key, value)| match value.as_str() {
                Some(id) if IDS.contains(&key.as_str()) => drop(found.insert(id)),
                _ => given(value, found),
            })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn mark(marks: &mut [bool], at: usize) {
    marks.get_mut(at).into_iter().for_each(|mark| *mark = true);
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
