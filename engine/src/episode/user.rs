//! The user's side of a dialogue.

/// A user. The scripted one is the default, as in the paper.
pub trait User: Send {
    /// What the user says next, after the agent's reply (none before the first turn); nothing ends the dialogue.
    fn speak(&mut self, reply: Option<&str>) -> Option<String>;
}

/// A user with fixed turns, said whatever the agent replies (RUT-Bench 3.3; `rut-bench.md` C.6).
pub struct ScriptedUser {
    turns: std::vec::IntoIter<String>,
}

impl ScriptedUser {
    /// A user who says these turns.
    pub fn new(turns: Vec<String>) -> Self {
        ScriptedUser { turns: turns.into_iter() }
    }
}

impl User for ScriptedUser {
    fn speak(&mut self, _reply: Option<&str>) -> Option<String> {
        self.turns.next()
    }
}
