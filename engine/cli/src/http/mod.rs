//! HTTP as far as a server on this machine needs it: one request on each connection, read within limits, and what is
//! answered.

mod listener;
mod request;
mod response;

pub use listener::Listener;
pub use request::{Request, RequestLimits, Unheard};
pub use response::{Framing, Response, head, refuse, write};
