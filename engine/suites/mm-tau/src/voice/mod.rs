//! The voice channel of MM-tau-p2: what one party says is not always what the other hears.
//!
//! Two channels, one purpose (paper, 2.3):
//! * [`NoiseChannel`] mishears text by table and seed, and records every edit. No audio, no tools, the same
//!   everywhere.
//! * [`SpeechPlug`] lets two outside commands speak and transcribe a text for real.
//!
//! ```
//! use probity_mm_tau::voice::{NoiseChannel, NoiseLevel};
//!
//! let said = "My order is #W5918442.";
//! let hearing = NoiseChannel::new(7, NoiseLevel::Strong).hear("retail-12", 3, said);
//! assert_eq!(hearing.spoken, "my order is w five nine one eight four four two");
//! assert_eq!(hearing.replay().as_ref(), Some(&hearing.heard));
//! assert_eq!(NoiseChannel::new(7, NoiseLevel::Off).hear("retail-12", 3, said).heard, said);
//! ```

mod cache;
mod confusion;
mod hearing;
mod noise;
mod plug;
mod process;
mod spoken;
#[cfg(test)]
mod tests;
mod wav;

pub use cache::SpeechCache;
pub use confusion::{NOISE_VERSION, TokenClass};
pub use hearing::{HeardWord, Hearing, Mishearing, NoiseLevel, Permille, UnknownNoiseLevel};
pub use noise::NoiseChannel;
pub use plug::{
    Launch, LaunchFault, LaunchJob, SpeechLimits, SpeechPlug, SpeechRefusal, SpeechStage, SpeechTool, Transcript,
};
pub use process::Shell;
pub use spoken::{SpokenToken, speak, spoken};
