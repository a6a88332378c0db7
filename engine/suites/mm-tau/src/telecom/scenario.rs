//! Who the user is, and what they know, want and agree to: as data, and as a short text for a simulator of users.

use std::collections::BTreeSet;

use serde::Serialize;

use super::tables::{Intent, Issue};
use probity_bench::named;

named! {
    pub enum Whereabouts {
        /// In the United States, where the line is from.
        Home = "home",
        /// In France, where data need roaming.
        Abroad = "abroad",
    }
}

named! {
    /// What must be seen before the user is content, by a tool of the user's.
    pub enum Goal {
        /// The status bar shows a signal.
        Signal = "signal",
        /// A speed test calls the speed excellent; nothing less will do.
        ExcellentSpeed = "excellent_speed",
        PictureMessage = "picture_message",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    PayBill,
    /// Buying this much more data.
    Refuel {
        gb: f64,
    },
    ChangePlan,
}

/// The user's side of a task. Neither the cause nor the customer's id is among what the user knows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scenario {
    pub name: &'static str,
    pub phone_number: &'static str,
    pub complaint: Intent,
    pub whereabouts: Option<Whereabouts>,
    pub is_without_wifi: bool,
    pub agrees_to: &'static [Offer],
    pub declines: &'static [Offer],
    pub goal: Goal,
}

/// How users behave, whatever they call about.
const CONDUCT: &str = "You do not know what causes it. What your phone shows or does you say only after you have \
looked with its tools, and look again when a step may have changed it. Do as the agent asks; the first time that a \
step does not help, let some impatience show. Ask back when you are not sure what to do.";

impl Goal {
    const fn text(self) -> &'static str {
        match self {
            Goal::Signal => "You are content as soon as the status bar shows a signal.",
            Goal::ExcellentSpeed => "You are content when a speed test says excellent, and with no lesser word.",
            Goal::PictureMessage => "You are content once your phone says that it can send picture messages.",
        }
    }
}

impl Whereabouts {
    const fn text(self) -> &'static str {
        match self {
            Whereabouts::Home => "You are in the United States, where you live.",
            Whereabouts::Abroad => "You are travelling in France.",
        }
    }
}

impl Scenario {
    pub(super) fn new(intent: Intent, issues: &BTreeSet<Issue>) -> Scenario {
        const DATA: (&[Offer], &[Offer]) = (&[Offer::Refuel { gb: REFUEL_GB }], &[Offer::ChangePlan]);
        const SERVICE: (&[Offer], &[Offer]) = (&[Offer::PayBill], &[]);
        let whereabouts = if issues.iter().copied().any(is_abroad) { Whereabouts::Abroad } else { Whereabouts::Home };
        let (whereabouts, goal, (agrees_to, declines)) = match intent {
            Intent::MobileData => (Some(whereabouts), Goal::ExcellentSpeed, DATA),
            Intent::Service => (None, Goal::Signal, SERVICE),
            Intent::Mms => (Some(whereabouts), Goal::PictureMessage, DATA),
        };
        let is_without_wifi = intent == Intent::MobileData;
        let (name, phone_number, complaint) = (CUSTOMER_NAME, PHONE_NUMBER, intent);
        Scenario { name, phone_number, complaint, whereabouts, is_without_wifi, agrees_to, declines, goal }
    }

    pub fn text(&self) -> String {
        let mut sentences = vec![
            format!("You are {}, and you call about your phone with the number {}.", self.name, self.phone_number),
            complaint(self.complaint).to_owned(),
        ];
        sentences.extend(self.whereabouts.map(|whereabouts| whereabouts.text().to_owned()));
        sentences.extend(self.is_without_wifi.then(|| "There is no Wi-Fi that you could use instead.".to_owned()));
        sentences.push(self.goal.text().to_owned());
        sentences
            .extend(self.agrees_to.iter().map(|offer| format!("If it comes to that, you agree to {}.", words(*offer))));
        sentences.extend(self.declines.iter().map(|offer| format!("You do not want {}.", words(*offer))));
        sentences.push(CONDUCT.to_owned());
        sentences.join(" ")
    }
}

const fn complaint(intent: Intent) -> &'static str {
    match intent {
        Intent::MobileData => "Its mobile data crawl or fail altogether.",
        Intent::Service => "It has been without a network since this morning.",
        Intent::Mms => "Since this morning it sends no picture messages.",
    }
}

fn words(offer: Offer) -> String {
    match offer {
        Offer::PayBill => "pay a bill".to_owned(),
        Offer::Refuel { gb } => format!("buy {gb:?} GB of data"),
        Offer::ChangePlan => "another plan".to_owned(),
    }
}

fn is_abroad(issue: Issue) -> bool {
    matches!(
        issue,
        Issue::UserAbroadRoamingDisabledOff | Issue::UserAbroadRoamingDisabledOn | Issue::UserAbroadRoamingEnabledOff
    )
}

/// What is the same in all tasks: the one customer, their line, the bill of a suspension.
pub const CUSTOMER_ID: &str = "C1001";
pub const CUSTOMER_NAME: &str = "John Smith";
pub const PHONE_NUMBER: &str = "555-123-2002";
pub const LINE_ID: &str = "L1002";
/// The overdue bill that a suspension brings with it.
pub const BILL_ID: &str = "B1234321";
/// How many GB the user buys, and the most that the policy lets an agent sell.
pub const REFUEL_GB: f64 = 2.0;
/// What a GB of data costs the customer, in cents.
pub const REFUEL_CENTS_PER_GB: u64 = 250;
/// What is due on the overdue bill, in cents: a month of the customer's plan.
pub const BILL_CENTS: u64 = 4_400;

named! {
    pub enum Persona {
        None = "None",
        Easy = "Easy",
        /// An anxious user of little experience.
        Hard = "Hard",
    }
}

/// How well a user knows phones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skill {
    /// Knows the usual settings, and follows steps.
    Average,
    /// Knows no term, and needs each explained.
    Low,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Repeats what was understood and tells all that happened.
    Confirming,
    /// Says nothing unasked and interrupts with worries.
    Anxious,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Knowledge of phones.
    pub skill: Skill,
    pub manner: Manner,
    /// The same as a text for a simulator of users, or for an agent who is told.
    pub text: &'static str,
}

const EASY: Profile = Profile {
    skill: Skill::Average,
    manner: Manner::Confirming,
    text: "You are 41 and keep an office running. Calls, texts and apps are everyday things to you; for a setting that \
           you have not met you like to be led one step at a time. You stay friendly, say back what you are to do \
           before you do it, and afterwards tell exactly what you saw.",
};

const HARD: Profile = Profile {
    skill: Skill::Low,
    manner: Manner::Anxious,
    text: "You are 64 and spent your working life among books. You are uneasy with your phone and afraid of losing \
           what is on it. Technical words mean nothing to you until they are put plainly. You answer what is asked \
           and no more, often break in with a worry, and go on once you have been reassured.",
};

impl Persona {
    /// What is said about the user, if anything.
    pub const fn profile(self) -> Option<&'static Profile> {
        match self {
            Persona::None => None,
            Persona::Easy => Some(&EASY),
            Persona::Hard => Some(&HARD),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::task;
    use super::*;

    #[test]
    fn is_told_in_words() {
        let text = |id| task(id).unwrap().scenario().text();
        assert_eq!(
            text("[mobile_data_issue]user_abroad_roaming_enabled_off").strip_suffix(CONDUCT),
            Some(
                "You are John Smith, and you call about your phone with the number 555-123-2002. Its mobile data crawl \
                 or fail altogether. You are travelling in France. There is no Wi-Fi that you could use instead. You \
                 are content when a speed test says excellent, and with no lesser word. If it comes to that, you agree \
                 to buy 2.0 GB of data. You do not want another plan. "
            )
        );
        assert_eq!(
            text("[service_issue]lock_sim_card_pin").strip_suffix(CONDUCT),
            Some(
                "You are John Smith, and you call about your phone with the number 555-123-2002. It has been without a \
                 network since this morning. You are content as soon as the status bar shows a signal. If it comes to \
                 that, you agree to pay a bill. "
            )
        );
    }

    #[test]
    fn the_user_is_where_the_issue_is() {
        let whereabouts = |id| task(id).unwrap().scenario().whereabouts;
        assert_eq!(whereabouts("[mms_issue]bad_wifi_calling"), Some(Whereabouts::Home));
        assert_eq!(
            whereabouts("[mms_issue]bad_wifi_calling|user_abroad_roaming_disabled_on"),
            Some(Whereabouts::Abroad)
        );
        assert_eq!(whereabouts("[service_issue]airplane_mode_on"), None);
    }
}
