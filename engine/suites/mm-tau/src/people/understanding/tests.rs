use super::*;
use crate::measures::AgentAct;

/// The steps of a message, each as its tool with what it is told beside it.
fn told(text: &str) -> String {
    let shown = |step: DeviceStep| match step {
        DeviceStep::Switch(_, Some(SwitchPosition::On)) => format!("{} on", step.tool()),
        DeviceStep::Switch(_, Some(SwitchPosition::Off)) => format!("{} off", step.tool()),
        DeviceStep::Prefer(mode) => format!("{} {}", step.tool(), mode.name()),
        DeviceStep::Grant(app, permission) => format!("{} {} {}", step.tool(), app.name(), permission.name()),
        _ => step.tool().to_owned(),
    };
    understand(text).steps().map(shown).collect::<Vec<_>>().join(", ")
}

/// Messages, and the steps that they tell.
const WORDINGS: &[(&str, &str)] = &[
    ("Please turn airplane mode off.", "toggle_airplane_mode off"),
    ("Could you switch off Airplane Mode for me?", "toggle_airplane_mode off"),
    ("Go to Settings > Network and disable airplane mode.", "toggle_airplane_mode off"),
    ("Open the control centre, find airplane mode, and turn it off.", "toggle_airplane_mode off"),
    ("Make sure that Airplane Mode is turned OFF on your phone.", "toggle_airplane_mode off"),
    ("I'd like you to take your phone out of flight mode.", "toggle_airplane_mode off"),
    ("Airplane mode should be off, so please toggle it off.", "toggle_airplane_mode off"),
    ("Turn airplane mode on and then off again.", "toggle_airplane_mode on, toggle_airplane_mode off"),
    ("If airplane mode is on, turn it off.", "toggle_airplane_mode off"),
    (
        "Here's how to turn airplane mode off:\n\n1. Open Settings\n2. Tap Airplane Mode and switch it off\n",
        "toggle_airplane_mode off",
    ),
    ("Please turn on:\n1. Mobile Data\n2. Data Roaming", "toggle_data on, toggle_roaming on"),
    ("Please reboot your phone.", "reboot_device"),
    ("Next, restart the device and tell me when it is back.", "reboot_device"),
    ("Turn your phone off and on again.", "reboot_device"),
    ("Why don't you restart your phone?", "reboot_device"),
    ("Let's try a restart of your phone.", "reboot_device"),
    ("Allow the messaging app to use storage.", "grant_app_permission messaging storage"),
    (
        "Please grant the Messages app both the SMS and the storage permission.",
        "grant_app_permission messaging sms, grant_app_permission messaging storage",
    ),
    ("Open your app settings and give the messaging app permission to send SMS.", "grant_app_permission messaging sms"),
    ("Enable the storage permission for your messaging app.", "grant_app_permission messaging storage"),
    ("Which permissions does the messaging app have?", "check_app_permissions"),
    ("Set the network preference to 4G/5G.", "set_network_mode_preference 4g_5g_preferred"),
    (
        "Please change your preferred network type from 2G only to 4G/5G preferred.",
        "set_network_mode_preference 4g_5g_preferred",
    ),
    ("Set your network mode to \"4g_5g_preferred\".", "set_network_mode_preference 4g_5g_preferred"),
    ("Switch the network mode to 4G only.", "set_network_mode_preference 4g_only"),
    ("Check the status bar, please.", "check_status_bar"),
    ("What do you see at the top of your screen?", "check_status_bar"),
    ("Can you see any signal bars?", "check_status_bar"),
    ("Is airplane mode on?", "check_status_bar"),
    ("Please run a speed test and tell me the result.", "run_speed_test"),
    ("What does a speed test say?", "run_speed_test"),
    ("Please take the SIM card out and put it back in.", "reseat_sim_card"),
    ("Could you re-insert your SIM card?", "reseat_sim_card"),
    ("Put the SIM card back in.", "reseat_sim_card"),
    ("Can you check your SIM card status?", "check_sim_status"),
    ("Tell me if your SIM is locked.", "check_sim_status"),
    ("Please pay the bill now.", "make_payment"),
    ("I have sent you a payment request. Please accept it.", "make_payment"),
    ("Check your payment requests and make the payment.", "check_payment_request, make_payment"),
    ("Turn on mobile data.", "toggle_data on"),
    ("Please enable cellular data in your settings.", "toggle_data on"),
    ("Make sure mobile data is enabled.", "toggle_data on"),
    ("Toggle mobile data off and then on.", "toggle_data off, toggle_data on"),
    ("Please turn on data roaming.", "toggle_roaming on"),
    ("Switch data saver off.", "toggle_data_saver_mode off"),
    ("Disable Wi-Fi calling, please.", "toggle_wifi_calling off"),
    ("Turn off Wi-Fi calling and restart your phone.", "toggle_wifi_calling off, reboot_device"),
    ("Turn your Wi‑Fi off.", "toggle_wifi off"),
    ("Turn your Wi-Fi off.", "toggle_wifi off"),
    ("Please disconnect from your VPN.", "disconnect_vpn"),
    ("Are you connected to a VPN? If so, please disconnect.", "check_vpn_status, disconnect_vpn"),
    ("Please make sure the SIM card is seated correctly.", "reseat_sim_card"),
    (
        "Steps:\n1. Open **Settings**\n2. Turn off **Airplane Mode**\n3. Restart your phone",
        "toggle_airplane_mode off, reboot_device",
    ),
    (
        "Your phone is on 2G only. Please set the preferred network mode to 4G/5G preferred.",
        "set_network_mode_preference 4g_5g_preferred",
    ),
    (
        "Check your APN settings. If the MMSC URL is not set, reset the APN and reboot.",
        "check_apn_settings, reset_apn_settings, reboot_device",
    ),
    ("Don't turn off Wi-Fi calling, just restart.", "reboot_device"),
    ("Turn off the VPN.", "disconnect_vpn"),
    ("Are you using a VPN?", "check_vpn_status"),
    ("Reset your APN settings and then restart the phone.", "reset_apn_settings, reboot_device"),
    ("Please check your APN settings; what is the MMSC URL?", "check_apn_settings"),
    ("Try sending a picture message now.", "can_send_mms"),
    ("Can you try to send an MMS?", "can_send_mms"),
    ("Check whether data saver is on.", "check_data_restriction_status"),
    ("Is Wi-Fi calling turned on?", "check_wifi_calling_status"),
    ("What is your network mode preference set to?", "check_network_mode_preference"),
    ("Please open the network status page and tell me what it shows.", "check_network_status"),
    (
        "Turn off Wi-Fi calling, data saver and the VPN.",
        "toggle_wifi_calling off, toggle_data_saver_mode off, disconnect_vpn",
    ),
];

#[test]
fn free_wordings_of_steps_are_understood() {
    let wrong: Vec<_> =
        WORDINGS.iter().filter(|(text, steps)| told(text) != *steps).map(|(text, _)| (text, told(text))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_not_to_be_done_is_no_step() {
    for text in [
        "Do not restart yet.",
        "Please don't turn off airplane mode.",
        "There is no need to reboot your phone.",
        "You should see a signal now.",
        "I have enabled roaming on your line.",
        "I see that airplane mode is on.",
        "Before you restart your phone, wait for me.",
        "I will send you a payment request.",
        "I am checking your data usage.",
        "Your line is suspended because a bill is overdue.",
        "That tells me that mobile data is switched off.",
        "We will continue without resetting the APN.",
        "Thank you for restarting.",
        "You can turn Wi-Fi back on later.",
        "To send picture messages, your phone needs mobile data.",
        "Are you able to pay this bill today?",
        "I can send a payment request to your phone, which you can then accept.",
        "",
        "?!",
    ] {
        assert_eq!(told(text), "", "{text}");
    }
}

#[test]
fn a_condition_tells_a_step_only_by_itself() {
    assert_eq!(told("Let me know once you have restarted your phone."), "reboot_device");
    assert_eq!(told("Turn data on. Once you have restarted your phone, tell me."), "toggle_data on");
    assert_eq!(told("After restarting, what does the status bar show?"), "reboot_device, check_status_bar");
}

fn acts(text: &str) -> Vec<SpokenAct> {
    understand(text).acts.clone()
}

#[test]
fn questions_for_fields_and_values_are_understood() {
    let ask = |field, is_spelled| vec![SpokenAct::AskField { field, is_spelled }];
    assert_eq!(acts("May I have your phone number, please?"), ask(AskedField::PhoneNumber, false));
    assert_eq!(acts("Could you repeat the number digit by digit?"), ask(AskedField::PhoneNumber, true));
    assert_eq!(acts("Please provide your full name."), ask(AskedField::FullName, false));
    assert_eq!(acts("What is your date of birth?"), ask(AskedField::DateOfBirth, false));
    assert_eq!(acts("Thank you for your phone number."), []);
    let repeat = |value: &str, is_question| {
        vec![SpokenAct::Repeat { field: AskedField::PhoneNumber, value: value.to_owned(), is_question }]
    };
    assert_eq!(acts("You said 555-123-2002, is that right?"), repeat("5551232002", true));
    assert_eq!(
        acts("I heard five five five, one two three, double oh two two. Is that correct?"),
        repeat("5551230022", true)
    );
    assert_eq!(acts("I found your account with the number 555 123 2003."), repeat("5551232003", false));
    let name = SpokenAct::Repeat { field: AskedField::FullName, value: "Joan Smith".to_owned(), is_question: true };
    assert_eq!(acts("Am I speaking with Joan Smith?"), [name]);
}

#[test]
fn questions_for_consent_are_understood() {
    let topics = |text: &str| -> Vec<ConsentTopic> {
        let topic = |act: SpokenAct| if let SpokenAct::AskConsent(topic) = act { Some(topic) } else { None };
        acts(text).into_iter().filter_map(topic).collect()
    };
    let refuel = ConsentTopic::Refuel { gb: Some(2.0) };
    assert_eq!(topics("Shall I add 2 GB of data for $5.00?"), [refuel]);
    assert_eq!(topics("May I add 2 GB of data for $5.00 and enable roaming?"), [refuel, ConsentTopic::EnableRoaming]);
    assert_eq!(topics("Shall I add 2 GB of data for $50.00?"), [ConsentTopic::Mispriced]);
    let fee = "Shall I add 2 GB of data for $5.00, plus a handling fee of a hundred dollars?";
    assert_eq!(topics(fee), [ConsentTopic::Mispriced]);
    let battery = "Your phone shows 80 % battery. Shall I add 2 GB of data at $2.50 a GB?";
    assert_eq!(topics(battery), [refuel]);
    assert_eq!(topics("Would you like 1 GB for $2.50 or 2 GB for $5.00?"), []);
    assert_eq!(topics("2 GB would cost $5.00. Would that be okay?"), [refuel]);
    assert_eq!(topics("Would you like to buy two gigabytes of extra data?"), [refuel]);
    assert_eq!(topics("May I send you a payment request for the overdue bill?"), [ConsentTopic::PayBill]);
    assert_eq!(topics("Are you able to pay this bill today?"), [ConsentTopic::PayBill]);
    assert_eq!(topics("Do you want me to resume your line?"), [ConsentTopic::ResumeLine]);
    assert_eq!(topics("Is it okay if I enable roaming on your line?"), [ConsentTopic::EnableRoaming]);
    assert_eq!(topics("Would you like to change your plan?"), [ConsentTopic::ChangePlan]);
    assert_eq!(topics("Would you like me to transfer you to a human agent?"), [ConsentTopic::HandOver]);
    assert_eq!(topics("Do you consent to this charge?"), [ConsentTopic::Unnamed]);
    assert_eq!(topics("Would you like to turn on roaming on your phone?"), []);
    let key = r#"refuel_data {"customer_id":"C1001","gb_amount":2,"line_id":"L1002"}"#;
    assert_eq!(refuel.key().as_deref(), Some(key));
    assert_eq!(understand("Shall I add 2 GB?").agent_acts(), [AgentAct::Confirm { key: Some(key.to_owned()) }]);
}

#[test]
fn the_course_of_a_call_is_understood() {
    let table = [
        ("Hello, how can I help you today?", SpokenAct::AskProblem),
        ("Are you travelling abroad at the moment?", SpokenAct::AskWhereabouts),
        ("Your problem is solved.", SpokenAct::ClaimSolved),
        ("Everything should be working now.", SpokenAct::ClaimSolved),
        ("Is it working now?", SpokenAct::AskOutcome),
        ("Is there anything else I can do for you?", SpokenAct::AskElse),
        ("I am transferring you to a colleague.", SpokenAct::HandOver),
        ("One moment, please.", SpokenAct::Wait),
    ];
    for (text, act) in table {
        assert_eq!(acts(text), [act], "{text}");
    }
    assert_eq!(acts("It is not solved yet."), []);
    assert_eq!(understand("").agent_acts(), [AgentAct::Inform]);
}
