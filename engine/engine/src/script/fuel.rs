//! Fuel: how much work a script may do in one call.
//!
//! Rhai counts operations per call frame and loses those of closures that native functions call
//! (`filter(|r| ..)`), so the count is kept here, per thread, for as long as one call lasts.

use std::cell::{Cell, RefCell};

/// Operations of one tool call, precondition included.
pub const TOOL_CALL: u64 = 500_000;
/// Operations of one `populate`.
pub const POPULATE: u64 = 2_000_000;
/// Bytes that one tool call may write and return, a value counted as [`VALUE`] and its text.
const TOOL_CALL_BYTES: u64 = 16 << 20;
/// Bytes that one `populate` may write.
const POPULATE_BYTES: u64 = 64 << 20;
/// Operations that one written entity costs: it is hashed, held against its schema and put into the delta.
pub const WRITE: u64 = 64;
/// Operations that one written field costs.
pub const WRITE_FIELD: u64 = 8;
/// Operations that one hash costs.
pub const HASH: u64 = 16;
/// Bytes that a value counts beside its text.
pub const VALUE: u64 = 16;
/// Bytes of text that cost one operation.
pub const TEXT_OF_OPERATION: usize = 64;

const MAX_PRINTS: usize = 100;
const MAX_PRINT_CHARS: usize = 1000;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(0) };
    static MOST: Cell<u64> = const { Cell::new(0) };
    static WAS_TIGHT: Cell<bool> = const { Cell::new(false) };
    static KEPT_TOO_MUCH: Cell<bool> = const { Cell::new(false) };
    static BYTES_LEFT: Cell<u64> = const { Cell::new(0) };
    static PRINTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Starts a call with `operations` to spend and nothing printed.
pub fn start(operations: u64) {
    WAS_TIGHT.set(WAS_TIGHT.get() || !is_ample());
    LEFT.set(operations);
    MOST.set(operations);
    KEPT_TOO_MUCH.set(false);
    BYTES_LEFT.set(if operations > TOOL_CALL { POPULATE_BYTES } else { TOOL_CALL_BYTES });
    PRINTS.take();
}

/// Spends operations; false when there are none left.
pub fn burn(operations: u64) -> bool {
    let left = LEFT.get().saturating_sub(operations);
    LEFT.set(left);
    left > 0
}

/// Spends the operations that reading so many bytes of text costs.
pub fn burn_text(bytes: usize) -> bool {
    bytes < TEXT_OF_OPERATION || burn(operations_of_text(bytes) as u64)
}

/// The operations that reading so many bytes costs; short text is part of the operation that names it.
pub fn operations_of_text(bytes: usize) -> usize {
    bytes / TEXT_OF_OPERATION
}

/// Forgets what was spent, for [`was_ample`].
pub fn watch() {
    LEFT.set(0);
    MOST.set(0);
    WAS_TIGHT.set(false);
}

/// Whether each script that ran since [`watch`] spent so little that twice the work would not have ended it.
pub fn was_ample() -> bool {
    !WAS_TIGHT.get() && is_ample()
}

fn is_ample() -> bool {
    LEFT.get() >= MOST.get() / 4 * 3
}

/// Counts bytes that the call keeps; false, and the call is over, when they are too many.
pub fn keep(bytes: u64) -> bool {
    match BYTES_LEFT.get().checked_sub(bytes) {
        Some(left) => {
            BYTES_LEFT.set(left);
            true
        }
        None => {
            BYTES_LEFT.set(0);
            LEFT.set(0);
            KEPT_TOO_MUCH.set(true);
            false
        }
    }
}

/// Whether the call has spent all it had.
pub fn is_spent() -> bool {
    LEFT.get() == 0
}

/// What the call has spent, and how much of it a call may have.
pub fn spent() -> String {
    let most = MOST.get();
    match (KEPT_TOO_MUCH.get(), most > TOOL_CALL) {
        (false, _) => format!("too many operations ({most} is the most)"),
        (true, is_populate) => {
            let most = if is_populate { POPULATE_BYTES } else { TOOL_CALL_BYTES };
            format!("too much is written or returned ({} MiB is the most)", most >> 20)
        }
    }
}

/// Keeps a line that the script printed: 100 lines of 1000 characters at most.
pub fn print(text: &str) {
    PRINTS.with_borrow_mut(|prints| {
        if prints.len() < MAX_PRINTS {
            prints.push(text.chars().take(MAX_PRINT_CHARS).collect());
        }
    });
}

/// What was printed since the start of the call.
pub fn prints() -> Vec<String> {
    PRINTS.take()
}
