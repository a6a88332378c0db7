//! What comes of reading a dialogue: claims with a verdict.

/// What a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimKind {
    /// A number, an amount, a day, a time, an id.
    Value,
    /// A rule of the desk with its number.
    Rule,
    /// Something done, arranged or on its way.
    Deed,
    /// Something looked up.
    Look,
    /// How something stands, or anything else that a listed sentence says.
    State,
    /// What the agent itself said before.
    Statement,
}

/// What the ledger says of a claim that does not hold. One that is known, or follows from what is known, is supported:
/// it is counted ([`crate::ReplyClaims`]) and not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing known speaks for it, and nothing against it. It is never called untrue.
    Unsupported,
    /// Something known speaks against it, which the claim shows.
    Contradicted,
}

/// A statement of a reply, held against the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub kind: ClaimKind,
    pub verdict: Verdict,
    /// The message of the reply.
    pub message: u32,
    /// Its first character in the reply, and the one after its last.
    pub span: (usize, usize),
    /// The words of the reply.
    pub says: String,
    /// What speaks against it, or what of it is not known.
    pub evidence: String,
    /// Whether a call that would have done it was refused.
    pub is_refused: bool,
    /// The call that showed what speaks against it, where one did.
    pub shown: Option<ShownBy>,
}

/// A value that a call showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownBy {
    /// The tool.
    pub tool: String,
    /// The message of the call.
    pub message: u32,
    /// The value, as a claim names it; a tool may have written it in another form.
    pub value: String,
}

impl Claim {
    /// The code of the finding that it is (docs/SCORING.md).
    pub fn code(&self) -> &'static str {
        match (self.verdict, self.kind) {
            (Verdict::Unsupported, _) => "unsupported",
            (_, ClaimKind::Value) => "wrong_value",
            (_, ClaimKind::Rule) => "misquoted_rule",
            (_, ClaimKind::Statement) => "contradicts_itself",
            (_, ClaimKind::Deed) if self.is_refused => "claimed_after_error",
            (_, ClaimKind::Deed) => "ungrounded_action",
            (_, ClaimKind::Look) => "unmade_check",
            (_, ClaimKind::State) => "unread_state",
        }
    }

    /// What was said and what speaks against it, in one line.
    pub fn text(&self) -> String {
        format!("says `{}`, but {}", self.says, self.evidence)
    }
}
