//! How careful a service agent is, as data.

use probity_bench::named;

named! {
    pub enum ServiceManner {
        /// Reads back, asks for consent, looks before it hands over, and hands over only when nothing is left.
        Oracle = "oracle",
        /// Never reads back and never asks for consent.
        Reckless = "reckless",
        /// Hands over after the first complaint.
        PrematureTransfer = "premature_transfer",
        /// Says that it is solved where it should hand over.
        NeverTransfers = "never_transfers",
        /// Looks customers up under a number with a wrong digit.
        WrongNumber = "wrong_number",
    }
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
