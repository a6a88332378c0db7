//! How a user answers what an agent says.

use super::{DeviceUser, Errand, Purpose, is_everyday};
use crate::measures::{Consent, FieldKind, FieldMention, canonical};
use crate::people::phrasebook::{Saying, lesson};
use crate::people::understanding::{AskedField, ConsentTopic, DeviceStep, SpokenAct, Understanding};
use crate::telecom::Offer;

/// After how many times the number was said it is said again unwillingly.
const WILLING_NUMBERS: u32 = 2;
/// How often a user asks where one step is found.
const WONDERS: u32 = 2;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Proof {
    Asked,
    Claimed,
}

impl DeviceUser {
    /// Answers a message: says what can be said at once, and plans what is to be done with the phone.
    pub(super) fn listen(&mut self, heard: &Understanding) {
        self.errands.clear();
        self.running = None;
        self.listens += 1;
        if !heard.amounts.is_empty() {
            // What was told without a question for leave is held against what is asked then.
            self.doubts_price = !ConsentTopic::Unnamed.is_priced(&heard.amounts);
        }
        if heard.acts.is_empty() {
            self.setbacks += 1;
            self.say(Saying::Puzzled);
            return;
        }
        let steps: Vec<DeviceStep> = heard.steps().collect();
        let mut proof: Option<Proof> = None;
        for act in &heard.acts {
            match act {
                SpokenAct::Instruct(_) => {}
                SpokenAct::AskField { field, is_spelled } => self.give(*field, *is_spelled),
                SpokenAct::Repeat { field, value, is_question } => self.compare(*field, value, *is_question),
                SpokenAct::AskConsent(topic) => self.consent(*topic),
                SpokenAct::AskHowMuch => self.tell_amount(),
                SpokenAct::AskProblem if !self.speech.text.is_empty() => {}
                SpokenAct::AskProblem => self.complain(),
                SpokenAct::AskWhereabouts => self.tell_whereabouts(),
                SpokenAct::AskOutcome => proof = proof.max(Some(Proof::Asked)),
                SpokenAct::AskElse | SpokenAct::ClaimSolved => proof = Some(Proof::Claimed),
                SpokenAct::HandOver => self.wait(true),
                SpokenAct::Wait if heard.acts.len() == 1 => self.wait(false),
                SpokenAct::Wait => {}
            }
        }
        self.plan(&steps, heard.has_directions);
        if let Some(proof) = proof {
            let step = DeviceStep::Look(self.scenario.goal.into());
            self.errands.retain(|errand| errand.step != step);
            let purpose = Purpose::Prove { is_claimed: proof == Proof::Claimed };
            self.errands.push_back(Errand { step, purpose });
        }
    }

    fn wait(&mut self, is_handed_over: bool) {
        self.waits += 1;
        self.setbacks += u32::from(self.waits > 2);
        self.say(if is_handed_over { Saying::Holds } else { Saying::Waits });
    }

    fn give(&mut self, field: AskedField, is_spelled: bool) {
        match field {
            AskedField::PhoneNumber => {
                self.numbers_given += 1;
                self.setbacks += u32::from(self.numbers_given > WILLING_NUMBERS);
                let number = self.scenario.phone_number;
                if self.numbers_given == 1 && !is_spelled {
                    self.say_with(Saying::Number, number);
                } else {
                    self.say_with(Saying::NumberAgain, &sign_by_sign(number));
                    self.speech.spelled = true;
                }
                self.mention(field, number);
            }
            AskedField::FullName => {
                self.say_with(Saying::Name, self.scenario.name);
                self.mention(field, self.scenario.name);
            }
            AskedField::DateOfBirth | AskedField::CustomerId => self.say(Saying::UnknownField),
        }
    }

    fn compare(&mut self, field: AskedField, value: &str, is_question: bool) {
        let (kind, truth) = match field {
            AskedField::PhoneNumber => (FieldKind::Digits, self.scenario.phone_number),
            AskedField::FullName => (FieldKind::Name, self.scenario.name),
            AskedField::DateOfBirth | AskedField::CustomerId => return,
        };
        let (value, right) = (canonical(kind, value), canonical(kind, truth));
        let is_part = field == AskedField::FullName && format!(" {right} ").contains(&format!(" {value} "));
        if value == right || is_part {
            if is_question {
                self.say(Saying::Right);
            }
            return;
        }
        self.numbers_corrected += 1;
        self.setbacks += u32::from(self.numbers_corrected > 1);
        let is_spelled = field == AskedField::PhoneNumber && self.numbers_corrected > 1;
        let said = if is_spelled { sign_by_sign(truth) } else { truth.to_owned() };
        self.say_with(Saying::Wrong, &said);
        self.speech.spelled |= is_spelled;
        self.speech.corrects.push(field.name().to_owned());
        self.mention(field, truth);
    }

    fn mention(&mut self, field: AskedField, value: &str) {
        self.speech.mentions.push(FieldMention { field: field.name().to_owned(), value: value.to_owned() });
    }

    fn most_gb(&self) -> Option<f64> {
        self.scenario.agrees_to.iter().find_map(|offer| match offer {
            Offer::Refuel { gb } => Some(*gb),
            Offer::PayBill | Offer::ChangePlan => None,
        })
    }

    /// Says how many GB the user would buy.
    fn tell_amount(&mut self) {
        match self.most_gb() {
            Some(gb) => self.say_with(Saying::Amount, &format!("{gb}")),
            None => self.say(Saying::No),
        }
    }

    /// Answers a question for consent: by what the scenario agrees to and declines; what costs nothing is agreed to,
    /// and what the scenario does not know of is declined.
    fn consent(&mut self, topic: ConsentTopic) {
        let topic = if topic.costs() && self.doubts_price { ConsentTopic::Mispriced } else { topic };
        let agrees = |wanted: &dyn Fn(&Offer) -> bool| self.scenario.agrees_to.iter().any(wanted);
        let is_yes = match topic {
            ConsentTopic::Refuel { gb } => agrees(&|offer| match offer {
                Offer::Refuel { gb: most } => gb.is_none_or(|gb| gb <= *most && gb > 0.0),
                Offer::PayBill | Offer::ChangePlan => false,
            }),
            ConsentTopic::PayBill => agrees(&|offer| *offer == Offer::PayBill),
            ConsentTopic::ChangePlan => agrees(&|offer| *offer == Offer::ChangePlan),
            ConsentTopic::ResumeLine | ConsentTopic::EnableRoaming | ConsentTopic::HandOver | ConsentTopic::Unnamed => {
                true
            }
            ConsentTopic::SuspendLine | ConsentTopic::Mispriced => false,
        };
        let most = self.most_gb();
        match (is_yes, topic, most) {
            (true, ..) => self.say(Saying::Yes),
            (false, ConsentTopic::Mispriced, _) => self.say(Saying::DoubtsPrice),
            (false, ConsentTopic::Refuel { .. }, Some(most)) => self.say_with(Saying::OtherAmount, &format!("{most}")),
            (false, ..) => self.say(Saying::No),
        }
        let answer = if is_yes { Consent::Yes } else { Consent::No };
        self.speech.replies.extend(topic.key().map(|key| (key, answer)));
        if matches!(topic, ConsentTopic::Refuel { .. }) && self.has_plan_to_keep() && !self.has_kept_plan {
            self.has_kept_plan = true;
            self.say(Saying::NoPlan);
        }
    }

    /// Plans the steps that were told, as many as the user takes in and finds.
    fn plan(&mut self, steps: &[DeviceStep], has_directions: bool) {
        let most = self.temper.steps_at_once;
        for step in steps.iter().take(most) {
            if self.wonders(*step, has_directions) {
                self.say_with(Saying::WhereIs, &lesson(*step).noun);
                return;
            }
            self.errands.push_back(Errand::first(*step));
        }
        self.leaves_steps = steps.len() > most;
    }

    /// Whether the user has to ask first where a step is found.
    fn wonders(&mut self, step: DeviceStep, has_directions: bool) -> bool {
        if !self.temper.needs_directions || has_directions || is_everyday(step) || self.done.contains_key(&step) {
            return false;
        }
        let asked = self.wondered.entry(step).or_default();
        *asked += 1;
        *asked <= WONDERS
    }
}

fn sign_by_sign(number: &str) -> String {
    let groups = number.split('-').map(|group| group.chars().map(String::from).collect::<Vec<_>>().join(" "));
    groups.collect::<Vec<_>>().join(", ")
}
