//! Which call patterns stand before which, and what a path between two of them guarantees.
//!
//! A path from `a` to `b` means: each successful call of `b` has a successful call of `a`, before it or
//! (over [`EdgeReason::Covers`] alone) in the same call. The links never form a cycle: whoever adds one asks
//! [`Links::path`] first.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::algo::astar;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::graph::Edge;

/// Why one pattern stands before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeReason {
    /// The edge with this index asks for it.
    Edge(usize),
    /// `tool` covers `tool where ...`: each call of the second is one of the first.
    Covers,
}

/// The links between patterns; nodes are pattern indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    graph: DiGraph<(), EdgeReason>,
}

/// What is asked of a path: that each call of `after` has an earlier call of `before` with equal
/// arguments, whose observation contains an argument of `after`.
pub(super) struct Claim<'a> {
    pub(super) before: usize,
    pub(super) after: usize,
    /// Pairs of an argument of `before` and one of `after`.
    pub(super) bind: Vec<(&'a str, &'a str)>,
    pub(super) seen: Option<&'a str>,
}

/// A place on the way back from `after`, with what its arguments are known to equal there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Waypoint<'a> {
    node: usize,
    /// Whether an edge, not only a cover, has been followed.
    earlier: bool,
    /// For each bound argument of `after`, the argument here that equals it.
    names: Vec<&'a str>,
    seen: Sought<'a>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Sought<'a> {
    Nothing,
    /// The value of this argument must still be found in an observation.
    Argument(&'a str),
    /// This very call's observation contains it.
    Found,
}

impl Links {
    pub(super) fn add_pattern(&mut self) {
        self.graph.add_node(());
    }

    pub(super) fn add(&mut self, before: usize, after: usize, link: EdgeReason) {
        self.graph.add_edge(NodeIndex::new(before), NodeIndex::new(after), link);
    }

    /// The shortest path, both ends included; one node when they are the same.
    pub(super) fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let goal = NodeIndex::new(to);
        let (_, path) = astar(&self.graph, NodeIndex::new(from), |node| node == goal, |_| 1_u32, |_| 0)?;
        Some(path.into_iter().map(NodeIndex::index).collect())
    }

    /// Whether each call of `after` needs an earlier one of `before`.
    pub(super) fn stands_before(&self, edges: &[Edge], before: usize, after: usize) -> bool {
        self.guarantees(edges, &Claim { before, after, bind: Vec::new(), seen: None }, None)
    }

    /// Whether some path guarantees all of `claim`, without the edge `without`.
    ///
    /// Errs on the side of no: where an edge binds two arguments to the same one, only the first is followed.
    pub(super) fn guarantees<'a>(&self, edges: &'a [Edge], claim: &Claim<'a>, without: Option<usize>) -> bool {
        let wanted: Vec<&str> = claim.bind.iter().map(|(before, _)| *before).collect();
        let mut open = vec![Waypoint {
            node: claim.after,
            earlier: false,
            names: claim.bind.iter().map(|(_, after)| *after).collect(),
            seen: claim.seen.map_or(Sought::Nothing, Sought::Argument),
        }];
        let mut known = BTreeSet::new();
        while let Some(place) = open.pop() {
            if !known.insert(place.clone()) {
                continue;
            }
            let settled = !matches!(place.seen, Sought::Argument(_));
            if place.node == claim.before && place.earlier && settled && place.names == wanted {
                return true;
            }
            for link in self.graph.edges_directed(NodeIndex::new(place.node), Direction::Incoming) {
                let node = link.source().index();
                match *link.weight() {
                    EdgeReason::Covers => open.push(Waypoint { node, ..place.clone() }),
                    EdgeReason::Edge(index) if Some(index) == without => {}
                    EdgeReason::Edge(index) => {
                        open.extend(edges.get(index).into_iter().flat_map(|edge| place.back(edge)))
                    }
                }
            }
        }
        false
    }
}

impl<'a> Waypoint<'a> {
    /// The places before `edge`, which ends here: none when the edge says too little.
    fn back(&self, edge: &'a Edge) -> Vec<Waypoint<'a>> {
        let source = |name: &str| edge.bind.iter().find(|(_, after)| *after == name).map(|(before, _)| before.as_str());
        let Some(names) = self.names.iter().map(|name| source(name)).collect::<Option<Vec<&str>>>() else {
            return Vec::new();
        };
        let sought = match &self.seen {
            Sought::Nothing => vec![Sought::Nothing],
            Sought::Found => Vec::new(),
            Sought::Argument(name) => {
                let found = (edge.seen.as_deref() == Some(*name)).then_some(Sought::Found);
                found.into_iter().chain(source(name).map(Sought::Argument)).collect()
            }
        };
        let place = |seen| Waypoint { node: edge.before, earlier: true, names: names.clone(), seen };
        sought.into_iter().map(place).collect()
    }
}
