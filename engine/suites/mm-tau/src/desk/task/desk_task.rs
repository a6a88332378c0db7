//! A desk task that was read and checked, who its user is, and how an agent finds that out.

use std::sync::Arc;

use serde_json::Value;

use super::cost::Cost;
use super::task_file::{DeskCall, DeskField, DeskTaskFile, FactFile, StageEnd, StageFile, Until};
use crate::measures::{FieldKind, is_heard};
use crate::people::understanding::figures::money;
use crate::score::key;
use probity_engine::{Actor, Difficulty, Environment, Problem, State, ToolCall};

#[derive(Clone)]
pub struct DeskTask {
    /// Its folder and name, `retail/two_blankets`.
    pub id: String,
    pub file: DeskTaskFile,
    pub environment: Arc<Environment>,
    pub facts: Vec<DeskFact>,
    pub wishes: Vec<Vec<DeskStage>>,
    /// The state in which it begins, or why there is none.
    begun: Result<State, String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DeskFact {
    /// Its name among the critical fields; a second value of a field has a number.
    pub name: String,
    pub field: DeskField,
    pub kind: FieldKind,
    pub value: String,
    /// How it is said, where not in the persona's words.
    pub say: Vec<String>,
    /// The wish and the stage that it belongs to, unless to all.
    pub at: Option<(usize, usize)>,
    pub is_critical: bool,
}

impl DeskFact {
    /// Whether a text is its value.
    pub fn is(&self, text: &str) -> bool {
        self.kind.same(text, &self.value)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct DeskStage {
    pub file: StageFile,
    /// The call that is asked for, as a yes to it is known.
    pub key: Option<String>,
    /// What that call costs, once the wishes before it are fulfilled; nothing where the world refuses it.
    pub cost: Option<Cost>,
}

impl DeskStage {
    /// Whether an agent that knows all asks leave for the call: to be told a yes, or what is wanted instead.
    pub fn is_offered(&self) -> bool {
        let asks = match &self.file.until {
            Some(Until::Proposed | Until::Told(_)) => true,
            Some(Until::Refused | Until::Called(_) | Until::Answered(_)) => false,
            None => self.file.ends == StageEnd::Agreed,
        };
        asks && self.file.call.is_some()
    }
}

impl DeskTask {
    /// `populate` makes the world of an environment and a seed, as [`populated`] does.
    pub fn new(
        id: &str,
        file: DeskTaskFile,
        environment: Arc<Environment>,
        populate: impl FnOnce(&Environment, u64) -> Result<State, String>,
    ) -> DeskTask {
        let stage = |stage: &StageFile| DeskStage {
            key: stage.call.as_ref().map(|call| key(&environment, &call.made())),
            file: stage.clone(),
            cost: None,
        };
        let wishes = file.wishes.iter().map(|stages| stages.iter().map(stage).collect()).collect();
        let begun = populate(&environment, file.seed).and_then(|populated| begun(&environment, &populated, &file));
        let mut task = DeskTask { id: id.to_owned(), facts: facts(&file), wishes, file, environment, begun };
        task.find_costs();
        task
    }

    /// Makes each call in the state in which its wish comes up.
    fn find_costs(&mut self) {
        let Ok(mut state) = self.begun.clone() else { return };
        let spoken_of = self.amounts_spoken_of();
        for wish in 0..self.wishes.len() {
            let mut stages = self.wishes.get(wish).cloned().unwrap_or_default();
            for stage in &mut stages {
                let Some(call) = &stage.file.call else { continue };
                stage.cost = self.after(&state, call).ok().map(|after| Cost::of(call, &state, &after));
                stage.cost.iter_mut().for_each(|cost| cost.know(&spoken_of));
            }
            let last = stages.last().filter(|stage| stage.file.ends == StageEnd::Agreed);
            if let Some(after) = last.and_then(|stage| self.after(&state, stage.file.call.as_ref()?).ok()) {
                state = after;
            }
            if let Some(known) = self.wishes.get_mut(wish) {
                *known = stages;
            }
        }
    }

    /// Amounts that the rules, the user or an agent that knows all speak of.
    fn amounts_spoken_of(&self) -> Vec<u64> {
        let rules = self.environment.file().policy.iter().map(|rule| rule.text().to_owned());
        let stages = self.file.wishes.iter().flatten();
        let said = stages.flat_map(|stage| stage.says.iter().chain(&stage.asks).chain([&stage.offer]).cloned());
        let all = rules.chain(self.file.opening.iter().cloned()).chain(said);
        all.flat_map(|text| money(&text).told).collect()
    }

    /// The state in which it begins.
    /// An error, a line: the world cannot be populated, or refuses the patch or a call.
    pub fn beginning(&self) -> Result<State, String> {
        self.begun.clone()
    }

    /// The state after a call.
    /// An error, a line: the world refuses it.
    pub fn after(&self, state: &State, call: &DeskCall) -> Result<State, String> {
        after(&self.environment, state, call)
    }

    pub fn stage(&self, wish: usize, at: usize) -> Option<&DeskStage> {
        self.wishes.get(wish)?.get(at)
    }

    /// The stage in which each wish ends.
    pub(crate) fn last_stages(&self) -> impl Iterator<Item = &DeskStage> {
        self.wishes.iter().filter_map(|stages| stages.last())
    }

    pub fn gold(&self) -> impl Iterator<Item = &DeskCall> {
        self.last_stages()
            .filter(|stage| stage.file.ends == StageEnd::Agreed)
            .filter_map(|stage| stage.file.call.as_ref())
    }

    pub(crate) fn place_of_gold(&self, index: usize) -> String {
        let last =
            self.wishes.iter().enumerate().filter_map(|(wish, stages)| Some((wish, stages.len() - 1, stages.last()?)));
        let mut gold = last.filter(|(.., stage)| stage.file.ends == StageEnd::Agreed && stage.file.call.is_some());
        gold.nth(index).map_or("/wishes".to_owned(), |(wish, stage, _)| format!("/wishes/{wish}/{stage}/call"))
    }

    pub(crate) fn hand_over(&self) -> Option<&DeskStage> {
        self.wishes.iter().flatten().find(|stage| stage.file.ends == StageEnd::HandedOver)
    }

    /// The fact about a field at a stage, or the one that holds all along.
    pub fn fact(&self, field: DeskField, at: (usize, usize)) -> Option<&DeskFact> {
        let (wish, stage) = at;
        let near =
            |fact: &&DeskFact| fact.field == field && fact.at.is_none_or(|(of, from)| of == wish && from <= stage);
        self.facts.iter().filter(near).max_by_key(|fact| fact.at)
    }

    pub fn calls(&self) -> impl Iterator<Item = &DeskCall> {
        self.wishes.iter().flatten().flat_map(|stage| stage.file.looks.iter().chain(&stage.file.call))
    }
}

/// The world as a desk finds it, before a task changes it.
/// An error, a line: its script fails.
pub fn populated(environment: &Environment, seed: u64) -> Result<State, String> {
    environment.populate(Difficulty::Medium, seed)
}

fn begun(environment: &Environment, populated: &State, file: &DeskTaskFile) -> Result<State, String> {
    let state = environment.patch(populated, &file.patch).map_err(|found| Problem::lines(&found))?;
    file.start.iter().try_fold(state, |state, call| after(environment, &state, call))
}

fn after(environment: &Environment, state: &State, call: &DeskCall) -> Result<State, String> {
    let stepped = environment.step(state, &call.made(), Actor::Agent);
    let refused = stepped.result.err();
    refused.map_or(Ok(stepped.after), |refused| Err(format!("`{}`: {}", call.tool, refused.message)))
}

/// All facts, those that hold all along first; the same value of a field is one fact.
fn facts(file: &DeskTaskFile) -> Vec<DeskFact> {
    let staged = file.wishes.iter().enumerate().flat_map(|(wish, stages)| {
        stages.iter().enumerate().flat_map(move |(stage, written)| {
            written.facts.iter().map(move |(field, fact)| (Some((wish, stage)), *field, fact))
        })
    });
    let all = file.facts.iter().map(|(field, fact)| (None, *field, fact)).chain(staged);
    let mut facts: Vec<DeskFact> = Vec::new();
    for (at, field, fact) in all {
        let FactFile { kind, value, say } = fact.clone();
        let mut values: Vec<&str> = Vec::new();
        for known in facts.iter().filter(|known| known.field == field) {
            if !values.contains(&known.value.as_str()) {
                values.push(&known.value);
            }
        }
        let same = values.iter().position(|known| kind.same(known, &value));
        let name = match same.unwrap_or(values.len()) {
            0 => field.name().to_owned(),
            earlier => format!("{field}_{}", earlier + 1),
        };
        let is_critical = file.critical_fields.contains(&field);
        facts.push(DeskFact { name, field, kind, value, say, at, is_critical });
    }
    facts
}

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
