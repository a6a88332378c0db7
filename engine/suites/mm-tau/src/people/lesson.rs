//! Steps in words, read from `lessons.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::people::understanding::{AppPermission, DeviceStep, SwitchPosition};
use serde::Deserialize;

/// What a step is about, and two ways to tell it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lesson {
    pub(super) noun: String,
    pub(super) short: String,
    pub(super) guided: String,
}

static LESSONS: LazyLock<BTreeMap<String, Lesson>> =
    LazyLock::new(|| toml::from_str(include_str!("lessons.toml")).unwrap_or_default());
static NONE: Lesson = Lesson { noun: String::new(), short: String::new(), guided: String::new() };

pub(super) fn of(step: DeviceStep) -> &'static Lesson {
    let tool = if step == DeviceStep::EnterApn { DeviceStep::ResetApn.tool() } else { step.tool() };
    let name = match step {
        DeviceStep::Switch(_, Some(SwitchPosition::Off)) => format!("{tool} off"),
        DeviceStep::Switch(_, Some(SwitchPosition::On) | None) => format!("{tool} on"),
        DeviceStep::Grant(_, AppPermission::Storage) => format!("{tool} storage"),
        DeviceStep::Grant(..) => format!("{tool} sms"),
        _ => tool.to_owned(),
    };
    LESSONS.get(&name).unwrap_or(&NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::understanding::{DeviceLook, DeviceSwitch, NetworkMode, PhoneApp, understand};

    #[test]
    fn every_lesson_tells_its_step_and_the_guided_one_where() {
        let mut steps: Vec<DeviceStep> = DeviceLook::ALL.iter().map(|look| DeviceStep::Look(*look)).collect();
        for position in [SwitchPosition::On, SwitchPosition::Off] {
            steps.extend(DeviceSwitch::ALL.iter().map(|switch| DeviceStep::Switch(*switch, Some(position))));
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
        assert_eq!(steps.len(), LESSONS.len());
        for step in steps {
            let Lesson { short, guided, .. } = of(step);
            assert_eq!(understand(short).steps().collect::<Vec<_>>(), [step], "{short}");
            let heard = understand(guided);
            assert_eq!(heard.steps().collect::<Vec<_>>(), [step], "{guided}");
            assert!(heard.has_directions && heard.acts.len() == 1, "{guided}: {:?}", heard.acts);
        }
    }
}
