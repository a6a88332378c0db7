//! What an agent of a desk has to do, one thing after the other.

use std::collections::VecDeque;

use crate::desk::task::{DeskCall, DeskField, DeskTask, StageEnd, Until};

/// A thing to do.
#[derive(Clone, Debug, PartialEq)]
pub enum DeskDuty {
    /// Learn a fact, by its place.
    Learn(usize),
    /// Find the user in the records.
    Identify(DeskCall),
    /// Look something up.
    Look(DeskCall),
    /// Offer the call of a stage, by wish and stage.
    Offer(usize, usize),
    /// Tell what a stage has to tell, or that it cannot be had.
    Tell(usize, usize),
    /// Hand over.
    HandOver,
    /// Begin the stage after this.
    Next(usize, usize),
}

/// How the user is found: what is learned, and the call with it.
pub fn identification(task: &DeskTask) -> VecDeque<DeskDuty> {
    let place = |field: DeskField| task.facts.iter().position(|fact| fact.field == field && fact.at.is_none());
    let value = |at: usize| task.facts.get(at).map(|fact| fact.value.clone()).unwrap_or_default();
    let ways: [(&str, &[(DeskField, &str)]); 3] = [
        ("find_user_id_by_email", &[(DeskField::Email, "email")]),
        (
            "find_user_id_by_name_zip",
            &[(DeskField::FirstName, "first_name"), (DeskField::LastName, "last_name"), (DeskField::Zip, "zip")],
        ),
        ("get_user_details", &[(DeskField::UserId, "user_id")]),
    ];
    for (tool, fields) in ways {
        let places: Vec<usize> = fields.iter().filter_map(|(field, _)| place(*field)).collect();
        if places.len() < fields.len() || task.environment.tool(tool).is_none() {
            continue;
        }
        let arguments = fields.iter().zip(&places).map(|((_, name), at)| ((*name).to_owned(), value(*at).into()));
        let call = DeskCall { tool: tool.to_owned(), arguments: arguments.collect() };
        return places.into_iter().map(DeskDuty::Learn).chain([DeskDuty::Identify(call)]).collect();
    }
    VecDeque::new()
}

/// What a stage takes.
pub fn stage_duties(task: &DeskTask, wish: usize, at: usize) -> VecDeque<DeskDuty> {
    let Some(stage) = task.wishes.get(wish).and_then(|stages| stages.get(at)) else { return VecDeque::new() };
    let file = &stage.file;
    let own = |fact: &crate::desk::task::DeskFact| fact.at == Some((wish, at));
    let facts = task.facts.iter().enumerate().filter(|(_, fact)| own(fact)).map(|(place, _)| DeskDuty::Learn(place));
    let mut duties: VecDeque<DeskDuty> = facts.chain(file.looks.iter().cloned().map(DeskDuty::Look)).collect();
    duties.push_back(match (&file.until, file.ends) {
        (Some(Until::Answered(_)), _) => DeskDuty::Next(wish, at),
        (Some(Until::Refused | Until::Called(_)), _) => DeskDuty::Tell(wish, at),
        (Some(_), _) if file.call.is_some() => DeskDuty::Offer(wish, at),
        (Some(_), _) | (None, StageEnd::Refused | StageEnd::Told) => DeskDuty::Tell(wish, at),
        (None, StageEnd::HandedOver) => DeskDuty::HandOver,
        (None, StageEnd::Agreed) => DeskDuty::Offer(wish, at),
    });
    duties
}
