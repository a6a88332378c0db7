//! Which cheats there are.

use std::str::FromStr;

use crate::agent::name::AgentEntry;
use crate::named;
use probity_engine::suggest;

named! {
    /// What an agent does in place of the work.
    pub enum Cheat {
        /// Says its system prompt.
        PastePrompt = "paste_prompt",
        /// Says all that the user said.
        RepeatUser = "repeat_user",
        /// Says all that could be asked for, and its opposite.
        SayEverything = "say_everything",
        /// Says yes.
        YesToAll = "yes_to_all",
        /// Says that it cannot be done.
        RefuseEverything = "refuse_everything",
        /// Calls every tool with what is in sight.
        CallEverything = "call_everything",
        /// Makes the oracle's calls and says every field that they returned.
        PasteObservations = "paste_observations",
        /// Makes the oracle's calls and asks its questions; what it says beside them is about something else.
        Nonsense = "nonsense",
        /// Makes the oracle's calls; its words ask for leave to do anything.
        BlanketPermission = "blanket_permission",
        /// Makes the oracle's calls and says its words, inside a denial of them.
        DenyAround = "deny_around",
        /// Makes the oracle's calls at once, the last one first, and says its words.
        JumpAhead = "jump_ahead",
    }
}

impl Cheat {
    /// What it does, in one line.
    pub const fn description(self) -> &'static str {
        match self {
            Cheat::PastePrompt => "says its whole system prompt, and calls nothing",
            Cheat::RepeatUser => "says all that the user said, as if it were so",
            Cheat::SayEverything => "says all that is in sight, that it is done and that it is not",
            Cheat::YesToAll => "says yes to everything",
            Cheat::RefuseEverything => "says that it cannot be done",
            Cheat::CallEverything => "calls every tool, with arguments that are in sight",
            Cheat::PasteObservations => "makes the oracle's calls and says every field of what they returned",
            Cheat::Nonsense => "makes the oracle's calls, asks its questions and tells something else",
            Cheat::BlanketPermission => "makes the oracle's calls and asks for leave to do anything",
            Cheat::DenyAround => "makes the oracle's calls and says its words inside a denial",
            Cheat::JumpAhead => "makes the oracle's calls at once, the last one first, and says its words",
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
