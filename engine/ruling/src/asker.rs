//! A model that is asked until its reply can be used, and no oftener than that is worth.

use probity_bench::{Client, Completion, Fault, Usage};
use serde_json::{Value, json};

/// How often a model is asked for one thing; what its provider sends again does not count.
pub const MAX_ASKED: u32 = 3;

/// A model, asked for one unit of a run or a cassette.
pub struct Asker<'a> {
    pub client: &'a Client,
    pub model: &'a str,
    pub unit: &'a str,
    /// What it may call; judges call nothing.
    pub tools: Option<&'a Value>,
}

impl<'a> Asker<'a> {
    pub fn new(client: &'a Client, model: &'a str, unit: &'a str) -> Asker<'a> {
        Asker { client, model, unit, tools: None }
    }

    /// What `take` makes of the first completion, or of the first fault of the model's own, that it can use. Where it
    /// can use nothing it may change the messages, which are then sent again. Nothing when no reply could be used.
    /// An error: the model cannot be reached, or everything was asked to stop.
    pub fn ask<T>(
        &self,
        messages: &mut Vec<Value>,
        usage: &mut Usage,
        mut take: impl FnMut(Result<Completion, Fault>, &mut Vec<Value>) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        for _ in 0..MAX_ASKED {
            let said = self.client.session(self.unit, usage).complete(self.model, messages, self.tools);
            if let Err(fault @ (Fault::Unreachable(_) | Fault::Interrupted)) = said {
                return Err(fault);
            }
            if let Some(taken) = take(said, messages) {
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    /// What the model's reply is read as. One that cannot be read stays in the dialogue, with the reason in `again`, a text
    /// with `{why}` in it. Nothing when no reply can be read.
    /// An error: as of [`Asker::ask`].
    pub fn read<T>(
        &self,
        mut messages: Vec<Value>,
        usage: &mut Usage,
        again: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Fault> {
        self.ask(&mut messages, usage, |said, messages| {
            let reply = said.ok()?.text.unwrap_or_default();
            match read(&reply) {
                Ok(found) => Some(found),
                Err(why) => {
                    messages.push(json!({"role": "assistant", "content": reply}));
                    messages.push(told_again(again, &why));
                    None
                }
            }
        })
    }
}

/// What a model is told whose reply cannot be used.
pub fn told_again(again: &str, why: &str) -> Value {
    json!({"role": "user", "content": again.replace("{why}", why)})
}

/// Why a model that was asked for all of `what` says nothing more.
pub fn why_silent(fault: Fault, what: &str) -> String {
    match fault {
        Fault::Unreachable(why) | Fault::TooLong(why) | Fault::Unreadable(why) => why,
        Fault::Interrupted => format!("the {what} was interrupted"),
    }
}
