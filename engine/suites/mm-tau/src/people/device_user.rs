//! A user with a phone: a state machine that understands an agent, uses the phone one call at a time, and answers in the
//! words of a persona. Nothing is random: wordings follow from the task and the persona.

mod answer;

use std::collections::{BTreeMap, VecDeque};

use super::speech::{Parting, Temper, UserHears, UserMove, UserSpeech};
use crate::people::phrasebook::{Phrasebook, Saying, lesson, retelling};
use crate::people::understanding::{DeviceLook, DeviceStep, DeviceSwitch, SwitchPosition, understand};
use crate::telecom::{Goal, Intent, Persona, Scenario, TelecomTask, Whereabouts};

/// After how many reports of what the phone shows the user adds what could matter beside.
const REPORTS_BEFORE_REMARK: u32 = 2;

/// How many messages of an agent a user listens to at most, whatever the persona.
const LISTENS: u32 = 80;

#[derive(Clone)]
pub struct DeviceUser {
    scenario: Scenario,
    temper: Temper,
    pub(crate) book: Phrasebook,
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
            book: Phrasebook::new("phone", persona, task.id_with(persona)),
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
            self.say(Saying::OneThing);
        }
        if self.parting.is_none() && (self.setbacks >= self.temper.patience || self.listens >= LISTENS) {
            self.parting = Some(Parting::GaveUp);
        }
        let Some(parting) = self.parting else {
            if self.speech.text.is_empty() {
                self.say(Saying::Puzzled);
            }
            return UserMove::Say(std::mem::take(&mut self.speech));
        };
        self.say(match parting {
            Parting::Content => Saying::Content,
            Parting::HandedOver => Saying::HandedOver,
            Parting::GaveUp => Saying::GivesUp,
        });
        UserMove::Leave(std::mem::take(&mut self.speech))
    }

    fn complain(&mut self) {
        self.say(match self.scenario.complaint {
            Intent::MobileData => Saying::Data,
            Intent::Service => Saying::Service,
            Intent::Mms => Saying::Mms,
        });
        if self.temper.volunteers && self.scenario.whereabouts == Some(Whereabouts::Abroad) {
            self.tell_whereabouts();
        }
    }

    fn tell_whereabouts(&mut self) {
        self.has_told_whereabouts = true;
        match self.scenario.whereabouts {
            Some(Whereabouts::Abroad) => self.say(Saying::Abroad),
            Some(Whereabouts::Home) | None => self.say(Saying::Home),
        }
    }

    /// Takes in what the phone shows after the running errand.
    fn see(&mut self, shown: &str) {
        let Some(errand) = self.running.take() else { return };
        match errand.purpose {
            Purpose::Told => self.see_told(errand.step, shown),
            Purpose::Peek(switch, wanted) if position(switch, shown) == wanted => {
                self.count(DeviceStep::Switch(switch, Some(wanted)));
                self.say_standing(Saying::Already, &lesson(DeviceStep::Switch(switch, None)).noun, wanted);
            }
            Purpose::Peek(switch, wanted) => {
                let step = DeviceStep::Switch(switch, Some(wanted));
                self.errands.push_front(Errand { step, purpose: Purpose::Told });
            }
            Purpose::PutBack(wanted) => self.say_standing(Saying::PutBack, &lesson(errand.step).noun, wanted),
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
        let lead = if is_look { Saying::Looked } else { Saying::Did };
        if self.speech.text.is_empty() {
            self.say(lead);
        }
        self.speech.add(&retelling(shown, step == DeviceStep::Restart));
        self.reports += 1;
        if step == DeviceStep::Look(self.scenario.goal.into()) && self.is_reached(shown) {
            self.parting = Some(Parting::Content);
        } else if self.reports == REPORTS_BEFORE_REMARK {
            self.remark();
        }
    }

    /// Adds what could matter: that there is no Wi-Fi.
    fn remark(&mut self) {
        if self.scenario.is_without_wifi && !self.has_remarked {
            self.has_remarked = true;
            self.say(Saying::NoWifi);
        }
    }

    fn judge(&mut self, shown: &str, is_claimed: bool) {
        if self.is_reached(shown) {
            self.speech.add(&retelling(shown, true));
            self.parting = Some(Parting::Content);
            return;
        }
        self.say(Saying::StillBad);
        self.speech.add(&retelling(shown, true));
        self.setbacks += u32::from(is_claimed || self.has_asked_alternative);
        if self.has_asked_alternative {
            self.say(Saying::Impatient);
        } else {
            self.has_asked_alternative = true;
            self.say(Saying::Alternative);
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

    fn say_standing(&mut self, saying: Saying, thing: &str, wanted: SwitchPosition) {
        let stands = match wanted {
            SwitchPosition::On => "is on",
            SwitchPosition::Off => "is off",
        };
        self.say_with(saying, &format!("{thing} {stands}"));
    }

    fn say(&mut self, saying: Saying) {
        let wording = self.book.wording(saying);
        self.speech.add(wording);
    }

    fn say_with(&mut self, saying: Saying, value: &str) {
        let sentence = self.book.with(saying, value);
        self.speech.add(&capital(&sentence));
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Errand {
    pub(super) step: DeviceStep,
    pub(super) purpose: Purpose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Told,
    /// To see where a switch stands before it is moved.
    Peek(DeviceSwitch, SwitchPosition),
    /// To move a switch back that stood right already.
    PutBack(SwitchPosition),
    /// To see whether all is well, as the agent claimed or asked.
    Prove {
        is_claimed: bool,
    },
}

impl Errand {
    /// What is done first about a step: a switch is looked at before it is moved, where a look shows it without showing
    /// what the agent did not ask for.
    pub(super) fn first(step: DeviceStep) -> Errand {
        if let DeviceStep::Switch(switch, Some(position)) = step
            && switch.look() != DeviceLook::NetworkStatus
        {
            return Errand { step: DeviceStep::Look(switch.look()), purpose: Purpose::Peek(switch, position) };
        }
        Errand { step, purpose: Purpose::Told }
    }
}

/// Where a switch stands, as a look or a move shows it.
pub(super) fn position(switch: DeviceSwitch, shown: &str) -> SwitchPosition {
    let first = shown.lines().next().unwrap_or(shown);
    let is_on = first.contains(" ON") || (switch == DeviceSwitch::AirplaneMode && first.contains('✈'));
    if is_on { SwitchPosition::On } else { SwitchPosition::Off }
}

pub(super) const fn is_everyday(step: DeviceStep) -> bool {
    matches!(
        step,
        DeviceStep::Restart
            | DeviceStep::Pay
            | DeviceStep::Look(DeviceLook::PictureMessage | DeviceLook::PaymentRequest)
    )
}
