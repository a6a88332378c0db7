//! Builds the constraint graph from authored constraints and reports, all at once, what is wrong with them.
//!
//! A node is a call pattern, and equal patterns are one node. Two patterns of one tool with different
//! predicates are different nodes, even if some call matches both: whether predicates overlap is not
//! decided here. One overlap is certain and is used: `tool` covers `tool where ...`, so what each `tool`
//! needs, each `tool where ...` needs too, in the search for cycles as in every other check.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::constraints::{Constraints, Exclusion, Precedence};
use crate::model::diagnostic::{Problem, Severity};
use crate::model::pattern::CallPattern;

use super::reach::{Claim, EdgeReason, Links};

/// A precedence edge between two patterns: each successful `after` needs an earlier successful `before`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its name, by which a rule of a policy is bound to it.
    pub id: Option<String>,
    /// Index of the pattern that must have been called.
    pub before: usize,
    /// Index of the pattern that needs it.
    pub after: usize,
    /// Arguments that must agree: `{argument of before: argument of after}`.
    pub bind: BTreeMap<String, String>,
    /// An argument of `after` whose value must occur in what `before` returned.
    pub seen: Option<String>,
    /// The words by which an agent is told of it, if it needs to be.
    pub told: Option<String>,
}

/// Patterns of which no two different ones may both be called with equal bound arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExclusionSet {
    /// Indices of the patterns.
    pub members: BTreeSet<usize>,
    /// Arguments that must be equal for two calls to exclude each other; none means always.
    pub bind: BTreeSet<String>,
}

/// The constraints of an environment, or of an environment and a task, as one graph.
#[derive(Clone, Debug, Default)]
pub struct ConstraintGraph {
    patterns: Vec<CallPattern>,
    edges: Vec<Edge>,
    exclusions: Vec<ExclusionSet>,
    /// How many edges and exclusions it took over from the graph that it extends; these come first.
    inherited: (usize, usize),
    /// Of `edges` those that close no cycle, and what covers what.
    links: Links,
}

/// Why members of an exclusion can never, or not always, both be called; by the two members.
type Conflicts = BTreeMap<(usize, usize), (Severity, String)>;

impl ConstraintGraph {
    /// Merges several parts, each with the JSON Pointer of its `Constraints`, e.g. `/constraints`.
    ///
    /// The graph is fit for use when no problem is an error.
    pub fn build(parts: &[(&str, &Constraints)]) -> (ConstraintGraph, Vec<Problem>) {
        let mut graph = ConstraintGraph::default();
        let mut problems = Vec::new();
        for (pointer, constraints) in parts {
            let (next, found) = graph.extend(pointer, constraints);
            graph = next;
            problems.extend(found);
        }
        (graph, problems)
    }

    /// This graph with more constraints, e.g. a task's on top of its environment's.
    ///
    /// Patterns, edges and exclusions keep their indices. The problems are only those that the new
    /// constraints bring, placed below `pointer`, so that each is reported in the file that causes it.
    pub fn extend(&self, pointer: &str, constraints: &Constraints) -> (ConstraintGraph, Vec<Problem>) {
        let mut graph = self.clone();
        graph.inherited = (self.edges.len(), self.exclusions.len());
        let mut problems = Vec::new();
        let first = graph.edges.len();
        let mut places = Vec::new();
        for (i, precedence) in constraints.precedence.iter().enumerate() {
            let place = format!("{pointer}/precedence/{i}");
            match graph.add_edge(&place, precedence) {
                Ok(()) => places.push(Some(place)),
                Err(SkippedEdge::Cyclic(problem)) => {
                    places.push(None);
                    problems.push(problem);
                }
                Err(SkippedEdge::Duplicate(problem)) => problems.push(problem),
            }
        }
        for (index, place) in (first..).zip(places) {
            problems.extend(place.and_then(|place| graph.implied(index, place)));
        }
        for set in &self.exclusions {
            let known = self.conflicts(set);
            let place = format!("{pointer}/precedence");
            problems.extend(graph.new_conflicts(set, &known, &place));
        }
        for (i, exclusion) in constraints.exclusions.iter().enumerate() {
            graph.add_exclusion(&format!("{pointer}/exclusions/{i}"), exclusion, &mut problems);
        }
        (graph, problems)
    }

    /// The call patterns by index; the checker is told for each call which of them it matches.
    pub fn patterns(&self) -> &[CallPattern] {
        &self.patterns
    }

    /// The precedence edges, without duplicates.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The exclusions, without duplicates.
    pub fn exclusions(&self) -> &[ExclusionSet] {
        &self.exclusions
    }

    /// How many edges and exclusions it took over from the graph that it extends; these come first.
    pub fn inherited(&self) -> (usize, usize) {
        self.inherited
    }

    /// The pattern with this index as authored, in backticks.
    pub(super) fn quoted(&self, index: usize) -> String {
        self.patterns.get(index).map_or_else(String::new, |pattern| format!("`{pattern}`"))
    }

    fn intern(&mut self, pattern: &CallPattern) -> usize {
        if let Some(index) = self.patterns.iter().position(|known| known == pattern) {
            return index;
        }
        let index = self.patterns.len();
        self.links.add_pattern();
        for (other, known) in self.patterns.iter().enumerate().filter(|(_, known)| known.tool == pattern.tool) {
            match (&known.predicate, &pattern.predicate) {
                (None, Some(_)) => self.links.add(other, index, EdgeReason::Covers),
                (Some(_), None) => self.links.add(index, other, EdgeReason::Covers),
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
        self.patterns.push(pattern.clone());
        index
    }

    fn add_edge(&mut self, place: &str, precedence: &Precedence) -> Result<(), SkippedEdge> {
        let (before, after) = (self.intern(&precedence.before), self.intern(&precedence.after));
        let edge = Edge {
            id: precedence.id.clone(),
            before,
            after,
            bind: precedence.bind.clone(),
            seen: precedence.seen.clone(),
            told: precedence.told.clone(),
        };
        if self.edges.iter().any(|known| Edge { id: edge.id.clone(), told: edge.told.clone(), ..known.clone() } == edge)
        {
            let text = format!("the edge from {} to {} is there already", self.quoted(before), self.quoted(after));
            return Err(SkippedEdge::Duplicate(Problem::warning(place, "duplicate_edge", text).help("drop it")));
        }
        self.edges.push(edge);
        if let Some(path) = self.links.path(after, before) {
            return Err(SkippedEdge::Cyclic(self.cycle(place, before, &path)));
        }
        self.links.add(before, after, EdgeReason::Edge(self.edges.len() - 1));
        Ok(())
    }

    fn cycle(&self, place: &str, before: usize, path: &[usize]) -> Problem {
        let nodes = std::iter::once(&before).chain(path).filter_map(|index| self.patterns.get(*index));
        let names: Vec<String> = nodes.map(CallPattern::to_string).collect();
        let text = format!("the precedence is cyclic: `{}`", names.join(" -> "));
        Problem::error(place, "cyclic_precedence", text)
            .help("drop one of these edges: as it is, none of these calls can be the first")
    }

    fn implied(&self, index: usize, place: String) -> Option<Problem> {
        let edge = self.edges.get(index)?;
        let claim = Claim {
            before: edge.before,
            after: edge.after,
            bind: edge.bind.iter().map(|(before, after)| (before.as_str(), after.as_str())).collect(),
            seen: edge.seen.as_deref(),
        };
        self.links.guarantees(&self.edges, &claim, Some(index)).then(|| {
            let (before, after) = (self.quoted(edge.before), self.quoted(edge.after));
            let text = format!("other edges already make {after} need {before}");
            Problem::warning(place, "implied_edge", text).help("drop this edge, or bind it more narrowly")
        })
    }

    fn add_exclusion(&mut self, place: &str, exclusion: &Exclusion, problems: &mut Vec<Problem>) {
        let mut members = BTreeSet::new();
        let mut twice = Vec::new();
        for (i, call) in exclusion.calls.iter().enumerate() {
            if !members.insert(self.intern(call)) {
                let text = format!("`{call}` is a member of this exclusion already");
                twice.push(Problem::error(format!("{place}/calls/{i}"), "duplicate_member", text).help("drop it"));
            }
        }
        if members.len() >= 2 {
            problems.extend(twice);
        } else {
            let text = format!("an exclusion needs two different calls or more, this one has {}", members.len());
            let problem = Problem::error(format!("{place}/calls"), "exclusion_too_small", text);
            problems.push(problem.help("name another call, or drop the exclusion"));
        }
        let set = ExclusionSet { members, bind: exclusion.bind.iter().cloned().collect() };
        if self.exclusions.contains(&set) {
            let text = "the same exclusion is there already";
            problems.push(Problem::warning(place, "duplicate_exclusion", text).help("drop it"));
            return;
        }
        problems.extend(self.new_conflicts(&set, &Conflicts::new(), place));
        self.exclusions.push(set);
    }

    /// The conflicts of `set` that are not known yet, or were mere warnings so far.
    fn new_conflicts(&self, set: &ExclusionSet, known: &Conflicts, place: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (pair, (severity, text)) in self.conflicts(set) {
            let is_known = known.get(&pair).is_some_and(|(before, _)| *before <= severity);
            match severity {
                Severity::Error | Severity::Warning if is_known => {}
                Severity::Error => problems.push(
                    Problem::error(place, "unsatisfiable_exclusion", text)
                        .help("drop the exclusion or one of the edges between them"),
                ),
                Severity::Warning => problems.push(
                    Problem::warning(place, "unsatisfiable_exclusion", text)
                        .help("make sure that a correct trace can call them with different values"),
                ),
            }
        }
        problems
    }

    fn conflicts(&self, set: &ExclusionSet) -> Conflicts {
        let pairs = set.members.iter().flat_map(|m| set.members.range(m + 1..).map(|n| (*m, *n)));
        pairs.filter_map(|(m, n)| Some(((m, n), self.conflict(set, m, n)?))).collect()
    }

    fn conflict(&self, set: &ExclusionSet, m: usize, n: usize) -> Option<(Severity, String)> {
        for (before, after) in [(m, n), (n, m)] {
            if self.links.stands_before(&self.edges, before, after) {
                let (first, second) = (self.quoted(before), self.quoted(after));
                let text = format!("{second} needs an earlier {first}, but the two exclude each other");
                let bind = set.bind.iter().map(|name| (name.as_str(), name.as_str())).collect();
                if self.links.guarantees(&self.edges, &Claim { before, after, bind, seen: None }, None) {
                    return Some((Severity::Error, text));
                }
                let names: Vec<String> = set.bind.iter().map(|name| format!("`{name}`")).collect();
                return Some((Severity::Warning, format!("{text} when they agree in {}", names.join(" and "))));
            }
        }
        // One call may match two patterns of one tool, and so be both of what is needed.
        let same_tool = self.patterns.get(m).map(|p| &p.tool) == self.patterns.get(n).map(|p| &p.tool);
        if same_tool || !set.bind.is_empty() {
            return None;
        }
        let needs = |after: &usize, before| self.links.stands_before(&self.edges, before, *after);
        let starved = (0..self.patterns.len()).find(|after| needs(after, m) && needs(after, n))?;
        let (first, second, after) = (self.quoted(m), self.quoted(n), self.quoted(starved));
        Some((Severity::Error, format!("{after} needs both {first} and {second}, but the two exclude each other")))
    }
}

/// Why an edge does not take part in reaching.
enum SkippedEdge {
    /// It closes a cycle; it stays in the list, so that its index exists.
    Cyclic(Problem),
    /// It is there already and is dropped.
    Duplicate(Problem),
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
