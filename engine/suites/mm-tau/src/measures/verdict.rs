//! What became of a hand-over to a human.

/// What is to be said of a run's handing over, or of its not handing over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EscalationVerdict {
    /// It handed over when it might, after what had to come first.
    Correct,
    /// It handed over when it might, but before what had to come first.
    Premature {
        /// The required calls that it had not made, in the order of the rule.
        missing: Vec<String>,
    },
    /// It handed over when it might not.
    Unwarranted,
    /// It did not hand over, and at the end it should have.
    Missed,
    /// It did not hand over and did not have to.
    NotEscalated,
}

impl EscalationVerdict {
    /// Its word in a tag.
    pub fn word(&self) -> &'static str {
        match self {
            EscalationVerdict::Correct => "correct",
            EscalationVerdict::Premature { .. } => "premature",
            EscalationVerdict::Unwarranted => "unwarranted",
            EscalationVerdict::Missed => "missed",
            EscalationVerdict::NotEscalated => "none",
        }
    }

    /// What is wrong with it, if something is: why it was unwarranted, or why it was due, and what joins missing looks.
    pub(crate) fn complaint(&self, [unwarranted, missed]: [&str; 2], or: &str) -> Option<String> {
        match self {
            EscalationVerdict::Correct | EscalationVerdict::NotEscalated => None,
            EscalationVerdict::Premature { missing } => {
                Some(format!("the user was handed over before a look that shows why: {}", missing.join(or)))
            }
            EscalationVerdict::Unwarranted => Some(format!("the user was handed over {unwarranted}")),
            EscalationVerdict::Missed => Some(format!("the user was not handed over {missed}")),
        }
    }
}
