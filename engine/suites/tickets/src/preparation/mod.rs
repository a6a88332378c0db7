//! Recorded tickets made ready: personal data masked, turns put in order (docs/TICKETS.md, "From raw dialogues").

mod draft;
mod mask;
mod masker;
mod raw;
mod turns;

pub use draft::{Counts, Preparation, Prepared};
pub use mask::mask;
pub use raw::{Annotation, GAP, RawCall, RawFunction, RawMessage, RawTicket, masked_value};
pub use turns::{Fillers, Recorded, Role, Turn, Turns};
