//! What an agent of a desk has to do, one thing after the other.

use std::collections::VecDeque;

use crate::desk::task::{DeskCall, DeskTask, Identification, StageEnd, Until};

#[derive(Clone, Debug, PartialEq)]
pub enum DeskDuty {
    /// Learn a fact, by its place.
    Learn(usize),
    Identify(DeskCall),
    Look(DeskCall),
    /// Offer the call of a stage, by wish and stage.
    Offer(usize, usize),
    /// Tell what a stage has to tell, or that it cannot be had.
    Tell(usize, usize),
    HandOver,
    Next(usize, usize),
}

/// How the user is found: what is learned, and the call with it.
pub(crate) fn identification(task: &DeskTask) -> VecDeque<DeskDuty> {
    let way = Identification::of(task);
    let duties = way.map(|way| way.facts.into_iter().map(DeskDuty::Learn).chain([DeskDuty::Identify(way.call)]));
    duties.into_iter().flatten().collect()
}

pub(crate) fn stage_duties(task: &DeskTask, wish: usize, at: usize) -> VecDeque<DeskDuty> {
    let Some(stage) = task.stage(wish, at) else { return VecDeque::new() };
    let file = &stage.file;
    let own = |fact: &crate::desk::task::DeskFact| fact.at == Some((wish, at));
    let facts = task.facts.iter().enumerate().filter(|(_, fact)| own(fact)).map(|(place, _)| DeskDuty::Learn(place));
    let mut duties: VecDeque<DeskDuty> = facts.chain(file.looks.iter().cloned().map(DeskDuty::Look)).collect();
    duties.push_back(match (&file.until, file.ends) {
        (Some(Until::Answered(_)), _) => DeskDuty::Next(wish, at),
        (Some(Until::Refused | Until::Called(_)), _) => DeskDuty::Tell(wish, at),
        _ if stage.is_offered() => DeskDuty::Offer(wish, at),
        (None, StageEnd::HandedOver) => DeskDuty::HandOver,
        _ => DeskDuty::Tell(wish, at),
    });
    duties
}
