//! A model that is asked until its reply can be read.

use std::sync::Arc;

use probity_bench::{Client, Fault, Usage};
use serde_json::{Value, json};

/// How often a model is asked for one thing.
const TRIES: u32 = 3;

pub(in crate::cli) struct Asker<'a> {
    pub(in crate::cli) client: &'a Arc<Client>,
    pub(in crate::cli) model: &'a str,
    pub(in crate::cli) unit: &'a str,
}

impl Asker<'_> {
    /// What the model's reply is read as; where it cannot be read, `read` says what the model is told next. Nothing
    /// when no reply can be read; the error says why the model cannot be reached.
    pub(in crate::cli) fn ask<T>(
        &self,
        mut messages: Vec<Value>,
        usage: &mut Usage,
        read: impl Fn(&str) -> Result<T, Value>,
    ) -> Result<Option<T>, String> {
        for _ in 0..TRIES {
            match self.client.session(self.unit, usage).complete(self.model, &messages, None) {
                Ok(completion) => {
                    let reply = completion.text.unwrap_or_default();
                    match read(&reply) {
                        Ok(found) => return Ok(Some(found)),
                        Err(again) => {
                            messages.push(json!({"role": "assistant", "content": reply}));
                            messages.push(again);
                        }
                    }
                }
                Err(Fault::TooLong(_) | Fault::Unreadable(_)) => {}
                Err(Fault::Unreachable(why)) => return Err(why),
                Err(Fault::Interrupted) => return Err("the command was interrupted".to_owned()),
            }
        }
        Ok(None)
    }
}
