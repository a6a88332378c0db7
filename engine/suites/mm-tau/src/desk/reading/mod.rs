//! What an agent's words at a desk do, by tables of words and by the values that the user knows.

mod desk_reading;
mod read_back;

pub use desk_reading::{DeskReading, is_about, is_about_others, names_any, names_others, read, tells};
