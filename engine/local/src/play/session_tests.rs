use proptest::prelude::*;

use super::super::sample::{shop, typed};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However play goes back and forth, it stands where the same calls lead without detours.
    #[test]
    fn detours_leave_no_trace(moves in prop::collection::vec((0_u8..6, 1_usize..4), 1..25)) {
        let mut session = shop();
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
        let mut straight = shop();
        kept.iter().for_each(|line| typed(&mut straight, line));
        prop_assert!(session.events().eq(straight.events()));
        prop_assert_eq!(session.state().sum(), straight.state().sum());
    }
}
