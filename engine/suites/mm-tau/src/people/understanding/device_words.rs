//! The words of what is done with a phone, of positions, networks, apps and permissions, as data.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

pub(super) const DEEDS: &[(Deed, &[&str])] = &[
    (
        Deed::Look,
        &[
            "check",
            "checking",
            "look",
            "looking",
            "see",
            "tell",
            "read",
            "show",
            "shows",
            "whether",
            "verify",
            "confirm",
            "report",
            "view",
            "describe",
            "find out",
            "inspect",
            "let me know",
            "what does",
            "what do",
            "what is",
            "what's",
            "which",
        ],
    ),
    (
        Deed::Turn,
        &[
            "turn",
            "turning",
            "switch",
            "switching",
            "toggle",
            "toggling",
            "set",
            "setting it",
            "change",
            "changing",
            "put",
            "flip",
            "slide",
            "make sure",
            "ensure",
            "select",
            "choose",
            "pick",
            "keep",
            "tap",
            "press",
            "move",
            "adjust",
            "update",
            "needs to be",
            "should be",
            "must be",
            "has to be",
        ],
    ),
    (
        Deed::TurnOn,
        &["enable", "enabling", "activate", "activating", "turn on", "turning on", "switch on", "switching on"],
    ),
    (
        Deed::TurnOff,
        &[
            "disable",
            "disabling",
            "deactivate",
            "deactivating",
            "turn off",
            "turning off",
            "switch off",
            "switching off",
            "shut off",
            "exit",
            "leave",
            "take your phone out of",
            "get out of",
            "out of",
        ],
    ),
    (
        Deed::Restart,
        &[
            "restart",
            "restarting",
            "reboot",
            "rebooting",
            "power cycle",
            "restarted",
            "rebooted",
            "reboot of",
            "restart of",
            "power it off",
            "power your phone off",
            "power off",
        ],
    ),
    (Deed::Reset, &["reset", "resetting", "restore", "restoring", "back to default", "to default", "clear"]),
    (
        Deed::Reseat,
        &[
            "reseat",
            "seated",
            "inserted properly",
            "reseating",
            "reinsert",
            "reinserting",
            "insert",
            "inserting",
            "take out",
            "take the sim",
            "take your sim",
            "remove",
            "removing",
            "eject",
            "pop out",
            "pull out",
            "put",
            "push",
            "place",
            "back in",
        ],
    ),
    (Deed::Allow, &["grant", "granting", "allow", "allowing", "give", "giving", "let", "permit"]),
    (
        Deed::Run,
        &[
            "run", "running", "do", "perform", "start", "try", "trying", "make", "test", "send", "sending", "attempt",
            "take", "open", "use",
        ],
    ),
    (
        Deed::Pay,
        &[
            "pay",
            "paying",
            "accept",
            "accepting",
            "approve",
            "approving",
            "settle",
            "complete",
            "make the payment",
            "make a payment",
            "make payment",
            "go through with",
        ],
    ),
    (Deed::Connect, &["connect", "connecting", "reconnect"]),
    (Deed::Disconnect, &["disconnect", "disconnecting", "stop", "close", "end", "quit"]),
];

/// Words that tell the position off; more than one letter apart from `on`.
pub(super) const OFF: &[&str] =
    &["off", "disabled", "disable", "disabling", "deactivated", "deactivate", "out of", "exit"];
pub(super) const ON: &[&str] = &["on", "enabled", "enable", "enabling", "activated", "activate", "active", "back on"];
/// Words of a clause that only carries a deed on to another thing or position.
pub(super) const FILLERS: &[&str] = &[
    "the",
    "your",
    "a",
    "an",
    "also",
    "back",
    "again",
    "on",
    "off",
    "both",
    "same",
    "please",
    "for",
    "with",
    "mode",
    "settings",
    "setting",
    "as",
    "well",
    "too",
    "now",
    "permission",
    "permissions",
];

/// Networks that can be chosen, the more particular first: the words that must all be there.
pub(super) const NETWORKS: &[(super::step::NetworkMode, &[&str])] = {
    use super::step::NetworkMode::{FiveAndFour, Four, Three, Two};
    &[
        (FiveAndFour, &["4g", "5g"]),
        (FiveAndFour, &["lte", "5g"]),
        (FiveAndFour, &["5g"]),
        (FiveAndFour, &["4g", "preferred"]),
        (FiveAndFour, &["automatic"]),
        (FiveAndFour, &["auto"]),
        (Four, &["4g"]),
        (Four, &["lte"]),
        (Three, &["3g"]),
        (Two, &["2g"]),
    ]
};

pub(super) const PERMISSIONS: &[(super::step::AppPermission, &[&str])] = {
    use super::step::AppPermission::{Network, Phone, Sms, Storage};
    &[
        (Sms, &["sms", "texts", "text messages", "texting", "send messages"]),
        (Storage, &["storage", "files", "photos and media", "media", "files and media"]),
        (Phone, &["phone permission", "phone access", "phone calls", "make calls"]),
        (Network, &["network permission", "network access"]),
    ]
};

pub(super) const ALL_PERMISSIONS: &[&str] = &[
    "all permissions",
    "both permissions",
    "all the permissions",
    "necessary permissions",
    "required permissions",
    "all of the permissions",
];

pub(super) const APPS: &[(super::step::PhoneApp, &[&str])] = {
    use super::step::PhoneApp::{Browser, Messaging};
    &[
        (
            Messaging,
            &["messaging app", "messaging", "messages app", "message app", "messages", "texting app", "sms app"],
        ),
        (Browser, &["browser", "web browser", "chrome", "safari"]),
    ]
};

/// Words that say where a thing is found, or what the fingers do.
pub(super) const DIRECTIONS: &[&str] = &[
    "settings",
    "swipe",
    "top of your screen",
    "top of the screen",
    "tap",
    "slide",
    "icon",
    "menu",
    "press and hold",
    "hold the",
    "power button",
    "side button",
    "scroll",
    "corner",
    "you will find",
    "you'll find",
    "gear",
    "small tray",
    "paper clip",
    "paperclip",
    "called",
    "looks like",
    "press",
];
