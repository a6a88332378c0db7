//! Tickets: as they are written, and as they are used.

mod facts;
mod ticket;
mod ticket_file;

pub use facts::{Fact, Facts, Unread};
pub use ticket::{Checkpoint, Document, Need, RULES, Ticket};
pub use ticket_file::{CheckpointFile, FactFile, NeedFile, ReplyType, SaidFile, TicketFile, ToolFile};
