//! What an agent's words at a desk do, by tables of words and by the values that the user knows.

mod amounts;
mod desk_reading;
mod forms;
mod read_back;

pub use amounts::tells;
pub use desk_reading::{DeskReading, is_about, is_about_others, names_any, read};
pub use forms::names_others;
