//! What a clause tells to do with the phone: things, deeds and positions found by the tables, and put together.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::act::{AppPermission, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SwitchPosition};
use super::mood::Mood;
use super::words::{Clause, Cue, heard};
use probity_prose::{Vocabulary, WordClass, lexicon::is};

/// What earlier clauses of the message spoke of, for `it` and for lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    subject: Option<Subject>,
    deeds: Vec<Deed>,
    positions: Vec<SwitchPosition>,
    app: Option<PhoneApp>,
    mood: Option<Mood>,
}

struct Parts<'w> {
    clause: &'w Clause,
    subjects: Vec<Subject>,
    deeds: Vec<Deed>,
    positions: Vec<SwitchPosition>,
    app: PhoneApp,
}

/// The steps that a clause tells, in the order of mention.
pub(super) fn steps(clause: &Clause, mood: Mood, memory: &mut Memory) -> Vec<DeviceStep> {
    let words = &clause.words;
    let app = APPS.heard(words).iter().map(|mention| *mention.list).min().or(memory.app);
    let mut subjects = named(words, &SUBJECTS);
    let (mut deeds, mut positions) = (named(words, &DEEDS), positions(words));
    let real = |subject: &Subject| !matches!(subject, Subject::It | Subject::Other);
    let thing = subjects.iter().copied().find(|subject| real(subject) && *subject != Subject::Phone);
    let is_bare = subjects.is_empty() && deeds.first().is_some_and(|deed| *deed != Deed::Look);
    if thing.is_none() && (is_bare || subjects.contains(&Subject::It) || is_rest(words, &deeds)) {
        subjects.extend(memory.subject);
    }
    let is_list = deeds.is_empty() && !memory.deeds.is_empty() && is_rest(words, &deeds);
    if is_list {
        deeds.clone_from(&memory.deeds);
        positions = if positions.is_empty() { memory.positions.clone() } else { positions };
    }
    let mood = memory.mood.filter(|_| is_list).unwrap_or(mood);
    memory.mood = Some(mood);
    memory.app = app;
    memory.subject = thing.or_else(|| subjects.iter().copied().find(real)).or(memory.subject);
    if mood == Mood::Statement {
        memory.deeds.clear();
        return Vec::new();
    }
    memory.deeds.clone_from(&deeds);
    memory.positions.clone_from(&positions);
    let parts = Parts { clause, subjects, deeds, positions, app: app.unwrap_or(PhoneApp::Messaging) };
    if mood == Mood::Question { parts.looks() } else { parts.told() }
}

/// Whether a clause only carries on what an earlier one said.
fn is_rest(words: &[CompactString], deeds: &[Deed]) -> bool {
    let (subjects, permissions) = (SUBJECTS.heard(words), PERMISSIONS.heard(words));
    let mut at = 0;
    while let Some(first) = words.get(at) {
        let subject = subjects.longest(at).map(|mention| mention.length);
        let named = subject.or_else(|| permissions.longest(at).map(|mention| mention.length));
        let Some(length) = named.or(is(WordClass::Carried, first).then_some(1)) else { return false };
        at += length;
    }
    deeds.is_empty()
}

/// The positions that are told, in order. An `on` before a place (`on your phone`) tells none.
fn positions(words: &[CompactString]) -> Vec<SwitchPosition> {
    let mut told: Vec<SwitchPosition> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map_or("", CompactString::as_str);
        let after = words.get(at + 1).map_or("", CompactString::as_str);
        let is_place = word == "on"
            && !is(WordClass::Turning, before)
            && (is(WordClass::Spots, after) || is(WordClass::Taps, before));
        let is_off = is(WordClass::Off, word) || (word == "out" && after == "of");
        let is_on = is(WordClass::On, word) && !is_place;
        let position = is_off.then_some(SwitchPosition::Off).or(is_on.then_some(SwitchPosition::On));
        told.extend(position.filter(|position| told.last() != Some(position)));
    }
    told
}

impl Parts<'_> {
    fn looks(&self) -> Vec<DeviceStep> {
        // Whether a bill can be paid is nothing that a phone shows.
        let is_shown = |subject: &&Subject| **subject != Subject::Payment || self.clause.said.has(Cue::Requests);
        self.subjects.iter().filter(is_shown).filter_map(|subject| self.look(*subject)).collect()
    }

    fn told(&self) -> Vec<DeviceStep> {
        let mut steps: Vec<DeviceStep> = Vec::new();
        for subject in &self.subjects {
            steps.extend(self.step(*subject));
        }
        let is_allowing = self.deeds.contains(&Deed::Allow) && !self.subjects.contains(&Subject::Permission);
        if is_allowing {
            steps.extend(self.grants());
        }
        if self.deeds.contains(&Deed::Restart) && !steps.contains(&DeviceStep::Restart) {
            steps.push(DeviceStep::Restart);
        }
        let can_prefer = self.turns()
            && self.subjects.iter().all(|subject| matches!(subject, Subject::Phone | Subject::It | Subject::Other));
        if can_prefer && steps.is_empty() {
            steps.extend(self.network().map(DeviceStep::Prefer));
        }
        steps
    }

    fn step(&self, subject: Subject) -> Vec<DeviceStep> {
        let look = || self.look(subject).filter(|_| self.is_looked_at()).into_iter().collect::<Vec<_>>();
        let has_deed = |deeds: &[Deed]| self.deeds.iter().any(|deed| deeds.contains(deed));
        let is_first_look = self.deeds.first() == Some(&Deed::Look);
        match subject {
            _ if is_first_look && !matches!(subject, Subject::Phone | Subject::It | Subject::Other) => look(),
            Subject::Airplane => self.switch(DeviceSwitch::AirplaneMode),
            Subject::MobileData => self.switch(DeviceSwitch::MobileData),
            Subject::Roaming => self.switch(DeviceSwitch::Roaming),
            Subject::DataSaver => self.switch(DeviceSwitch::DataSaver),
            Subject::Wifi => self.switch(DeviceSwitch::Wifi),
            Subject::WifiCalling => self.switch(DeviceSwitch::WifiCalling),
            Subject::Vpn => self.vpn(),
            Subject::NetworkMode if self.turns() || self.deeds.is_empty() => {
                self.network().map(DeviceStep::Prefer).into_iter().collect()
            }
            Subject::Sim if has_deed(&[Deed::Reseat]) => vec![DeviceStep::ReseatSim],
            Subject::Apn if has_deed(&[Deed::Reset]) => vec![DeviceStep::ResetApn],
            Subject::Apn if self.turns() && self.clause.said.has(Cue::Internet) => vec![DeviceStep::EnterApn],
            Subject::Permission if self.turns() || has_deed(&[Deed::Allow]) => self.grants(),
            Subject::Payment if has_deed(&[Deed::Pay]) => vec![DeviceStep::Pay],
            Subject::Phone if has_deed(&[Deed::Restart]) || self.is_power_cycle() => vec![DeviceStep::Restart],
            Subject::SpeedTest | Subject::NetworkStatus | Subject::PictureMessage if has_deed(&[Deed::Run]) => {
                self.look(subject).into_iter().collect()
            }
            Subject::NetworkMode
            | Subject::NetworkStatus
            | Subject::StatusBar
            | Subject::SpeedTest
            | Subject::Sim
            | Subject::Apn
            | Subject::Apps
            | Subject::Permission
            | Subject::PictureMessage
            | Subject::Payment => look(),
            Subject::Phone | Subject::It | Subject::Other => Vec::new(),
        }
    }

    fn is_looked_at(&self) -> bool {
        self.deeds.contains(&Deed::Look) || (self.deeds.contains(&Deed::Run) && self.clause.said.has(Cue::Tests))
    }

    fn turns(&self) -> bool {
        self.deeds.iter().any(|deed| matches!(deed, Deed::Turn | Deed::TurnOn | Deed::TurnOff))
    }

    fn is_power_cycle(&self) -> bool {
        let is_alone =
            self.subjects.iter().all(|subject| matches!(subject, Subject::Phone | Subject::It | Subject::Other));
        is_alone && self.turns() && self.positions.contains(&SwitchPosition::Off)
    }

    fn switch(&self, switch: DeviceSwitch) -> Vec<DeviceStep> {
        if !self.turns() {
            return Vec::new();
        }
        let mut positions = self.positions.clone();
        if positions.is_empty() {
            positions.extend(self.deeds.iter().find_map(|deed| match deed {
                Deed::TurnOn => Some(SwitchPosition::On),
                Deed::TurnOff => Some(SwitchPosition::Off),
                _ => None,
            }));
        }
        if positions.is_empty() {
            let is_flip = self.clause.said.has(Cue::Flips);
            return if is_flip { vec![DeviceStep::Switch(switch, None)] } else { Vec::new() };
        }
        positions.into_iter().map(|position| DeviceStep::Switch(switch, Some(position))).collect()
    }

    fn vpn(&self) -> Vec<DeviceStep> {
        let by_deed = self.deeds.iter().filter_map(|deed| match deed {
            Deed::Connect => Some(SwitchPosition::On),
            Deed::Disconnect => Some(SwitchPosition::Off),
            Deed::TurnOff if self.positions.is_empty() => Some(SwitchPosition::Off),
            Deed::TurnOn if self.positions.is_empty() => Some(SwitchPosition::On),
            _ => None,
        });
        let turned = self.positions.iter().copied().filter(|_| self.turns());
        let steps = by_deed.chain(turned).map(|position| match position {
            SwitchPosition::On => DeviceStep::ConnectVpn,
            SwitchPosition::Off => DeviceStep::DisconnectVpn,
        });
        steps.collect()
    }

    /// The networks to prefer: of `from .. to ..` the latter.
    fn network(&self) -> Option<NetworkMode> {
        let words = &self.clause.words;
        let to = words.iter().rposition(|word| word == "to").and_then(|at| words.get(at + 1..));
        let named = |words: &[CompactString]| {
            let (said, networks) = (heard(words), NETWORKS.heard(words));
            let is_preferred = said.has(Cue::Four) && said.has(Cue::Preferred);
            let first = networks.iter().map(|mention| *mention.list).min();
            first.map(|first| if is_preferred { NetworkMode::FiveAndFour } else { first })
        };
        let is_only = self.clause.said.has(Cue::OnlyFour);
        if is_only { Some(NetworkMode::Four) } else { to.and_then(named).or_else(|| named(words)) }
    }

    fn grants(&self) -> Vec<DeviceStep> {
        let mut wanted: Vec<AppPermission> = named(&self.clause.words, &PERMISSIONS);
        if self.clause.said.has(Cue::AllPermissions) && wanted.is_empty() {
            wanted = vec![AppPermission::Sms, AppPermission::Storage];
        }
        wanted.into_iter().map(|permission| DeviceStep::Grant(self.app, permission)).collect()
    }

    fn look(&self, subject: Subject) -> Option<DeviceStep> {
        let look = match subject {
            Subject::Airplane => DeviceLook::StatusBar,
            Subject::MobileData | Subject::Roaming | Subject::NetworkStatus => DeviceLook::NetworkStatus,
            Subject::DataSaver => DeviceLook::DataSaver,
            Subject::Wifi => DeviceLook::Wifi,
            Subject::WifiCalling => DeviceLook::WifiCalling,
            Subject::Vpn => DeviceLook::Vpn,
            Subject::NetworkMode => DeviceLook::NetworkMode,
            Subject::StatusBar => DeviceLook::StatusBar,
            Subject::SpeedTest => DeviceLook::SpeedTest,
            Subject::Sim => DeviceLook::Sim,
            Subject::Apn => DeviceLook::Apn,
            Subject::Apps => DeviceLook::Apps,
            Subject::Permission => return Some(DeviceStep::LookAtPermissions(self.app)),
            Subject::PictureMessage if self.is_about_pictures() => DeviceLook::PictureMessage,
            Subject::Payment => DeviceLook::PaymentRequest,
            Subject::PictureMessage | Subject::Phone | Subject::It | Subject::Other => return None,
        };
        Some(DeviceStep::Look(look))
    }

    /// Whether pictures are not only spoken of as what another thing is for.
    fn is_about_pictures(&self) -> bool {
        let others = [Subject::Apn, Subject::WifiCalling, Subject::Permission];
        !self.subjects.iter().any(|subject| others.contains(subject))
    }
}

/// A thing on the phone, or a thing that is easily taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Subject {
    Airplane,
    MobileData,
    Roaming,
    DataSaver,
    Wifi,
    WifiCalling,
    Vpn,
    NetworkMode,
    NetworkStatus,
    StatusBar,
    SpeedTest,
    Sim,
    Apn,
    Apps,
    Permission,
    PictureMessage,
    Payment,
    Phone,
    /// The last thing that was spoken of.
    It,
    /// Nothing that a tool of the phone reaches.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Deed {
    Look,
    Turn,
    TurnOn,
    TurnOff,
    Restart,
    Reset,
    /// Taken out, or put back in.
    Reseat,
    Allow,
    Run,
    Pay,
    Connect,
    Disconnect,
}

pub(super) static SUBJECTS: LazyLock<Vocabulary<Subject>> = LazyLock::new(|| Vocabulary::of("things"));
pub(super) static DEEDS: LazyLock<Vocabulary<Deed>> = LazyLock::new(|| Vocabulary::of("phone_deeds"));
pub(super) static PERMISSIONS: LazyLock<Vocabulary<AppPermission>> = LazyLock::new(|| Vocabulary::of("permissions"));
pub(super) static APPS: LazyLock<Vocabulary<PhoneApp>> = LazyLock::new(|| Vocabulary::of("apps"));
pub(super) static NETWORKS: LazyLock<Vocabulary<NetworkMode>> = LazyLock::new(|| Vocabulary::of("networks"));

/// All that is named, in order; where two phrases overlap, the longer.
pub(super) fn named<T: Copy + PartialEq>(words: &[CompactString], vocabulary: &Vocabulary<T>) -> Vec<T> {
    let heard = vocabulary.heard(words);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let longest = heard.longest(at);
        found.extend(longest.map(|mention| *mention.list));
        at += longest.map_or(1, |mention| mention.length);
    }
    found
}
