//! Who the user of a desk is, and how an agent finds that out.

use serde_json::Value;

use super::desk_field::DeskField;
use super::desk_task::DeskTask;
use super::task_file::DeskCall;
use crate::measures::is_heard;
use probity_engine::{Actor, ToolCall};

/// The ways to find a user: the look-up, and which of the user's facts its arguments take.
const WAYS: [(&str, &[(DeskField, &str)]); 3] = [
    ("find_user_id_by_email", &[(DeskField::Email, "email")]),
    (
        "find_user_id_by_name_zip",
        &[(DeskField::FirstName, "first_name"), (DeskField::LastName, "last_name"), (DeskField::Zip, "zip")],
    ),
    ("get_user_details", &[(DeskField::UserId, "user_id")]),
];

#[derive(Clone, Debug, PartialEq)]
pub struct Identification {
    /// The facts that are asked for, by their places.
    pub facts: Vec<usize>,
    pub call: DeskCall,
}

impl Identification {
    /// The first way that the user's facts and the world's tools allow.
    pub fn of(task: &DeskTask) -> Option<Identification> {
        Identification::all(task).into_iter().next()
    }

    pub fn all(task: &DeskTask) -> Vec<Identification> {
        let place = |field: DeskField| task.facts.iter().position(|fact| fact.field == field && fact.at.is_none());
        let way = |(tool, fields): (&str, &[(DeskField, &str)])| {
            let facts: Vec<usize> = fields.iter().map(|(field, _)| place(*field)).collect::<Option<_>>()?;
            task.environment.tool(tool)?;
            let values = facts.iter().filter_map(|at| task.facts.get(*at)).map(|fact| Value::from(fact.value.clone()));
            let arguments = fields.iter().map(|(_, name)| (*name).to_owned()).zip(values).collect();
            Some(Identification { facts, call: DeskCall { tool: tool.to_owned(), arguments } })
        };
        WAYS.into_iter().filter_map(way).collect()
    }
}

/// The look-ups that find a user by a field, and the argument that takes it.
pub fn finding_calls(field: DeskField) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all =
        WAYS.into_iter().flat_map(|(tool, fields)| fields.iter().map(move |(of, argument)| (*of, tool, *argument)));
    all.filter(move |(of, ..)| *of == field).map(|(_, tool, argument)| (tool, argument))
}

impl DeskTask {
    /// The id of the user, as the records have it.
    /// An error, a line: nothing that the user knows finds them.
    pub fn user_id(&self) -> Result<String, String> {
        let way = Identification::of(self).ok_or("the user knows nothing by which they can be found")?;
        let found = self.found_by(&way.call.made())?;
        found.ok_or_else(|| format!("`{}` does not find the user", way.call.tool))
    }

    /// Whether all that the user knows of themselves is of one and the same.
    /// An error, a line: nothing finds them, or two ways do not find the same.
    pub(crate) fn is_one_person(&self) -> Result<(), String> {
        let id = self.user_id()?;
        for way in Identification::all(self) {
            if self.found_by(&way.call.made())?.as_ref() != Some(&id) {
                return Err(format!("`{}` finds somebody else than `{id}`", way.call.tool));
            }
        }
        Ok(())
    }

    /// Whose id a look-up finds in the state in which the task begins; nothing where it is none of a user.
    fn found_by(&self, call: &ToolCall) -> Result<Option<String>, String> {
        let stepped = self.environment.step(&self.beginning()?, call, Actor::Agent);
        let shown = stepped.result.map_err(|refused| format!("`{}`: {}", call.tool, refused.message))?.observation;
        let id = if shown.is_object() { shown.get("user_id").cloned().unwrap_or_default() } else { shown };
        Ok(id.as_str().map(str::to_owned))
    }

    /// Whether a call that was carried out finds out who the user is. Where users can be found by what they know, an id
    /// is no proof.
    pub(crate) fn is_identifying(&self, call: &ToolCall) -> bool {
        let has_finder = WAYS.iter().take(2).any(|(tool, _)| self.environment.tool(tool).is_some());
        let is_way = WAYS.iter().any(|(tool, _)| *tool == call.tool);
        let is_finder = call.tool != "get_user_details";
        is_way && is_finder == has_finder && self.found_by(call).ok().flatten() == self.user_id().ok()
    }

    /// Whether users are known by their id alone, and words tell it.
    pub(crate) fn is_identified_by(&self, heard: &str) -> bool {
        let way = Identification::of(self).filter(|way| way.call.tool == "get_user_details");
        let ids = way.into_iter().flat_map(|way| way.facts).filter_map(|at| self.facts.get(at));
        ids.into_iter().any(|fact| is_heard(fact.kind, &fact.value, heard))
    }
}
