use proptest::prelude::*;

use super::super::sample::{broken_shop, customer, shop, typed};
use super::*;

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
