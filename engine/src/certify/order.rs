//! Other orders: every order of the oracle's calls that the edges and the environment permit must solve the
//! outcome, and an order that an oracle call asks for by `after` must be needed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::goal::Goal;
use super::known::Known;
use super::position::Position;
use crate::engine::sum::Sum;
use crate::model::call::ToolCall;

/// Most positions that are looked at; orders beyond are not tried, and the certificate says so.
const MAX_POSITIONS: usize = 50_000;

/// What came of making the calls in other orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Orders {
    /// How many orders the edges and the environment permit.
    pub permitted: u64,
    /// Whether all of them were tried.
    pub is_exhaustive: bool,
    /// One that does not solve the outcome, by positions of the oracle's calls.
    pub failing: Option<Vec<usize>>,
    /// Orders by `after` whose reverse solves the outcome as well: earlier and later call.
    pub idle: Vec<(usize, usize)>,
}

/// Tries the orders of an oracle trace.
pub fn orders(goal: &Goal, calls: &[ToolCall]) -> Orders {
    let mut walk = Walk { goal, calls, visited: BTreeMap::new(), is_exhaustive: true, failing: None };
    let permitted = walk.from(&goal.start(), &mut Vec::new(), Sum::default());
    Orders { permitted, is_exhaustive: walk.is_exhaustive, failing: walk.failing, idle: idle(goal, calls) }
}

/// What decides how a walk goes on: the calls made, what they returned, the state and what is known.
type Key = (Vec<usize>, Sum, Sum, Known);

struct Walk<'a> {
    goal: &'a Goal<'a>,
    calls: &'a [ToolCall],
    /// For each position met, how many permitted orders go on from it.
    visited: BTreeMap<Key, u64>,
    is_exhaustive: bool,
    failing: Option<Vec<usize>>,
}

impl Walk<'_> {
    fn from(&mut self, position: &Position, path: &mut Vec<usize>, shown: Sum) -> u64 {
        if path.len() == self.calls.len() {
            if self.failing.is_none() && !self.goal.failing(position).is_empty() {
                self.failing = Some(path.clone());
            }
            return 1;
        }
        let mut made = path.clone();
        made.sort_unstable();
        let key = (made, position.state.sum(), shown, position.known.clone());
        if let Some(orders) = self.visited.get(&key) {
            return *orders;
        }
        if self.visited.len() >= MAX_POSITIONS {
            self.is_exhaustive = false;
            return 0;
        }
        let mut orders = 0_u64;
        for (at, call) in self.calls.iter().enumerate() {
            let after = self.goal.outcome.oracle.get(at).map(|call| call.after.as_slice()).unwrap_or_default();
            if path.contains(&at) || !after.iter().all(|earlier| path.contains(earlier)) {
                continue;
            }
            let Ok(next) = position.after(self.goal, call) else { continue };
            if !next.broken.is_empty() {
                continue;
            }
            let mut shown = shown;
            if let Some(made) = next.made.last() {
                shown += Sum::of(&format!("{at} {}", made.observation));
            }
            path.push(at);
            orders = orders.saturating_add(self.from(&next, path, shown));
            path.pop();
        }
        self.visited.insert(key, orders);
        orders
    }
}

/// Orders by `after` that nothing needs: with the later call just before the earlier one, the outcome is solved.
fn idle(goal: &Goal, calls: &[ToolCall]) -> Vec<(usize, usize)> {
    let asked = goal.outcome.oracle.iter().enumerate();
    let pairs = asked.flat_map(|(later, call)| call.after.iter().map(move |earlier| (*earlier, later)));
    let solves = |(earlier, later): &(usize, usize)| {
        let mut order: Vec<usize> = (0..calls.len()).filter(|at| at != later).collect();
        let place = order.iter().position(|at| at == earlier).unwrap_or(0);
        order.insert(place, *later);
        let chosen = order.iter().filter_map(|at| calls.get(*at));
        goal.failing(&goal.start().after_all(goal, chosen).0).is_empty()
    };
    pairs.filter(solves).collect()
}
