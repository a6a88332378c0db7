//! What is wrong with a desk task beyond its form.

use super::certificate::certify_desk;
use super::desk_task::DeskTask;
use super::task_file::{DeskCall, DeskTaskFile, FactFile, StageEnd, StageFile, Until};
use probity_engine::{Environment, Problem, suggest};

pub fn problems(file: &DeskTaskFile, environment: &Environment) -> Vec<Problem> {
    let mut found = Vec::new();
    for (list, is_empty) in [("opening", file.opening.is_empty()), ("wishes", file.wishes.is_empty())] {
        if is_empty {
            found.push(
                Problem::error(format!("/{list}"), "empty_list", format!("there is no {list}")).help("write one"),
            );
        }
    }
    found.extend(blank_texts(&file.opening, "/opening"));
    found.extend(file.facts.iter().flat_map(|(field, fact)| fact_problems(fact, &format!("/facts/{field}"))));
    for (at, call) in file.start.iter().enumerate() {
        found.extend(call_problems(call, environment, &format!("/start/{at}")));
    }
    for (wish, stages) in file.wishes.iter().enumerate() {
        if stages.is_empty() {
            found.push(Problem::error(format!("/wishes/{wish}"), "empty_list", "a wish has a stage").help("write one"));
        }
        for (at, stage) in stages.iter().enumerate() {
            let is_last = at + 1 == stages.len();
            found.extend(stage_problems(stage, is_last, environment, &format!("/wishes/{wish}/{at}")));
        }
    }
    for (at, field) in file.critical_fields.iter().enumerate() {
        let mut facts = file.wishes.iter().flatten().flat_map(|stage| stage.facts.keys()).chain(file.facts.keys());
        if !facts.any(|known| known == field) {
            let message = format!("the user knows no `{field}`");
            found.push(Problem::error(format!("/critical_fields/{at}"), "unknown_fact", message).help("add the fact"));
        }
    }
    found
}

fn stage_problems(stage: &StageFile, is_last: bool, environment: &Environment, at: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut error = |key: &str, code, message: &str, help: &str| {
        found.push(Problem::error(format!("{at}{key}"), code, message).help(help));
    };
    if stage.says.is_empty() {
        error("/says", "empty_list", "the user has no words for this", "write them");
    }
    if stage.offer.trim().is_empty() {
        error("/offer", "empty_text", "an agent that knows all has no words for this", "write them");
    }
    match &stage.until {
        Some(Until::Told(values)) if values.is_empty() => {
            error("/until/told", "empty_list", "anything tells this", "write the values that turn the wish")
        }
        Some(Until::Called(tool)) if environment.tool(tool).is_none() => {
            let names = environment.tools().iter().map(|tool| tool.name.as_str());
            let help = suggest::help(tool, names);
            error("/until/called", "unknown_tool", &format!("there is no tool `{tool}`"), &help);
        }
        _ => {}
    }
    match (&stage.until, is_last) {
        (Some(_), true) => error("/until", "no_next_stage", "nothing comes after this stage", "remove it"),
        (None, false) => {
            error("", "endless_stage", "nothing turns this stage to the next", "say `until` when it lasts")
        }
        _ => {}
    }
    let needs_call = match &stage.until {
        Some(until) => matches!(until, Until::Proposed),
        None => stage.ends == StageEnd::Agreed,
    };
    if needs_call && stage.call.is_none() {
        error("", "missing_call", "there is nothing to agree to", "write the `call`");
    }
    if stage.until.is_none() && stage.ends == StageEnd::Told && stage.tells.is_empty() {
        error("", "nothing_to_tell", "it ends when nothing is told", "write what it `tells`");
    }
    found.extend(blank_texts(&stage.says, &format!("{at}/says")));
    found.extend(blank_texts(&stage.tells, &format!("{at}/tells")));
    if let Some(Until::Told(values)) = &stage.until {
        found.extend(blank_texts(values, &format!("{at}/until/told")));
    }
    found.extend(stage.facts.iter().flat_map(|(field, fact)| fact_problems(fact, &format!("{at}/facts/{field}"))));
    for (index, named) in stage.named.iter().enumerate() {
        let at = format!("{at}/named/{index}");
        if named.is.is_empty() {
            let problem = Problem::error(format!("{at}/is"), "empty_list", "there are no right words");
            found.push(problem.help("write the words that are right"));
        }
        found.extend(blank_texts(&named.is, &format!("{at}/is")));
        found.extend(blank_texts(&named.not, &format!("{at}/not")));
    }
    for (index, look) in stage.looks.iter().enumerate() {
        found.extend(call_problems(look, environment, &format!("{at}/looks/{index}")));
    }
    let call = stage.call.iter().flat_map(|call| call_problems(call, environment, &format!("{at}/call")));
    found.extend(call);
    found
}

fn fact_problems(fact: &FactFile, at: &str) -> Vec<Problem> {
    let blank = fact.value.trim().is_empty();
    let value = blank.then(|| {
        Problem::error(format!("{at}/value"), "empty_text", "the value is empty").help("write what the user knows")
    });
    value.into_iter().chain(blank_texts(&fact.say, &format!("{at}/say"))).collect()
}

fn call_problems(call: &DeskCall, environment: &Environment, at: &str) -> Option<Problem> {
    if environment.tool(&call.tool).is_none() {
        let names = environment.tools().iter().map(|tool| tool.name.as_str());
        let problem = Problem::error(format!("{at}/tool"), "unknown_tool", format!("there is no tool `{}`", call.tool));
        return Some(problem.help(suggest::help(&call.tool, names)));
    }
    environment.complete(&call.made()).is_none().then(|| {
        let message = format!("these are no arguments of `{}`", call.tool);
        Problem::error(format!("{at}/arguments"), "bad_arguments", message).help("write those that the tool takes")
    })
}

pub fn certificate_problem(task: &DeskTask) -> Option<Problem> {
    let (at, what) = certify_desk(task).err()?;
    Some(Problem::error(at, "not_certified", what).help("docs/MM_TAU.md has what must hold of a desk task"))
}

fn blank_texts(texts: &[String], at: &str) -> Vec<Problem> {
    let blank = texts.iter().enumerate().filter(|(_, text)| text.trim().is_empty());
    blank
        .map(|(index, _)| {
            Problem::error(format!("{at}/{index}"), "empty_text", "this says nothing").help("write it, or remove it")
        })
        .collect()
}
