//! What is wrong with a desk task beyond its form.

use super::desk_task::DeskTask;
use super::task_file::{DeskCall, DeskTaskFile, StageEnd, StageFile, Until};
use probity_engine::{Environment, Problem, suggest};

/// All that is wrong with a task as it is written.
pub fn problems(file: &DeskTaskFile, environment: &Environment) -> Vec<Problem> {
    let mut found = Vec::new();
    for (list, is_empty) in [("opening", file.opening.is_empty()), ("wishes", file.wishes.is_empty())] {
        if is_empty {
            found.push(
                Problem::error(format!("/{list}"), "empty_list", format!("there is no {list}")).help("write one"),
            );
        }
    }
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
    for (index, look) in stage.looks.iter().enumerate() {
        found.extend(call_problems(look, environment, &format!("{at}/looks/{index}")));
    }
    let call = stage.call.iter().flat_map(|call| call_problems(call, environment, &format!("{at}/call")));
    found.extend(call);
    found
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

/// What is wrong with how a task begins or ends.
pub fn course_problem(task: &DeskTask) -> Option<Problem> {
    let course = task.beginning().map_err(|what| ("/patch", what)).and_then(|begun| {
        let ended = task.gold().try_fold(begun, |state, call| task.after(&state, call));
        ended.map_err(|what| ("/wishes", what))
    });
    let (at, what) = course.err()?;
    Some(Problem::error(at, "refused_course", what).help("the world must accept how the task begins and ends"))
}
