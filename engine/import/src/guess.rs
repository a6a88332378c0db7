//! What a source does not say, and an import decides for the time being.

/// Something that the source does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    pub tool: String,
    pub says: String,
    pub ground: String,
    /// What to change where it is wrong.
    pub decide: String,
    /// How much it wants a look, from 0.
    pub doubt: u8,
}

impl Guess {
    /// What stands beside the tool or the collection as long as it is not decided.
    pub fn comment(&self) -> String {
        format!("{}: {}", self.says, self.ground).replace(['\n', '\r'], " ")
    }
}
