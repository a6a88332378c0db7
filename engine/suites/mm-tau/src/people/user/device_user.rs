//! The user: what is done and said next.

mod answer;

use std::collections::{BTreeMap, VecDeque};

use super::speech::{Parting, UserHears, UserMove, UserSpeech};
use super::temper::Temper;

use crate::telecom::{Goal, Intent, Persona, Scenario, TelecomTask, Whereabouts};
use probity_engine::Stream;

use super::errand::{Errand, Purpose, noun, position, switch_noun};
use super::phrasebook::{Phrasebook, Wordings};
use super::retelling::retelling;
use crate::people::understanding::{DeviceLook, DeviceStep, SwitchPosition, understand};

/// After how many reports of what the phone shows the user adds what could matter beside.
const REPORTS_BEFORE_REMARK: u32 = 2;

/// How many messages of an agent a user listens to at most, whatever the persona.
const LISTENS: u32 = 80;

#[derive(Clone)]
pub struct DeviceUser {
    scenario: Scenario,
    temper: Temper,
    book: &'static Phrasebook,
    /// What settles the wordings.
    name: String,
    /// How often each thing was said, by the wordings' first.
    uses: BTreeMap<&'static str, u64>,
    /// What is still to be done with the phone before the user speaks.
    errands: VecDeque<Errand>,
    running: Option<Errand>,
    speech: UserSpeech,
    done: BTreeMap<DeviceStep, u32>,
    wondered: BTreeMap<DeviceStep, u32>,
    numbers_given: u32,
    numbers_corrected: u32,
    waits: u32,
    listens: u32,
    reports: u32,
    setbacks: u32,
    has_asked_alternative: bool,
    has_told_whereabouts: bool,
    has_remarked: bool,
    has_kept_plan: bool,
    /// Whether the last amounts that the agent told are none that the user knows.
    doubts_price: bool,
    /// Whether the message told more steps than the user takes in.
    leaves_steps: bool,
    /// Why the call is about to end, once it is.
    parting: Option<Parting>,
}

impl DeviceUser {
    pub fn new(task: &TelecomTask, persona: Persona) -> DeviceUser {
        DeviceUser {
            scenario: task.scenario(),
            temper: Temper::of(persona),
            book: Phrasebook::of(persona),
            name: task.id_with(persona),
            uses: BTreeMap::new(),
            errands: VecDeque::new(),
            running: None,
            speech: UserSpeech::default(),
            done: BTreeMap::new(),
            wondered: BTreeMap::new(),
            numbers_given: 0,
            numbers_corrected: 0,
            waits: 0,
            listens: 0,
            reports: 0,
            setbacks: 0,
            has_asked_alternative: false,
            has_told_whereabouts: false,
            has_remarked: false,
            has_kept_plan: false,
            doubts_price: false,
            leaves_steps: false,
            parting: None,
        }
    }

    pub fn next(&mut self, since: &UserHears<'_>) -> UserMove {
        match since {
            UserHears::Beginning => self.complain(),
            UserHears::Agent(text) => self.listen(&understand(text)),
            UserHears::Shown(text) => self.see(text),
            UserHears::Transferred => {
                self.errands.clear();
                self.parting = Some(Parting::HandedOver);
            }
        }
        self.proceed()
    }

    /// Uses the phone while there is something to do, else speaks.
    fn proceed(&mut self) -> UserMove {
        if self.parting.is_none()
            && let Some(errand) = self.errands.pop_front()
        {
            self.running = Some(errand);
            return UserMove::Act { tool: errand.step.tool(), arguments: errand.step.arguments() };
        }
        if std::mem::take(&mut self.leaves_steps) && self.parting.is_none() {
            self.say(self.book.one_thing);
        }
        if self.parting.is_none() && (self.setbacks >= self.temper.patience || self.listens >= LISTENS) {
            self.parting = Some(Parting::GaveUp);
        }
        let Some(parting) = self.parting else {
            if self.speech.text.is_empty() {
                self.say(self.book.puzzled);
            }
            return UserMove::Say(std::mem::take(&mut self.speech));
        };
        self.say(match parting {
            Parting::Content => self.book.content,
            Parting::HandedOver => self.book.handed_over,
            Parting::GaveUp => self.book.gives_up,
        });
        UserMove::Leave { farewell: std::mem::take(&mut self.speech), parting }
    }

    fn complain(&mut self) {
        self.say(self.book.complaint(self.scenario.complaint));
        if self.temper.volunteers && self.scenario.whereabouts == Some(Whereabouts::Abroad) {
            self.tell_whereabouts();
        }
    }

    fn tell_whereabouts(&mut self) {
        self.has_told_whereabouts = true;
        match self.scenario.whereabouts {
            Some(Whereabouts::Abroad) => self.say(self.book.abroad),
            Some(Whereabouts::Home) | None => self.say(self.book.home),
        }
    }

    /// Takes in what the phone shows after the running errand.
    fn see(&mut self, shown: &str) {
        let Some(errand) = self.running.take() else { return };
        match errand.purpose {
            Purpose::Told => self.see_told(errand.step, shown),
            Purpose::Peek(switch, wanted) if position(switch, shown) == wanted => {
                self.count(DeviceStep::Switch(switch, Some(wanted)));
                self.say_standing(self.book.already, switch_noun(switch), wanted);
            }
            Purpose::Peek(switch, wanted) => {
                let step = DeviceStep::Switch(switch, Some(wanted));
                self.errands.push_front(Errand { step, purpose: Purpose::Told });
            }
            Purpose::PutBack(wanted) => self.say_standing(self.book.put_back, noun(errand.step), wanted),
            Purpose::Prove { is_claimed } => self.judge(shown, is_claimed),
        }
    }

    fn see_told(&mut self, step: DeviceStep, shown: &str) {
        if let DeviceStep::Switch(switch, Some(wanted)) = step
            && position(switch, shown) != wanted
        {
            self.errands.push_front(Errand { step, purpose: Purpose::PutBack(wanted) });
            return;
        }
        self.count(step);
        let is_look = matches!(step, DeviceStep::Look(_) | DeviceStep::LookAtPermissions(_));
        let lead = if is_look { self.book.looked } else { self.book.did };
        if self.speech.text.is_empty() {
            self.say(lead);
        }
        self.speech.add(&retelling(shown, step == DeviceStep::Restart));
        self.reports += 1;
        if step == DeviceStep::Look(self.goal_look()) && self.is_reached(shown) {
            self.parting = Some(Parting::Content);
        } else if self.reports == REPORTS_BEFORE_REMARK {
            self.remark();
        }
    }

    /// Adds what could matter: that there is no Wi-Fi.
    fn remark(&mut self) {
        if self.scenario.is_without_wifi && !self.has_remarked {
            self.has_remarked = true;
            self.say(self.book.no_wifi);
        }
    }

    fn judge(&mut self, shown: &str, is_claimed: bool) {
        if self.is_reached(shown) {
            self.speech.add(&retelling(shown, true));
            self.parting = Some(Parting::Content);
            return;
        }
        self.say(self.book.still_bad);
        self.speech.add(&retelling(shown, true));
        self.setbacks += u32::from(is_claimed || self.has_asked_alternative);
        if self.has_asked_alternative {
            self.say(self.book.impatient);
        } else {
            self.has_asked_alternative = true;
            self.say(self.book.alternative);
        }
    }

    fn goal_look(&self) -> DeviceLook {
        match self.scenario.goal {
            Goal::Signal => DeviceLook::StatusBar,
            Goal::ExcellentSpeed => DeviceLook::SpeedTest,
            Goal::PictureMessage => DeviceLook::PictureMessage,
        }
    }

    fn is_reached(&self, shown: &str) -> bool {
        match self.scenario.goal {
            Goal::Signal => shown.contains('📶'),
            Goal::ExcellentSpeed => shown.contains("(Excellent)"),
            Goal::PictureMessage => shown.contains(" can send"),
        }
    }

    fn count(&mut self, step: DeviceStep) {
        let times = self.done.entry(step).or_default();
        *times += 1;
        let is_look = matches!(step, DeviceStep::Look(_) | DeviceStep::LookAtPermissions(_) | DeviceStep::Restart);
        self.setbacks += u32::from(*times > 2 && !is_look);
    }

    fn say_standing(&mut self, wordings: Wordings, thing: &str, wanted: SwitchPosition) {
        let stands = match wanted {
            SwitchPosition::On => "is on",
            SwitchPosition::Off => "is off",
        };
        self.say_with(wordings, &format!("{thing} {stands}"));
    }

    fn say(&mut self, wordings: Wordings) {
        let wording = self.wording(wordings);
        self.speech.add(wording);
    }

    fn say_with(&mut self, wordings: Wordings, value: &str) {
        let sentence = self.wording(wordings).replace("{}", value);
        self.speech.add(&capital(&sentence));
    }

    /// The wording that comes next: the first by the user's name, then in turn.
    fn wording(&mut self, wordings: Wordings) -> &'static str {
        let Some(&first) = wordings.first() else { return "" };
        let uses = self.uses.entry(first).or_default();
        let count = wordings.len() as u64;
        let start = Stream::new(0, "wording", &format!("{}\0{first}", self.name)).below(count);
        let at = (start + *uses) % count;
        *uses += 1;
        usize::try_from(at).ok().and_then(|at| wordings.get(at)).copied().unwrap_or(first)
    }

    pub fn parting(&self) -> Option<Parting> {
        self.parting
    }

    /// Whether the call is about data or pictures, where a plan could be changed.
    fn has_plan_to_keep(&self) -> bool {
        self.scenario.complaint != Intent::Service
    }
}

fn capital(sentence: &str) -> String {
    let mut signs = sentence.chars();
    signs.next().map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), signs.as_str()))
}
