//! Proof that a desk task is what it says: its user can be found, its gold calls are accepted and each of them is
//! necessary, what must be refused is not among them, every look succeeds, and what is offered is told right.

use super::cost::AmountTold;
use super::desk_field::DeskField;
use super::desk_task::{DeskStage, DeskTask};
use super::task_file::DeskCall;
use crate::desk::reading::read;
use crate::measures::{FieldKind, canonical};
use probity_engine::{Actor, State};

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
    use crate::desk::task::{DeskTaskFile, StageEnd, Until};
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
        let tasks = suite.desk.tasks.values();
        let failed: Vec<String> =
            tasks.filter_map(|task| certify_desk(task).err().map(|why| format!("{}: {why:?}", task.id))).collect();
        assert!(failed.is_empty(), "{failed:#?}");
    }

    #[test]
    fn each_desk_has_what_the_paper_tells_of_users() {
        let suite = suite();
        for (desk, least) in [("retail", 12), ("airline", 8)] {
            let tasks: Vec<_> = suite.desk.tasks.values().filter(|task| task.id.starts_with(desk)).collect();
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
        let task = &suite.desk.tasks["retail/warmer_blanket"];
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
        let task = DeskTask::new("retail/more", file, task.environment.clone());
        let expected = ("/wishes/1/0/call".to_owned(), "this call of the gold changes nothing".to_owned());
        assert_eq!(certify_desk(&task).unwrap_err(), expected);
    }

    #[test]
    fn what_is_offered_must_be_what_it_costs() {
        let suite = suite();
        let task = &suite.desk.tasks["retail/warmer_blanket"];
        let spoilt = |from: &str, to: &str| {
            let text = serde_json::to_string(&task.file).unwrap();
            assert!(text.contains(from), "{from}");
            let file: DeskTaskFile = serde_json::from_str(&text.replace(from, to)).unwrap();
            certify_desk(&DeskTask::new("retail/spoilt", file, task.environment.clone())).unwrap_err()
        };
        assert_eq!(spoilt("the $16.78 to", "the $167.80 to").0, "/wishes/0/1/offer");
        assert_eq!(spoilt("to your PayPal account", "to your gift card").0, "/wishes/0/1/offer");
        assert_eq!(spoilt("bela.dubois5@example.com", "bela.dubois6@example.com").0, "/facts");
    }
}
