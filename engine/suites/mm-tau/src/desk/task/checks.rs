//! What is wrong with a desk task beyond its form, and proof that it is what it says: its user can be found, its gold calls
//! are accepted and each of them is necessary, what must be refused is not among them, every look succeeds, and what is
//! offered is told right.

use super::cost::AmountTold;
use super::desk_task::{DeskStage, DeskTask};
use super::task_file::{DeskCall, DeskField, DeskTaskFile, FactFile, StageEnd, StageFile, Until};
use crate::desk::reading::read;
use crate::measures::{FieldKind, canonical};
use probity_engine::{Actor, Environment, Problem, State, suggest};

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

/// Proves a task.
/// An error: where in its file, and a line: what does not hold.
pub fn certify_desk(task: &DeskTask) -> Result<(), (String, String)> {
    let at = |at: &'static str| move |what: String| (at.to_owned(), what);
    let begun = task.beginning().map_err(at("/patch"))?;
    task.is_one_person().map_err(at("/facts"))?;
    let gold: Vec<&DeskCall> = task.gold().collect();
    let mut ended = begun.clone();
    for (index, call) in gold.iter().enumerate() {
        ended = task.after(&ended, call).map_err(|what| (task.place_of_gold(index), what))?;
    }
    for left_out in 0..gold.len() {
        let rest: Vec<&DeskCall> =
            gold.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, call)| *call).collect();
        // What cannot be done without the call is reached no more than what ends otherwise.
        if play(task, &begun, &rest).is_ok_and(|state| state.to_json() == ended.to_json()) {
            return Err((task.place_of_gold(left_out), "this call of the gold changes nothing".to_owned()));
        }
    }
    for (wish, stages) in task.wishes.iter().enumerate() {
        for (place, stage) in stages.iter().enumerate() {
            stage_holds(task, &begun, stage).map_err(|(key, what)| (format!("/wishes/{wish}/{place}{key}"), what))?;
        }
    }
    Ok(())
}

/// Every look succeeds, and what an agent that knows all says of the call is what it costs.
fn stage_holds(task: &DeskTask, begun: &State, stage: &DeskStage) -> Result<(), (String, String)> {
    for (index, look) in stage.file.looks.iter().enumerate() {
        let stepped = task.environment.step(begun, &look.made(), Actor::Agent);
        let refused = |what: String| (format!("/looks/{index}"), format!("`{}`: {what}", look.tool));
        stepped.result.map_err(|found| refused(found.message))?;
        if stepped.after.hash() != begun.hash() {
            return Err(refused("a look changes nothing".to_owned()));
        }
    }
    for (field, fact) in &stage.file.facts {
        let call = stage.file.call.as_ref().and_then(|call| call.arguments.get(field.name())?.as_str());
        let is_id = matches!(field, DeskField::OrderId | DeskField::ReservationId);
        if let Some(value) =
            call.filter(|value| is_id && canonical(FieldKind::Id, value) != canonical(FieldKind::Id, &fact.value))
        {
            return Err((format!("/facts/{field}/value"), format!("the call takes `{value}`")));
        }
    }
    let Some(cost) = stage.cost.as_ref().filter(|_| stage.is_offered()) else { return Ok(()) };
    let offer = read(&stage.file.offer, task);
    let wrong = |what: &str| Err(("/offer".to_owned(), what.to_owned()));
    if matches!(cost.judge(&offer.amounts), AmountTold::Beside | AmountTold::Wrong) {
        return wrong("the amount is not what the call costs or brings back");
    }
    if cost.names_other_means(&offer.words) {
        return wrong("this is not the means of payment that the call takes");
    }
    Ok(())
}

fn play(task: &DeskTask, begun: &State, calls: &[&DeskCall]) -> Result<State, String> {
    calls.iter().try_fold(begun.clone(), |state, call| task.after(&state, call))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::task::{DeskTaskFile, StageEnd, Until, populated};
    use crate::suite::MmTauSuite;
    use std::path::Path;

    fn suite() -> MmTauSuite {
        let suite = MmTauSuite::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."));
        assert!(suite.diagnostics.is_empty(), "{:#?}", suite.diagnostics);
        suite
    }

    #[test]
    fn every_task_is_certified() {
        let suite = suite();
        let tasks = suite.desk.values();
        let failed: Vec<String> =
            tasks.filter_map(|task| certify_desk(task).err().map(|why| format!("{}: {why:?}", task.id))).collect();
        assert!(failed.is_empty(), "{failed:#?}");
    }

    #[test]
    fn each_desk_has_what_the_paper_tells_of_users() {
        let suite = suite();
        for (desk, least) in [("retail", 12), ("airline", 8)] {
            let tasks: Vec<_> = suite.desk.values().filter(|task| task.id.starts_with(desk)).collect();
            assert!(tasks.len() >= least, "{desk}");
            let stages = || tasks.iter().flat_map(|task| task.wishes.iter().flatten());
            let has_until = |is: fn(&Until) -> bool| stages().any(|stage| stage.file.until.as_ref().is_some_and(is));
            assert!(has_until(|until| matches!(until, Until::Refused)), "{desk}: an alternative after a refusal");
            assert!(has_until(|until| matches!(until, Until::Proposed)), "{desk}: a declined proposal");
            assert!(has_until(|until| matches!(until, Until::Called(_))), "{desk}: a constraint midway");
            assert!(has_until(|until| matches!(until, Until::Told(_))), "{desk}: a wish that a look-up turns");
            let ends = |end: StageEnd| stages().any(|stage| stage.file.until.is_none() && stage.file.ends == end);
            assert!(ends(StageEnd::Refused) && ends(StageEnd::HandedOver), "{desk}");
        }
    }

    #[test]
    fn a_call_that_changes_nothing_is_found() {
        let suite = suite();
        let task = &suite.desk["retail/warmer_blanket"];
        let mut file: DeskTaskFile = task.file.clone();
        let mut again = file.wishes[0][1].clone();
        again.call = Some(
            again
                .looks
                .first()
                .cloned()
                .unwrap_or(DeskCall { tool: "list_all_product_types".to_owned(), arguments: serde_json::Map::new() }),
        );
        file.wishes.push(vec![again]);
        let task = DeskTask::new("retail/more", file, task.environment.clone(), populated);
        let expected = ("/wishes/1/0/call".to_owned(), "this call of the gold changes nothing".to_owned());
        assert_eq!(certify_desk(&task).unwrap_err(), expected);
    }

    #[test]
    fn what_is_offered_must_be_what_it_costs() {
        let suite = suite();
        let task = &suite.desk["retail/warmer_blanket"];
        let spoilt = |from: &str, to: &str| {
            let text = serde_json::to_string(&task.file).unwrap();
            assert!(text.contains(from), "{from}");
            let file: DeskTaskFile = serde_json::from_str(&text.replace(from, to)).unwrap();
            certify_desk(&DeskTask::new("retail/spoilt", file, task.environment.clone(), populated)).unwrap_err()
        };
        assert_eq!(spoilt("the $16.78 to", "the $167.80 to").0, "/wishes/0/1/offer");
        assert_eq!(spoilt("to your PayPal account", "to your gift card").0, "/wishes/0/1/offer");
        assert_eq!(spoilt("bela.dubois5@example.com", "bela.dubois6@example.com").0, "/facts");
    }
}
