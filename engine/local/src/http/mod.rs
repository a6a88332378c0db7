//! HTTP as far as a server on this machine needs it: one request on each connection, read within limits, and what is
//! answered.

mod listener;
mod request;
mod response;

pub use listener::{Answering, Guest, Listener, Place, STACK};
pub use request::{Head, Request, RequestLimits, Unheard, now};
pub use response::{Framing, Response, head, refuse, write, write_unheard};
