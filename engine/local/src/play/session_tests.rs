use proptest::prelude::*;

use super::super::sample::{broken_shop, customer, shop, typed};
use super::*;

#[test]
fn a_call_shows_observation_delta_and_findings() {
    let (_, mut session) = shop();
    let found = typed(&mut session, "find_items name=cup");
    assert!(found.starts_with("step 1: ok\n["), "{found}");
    let text = typed(&mut session, r#"sell_item {"item_id": "I001", "count": 1}"#);
    assert!(text.contains("~ /items/I001/stock: "), "{text}");
    let (_, mut hasty) = shop();
    let text = typed(&mut hasty, "sell_item item_id=I001 count=1");
    assert!(text.contains("!      precedence_violated: "), "{text}");
    let refused = typed(&mut hasty, "sell_item item_id=nobody count=1");
    assert!(refused.contains("refused") && refused.contains("\"code\": \"item_not_found\""), "{refused}");
}

#[test]
fn a_fault_of_the_author_shows_what_an_agent_sees_and_what_it_does_not() {
    let cases = [("item.stock = -1;", "schema_violation"), ("item.colour.x.y = 1;", "script_fault")];
    for (line, kind) in cases {
        let (_, mut session) = broken_shop(line);
        let before = session.state().hash();
        let text = typed(&mut session, "sell_item item_id=I001 count=1");
        let (seen, detail) = text.split_once("for the author: ").unwrap_or_else(|| panic!("{text}"));
        assert!(seen.contains(kind) && seen.contains("the tool failed; nothing was changed"), "{text}");
        assert!(!seen.contains(detail.lines().next().unwrap()), "{text}");
        assert_eq!(session.state().hash(), before);
    }
}

#[test]
fn the_brief_is_what_an_agent_is_told() {
    let (_, mut session) = shop();
    let text = typed(&mut session, "brief");
    assert!(text.contains("At most three pieces") && text.contains("2026-03-02T09:00:00Z"), "{text}");
}

#[test]
fn undo_brings_state_log_and_findings_back() {
    let (_, mut session) = shop();
    let hash = |session: &Session| session.state().hash();
    let start = hash(&session);
    typed(&mut session, "find_items name=cup");
    typed(&mut session, "find_items name=bowl");
    typed(&mut session, "find_items name=plate");
    typed(&mut session, "find_items name=jug");
    let seen = typed(&mut session, "sell_item item_id=I001 count=1");
    assert!(!seen.contains("precedence_violated"), "{seen}");
    let sold = hash(&session);
    assert_ne!(start, sold);
    session.undo(5).unwrap();
    assert_eq!(hash(&session), start);
    // What was seen is unseen again.
    let unseen = typed(&mut session, "sell_item item_id=I001 count=1");
    assert!(unseen.starts_with("step 1") && unseen.contains("precedence_violated"), "{unseen}");
    assert_eq!(hash(&session), sold);
    assert_eq!(session.redo(1).unwrap_err().message, "1 messages cannot be done again");
    session.undo(1).unwrap();
    session.redo(1).unwrap();
    assert_eq!(hash(&session), sold);
    assert_eq!(session.undo(2).err().unwrap().help, "1 can");
}

#[test]
fn lines_are_independent() {
    let (_, mut session) = shop();
    typed(&mut session, "sell_item item_id=I001 count=1");
    session.fork("other").unwrap();
    typed(&mut session, "sell_item item_id=I002 count=1");
    assert_eq!(session.lines(), BTreeMap::from([("main", 1), ("other", 2)]));
    let delta = session.diff("main", "other").unwrap();
    assert_eq!(delta.paths().collect::<Vec<_>>(), ["/items/I002/stock"]);
    session.switch("main").unwrap();
    assert_eq!((session.name(), session.messages()), ("main", 1));
    session.undo(1).unwrap();
    session.switch("other").unwrap();
    assert_eq!(session.messages(), 2);
    session.switch("main").unwrap();
    session.redo(1).unwrap();
    assert_eq!(session.fork("other").unwrap_err().message, "there is a line `other` already");
    assert_eq!(session.fork("main").unwrap_err().message, "there is a line `main` already");
    assert_eq!(session.fork("Nein!").unwrap_err().message, "`Nein!` is no name");
    assert_eq!(session.switch("othre").unwrap_err().help, "did you mean `other`?");
    assert!(session.diff("main", "nowhere").is_err());
}

#[test]
fn a_user_speaks_in_turn_and_a_last_reply_ends_it() {
    let (_, mut session) = customer(Variant::Underspecification, 20);
    assert!(typed(&mut session, "log").starts_with("user   Hello, I would like two teapots"));
    assert!(typed(&mut session, "say Which colour?").ends_with("user   The green ones.\n"));
    assert!(typed(&mut session, "say Done.").ends_with("end    completed\n"));
    assert!(typed(&mut session, "find_items name=cup").starts_with("error: the dialogue is over"));
    let undone = typed(&mut session, "undo 2");
    assert!(undone.starts_with("undone: ") && undone.ends_with("main after 0 messages\n"), "{undone}");
    assert!(typed(&mut session, "say Which one?").contains("The green ones."));
    let (_, mut alone) = shop();
    assert!(typed(&mut alone, "say Hello?").starts_with("error: there is nobody to talk to"));
}

#[test]
fn messages_are_limited_as_in_an_episode() {
    let (_, mut session) = customer(Variant::Ideal, 2);
    typed(&mut session, "find_items name=teapot");
    let last = typed(&mut session, "find_items name=teapot");
    assert!(last.ends_with("end    max_messages\n"), "{last}");
    assert!(session.is_over());
    let huge = format!("call {} {{}}", "x".repeat(300));
    session.undo(1).unwrap();
    assert!(typed(&mut session, &huge).starts_with("error: a tool's name longer"));
    assert!(typed(&mut session, "say   ").starts_with("error: a reply has 1 to"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However play goes back and forth, it stands where the same calls lead without detours.
    #[test]
    fn detours_leave_no_trace(moves in prop::collection::vec((0_u8..6, 1_usize..4), 1..25)) {
        let (_, mut session) = shop();
        let mut kept: Vec<String> = Vec::new();
        let mut undone: Vec<String> = Vec::new();
        for (kind, n) in moves {
            match kind {
                0 if session.undo(n).is_ok() => undone.extend(kept.split_off(kept.len() - n).into_iter().rev()),
                1 if session.redo(n).is_ok() => (0..n).for_each(|_| kept.extend(undone.pop())),
                0 | 1 => {}
                _ => {
                    let line = format!("sell_item item_id=I00{kind} count={n}");
                    typed(&mut session, &line);
                    kept.push(line);
                    undone.clear();
                }
            }
        }
        let (_, mut straight) = shop();
        kept.iter().for_each(|line| drop(typed(&mut straight, line)));
        prop_assert!(session.events().eq(straight.events()));
        prop_assert_eq!(session.state().sum(), straight.state().sum());
    }
}
