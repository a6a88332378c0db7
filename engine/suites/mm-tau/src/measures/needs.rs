//! Causes to ask that are open, and whether the agent asked while they were (CP, CR, SP and SR); which calls the user has
//! agreed to (IAS).

use std::collections::BTreeMap;

use super::event::{Consent, NeedOpened, NeedSubject};

#[derive(Clone, Copy, Default)]
pub(super) struct Asking {
    pub(super) required: u64,
    pub(super) met: u64,
    pub(super) asked: u64,
    pub(super) needed_asks: u64,
}

#[derive(Default)]
pub(super) struct Needs {
    open: Vec<OpenNeed>,
    clarify: Asking,
    confirm: Asking,
}

struct OpenNeed {
    need: NeedOpened,
    is_met: bool,
}

impl Needs {
    pub(super) fn open(&mut self, need: &NeedOpened) {
        self.asking(&need.subject).required += 1;
        self.open.push(OpenNeed { need: need.clone(), is_met: false });
    }

    pub(super) fn close(&mut self, id: &str) {
        self.open.retain(|open| open.need.id != id);
    }

    /// The agent asked, about this if about anything: every open need of that subject is met.
    pub(super) fn ask_clarify(&mut self, field: Option<&str>) {
        self.clarify.asked += 1;
        if let Some(field) = field {
            self.ask(&NeedSubject::Clarify { field: field.to_owned() });
        }
    }

    /// The agent asked for a confirmation, of this call if of any.
    pub(super) fn ask_confirm(&mut self, key: Option<&str>) {
        self.confirm.asked += 1;
        if let Some(key) = key {
            self.ask(&NeedSubject::Confirm { key: key.to_owned() });
        }
    }

    fn ask(&mut self, subject: &NeedSubject) {
        let (mut matching, mut newly_met) = (0_u64, 0_u64);
        for open in self.open.iter_mut().filter(|open| open.need.subject == *subject) {
            matching += 1;
            newly_met += u64::from(!std::mem::replace(&mut open.is_met, true));
        }
        let asking = self.asking(subject);
        asking.needed_asks += matching.min(1);
        asking.met += newly_met;
    }

    fn asking(&mut self, subject: &NeedSubject) -> &mut Asking {
        match subject {
            NeedSubject::Clarify { .. } => &mut self.clarify,
            NeedSubject::Confirm { .. } => &mut self.confirm,
        }
    }

    pub(super) fn clarify(&self) -> Asking {
        self.clarify
    }

    pub(super) fn confirm(&self) -> Asking {
        self.confirm
    }
}

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
