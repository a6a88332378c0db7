//! How far a user's wishes have come.

use crate::desk::task::AmountTold;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WishState {
    #[default]
    Untold,
    Told,
    Agreed,
    Over,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WishProgress {
    pub state: WishState,
    pub stage: usize,
    pub said: usize,
    /// Whether the user was told that it cannot be had, and took that for the end of it.
    pub is_refused: bool,
    /// Whether the agent spoke of the call of this stage.
    pub is_described: bool,
    /// How the last amounts that it told with it stand to what the call costs.
    pub amount: AmountTold,
    /// Whether the last means of payment that it named with it are others than the call takes.
    pub is_misdirected: bool,
}

impl WishProgress {
    pub fn is_open(self) -> bool {
        matches!(self.state, WishState::Told | WishState::Agreed)
    }
}
