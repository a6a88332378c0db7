//! What forms make of units: a dialogue of each, or dialogues of many.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::dialogue::Dialogue;
use crate::document::is_message;
use crate::draft::Draft;
use crate::form::Form;
use crate::json;
use crate::unread::{Fault, Place, Unit, Unread};

/// What was read of a file and not taken yet.
pub(crate) struct Out {
    file: String,
    form: Form,
    index: usize,
    /// Whether anything was read or told.
    pub has_told: bool,
    pub ready: VecDeque<Result<Dialogue, Unread>>,
}

impl Out {
    pub(crate) fn new(file: &str) -> Out {
        Out { file: file.to_owned(), form: Form::Chat, index: 0, has_told: false, ready: VecDeque::new() }
    }

    pub(crate) fn set_form(&mut self, form: Form) {
        self.form = form;
    }

    pub(crate) fn fault(&mut self, fault: Fault) {
        self.has_told = true;
        self.ready.push_back(Err(fault.of(&self.file)));
    }

    /// A dialogue that was read; what of it could not be read comes first.
    pub(crate) fn dialogue(&mut self, draft: Draft) {
        let (dialogue, faults) = draft.finish(&self.file, self.form, self.index);
        faults.into_iter().for_each(|fault| self.fault(fault));
        self.index += 1;
        self.has_told |= dialogue.is_some();
        self.ready.extend(dialogue.map(Ok));
    }

    /// A dialogue in the normal form.
    pub(crate) fn normal(&mut self, dialogue: Dialogue) {
        self.index += 1;
        self.has_told = true;
        self.ready.push_back(Ok(dialogue));
    }
}

/// Makes dialogues of units that belong together.
pub(crate) trait Gather {
    /// Takes a unit.
    fn take(&mut self, unit: Unit, out: &mut Out);
    /// Gives the dialogues of all that was taken.
    fn finish(&mut self, out: &mut Out);
}

/// Reads each unit as a dialogue; messages that stand alone are gathered to dialogues by what names these.
pub(crate) struct Each {
    read: fn(&mut Draft, &Unit),
    loose: BTreeMap<String, usize>,
    gathered: Vec<(Option<String>, Place, Vec<Value>)>,
}

impl Each {
    pub(crate) fn new(read: fn(&mut Draft, &Unit)) -> Each {
        Each { read, loose: BTreeMap::new(), gathered: Vec::new() }
    }
}

impl Gather for Each {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        if !is_message(&unit.value) {
            let mut draft = Draft::new(unit.place.clone());
            (self.read)(&mut draft, &unit);
            return out.dialogue(draft);
        }
        let name = json::name(&unit.value, &["conversation_id", "session_id", "thread_id", "dialogue_id"]);
        let at = *self.loose.entry(name.clone().unwrap_or_default()).or_insert(self.gathered.len());
        if at == self.gathered.len() {
            self.gathered.push((name, unit.place, Vec::new()));
        }
        self.gathered.get_mut(at).into_iter().for_each(|(.., list)| list.push(unit.value.clone()));
    }

    fn finish(&mut self, out: &mut Out) {
        for (name, place, list) in self.gathered.drain(..) {
            let mut draft = Draft::new(place.clone());
            draft.id = name;
            (self.read)(&mut draft, &Unit { value: Value::Array(list), head: None, place, size: 0 });
            out.dialogue(draft);
        }
    }
}
