//! Other orders: every order of the oracle's calls that the edges and the environment permit must solve the
//! outcome, and an order that an oracle call asks for by `after` must be needed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::candidate::{Candidate, Item, Items};
use super::goal::{Goal, KnownPieces};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::text::Quote;
use probity_engine::{Edge, Sum, ToolCall};

/// Most positions that are looked at; orders beyond are not tried, and the certificate says so.
const MAX_POSITIONS: usize = 50_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Orders {
    /// How many orders the edges and the environment permit; at least so many when not all were tried.
    pub permitted: u64,
    pub is_exhaustive: bool,
    /// One that does not solve the outcome, by positions of the oracle's calls.
    pub failing: Option<Vec<usize>>,
    /// Orders by `after` against which another order is permitted and solves: earlier and later call.
    pub idle: Vec<(usize, usize)>,
}

pub fn orders(goal: &Goal, calls: &[ToolCall]) -> Orders {
    let mut walk = OrderWalk::new(goal, calls, Relaxation::Nothing);
    let permitted = walk.from(&goal.start(), &mut Vec::new(), Sum::default());
    Orders { permitted, is_exhaustive: walk.is_exhaustive, failing: walk.failing, idle: idle(goal, calls) }
}

/// An order that an edge, by its position in the graph, holds back, and against which nothing else speaks: all
/// other edges and the environment permit it, and it solves the outcome.
pub fn solving_against(goal: &Goal, calls: &[ToolCall], edge: usize) -> Option<Vec<usize>> {
    let mut walk = OrderWalk::new(goal, calls, Relaxation::Edge(edge));
    walk.from(&goal.start(), &mut Vec::new(), Sum::default());
    walk.solving
}

/// Orders by `after` that nothing needs: some order against it is permitted and solves the outcome.
fn idle(goal: &Goal, calls: &[ToolCall]) -> Vec<(usize, usize)> {
    let asked = goal.outcome.oracle.iter().enumerate();
    let pairs = asked.flat_map(|(later, call)| call.after.iter().map(move |earlier| (*earlier, later)));
    let solves = |(earlier, later): &(usize, usize)| {
        let mut walk = OrderWalk::new(goal, calls, Relaxation::After(*earlier, *later));
        walk.from(&goal.start(), &mut Vec::new(), Sum::default());
        walk.solving.is_some()
    };
    pairs.filter(solves).collect()
}

/// What a walk does not ask for, to see whether an order that breaks it solves the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relaxation {
    Nothing,
    Edge(usize),
    /// An order by `after`: the earlier call and the later.
    After(usize, usize),
}

/// What decides how a walk goes on: the calls made, what they returned, the state, what is known and what is broken.
type WalkKey = (Vec<usize>, Sum, Sum, KnownPieces, Items);

struct OrderWalk<'a> {
    goal: &'a Goal<'a>,
    calls: &'a [ToolCall],
    left_out: Relaxation,
    /// For each position met, how many permitted orders go on from it.
    visited: BTreeMap<WalkKey, u64>,
    is_exhaustive: bool,
    /// A permitted order that does not solve the outcome.
    failing: Option<Vec<usize>>,
    /// An order that breaks what is left out, and solves the outcome all the same.
    solving: Option<Vec<usize>>,
}

impl<'a> OrderWalk<'a> {
    fn new(goal: &'a Goal<'a>, calls: &'a [ToolCall], left_out: Relaxation) -> Self {
        OrderWalk { goal, calls, left_out, visited: BTreeMap::new(), is_exhaustive: true, failing: None, solving: None }
    }

    fn from(&mut self, position: &Candidate, path: &mut Vec<usize>, shown: Sum) -> u64 {
        if path.len() == self.calls.len() {
            self.judge(position, path);
            return 1;
        }
        let mut made = path.clone();
        made.sort_unstable();
        let key = (made, position.state().sum(), shown, position.known.clone(), position.broken.clone());
        if let Some(orders) = self.visited.get(&key) {
            return *orders;
        }
        if self.visited.len() >= MAX_POSITIONS {
            self.is_exhaustive = false;
            return 0;
        }
        let mut orders = 0_u64;
        for (at, call) in self.calls.iter().enumerate() {
            if self.solving.is_some() || !self.is_next(at, path) {
                continue;
            }
            let Ok(next) = position.after(self.goal, call) else { continue };
            if !next.broken.iter().all(|item| self.is_left_out(*item)) {
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

    fn judge(&mut self, position: &Candidate, path: &[usize]) {
        let failing = self.goal.failing(position);
        let is_solved = failing.iter().all(|item| self.is_left_out(*item));
        let is_against = match self.left_out {
            Relaxation::Nothing => false,
            Relaxation::Edge(_) => !failing.is_empty(),
            Relaxation::After(..) => true,
        };
        if !is_solved {
            self.failing.get_or_insert_with(|| path.to_vec());
        } else if is_against {
            self.solving.get_or_insert_with(|| path.to_vec());
        }
    }

    fn is_left_out(&self, item: Item) -> bool {
        matches!((self.left_out, item), (Relaxation::Edge(left_out), Item::Edge(edge)) if left_out == edge)
    }

    /// Whether a call has not been made and no `after` keeps it back.
    fn is_next(&self, at: usize, path: &[usize]) -> bool {
        let after = self.goal.outcome.oracle.get(at).map(|call| call.after.as_slice()).unwrap_or_default();
        let is_asked = |earlier: &usize| self.left_out != Relaxation::After(*earlier, at);
        !path.contains(&at)
            && after.iter().filter(|earlier| is_asked(earlier)).all(|earlier| path.contains(earlier))
            && self.is_against(at, path)
    }

    /// Whether an order that goes on so breaks the `after` that is left out: no call like the later one comes when
    /// one like the earlier has been made. Calls that are the same may stand for each other.
    fn is_against(&self, at: usize, path: &[usize]) -> bool {
        let Relaxation::After(earlier, later) = self.left_out else { return true };
        let is_like = |a: usize, b: usize| self.calls.get(a) == self.calls.get(b);
        !is_like(at, later) || !path.iter().any(|made| is_like(*made, earlier))
    }
}

/// An edge that rejects an order for which nothing else does: the environment carries it out, the outcome is
/// solved, no value had to be seen first, and nobody told the agent.
pub struct Unreasoned {
    /// The edge, by its position in the graph.
    pub edge: usize,
    /// What is wrong with the words that it names in `told`; empty when it names none.
    pub remark: String,
}

pub fn unreasoned(goal: &Goal, calls: &[ToolCall]) -> Vec<Unreasoned> {
    let edges = goal.task.graph().edges().iter().enumerate().filter(|(_, edge)| edge.seen.is_none());
    let untold = edges.filter_map(|(index, edge)| Some(Unreasoned { edge: index, remark: untold(goal, edge)? }));
    untold.filter(|found| solving_against(goal, calls, found.edge).is_some()).collect()
}

/// What keeps an edge from being told; nothing when its words stand in the brief or all users of the goal say them.
fn untold(goal: &Goal, edge: &Edge) -> Option<String> {
    let Some(told) = edge.told.as_deref() else { return Some(String::new()) };
    let quote = Quote::new(told);
    if let Some(short) = quote.too_short() {
        return Some(format!("; {short}"));
    }
    if quote.is_in_brief(goal.task.environment()) {
        return None;
    }
    let says = |variant: &&Variant| goal.task.behaviour(**variant).is_some_and(|user| quote.is_said(&user.turns));
    let silent = goal.variants.iter().find(|variant| !says(variant))?;
    Some(format!(
        "; `told` is \"{}\", which stands neither in the policy nor in a tool's description, and the user of \
         `{silent}` does not say it",
        told.trim()
    ))
}
