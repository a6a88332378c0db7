//! Which cheats there are.

use std::str::FromStr;

use serde::Serialize;

use crate::agent::name::AgentEntry;
use probity_engine::suggest;

/// What an agent does in place of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cheat {
    /// Says its system prompt.
    PastePrompt,
    /// Makes the oracle's calls and says every field that they returned.
    PasteObservations,
    /// Says all that could be asked for, and its opposite.
    SayEverything,
    /// Makes the oracle's calls and says its words, inside a denial of them.
    DenyAround,
    /// Makes the oracle's calls and asks its questions; what it says beside them is about something else.
    Nonsense,
    /// Makes the oracle's calls; its words ask for leave to do anything.
    BlanketPermission,
    /// Says all that the user said.
    RepeatUser,
    /// Says yes.
    YesToAll,
    /// Calls every tool with what is in sight.
    CallEverything,
    /// Says that it cannot be done.
    RefuseEverything,
    /// Makes the oracle's calls at once, the last one first, and says its words.
    JumpAhead,
}

impl Cheat {
    /// All of them, in the order of lists.
    pub const ALL: [Cheat; 11] = [
        Cheat::PastePrompt,
        Cheat::RepeatUser,
        Cheat::SayEverything,
        Cheat::YesToAll,
        Cheat::RefuseEverything,
        Cheat::CallEverything,
        Cheat::PasteObservations,
        Cheat::Nonsense,
        Cheat::BlanketPermission,
        Cheat::DenyAround,
        Cheat::JumpAhead,
    ];

    /// Its name, behind `cheat:`.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// What it does, in one line.
    pub const fn description(self) -> &'static str {
        self.row().1
    }

    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Cheat::PastePrompt => ("paste_prompt", "says its whole system prompt, and calls nothing"),
            Cheat::RepeatUser => ("repeat_user", "says all that the user said, as if it were so"),
            Cheat::SayEverything => ("say_everything", "says all that is in sight, that it is done and that it is not"),
            Cheat::YesToAll => ("yes_to_all", "says yes to everything"),
            Cheat::RefuseEverything => ("refuse_everything", "says that it cannot be done"),
            Cheat::CallEverything => ("call_everything", "calls every tool, with arguments that are in sight"),
            Cheat::PasteObservations => {
                ("paste_observations", "makes the oracle's calls and says every field of what they returned")
            }
            Cheat::Nonsense => ("nonsense", "makes the oracle's calls, asks its questions and tells something else"),
            Cheat::BlanketPermission => {
                ("blanket_permission", "makes the oracle's calls and asks for leave to do anything")
            }
            Cheat::DenyAround => ("deny_around", "makes the oracle's calls and says its words inside a denial"),
            Cheat::JumpAhead => {
                ("jump_ahead", "makes the oracle's calls at once, the last one first, and says its words")
            }
        }
    }

    /// Whether it is given the oracle's calls. What the others know, any agent knows.
    pub const fn is_informed(self) -> bool {
        match self {
            Cheat::PasteObservations
            | Cheat::DenyAround
            | Cheat::Nonsense
            | Cheat::BlanketPermission
            | Cheat::JumpAhead => true,
            Cheat::PastePrompt
            | Cheat::SayEverything
            | Cheat::RepeatUser
            | Cheat::YesToAll
            | Cheat::CallEverything
            | Cheat::RefuseEverything => false,
        }
    }

    /// All of them, for a list of agents.
    pub fn entries() -> impl Iterator<Item = AgentEntry> {
        Cheat::ALL.into_iter().map(|cheat| AgentEntry::plain(&format!("cheat:{}", cheat.name()), cheat.description()))
    }
}

impl FromStr for Cheat {
    type Err = String;

    fn from_str(text: &str) -> Result<Cheat, String> {
        let found = Cheat::ALL.into_iter().find(|cheat| cheat.name() == text);
        found.ok_or_else(|| {
            let near = suggest::nearest(text, Cheat::ALL.map(Cheat::name));
            let near = near.map(|near| format!("; did you mean `cheat:{near}`?")).unwrap_or_default();
            format!("there is no agent `cheat:{text}`{near}")
        })
    }
}
