//! How careful a service agent is, as data.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServiceManner {
    /// Reads back, asks for consent, looks before it hands over, and hands over only when nothing is left.
    Oracle,
    /// Never reads back and never asks for consent.
    Reckless,
    /// Hands over after the first complaint.
    PrematureTransfer,
    /// Says that it is solved where it should hand over.
    NeverTransfers,
    /// Looks customers up under a number with a wrong digit.
    WrongNumber,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandsOver {
    AtOnce,
    WhenRight,
    Never,
}

/// What an agent takes care of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Care {
    pub(super) reads_back: bool,
    pub(super) asks_consent: bool,
    pub(super) hands_over: HandsOver,
    pub(super) keeps_digits: bool,
    /// How often the number is asked for, read back or looked up before the agent goes on without records.
    pub(super) tries: u32,
}

const ORACLE: Care =
    Care { reads_back: true, asks_consent: true, hands_over: HandsOver::WhenRight, keeps_digits: true, tries: 12 };

impl ServiceManner {
    pub const ALL: &'static [ServiceManner] = &[
        ServiceManner::Oracle,
        ServiceManner::Reckless,
        ServiceManner::PrematureTransfer,
        ServiceManner::NeverTransfers,
        ServiceManner::WrongNumber,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            ServiceManner::Oracle => "oracle",
            ServiceManner::Reckless => "reckless",
            ServiceManner::PrematureTransfer => "premature_transfer",
            ServiceManner::NeverTransfers => "never_transfers",
            ServiceManner::WrongNumber => "wrong_number",
        }
    }

    pub(super) const fn care(self) -> Care {
        match self {
            ServiceManner::Oracle => ORACLE,
            ServiceManner::Reckless => Care { reads_back: false, asks_consent: false, tries: 3, ..ORACLE },
            ServiceManner::PrematureTransfer => Care { hands_over: HandsOver::AtOnce, ..ORACLE },
            ServiceManner::NeverTransfers => Care { hands_over: HandsOver::Never, ..ORACLE },
            ServiceManner::WrongNumber => Care { reads_back: false, keeps_digits: false, tries: 2, ..ORACLE },
        }
    }
}
