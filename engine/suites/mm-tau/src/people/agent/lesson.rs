//! How an agent tells a step: shortly, and with directions for a user who asks where a thing is. Data, and a look-up.

use crate::people::understanding::{AppPermission, DeviceLook, DeviceStep, DeviceSwitch, SwitchPosition};

/// Two ways to tell a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lesson {
    pub(super) short: &'static str,
    pub(super) guided: &'static str,
}

const fn lesson(short: &'static str, guided: &'static str) -> Lesson {
    Lesson { short, guided }
}

pub(super) const fn of(step: DeviceStep) -> Lesson {
    match step {
        DeviceStep::Look(look) => of_look(look),
        DeviceStep::LookAtPermissions(_) => lesson(
            "Please check which permissions your messaging app has.",
            "Please go to Settings, tap Apps, tap the messaging app, and tell me which permissions it shows.",
        ),
        DeviceStep::Switch(switch, Some(SwitchPosition::Off)) => of_off(switch),
        DeviceStep::Switch(switch, Some(SwitchPosition::On) | None) => of_on(switch),
        DeviceStep::Prefer(_) => lesson(
            "Please set your network mode preference to 4G/5G.",
            "In Settings, under Mobile networks, there is a list called network mode. Please set the network mode to 4G/5G there. Nothing gets lost by that.",
        ),
        DeviceStep::Grant(_, AppPermission::Storage) => lesson(
            "Please grant your messaging app the storage permission.",
            "In Settings under Apps you will find the messaging app. Please allow the messaging app to use storage there. It is the same as for any other app.",
        ),
        DeviceStep::Grant(..) => lesson(
            "Please grant your messaging app the SMS permission.",
            "In Settings under Apps you will find the messaging app. Please allow the messaging app to send SMS there. It is the same as for any other app.",
        ),
        DeviceStep::ResetApn | DeviceStep::EnterApn => lesson(
            "Please reset your APN settings.",
            "In Settings, under Mobile networks, there is an entry called Access point names. Please reset the access point there; a menu in the corner offers it.",
        ),
        DeviceStep::ReseatSim => lesson(
            "Please take the SIM card out and put it back in.",
            "At the side of your phone is a small tray that opens with a paper clip. Please take the SIM card out of it and put it back in. Your pictures and messages stay where they are.",
        ),
        DeviceStep::Restart => lesson(
            "Please restart your phone.",
            "Please hold the power button at the side and restart your phone with it.",
        ),
        DeviceStep::ConnectVpn => {
            lesson("Please connect your VPN.", "In Settings, under Network, please connect the VPN.")
        }
        DeviceStep::DisconnectVpn => lesson(
            "Please disconnect your VPN.",
            "In Settings, under Network, there is an entry called VPN. Please disconnect the VPN there. You can always connect it again later.",
        ),
        DeviceStep::Pay => lesson(
            "Please accept the payment request on your phone.",
            "A message with a payment request is on your phone. Please tap it, and pay the bill there.",
        ),
    }
}

const fn of_look(look: DeviceLook) -> Lesson {
    match look {
        DeviceLook::StatusBar => {
            lesson("What does the status bar show?", "Please look at the top of your screen. What do you see there?")
        }
        DeviceLook::NetworkStatus => lesson(
            "Please check the network status on your phone and tell me what it says.",
            "Please go to Settings, tap Network, and read me what the network status shows.",
        ),
        DeviceLook::NetworkMode => lesson(
            "Which network mode preference is set?",
            "Please go to Settings, tap Mobile networks, and tell me which network mode is set.",
        ),
        DeviceLook::SpeedTest => lesson(
            "Please run a speed test and tell me the result.",
            "There is an icon called Speed on your phone. Please tap it to run a speed test, and tell me what it says.",
        ),
        DeviceLook::Sim => lesson(
            "Please check the SIM card status.",
            "Please go to Settings, tap About phone, and tell me what it says about the SIM card.",
        ),
        DeviceLook::DataSaver => {
            lesson("Is data saver on?", "Please go to Settings, tap Network, and tell me whether data saver is on.")
        }
        DeviceLook::Apn => lesson(
            "Please check your APN settings.",
            "Please go to Settings, tap Mobile networks, and read me what it says under Access point names.",
        ),
        DeviceLook::Wifi => lesson("Is Wi-Fi on?", "Please swipe down from the top, and tell me whether Wi-Fi is on."),
        DeviceLook::WifiCalling => {
            lesson("Is Wi-Fi calling on?", "Please go to Settings, tap Calls, and tell me whether Wi-Fi calling is on.")
        }
        DeviceLook::Vpn => {
            lesson("Is a VPN connected?", "Please go to Settings, tap Network, and tell me whether a VPN is connected.")
        }
        DeviceLook::Apps => lesson(
            "Which apps are installed?",
            "Please go to Settings, tap Apps, and tell me which apps are installed.",
        ),
        DeviceLook::PictureMessage => lesson(
            "Please try to send a picture message.",
            "Please open your messages, tap the icon with the camera, and try to send a picture message.",
        ),
        DeviceLook::PaymentRequest => lesson(
            "Please check whether there is a payment request on your phone.",
            "Please open your messages, tap the newest, and tell me whether it is a payment request.",
        ),
    }
}

const fn of_off(switch: DeviceSwitch) -> Lesson {
    match switch {
        DeviceSwitch::AirplaneMode => lesson(
            "Please turn airplane mode off.",
            "Please swipe down from the top of your screen. There is an icon that looks like a little airplane. Tap it to turn airplane mode off.",
        ),
        DeviceSwitch::MobileData => {
            lesson("Please turn mobile data off.", "In Settings, under Network, please turn mobile data off.")
        }
        DeviceSwitch::Roaming => {
            lesson("Please turn data roaming off.", "In Settings, under Network, please turn data roaming off.")
        }
        DeviceSwitch::DataSaver => lesson(
            "Please turn data saver off.",
            "In Settings, under Network, there is a switch called Data saver. Please turn data saver off there.",
        ),
        DeviceSwitch::Wifi => lesson("Please turn Wi-Fi off.", "In Settings, under Network, please turn Wi-Fi off."),
        DeviceSwitch::WifiCalling => lesson(
            "Please turn Wi-Fi calling off.",
            "In Settings, under Calls, there is a switch called Wi-Fi calling. Please turn Wi-Fi calling off there.",
        ),
    }
}

const fn of_on(switch: DeviceSwitch) -> Lesson {
    match switch {
        DeviceSwitch::AirplaneMode => lesson(
            "Please turn airplane mode on.",
            "Please swipe down from the top of your screen and turn airplane mode on.",
        ),
        DeviceSwitch::MobileData => lesson(
            "Please turn mobile data on.",
            "In Settings, under Network, there is a switch called Mobile data. Please turn mobile data on there.",
        ),
        DeviceSwitch::Roaming => lesson(
            "Please turn data roaming on.",
            "In Settings, under Network, there is a switch called Roaming. Please turn data roaming on there, so that your phone may use the networks abroad.",
        ),
        DeviceSwitch::DataSaver => {
            lesson("Please turn data saver on.", "In Settings, under Network, please turn data saver on.")
        }
        DeviceSwitch::Wifi => lesson("Please turn Wi-Fi on.", "In Settings, under Network, please turn Wi-Fi on."),
        DeviceSwitch::WifiCalling => {
            lesson("Please turn Wi-Fi calling on.", "In Settings, under Calls, please turn Wi-Fi calling on.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::understanding::{NetworkMode, PhoneApp, understand};

    #[test]
    fn every_lesson_tells_its_step_and_the_guided_one_where() {
        let switches = [
            DeviceSwitch::AirplaneMode,
            DeviceSwitch::MobileData,
            DeviceSwitch::Roaming,
            DeviceSwitch::DataSaver,
            DeviceSwitch::Wifi,
            DeviceSwitch::WifiCalling,
        ];
        let looks = [
            DeviceLook::StatusBar,
            DeviceLook::NetworkStatus,
            DeviceLook::NetworkMode,
            DeviceLook::SpeedTest,
            DeviceLook::Sim,
            DeviceLook::DataSaver,
            DeviceLook::Apn,
            DeviceLook::Wifi,
            DeviceLook::WifiCalling,
            DeviceLook::Vpn,
            DeviceLook::Apps,
            DeviceLook::PictureMessage,
            DeviceLook::PaymentRequest,
        ];
        let mut steps: Vec<DeviceStep> = looks.map(DeviceStep::Look).to_vec();
        for position in [SwitchPosition::On, SwitchPosition::Off] {
            steps.extend(switches.map(|switch| DeviceStep::Switch(switch, Some(position))));
        }
        steps.extend([
            DeviceStep::LookAtPermissions(PhoneApp::Messaging),
            DeviceStep::Prefer(NetworkMode::FiveAndFour),
            DeviceStep::Grant(PhoneApp::Messaging, AppPermission::Sms),
            DeviceStep::Grant(PhoneApp::Messaging, AppPermission::Storage),
            DeviceStep::ResetApn,
            DeviceStep::ReseatSim,
            DeviceStep::Restart,
            DeviceStep::ConnectVpn,
            DeviceStep::DisconnectVpn,
            DeviceStep::Pay,
        ]);
        for step in steps {
            let Lesson { short, guided } = of(step);
            assert_eq!(understand(short).steps().collect::<Vec<_>>(), [step], "{short}");
            let heard = understand(guided);
            assert_eq!(heard.steps().collect::<Vec<_>>(), [step], "{guided}");
            assert!(heard.has_directions && heard.acts.len() == 1, "{guided}: {:?}", heard.acts);
        }
    }
}
