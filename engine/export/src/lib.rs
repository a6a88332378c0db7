//! Episodes of a run in the forms that other programs open. A form is a file here and a line in [`FORMS`]; what it has
//! no place for is kept in its metadata, and told. Nothing knows a clock: the same episodes make the same bytes.

#![deny(missing_docs)]

mod archive;
mod atif;
mod episode;
mod form;
mod inspect;
mod message;
mod otel;

pub use episode::Source;
pub use form::{FORMS, Form, Written, export};
