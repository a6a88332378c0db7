//! Who the user is, and what they know, want and agree to: as data, and as a short text for a simulator of users.

use std::collections::BTreeSet;

use serde::Serialize;

use super::tables::{Intent, Issue, in_words};
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
        let caller = in_words("caller").replace("{name}", self.name).replace("{number}", self.phone_number);
        let whereabouts = self.whereabouts.map(|whereabouts| in_words(whereabouts.name()));
        let known = [in_words(self.complaint.name())].into_iter().chain(whereabouts);
        let known = known.chain(self.is_without_wifi.then(|| in_words("no_wifi"))).chain([in_words(self.goal.name())]);
        let answers = |how: &'static str, offers: &'static [Offer]| {
            offers.iter().map(move |offer| in_words(how).replace("{}", &offer.text()))
        };
        let sentences = [caller].into_iter().chain(known.map(str::to_owned));
        let sentences = sentences.chain(answers("agrees", self.agrees_to)).chain(answers("declines", self.declines));
        sentences.chain([in_words("conduct").to_owned()]).collect::<Vec<_>>().join(" ")
    }
}

impl Offer {
    fn text(self) -> String {
        match self {
            Offer::PayBill => in_words("pay_bill").to_owned(),
            Offer::Refuel { gb } => in_words("refuel").replace("{}", &format!("{gb:?}")),
            Offer::ChangePlan => in_words("change_plan").to_owned(),
        }
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

impl Persona {
    /// What is said about the user, if anything.
    pub fn profile(self) -> Option<Profile> {
        match self {
            Persona::None => None,
            Persona::Easy => {
                Some(Profile { skill: Skill::Average, manner: Manner::Confirming, text: in_words("easy") })
            }
            Persona::Hard => Some(Profile { skill: Skill::Low, manner: Manner::Anxious, text: in_words("hard") }),
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
            text("[mobile_data_issue]user_abroad_roaming_enabled_off").strip_suffix(in_words("conduct")),
            Some(
                "You are John Smith, and you call about your phone with the number 555-123-2002. Its mobile data crawl \
                 or fail altogether. You are travelling in France. There is no Wi-Fi that you could use instead. You \
                 are content when a speed test says excellent, and with no lesser word. If it comes to that, you agree \
                 to buy 2.0 GB of data. You do not want another plan. "
            )
        );
        assert_eq!(
            text("[service_issue]lock_sim_card_pin").strip_suffix(in_words("conduct")),
            Some(
                "You are John Smith, and you call about your phone with the number 555-123-2002. It has been without a \
                 network since this morning. You are content as soon as the status bar shows a signal. If it comes to \
                 that, you agree to pay a bill. "
            )
        );
    }

    #[test]
    fn every_name_has_its_words() {
        let names = Goal::ALL.map(Goal::name).into_iter().chain(Whereabouts::ALL.map(Whereabouts::name));
        let parts = ["caller", "no_wifi", "agrees", "declines", "pay_bill", "refuel", "change_plan", "conduct"];
        let names = names.chain(Intent::ALL.map(Intent::name)).chain(parts).chain(["easy", "hard"]);
        assert!(names.into_iter().all(|name| !in_words(name).is_empty()));
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
