//! What an agent's words at a desk do, by tables of words and by the values that the user knows.

mod amounts;
mod deed_words;
mod desk_reading;
mod field_words;
mod forms;
mod read_back;
mod turn_words;

pub use amounts::tells;
pub use deed_words::{is_about, is_about_others};
pub use desk_reading::{DeskReading, names_any, read};
pub use forms::names_others;
pub use turn_words::CONFIRMING;
