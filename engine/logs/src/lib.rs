//! Logs of tool-using agents in the forms that teams have them in, read into one normal form ([`Dialogue`]): what was
//! said, told, called and got back, in order. A log is read as it comes, one dialogue after another; what cannot be
//! read is told with its place, and the rest is read.

#![deny(missing_docs)]

mod attributes;
mod call;
mod dialogue;
mod document;
mod draft;
mod exchange;
mod form;
mod gather;
mod history;
mod input;
mod json;
mod message;
mod pairing;
mod reader;
mod remark;
mod sniff;
mod span;
mod time;
mod tools;
mod unread;
mod values;
mod words;

pub use dialogue::{Arguments, Call, CallResult, Dialogue, Event, FORMAT, Source, Tool};
pub use form::Form;
pub use input::{MAX_LINE, MAX_UNPACKED, MAX_WHOLE};
pub use reader::{Found, Reader};
pub use remark::Remark;
pub use tools::tools_of;
pub use unread::Unread;
