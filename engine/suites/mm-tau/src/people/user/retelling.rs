//! What the phone showed, in the user's words. The facts stay: positions, names, amounts, verdicts.

/// How a line begins, and how it is retold; `{}` is the rest of the line. The first row that fits counts.
const LINES: &[(&str, &str)] = &[
    ("Airplane Mode is now ", "airplane mode is {} now"),
    ("Mobile Data is now ", "mobile data is {} now"),
    ("Data Roaming is now ", "data roaming is {} now"),
    ("Data Saver Mode is now ", "data saver is {} now"),
    ("Wi-Fi Calling is now ", "Wi-Fi calling is {} now"),
    ("Wi-Fi is now ", "Wi-Fi is {} now"),
    ("Airplane Mode: ", "airplane mode is {}"),
    ("SIM Card Status: ", "the SIM card is {}"),
    ("Cellular Connection: ", "the connection says {}"),
    ("Cellular Signal: none", "there's no signal"),
    ("Cellular Signal: ", "the signal is {}"),
    ("Cellular Network Type: none", "there's no network type"),
    ("Cellular Network Type: ", "the network type is {}"),
    ("Mobile Data Enabled: Yes", "mobile data is on"),
    ("Mobile Data Enabled: No", "mobile data is off"),
    ("Data Roaming Enabled: Yes", "data roaming is on"),
    ("Data Roaming Enabled: No", "data roaming is off"),
    ("Wi-Fi Radio: ", "Wi-Fi is {}"),
    ("Wi-Fi Connected: Yes", "Wi-Fi is connected"),
    ("Wi-Fi Connected: No", "no Wi-Fi is connected"),
    ("Network Mode Preference: ", "the preferred network mode is {}"),
    ("Preferred Network Mode set to: ", "the preferred network mode is {} now"),
    ("Speed test failed: No Connection.", "the speed test failed, there's no connection"),
    ("Speed Test Result: ", "the speed test says {}"),
    ("Your SIM card is active and working.", "it says that the SIM card is active and working"),
    ("No SIM card detected in the phone.", "it says that there's no SIM card in the phone"),
    ("The SIM card is locked with a ", "it says that the SIM card is locked with a {}"),
    ("Data Saver mode is ON", "data saver is on"),
    ("Data Saver mode is OFF", "data saver is off"),
    ("Current APN Name: ", "the APN name is {}"),
    ("MMSC URL (for picture messages): ", "the MMSC address for picture messages is {}"),
    ("(These are technical settings", ""),
    ("Wi-Fi Calling is currently turned ", "Wi-Fi calling is {}"),
    ("VPN is ON and connected. Details: ", "the VPN is on and connected, {}"),
    ("VPN is turned OFF.", "the VPN is off"),
    ("VPN connected successfully.", "the VPN is connected"),
    ("VPN disconnected successfully.", "it says that the VPN is disconnected"),
    ("No active VPN connection to disconnect.", "it says that no VPN is connected"),
    ("App 'messaging' has permission for: ", "the messaging app has permission for {}"),
    ("App 'messaging' currently has no permissions granted.", "the messaging app has no permissions at all"),
    ("Success. Permission 'sms' granted", "the messaging app may send SMS now"),
    ("Success. Permission 'storage' granted", "the messaging app may use storage now"),
    ("Your messaging app can send MMS messages.", "it says that picture messages can be sent"),
    ("Your messaging app cannot send MMS messages.", "it says that picture messages cannot be sent"),
    ("No payment request has been made.", "there's no payment request"),
    ("You have a payment request for bill ", "there's a payment request for bill {}"),
    ("You do not have a payment request.", "there's no payment request to pay"),
    ("Payment of ", "it says: payment of {}"),
    ("SIM card re-seated successfully.", "the SIM card is back in its place"),
    ("APN settings will reset at reboot.", "it says that the APN settings will be reset when the phone restarts"),
    ("Resetting APN settings...", "it said that it was resetting the APN settings"),
    ("Restarting network services...", "it restarted"),
    ("The following apps are installed on the phone: ", "the apps are {}"),
];

/// The parts of the status bar, and how each is retold; an empty one is left out.
const BAR: &[(&str, &str)] = &[
    ("✈", "there's the little airplane of airplane mode"),
    ("No Signal", "there's no signal"),
    ("¹ Poor", "the signal is poor"),
    ("² Fair", "the signal is fair"),
    ("³ Good", "the signal is good"),
    ("⁴ Excellent", "the signal is excellent"),
    ("Data Enabled", "data are on"),
    ("Data Disabled", "data are off"),
    ("Data Saver", "data saver is on"),
    ("VPN", "there's a VPN connected"),
    ("🔋", ""),
    ("5G", "5G"),
    ("4G", "4G"),
    ("3G", "3G"),
    ("2G", "2G"),
];

/// What the phone showed, as a sentence. `wants_bar` says whether the status bar is told where other lines are shown too.
pub(super) fn retelling(shown: &str, wants_bar: bool) -> String {
    let lines: Vec<&str> = shown.lines().collect();
    let told = lines.iter().filter_map(|line| match line.strip_prefix("Status Bar: ") {
        Some(bar) if wants_bar || lines.len() == 1 => Some(format!("at the top {}", listed(&bar_parts(bar)))),
        Some(_) => None,
        None => line_in_words(line),
    });
    let told: Vec<String> = told.collect();
    sentence(&listed(&told))
}

fn line_in_words(line: &str) -> Option<String> {
    let row = LINES.iter().find_map(|(start, words)| line.strip_prefix(start).map(|rest| (words, rest)));
    let told = match row {
        Some((words, rest)) => words.replace("{}", plain(rest).as_str()),
        None => format!("it says \"{}\"", line.trim()),
    };
    (!told.is_empty() && !line.trim().is_empty()).then_some(told)
}

/// A value without the advice behind it, positions and answers in lower case.
fn plain(rest: &str) -> String {
    let rest = rest.trim_end_matches('.');
    let short = rest.split_once(") ").map_or(rest, |(short, _)| short).trim_end_matches('.');
    let short = short.split_once("). ").map_or(short, |(short, _)| short);
    match short {
        "ON" | "OFF" | "Yes" | "No" => short.to_lowercase(),
        "no_service" => "no service".to_owned(),
        "locked_pin" => "locked with a PIN".to_owned(),
        "locked_puk" => "locked with a PUK".to_owned(),
        other => other.trim_end_matches(')').replace(" (", ", ").replace('_', " "),
    }
}

fn bar_parts(bar: &str) -> Vec<String> {
    let told = bar.split(" | ").map(|part| {
        let row = BAR.iter().find(|(sign, _)| part.contains(sign));
        row.map_or_else(|| part.to_owned(), |(_, words)| (*words).to_owned())
    });
    told.filter(|part| !part.is_empty()).collect()
}

fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// With a capital and a full stop.
fn sentence(words: &str) -> String {
    let mut signs = words.chars();
    match signs.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), signs.as_str().trim_end_matches('.')),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_stay() {
        let table = [
            (
                "Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%",
                "At the top the signal is excellent, 5G and data are on.",
            ),
            ("Status Bar: ✈️ Airplane Mode | 🔋 80%", "At the top there's the little airplane of airplane mode."),
            ("Mobile Data is now ON.\nStatus Bar: 📵 No Signal", "Mobile data is on now."),
            (
                "Speed Test Result: 0.25 Mbps (Very Poor). Connection is very slow. Basic web browsing might be difficult.",
                "The speed test says 0.25 Mbps, Very Poor.",
            ),
            ("The SIM card is locked with a PIN code.", "It says that the SIM card is locked with a PIN code."),
            (
                "SIM Card Status: locked_pin\nCellular Connection: no_service",
                "The SIM card is locked with a PIN and the connection says no service.",
            ),
            ("Something new", "It says \"Something new\"."),
            ("", ""),
        ];
        for (shown, told) in table {
            assert_eq!(retelling(shown, false), told);
        }
    }
}
