//! The refreshes of a profile against counting by hand.

use std::num::NonZeroUsize;

use probity_mm_tau::measures::{ContextSchedule, MessageRole};
use proptest::prelude::*;

fn naive(roles: &[MessageRole], window: usize, every: usize) -> Vec<(usize, (usize, usize))> {
    let mut found = Vec::new();
    let mut since = 0;
    for (at, role) in roles.iter().enumerate() {
        if *role == MessageRole::User {
            since += 1;
            if since == every {
                since = 0;
                let start = (0..=at).rev().take(window).last().unwrap_or(at);
                found.push((at, (start, at + 1)));
            }
        }
    }
    found
}

proptest! {
    #[test]
    fn refreshes_come_when_enough_was_said(
        says_user in prop::collection::vec(any::<bool>(), 0..60),
        window in 1_usize..20,
        every in 1_usize..6,
    ) {
        let role = |is_user: &bool| if *is_user { MessageRole::User } else { MessageRole::Agent };
        let roles: Vec<MessageRole> = says_user.iter().map(role).collect();
        let new = |size| NonZeroUsize::new(size).unwrap();
        let schedule = ContextSchedule { window: new(window), every: new(every) };
        let ours: Vec<_> =
            schedule.refreshes(&roles).into_iter().map(|refresh| (refresh.after_index, refresh.window)).collect();
        prop_assert_eq!(ours, naive(&roles, window, every));
    }
}
