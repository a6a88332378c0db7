//! Things on a phone and what is done with them, by the lists of the vocabulary.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::Vocabulary;
use serde::Deserialize;

use super::step::{AppPermission, NetworkMode, PhoneApp};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_there() {
        assert_eq!((SUBJECTS.lists().len(), DEEDS.lists().len()), (20, 12));
        assert_eq!((PERMISSIONS.lists().len(), APPS.lists().len(), NETWORKS.lists().len()), (4, 2, 4));
    }
}
