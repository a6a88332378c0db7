//! Asking a provider until there is a message or a reason why there is none.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::completion::Completion;
use super::config::ProviderConfig;
use super::pace::Pace;
use super::retry::MAX_WAIT_MS;
use super::transport::{Broken, Outgoing, Stop, Transport};
use super::trouble::{Attempt, judge};
use crate::usage::Usage;
use probity_engine::{canonical, merge::merge};

/// How often a model may pause in one message.
const MAX_PAUSES: usize = 8;

/// Why there is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The provider cannot be reached or does not answer: nobody's failure that is scored.
    Unreachable(String),
    /// The dialogue is longer than the model can read.
    TooLong(String),
    /// What the model wrote could not be read, not even by its provider.
    Unreadable(String),
    /// Everything was asked to stop.
    Interrupted,
}

/// A provider, shared by all episodes of a run.
pub struct Client {
    config: ProviderConfig,
    transport: Box<dyn Transport>,
    pace: Pace,
    /// Why no request will ever be answered, once that is known.
    closed: Mutex<Option<String>>,
    /// Whether the last request found nobody; then the next is not sent many times.
    is_down: AtomicBool,
}

/// The requests of one unit, in order.
pub struct Session<'a> {
    client: &'a Client,
    unit: &'a str,
    /// What they took.
    pub usage: &'a mut Usage,
}

impl Client {
    /// A provider that is asked as `config` says, through `transport`.
    pub fn new(config: ProviderConfig, transport: Box<dyn Transport>, stop: Stop) -> Self {
        let pace = Pace::new(config.concurrency, config.requests_per_minute, stop);
        Client { config, transport, pace, closed: Mutex::new(None), is_down: AtomicBool::new(false) }
    }

    /// A provider that is never asked: for agents that only tell where they could play.
    pub fn mute(config: ProviderConfig) -> Self {
        let nobody = |_: Outgoing<'_>| Err(Broken::NotRecorded("no provider is asked here".to_owned()));
        Client::new(config, Box::new(nobody), std::sync::Arc::new(|| true))
    }

    /// How it is asked.
    pub fn config(&self) -> &ProviderConfig {
        &self.config
    }

    /// The requests of a unit, which add to what it took so far.
    pub fn session<'a>(&'a self, unit: &'a str, usage: &'a mut Usage) -> Session<'a> {
        Session { client: self, unit, usage }
    }

    /// The body of a request: messages and, if there are any, tools, with the configuration's own keys.
    fn body(&self, model: &str, messages: &[Value], tools: Option<&Value>) -> String {
        let mut chat = json!({
            "model": model, "messages": messages, "stream": false,
            "temperature": self.config.temperature, "max_tokens": self.config.max_tokens,
        });
        if let (Some(tools), Some(map)) =
            (tools.filter(|tools| tools.as_array().is_some_and(|t| !t.is_empty())), chat.as_object_mut())
        {
            map.insert("tools".to_owned(), tools.clone());
        }
        let mut body = (self.config.form.ask)(&chat);
        merge(&mut body, &Value::Object(self.config.extra_body.clone()));
        canonical::to_string(&body)
    }

    fn closed(&self) -> Option<String> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn close(&self, why: &str) {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| why.to_owned());
    }
}

impl Session<'_> {
    /// The model's next message.
    ///
    /// # Errors
    /// There is none.
    pub fn complete(&mut self, model: &str, messages: &[Value], tools: Option<&Value>) -> Result<Completion, Fault> {
        let mut said = self.ask(model, messages, tools)?;
        for _ in 0..MAX_PAUSES {
            if !said.is_paused() || said.said.is_none() {
                break;
            }
            let so_far = json!({"role": "assistant", "content": said.text, "said": said.said});
            said = said.before(self.ask(model, &[messages, &[so_far]].concat(), tools)?);
        }
        // The limit is ours, and no more than half of a message is there.
        match said.is_paused() && (said.said.is_some() || said.is_silent()) {
            true => Err(Fault::Unreachable(format!(
                "the model paused in its message, and was asked to go on {MAX_PAUSES} times at most"
            ))),
            false => Ok(said),
        }
    }

    fn ask(&mut self, model: &str, messages: &[Value], tools: Option<&Value>) -> Result<Completion, Fault> {
        let body = self.client.body(model, messages, tools);
        let attempts = match self.client.is_down.load(Ordering::Relaxed) {
            true => 1,
            false => self.client.config.attempts,
        };
        let mut last = String::new();
        for attempt in 1..=attempts {
            if let Some(why) = self.client.closed() {
                return Err(Fault::Unreachable(why));
            }
            if attempt > 1 {
                self.usage.retries += 1;
            }
            match self.attempt(model, &body)? {
                Attempt::Said(completion) => return Ok(self.said(completion)),
                Attempt::TooLong(why) => return Err(Fault::TooLong(why)),
                Attempt::Unreadable(why) => return Err(Fault::Unreadable(why)),
                Attempt::Refused(why) => return Err(Fault::Unreachable(why)),
                Attempt::Interrupted => return Err(Fault::Interrupted),
                Attempt::Closed(why) => {
                    self.client.close(&why);
                    return Err(Fault::Unreachable(why));
                }
                Attempt::Again { after_ms, why } => {
                    last = why;
                    if attempt < attempts && !self.wait(attempt, after_ms)? {
                        break;
                    }
                }
            }
        }
        self.client.is_down.store(true, Ordering::Relaxed);
        Err(Fault::Unreachable(last))
    }

    fn attempt(&mut self, model: &str, body: &str) -> Result<Attempt, Fault> {
        let client = self.client;
        let form = client.config.form;
        let model = form.is_model_in_path().then_some(model);
        let number = self.usage.requests;
        self.usage.requests += 1;
        let request = Outgoing { unit: self.unit, number, model, body };
        if !client.transport.is_live() {
            return Ok(judge(form, client.transport.send(request)));
        }
        let passed = client.pace.pass().ok_or(Fault::Interrupted)?;
        let answer = client.transport.send(request);
        drop(passed);
        Ok(judge(form, answer))
    }

    fn said(&mut self, completion: Completion) -> Completion {
        self.client.is_down.store(false, Ordering::Relaxed);
        self.usage.cut_off += u64::from(completion.is_cut_off());
        self.usage.mended = self.usage.mended.saturating_add(completion.mended);
        match completion.usage {
            Some(usage) => *self.usage += usage,
            None => self.usage.uncounted += 1,
        }
        completion
    }

    /// Waits before the next attempt; false when the provider wants too long a wait.
    fn wait(&self, attempt: u32, after_ms: Option<u64>) -> Result<bool, Fault> {
        let backoff = self.client.config.retry_wait_ms.saturating_mul(1 << (attempt - 1).min(16));
        let wait = after_ms.unwrap_or(backoff.min(MAX_WAIT_MS));
        if wait > MAX_WAIT_MS {
            return Ok(false);
        }
        let is_live = self.client.transport.is_live();
        match !is_live || self.client.pace.sleep(Duration::from_millis(wait)) {
            true => Ok(true),
            false => Err(Fault::Interrupted),
        }
    }
}
