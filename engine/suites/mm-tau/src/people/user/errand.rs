//! One use of the phone that the user has in mind, and what comes of it.

use crate::people::understanding::{DeviceLook, DeviceStep, DeviceSwitch, SwitchPosition};

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
    let is_on = match switch {
        DeviceSwitch::AirplaneMode => first.contains('✈') || first.contains(" ON"),
        DeviceSwitch::MobileData
        | DeviceSwitch::Roaming
        | DeviceSwitch::DataSaver
        | DeviceSwitch::Wifi
        | DeviceSwitch::WifiCalling => first.contains(" ON"),
    };
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
