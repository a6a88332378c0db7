//! What carries a user's spoken words to the agent.

/// Programs that speak a sentence and write down what they hear, in place of a formula.
pub trait Line: Send + Sync {
    /// What is heard of what was said.
    ///
    /// # Errors
    /// One line: a program failed.
    fn hear(&self, said: &str) -> Result<String, String>;
}
