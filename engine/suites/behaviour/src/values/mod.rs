//! Values to try: what lies next to one, what a schema says of those it takes, and how lists of them combine. Who needs
//! which of them, in which order and how many is their own: planted faults, slips, searches and explorations differ.

pub mod product;
pub mod schema;
