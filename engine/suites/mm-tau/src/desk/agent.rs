//! Built-in agents of a desk: what one says and calls next. They know the task, whose calls are their plan, but have the
//! user's values only from what they hear.

mod dictation;

use std::collections::VecDeque;
use std::sync::Arc;

use dictation::{Dictation, HeardValues, again, is_read_back, read_back};
use serde_json::{Value, json};

use crate::desk::desk_play::TRANSFER;
use crate::desk::task::{DeskCall, DeskTask, Identification, StageEnd, Until};
use crate::measures::{canonical, is_heard};
use crate::people::ServiceManner;
use crate::people::manner::{affirms, question, spoilt};
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard};
use probity_engine::ToolCall;

/// How often a value is asked for or looked up, and a call offered, until the agent goes on.
const TRIES: u32 = 10;
/// How often one that takes digits wrong looks somebody up.
const HASTY_TRIES: u32 = 2;

#[derive(Clone, Debug, PartialEq)]
enum DeskAwaited {
    Opening,
    /// A fact, by its place.
    Fact(usize),
    Right(usize, String),
    /// Whether the user is in the records.
    Found(DeskCall),
    Shown,
    /// Whether a stage's call may be made.
    Leave(usize, usize),
    /// What came of a stage's call.
    Done(usize),
    /// What the user says to what they were told at a stage.
    Answer(usize, usize),
    More(usize),
}

pub struct DeskAgent {
    task: Arc<DeskTask>,
    manner: ServiceManner,
    awaited: DeskAwaited,
    duties: VecDeque<DeskDuty>,
    heard: HeardValues,
    dictation: Dictation,
    tries: u32,
    searches: u32,
    offers: u32,
}

impl DeskAgent {
    pub fn new(task: &Arc<DeskTask>, manner: ServiceManner) -> DeskAgent {
        let mut duties = identification(task);
        duties.extend(stage_duties(task, 0, 0));
        DeskAgent {
            task: task.clone(),
            manner,
            awaited: DeskAwaited::Opening,
            duties,
            heard: HeardValues::default(),
            dictation: Dictation::default(),
            tries: 0,
            searches: 0,
            offers: 0,
        }
    }

    fn hear(&mut self, text: &str) -> AgentMessage {
        self.overhear(text);
        match self.awaited.clone() {
            DeskAwaited::Opening if self.manner == ServiceManner::PrematureTransfer => self.hand_over(),
            DeskAwaited::Fact(at) => self.take(at, text),
            DeskAwaited::Right(at, value) => self.settle(at, &value, text),
            DeskAwaited::Leave(wish, stage) => self.take_leave(wish, stage, text),
            DeskAwaited::Answer(wish, stage) => self.go_to(wish, stage + 1),
            DeskAwaited::More(wish) => self.go_to(wish + 1, 0),
            DeskAwaited::Opening | DeskAwaited::Found(_) | DeskAwaited::Shown | DeskAwaited::Done(_) => self.go_on(),
        }
    }

    /// Takes along what the user told unasked.
    fn overhear(&mut self, text: &str) {
        let task = self.task.clone();
        for fact in task.facts.iter().filter(|fact| fact.is_critical) {
            let is_asked = matches!(&self.awaited, DeskAwaited::Fact(at) | DeskAwaited::Right(at, _)
                if task.facts.get(*at) == Some(fact));
            if !is_asked
                && self.heard.get(fact).is_none()
                && canonical(fact.kind, &fact.value).len() > 4
                && is_heard(fact.kind, &fact.value, text)
            {
                self.heard.take(fact, self.written(&fact.value));
            }
        }
    }

    fn written(&self, value: &str) -> String {
        if self.manner == ServiceManner::WrongNumber { spoilt(value) } else { value.to_owned() }
    }

    fn read(&mut self, result: &Value) -> AgentMessage {
        let is_refused = result.get("error").is_some();
        match self.awaited.clone() {
            DeskAwaited::Found(call) if is_refused => self.find_again(call),
            DeskAwaited::Done(wish) if is_refused => self.close(wish, "I'm sorry, I could not get that done."),
            DeskAwaited::Done(wish) => self.close(wish, "That is done."),
            DeskAwaited::More(_) => AgentMessage::reply("You will be helped by a colleague."),
            _ => self.go_on(),
        }
    }

    fn go_on(&mut self) -> AgentMessage {
        while let Some(duty) = self.duties.pop_front() {
            match duty {
                DeskDuty::Learn(at) => {
                    if let Some(speech) = self.learn(at) {
                        return speech;
                    }
                }
                DeskDuty::Identify(call) => {
                    self.awaited = DeskAwaited::Found(call.clone());
                    return self.call(&call);
                }
                DeskDuty::Look(call) => {
                    self.awaited = DeskAwaited::Shown;
                    return self.call(&call);
                }
                DeskDuty::Offer(wish, stage) => return self.offer(wish, stage),
                DeskDuty::Tell(wish, stage) => return self.tell(wish, stage),
                DeskDuty::HandOver if self.manner == ServiceManner::NeverTransfers => {
                    return self.close(self.task.wishes.len(), "Everything is taken care of.");
                }
                DeskDuty::HandOver => return self.hand_over(),
                DeskDuty::Next(wish, stage) => return self.go_to(wish, stage + 1),
            }
        }
        self.close(self.task.wishes.len(), "")
    }

    /// Begins a stage; after the last of a wish, the next wish.
    fn go_to(&mut self, wish: usize, stage: usize) -> AgentMessage {
        let (wish, stage) = if self.task.stage(wish, stage).is_some() { (wish, stage) } else { (wish + 1, 0) };
        self.offers = 0;
        self.duties = stage_duties(&self.task, wish, stage);
        self.go_on()
    }

    /// Asks for a fact, or reads back what was overheard; nothing where that is not needed.
    fn learn(&mut self, at: usize) -> Option<AgentMessage> {
        let fact = self.task.facts.get(at)?.clone();
        self.dictation = Dictation::default();
        self.tries = 0;
        let known = self.heard.get(&fact).cloned();
        match known {
            Some(value) if self.reads_back() && is_read_back(&fact) && self.awaited != DeskAwaited::Shown => {
                self.awaited = DeskAwaited::Right(at, value.clone());
                Some(AgentMessage::reply(read_back(&fact, &value)))
            }
            Some(_) => None,
            None => {
                self.awaited = DeskAwaited::Fact(at);
                Some(AgentMessage::reply(question(fact.field.name())))
            }
        }
    }

    fn reads_back(&self) -> bool {
        !matches!(self.manner, ServiceManner::Reckless | ServiceManner::WrongNumber)
    }

    fn take(&mut self, at: usize, text: &str) -> AgentMessage {
        let Some(fact) = self.task.facts.get(at).cloned() else { return self.go_on() };
        if !fact.is_critical {
            return self.go_on();
        }
        self.tries += 1;
        let Some(value) = self.dictation.hear(&fact, text) else {
            if self.tries > TRIES {
                return self.go_on();
            }
            return AgentMessage::reply(again(fact.field));
        };
        if self.reads_back() && is_read_back(&fact) && self.tries <= TRIES {
            self.awaited = DeskAwaited::Right(at, value.clone());
            return AgentMessage::reply(read_back(&fact, &value));
        }
        let value = self.written(&value);
        self.heard.take(&fact, value);
        self.go_on()
    }

    /// Takes the answer to a value that was read back.
    fn settle(&mut self, at: usize, value: &str, text: &str) -> AgentMessage {
        let Some(fact) = self.task.facts.get(at).cloned() else { return self.go_on() };
        let is_same = is_heard(fact.kind, value, text);
        let is_denied = text.to_lowercase().starts_with("no");
        if !is_denied && (affirms(text) || is_same) {
            self.heard.take(&fact, value.to_owned());
            return self.go_on();
        }
        self.heard.forget(&fact);
        self.dictation.refuse(value);
        self.tries += 1;
        match self.dictation.hear(&fact, text) {
            None if self.tries < TRIES => {
                self.awaited = DeskAwaited::Fact(at);
                AgentMessage::reply(again(fact.field))
            }
            Some(value) if self.tries < TRIES => {
                self.awaited = DeskAwaited::Right(at, value.clone());
                AgentMessage::reply(read_back(&fact, &value))
            }
            heard => {
                self.heard.take(&fact, heard.unwrap_or_else(|| value.to_owned()));
                self.go_on()
            }
        }
    }

    fn find_again(&mut self, call: DeskCall) -> AgentMessage {
        self.searches += 1;
        let most = if self.reads_back() { TRIES } else { HASTY_TRIES };
        let task = self.task.clone();
        let asked = task.facts.iter().enumerate().filter(|(_, fact)| {
            fact.at.is_none() && call.arguments.values().any(|value| value.as_str() == Some(fact.value.as_str()))
        });
        let asked: Vec<usize> = asked.map(|(at, _)| at).collect();
        if self.searches > most {
            self.duties.clear();
            return self.close(self.task.wishes.len(), "I'm sorry, I can't find you in our records.");
        }
        asked.iter().filter_map(|at| task.facts.get(*at)).for_each(|fact| self.heard.forget(fact));
        self.duties.push_front(DeskDuty::Identify(call));
        for at in asked.into_iter().rev() {
            self.duties.push_front(DeskDuty::Learn(at));
        }
        self.go_on()
    }

    /// Offers the call of a stage, or makes it at once.
    fn offer(&mut self, wish: usize, stage: usize) -> AgentMessage {
        if self.manner == ServiceManner::Reckless {
            return self.make(wish, stage);
        }
        self.awaited = DeskAwaited::Leave(wish, stage);
        let offer = self.words(wish, stage);
        AgentMessage::reply(format!("{offer} Shall I go ahead?"))
    }

    fn take_leave(&mut self, wish: usize, stage: usize, text: &str) -> AgentMessage {
        let is_last = self.task.wishes.get(wish).is_none_or(|stages| stage + 1 >= stages.len());
        self.offers += 1;
        match (is_last, affirms(text)) {
            (false, _) => self.go_to(wish, stage + 1),
            (true, true) => self.make(wish, stage),
            (true, false) if self.offers < TRIES => self.offer(wish, stage),
            (true, false) => self.close(wish, "Then I leave it as it is."),
        }
    }

    fn make(&mut self, wish: usize, stage: usize) -> AgentMessage {
        let Some(call) = self.task.stage(wish, stage).and_then(|stage| stage.file.call.clone()) else {
            return self.go_on();
        };
        self.awaited = DeskAwaited::Done(wish);
        self.call(&call)
    }

    fn tell(&mut self, wish: usize, stage: usize) -> AgentMessage {
        let has_call = self.task.stage(wish, stage).is_some_and(|stage| stage.file.call.is_some());
        if self.manner == ServiceManner::Reckless && has_call {
            return self.make(wish, stage);
        }
        self.awaited = DeskAwaited::Answer(wish, stage);
        let words = self.words(wish, stage);
        AgentMessage::reply(words)
    }

    fn words(&self, wish: usize, stage: usize) -> String {
        self.task.stage(wish, stage).map(|stage| stage.file.offer.clone()).unwrap_or_default()
    }

    fn hand_over(&mut self) -> AgentMessage {
        self.awaited = DeskAwaited::More(self.task.wishes.len());
        let call = json!({"summary": "The customer's wish is beyond the tools of this desk."});
        AgentMessage::call(ToolCall::new(TRANSFER, call))
    }

    fn close(&mut self, wish: usize, words: &str) -> AgentMessage {
        self.awaited = DeskAwaited::More(wish);
        AgentMessage::reply(format!("{words} Is there anything else I can do for you?").trim_start().to_owned())
    }

    fn call(&self, call: &DeskCall) -> AgentMessage {
        let arguments = self.heard.in_call(call, &self.task.facts);
        AgentMessage::call(ToolCall::new(&call.tool, arguments))
    }
}

impl Agent for DeskAgent {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        *self = DeskAgent::new(&self.task, self.manner);
        Ok(())
    }

    /// The next message, after what was heard or what the tools gave back (a refusal is an object with `error`).
    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(match heard {
            Heard::User(text) => self.hear(text),
            Heard::Observations(results) => self.read(results.first().unwrap_or(&Value::Null)),
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
enum DeskDuty {
    /// Learn a fact, by its place.
    Learn(usize),
    Identify(DeskCall),
    Look(DeskCall),
    /// Offer the call of a stage, by wish and stage.
    Offer(usize, usize),
    /// Tell what a stage has to tell, or that it cannot be had.
    Tell(usize, usize),
    HandOver,
    Next(usize, usize),
}

/// How the user is found: what is learned, and the call with it.
fn identification(task: &DeskTask) -> VecDeque<DeskDuty> {
    let way = Identification::of(task);
    let duties = way.map(|way| way.facts.into_iter().map(DeskDuty::Learn).chain([DeskDuty::Identify(way.call)]));
    duties.into_iter().flatten().collect()
}

fn stage_duties(task: &DeskTask, wish: usize, at: usize) -> VecDeque<DeskDuty> {
    let Some(stage) = task.stage(wish, at) else { return VecDeque::new() };
    let file = &stage.file;
    let own = |fact: &crate::desk::task::DeskFact| fact.at == Some((wish, at));
    let facts = task.facts.iter().enumerate().filter(|(_, fact)| own(fact)).map(|(place, _)| DeskDuty::Learn(place));
    let mut duties: VecDeque<DeskDuty> = facts.chain(file.looks.iter().cloned().map(DeskDuty::Look)).collect();
    duties.push_back(match (&file.until, file.ends) {
        (Some(Until::Answered(_)), _) => DeskDuty::Next(wish, at),
        (Some(Until::Refused | Until::Called(_)), _) => DeskDuty::Tell(wish, at),
        _ if stage.is_offered() => DeskDuty::Offer(wish, at),
        (None, StageEnd::HandedOver) => DeskDuty::HandOver,
        _ => DeskDuty::Tell(wish, at),
    });
    duties
}
