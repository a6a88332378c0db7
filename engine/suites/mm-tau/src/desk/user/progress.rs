//! How far a user's wishes have come.

use crate::desk::task::{AmountTold, DeskStage, DeskTask};

/// Where a wish stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WishState {
    /// The agent does not know of it.
    Untold,
    /// It was told.
    Told,
    /// The user said yes to what fulfils it.
    Agreed,
    /// Nothing more is wanted of it.
    Over,
}

/// A wish in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WishProgress {
    /// Where it stands.
    pub state: WishState,
    /// At which of its stages it is.
    pub stage: usize,
    /// How often this stage was said.
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
    /// A wish of which nothing was said.
    pub const fn new() -> WishProgress {
        WishProgress {
            state: WishState::Untold,
            stage: 0,
            said: 0,
            is_refused: false,
            is_described: false,
            amount: AmountTold::Nothing,
            is_misdirected: false,
        }
    }

    /// Whether something is wanted of it now.
    pub fn is_open(self) -> bool {
        matches!(self.state, WishState::Told | WishState::Agreed)
    }
}

/// The stage at which a wish is.
pub fn stage_of(task: &DeskTask, wish: usize, progress: WishProgress) -> Option<&DeskStage> {
    task.wishes.get(wish)?.get(progress.stage)
}
