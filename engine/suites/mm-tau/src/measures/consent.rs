//! Which calls the user has agreed to (IAS).

use std::collections::BTreeMap;

use super::event::Consent;

/// Requests for confirmation and their answers so far, by the key of the call.
#[derive(Default)]
pub(super) struct Consents {
    /// Whether there is a yes to the latest request; only keys that were asked about.
    asked: BTreeMap<String, bool>,
}

impl Consents {
    /// The agent asks, which makes an earlier yes void.
    pub(super) fn ask(&mut self, key: &str) {
        self.asked.insert(key.to_owned(), false);
    }

    /// The user answers; nothing that was not asked is agreed to, and a later no takes a yes back.
    pub(super) fn answer(&mut self, key: &str, consent: Consent) {
        if let Some(agreed) = self.asked.get_mut(key) {
            *agreed = consent == Consent::Yes;
        }
    }

    /// Uses up the yes to a call, if there is one.
    pub(super) fn take(&mut self, key: &str) -> bool {
        self.asked.get_mut(key).is_some_and(std::mem::take)
    }
}
