//! What judges share, whatever they judge: a model is asked until its reply can be read ([`asker`], [`reply`]), what it
//! says is kept ([`journal`], [`session`]), what people say is read ([`lines`]), and both are compared ([`agreement`]).
//! A suite gives its questions with their ranges and wordings, and the form of what is kept.

pub mod agreement;
pub mod asker;
pub mod journal;
pub mod lines;
pub mod reply;
pub mod session;
