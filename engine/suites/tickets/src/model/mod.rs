//! Tickets: as they are written, and as they are used.

mod ticket;
mod ticket_file;

pub use ticket::{Checkpoint, Document, Fact, Need, Ticket};
pub use ticket_file::{CheckpointFile, FactFile, NeedFile, ReplyType, SaidFile, TicketFile, ToolFile};
