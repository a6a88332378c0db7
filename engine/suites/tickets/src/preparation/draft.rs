//! Tickets made of raw ones: masked, cleared of fillers, put in turns, with checkpoints.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::masker::Masker;
use super::raw::{Annotation, GAP, RawTicket, masked_schema};
use super::turns::{Fillers, Recorded, Role, Turn, Turns};
use crate::model::{FactFile, SaidFile, TicketFile, ToolFile};
use crate::recording::canonical_name;
use probity_bench::Files;
use probity_engine::ids::is_identifier;

const OTHERS: &str = "imported";

/// What tickets were made, and what became of what they were made of.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Prepared {
    pub files: Files,
    /// What was dropped, changed or left to the author, a line each.
    pub log: Vec<String>,
    /// Tickets that nothing was made of, and why.
    pub passed_over: Vec<(String, String)>,
    pub counts: Counts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub read: usize,
    pub made: usize,
    pub checkpoints: usize,
    /// Of these, checkpoints that were drafted.
    pub drafted: usize,
    pub calls: usize,
    pub masked: usize,
    pub fillers: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Preparation {
    pub names: Vec<String>,
    /// What is dropped.
    pub fillers: Fillers,
}

impl Preparation {
    /// Tickets of raw ones; nothing is written.
    pub fn tickets(&self, raw: &[RawTicket]) -> Prepared {
        let mut prepared = Prepared::default();
        let mut tools: BTreeMap<String, BTreeMap<String, ToolFile>> = BTreeMap::new();
        let mut hidden: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for ticket in raw {
            prepared.counts.read += 1;
            let texts: Vec<String> = ticket_texts(ticket).collect();
            let masker = Masker::of(&texts, &self.names);
            masker.masks(&texts, &mut hidden);
            if let Err(why) = self.ticket(ticket, &masker, &mut prepared, &mut tools) {
                prepared.passed_over.push((ticket.id.clone(), why));
            }
        }
        for (category, tools) in tools {
            let list: Vec<ToolFile> = tools.into_values().collect();
            prepared.files.insert(format!("tickets/tools/{category}.json"), written(&list));
        }
        for (mask, originals) in hidden.into_iter().filter(|(_, originals)| originals.len() > 1) {
            let count = originals.len();
            prepared.log.push(format!(
                "`{mask}` stands for {count} different texts: calls that had one or the other are the same now"
            ));
        }
        prepared
    }

    fn ticket(
        &self,
        raw: &RawTicket,
        masker: &Masker,
        prepared: &mut Prepared,
        tools: &mut BTreeMap<String, BTreeMap<String, ToolFile>>,
    ) -> Result<(), String> {
        let category = raw.category.as_deref().map_or_else(|| OTHERS.to_owned(), |name| identifier(&masker.mask(name)));
        let name = identifier(&masker.mask(&raw.id));
        if ["tools", "references"].contains(&category.as_str()) {
            return Err(format!("no category can be called `{category}`"));
        }
        if !is_identifier(&category) || !is_identifier(&name) {
            return Err("neither its id nor its category makes a name: letters, digits and `_`".to_owned());
        }
        let path = format!("tickets/{category}/{name}.json");
        if prepared.files.contains_key(&path) {
            return Err(format!("`{path}` is another ticket's already"));
        }
        let turns = self.turns(raw, masker, prepared);
        let (file, drafted) = file(raw, masker, &turns)?;
        let own = tools.entry(category).or_default();
        let mut file = TicketFile { tools: known_tools(raw, masker, &turns, own, prepared), ..file };
        file.references = references(raw, masker, prepared);
        prepared.counts.made += 1;
        prepared.counts.checkpoints += file.checkpoints.len();
        prepared.counts.drafted += drafted;
        prepared.counts.calls += file.checkpoints.iter().map(|checkpoint| checkpoint.calls.len()).sum::<usize>();
        if drafted > 0 {
            prepared.log.push(format!("{path}: {drafted} drafted; write the facts where `TODO: ` stands"));
        }
        prepared.files.insert(path, written(&file));
        Ok(())
    }

    /// The messages of a raw ticket, masked and without fillers, in turns.
    fn turns(&self, raw: &RawTicket, masker: &Masker, prepared: &mut Prepared) -> Vec<Turn> {
        let mut note = |what: String| prepared.log.push(format!("{}: {what}", raw.id));
        let mask_text = |text: &str| masker.mask(text);
        let (mut kept, mut count_masked, mut fillers) = (Vec::<Recorded>::new(), 0, 0);
        for (index, message) in raw.messages.iter().enumerate() {
            let (recorded, unreadable) = message.recorded(&mask_text);
            count_masked += usize::from(recorded.text.as_deref() != message.content.as_deref());
            if unreadable > 0 {
                note(format!("message {}: the arguments of {unreadable} are no object and were left out", index + 1));
            }
            // `Yes` to a question is an answer.
            let is_asked = recorded.role == Role::User && kept.last().is_some_and(Recorded::asks);
            if !is_asked && self.fillers.holds(&recorded) {
                fillers += 1;
                note(format!(
                    "message {}: dropped `{}`",
                    index + 1,
                    recorded.text.as_deref().unwrap_or_default().trim()
                ));
                continue;
            }
            kept.push(recorded);
        }
        let mut ids = BTreeSet::new();
        for (id, tool, _) in kept.iter().flat_map(|recorded| &recorded.calls) {
            if !ids.insert(id.as_str()) {
                note(format!("another call has the id `{id}` of one of `{tool}`: what answers it is the later one's"));
            }
        }
        let all = Turns::of(&kept);
        for (count, what) in [
            (all.dropped_leading, "of the agent before the customer's first were dropped"),
            (all.orphan_calls, "calls without a result were dropped"),
            (all.orphan_results, "results without a call were dropped"),
            (usize::from(all.dropped_trailing), "last message of the customer without a reply was dropped"),
        ] {
            if count > 0 {
                note(format!("{count} {what}"));
            }
        }
        prepared.counts.masked += count_masked;
        prepared.counts.fillers += fillers;
        all.turns
    }
}

fn references(raw: &RawTicket, masker: &Masker, prepared: &mut Prepared) -> Vec<String> {
    let mut names = Vec::new();
    for document in &raw.references {
        let name = identifier(&masker.mask(&document.name));
        let path = format!("tickets/references/{name}.md");
        let text = masker.mask(&document.text);
        if prepared.files.get(&path).is_some_and(|other| *other != text) {
            prepared.log.push(format!("{}: there is another `{path}`; it stands for this one too", raw.id));
        }
        prepared.files.entry(path).or_insert(text);
        names.push(name);
    }
    names
}

/// The ticket of some turns without its tools, and how many of its checkpoints are drafts.
fn file(raw: &RawTicket, masker: &Masker, turns: &[Turn]) -> Result<(TicketFile, usize), String> {
    if turns.is_empty() {
        return Err("nothing that the customer said got a reply".to_owned());
    }
    if let Some(annotation) = raw.checkpoints.iter().find(|known| !(1..=turns.len()).contains(&known.turn)) {
        return Err(format!("there is no turn {}: it has {}", annotation.turn, turns.len()));
    }
    let mut annotated: BTreeMap<usize, &Annotation> = BTreeMap::new();
    if let Some(twice) = raw.checkpoints.iter().find(|known| annotated.insert(known.turn, known).is_some()) {
        return Err(format!("turn {} is a checkpoint twice", twice.turn));
    }
    let (mut file, mut before, mut drafted) = (TicketFile::default(), Vec::new(), 0);
    for (index, turn) in turns.iter().enumerate() {
        let is_drafted = raw.checkpoints.is_empty() && (!turn.calls.is_empty() || index + 1 == turns.len());
        let known = annotated.get(&(index + 1));
        let known = known.map(|known| (*known).clone().masked(&|text| masker.mask(text)));
        let Some(known) = known.or_else(|| is_drafted.then(|| Annotation::draft(index + 1, &turn.reply))) else {
            before.extend([SaidFile::User(turn.user.clone()), SaidFile::Agent(turn.reply.clone())]);
            continue;
        };
        let said = std::mem::take(&mut before);
        let said = match file.checkpoints.is_empty() {
            true => {
                file.history = said;
                Vec::new()
            }
            false => said,
        };
        let checkpoint = known.checkpoint(turn, said);
        drafted += usize::from(checkpoint.facts == [FactFile::One(GAP.to_owned())]);
        file.checkpoints.push(checkpoint);
    }
    match file.checkpoints.is_empty() {
        true => Err("none of its turns is a checkpoint".to_owned()),
        false => Ok((file, drafted)),
    }
}

/// The tools of a ticket by name; those that nobody describes are inferred from their calls.
fn known_tools(
    raw: &RawTicket,
    masker: &Masker,
    turns: &[Turn],
    all: &mut BTreeMap<String, ToolFile>,
    prepared: &mut Prepared,
) -> Vec<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mask = |text: &str| masker.mask(text);
    for tool in &raw.tools {
        let tool = ToolFile {
            name: canonical_name(&tool.name),
            description: mask(&tool.description),
            parameters: masked_schema(tool.parameters.clone(), &mask),
        };
        if all.get(&tool.name).is_some_and(|other| *other != tool) {
            let name = &tool.name;
            prepared.log.push(format!("{}: `{name}` was described otherwise before, which stays", raw.id));
        }
        names.insert(tool.name.clone());
        all.entry(tool.name.clone()).or_insert(tool);
    }
    for call in turns.iter().flat_map(|turn| &turn.calls) {
        if !all.contains_key(&call.tool) {
            prepared.log.push(format!("{}: nothing describes `{}`; its parameters are inferred", raw.id, call.tool));
        }
        let tool = all.entry(call.tool.clone()).or_insert_with(|| ToolFile {
            name: call.tool.clone(),
            description: "TODO: what it does (inferred from recorded calls)".to_owned(),
            parameters: json!({"type": "object", "properties": {}, "additionalProperties": false}),
        });
        if tool.description.starts_with("TODO: ") {
            infer(&mut tool.parameters, &call.arguments);
        }
        names.insert(call.tool.clone());
    }
    names.into_iter().collect()
}

fn ticket_texts(raw: &RawTicket) -> impl Iterator<Item = String> {
    let calls = raw.messages.iter().flat_map(|message| message.tool_calls.iter().flatten());
    let arguments = calls.map(|call| match &call.function.arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let documents = raw.references.iter().map(|document| document.text.clone());
    raw.messages.iter().filter_map(|message| message.content.clone()).chain(arguments).chain(documents)
}

/// Adds the parameters of a call that are not known yet.
fn infer(parameters: &mut Value, arguments: &Map<String, Value>) {
    let Some(properties) = parameters.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, value) in arguments {
        let kind = match value {
            Value::String(_) => json!({"type": "string"}),
            Value::Bool(_) => json!({"type": "boolean"}),
            Value::Number(number) if number.is_f64() => json!({"type": "number"}),
            Value::Number(_) => json!({"type": "integer"}),
            Value::Array(_) => json!({"type": "array"}),
            Value::Object(_) => json!({"type": "object"}),
            Value::Null => json!({}),
        };
        let known = properties.entry(name.clone()).or_insert_with(|| kind.clone());
        // What is called in two ways is not told apart.
        if *known != kind {
            *known = json!({});
        }
    }
}

fn identifier(text: &str) -> String {
    let letters: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    match letters.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => letters,
        false => format!("t_{letters}"),
    }
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
