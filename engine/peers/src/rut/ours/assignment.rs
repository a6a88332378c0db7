//! The best assignment of calls to nodes: most nodes first, then most edges. Never a first fit.

/// Most choices that are tried; graphs of the peer have at most six steps.
const MOST_CHOICES: usize = 200_000;

#[derive(Debug, Default)]
pub struct Problem {
    /// For each node the positions of the calls that stand for it.
    pub fits: Vec<Vec<usize>>,
    /// Pairs of nodes, the first of which must come before the second.
    pub edges: Vec<(usize, usize)>,
}

/// For each node the position of its call.
pub type Assignment = Vec<Option<usize>>;

impl Problem {
    pub fn solve(&self) -> Assignment {
        let none = vec![None; self.fits.len()];
        let mut search = Search { problem: self, chosen: none.clone(), best: none, left: MOST_CHOICES };
        search.choose(0);
        search.best
    }

    /// The edges that an assignment breaks: both ends have calls, in the wrong order.
    pub fn broken(&self, assignment: &Assignment) -> Vec<(usize, usize)> {
        let at = |node: usize| assignment.get(node).copied().flatten();
        let is_broken = |(before, after): &&(usize, usize)| {
            at(*before).zip(at(*after)).is_some_and(|(before, after)| before >= after)
        };
        self.edges.iter().filter(is_broken).copied().collect()
    }

    /// How good an assignment is: nodes with a call, less is worse; then edges that it breaks, more is worse.
    fn worth(&self, assignment: &Assignment) -> (usize, std::cmp::Reverse<usize>) {
        (assignment.iter().flatten().count(), std::cmp::Reverse(self.broken(assignment).len()))
    }
}

struct Search<'a> {
    problem: &'a Problem,
    chosen: Assignment,
    best: Assignment,
    left: usize,
}

impl Search<'_> {
    fn choose(&mut self, node: usize) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let Some(fits) = self.problem.fits.get(node) else {
            if self.problem.worth(&self.chosen) > self.problem.worth(&self.best) {
                self.best.clone_from(&self.chosen);
            }
            return;
        };
        let reachable = self.chosen.iter().flatten().count() + self.problem.fits.len() - node;
        let (held, broken) = self.problem.worth(&self.best);
        if reachable < held || (reachable == held && broken.0 == 0) {
            return;
        }
        for position in fits {
            if !self.chosen.contains(&Some(*position)) {
                self.set(node, Some(*position));
                self.choose(node + 1);
                self.set(node, None);
            }
        }
        self.choose(node + 1);
    }

    fn set(&mut self, node: usize, position: Option<usize>) {
        if let Some(entry) = self.chosen.get_mut(node) {
            *entry = position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(problem: &Problem, node: usize, chosen: &mut Assignment, best: &mut (usize, std::cmp::Reverse<usize>)) {
        let Some(fits) = problem.fits.get(node) else {
            *best = problem.worth(chosen).max(*best);
            return;
        };
        for position in fits.iter().map(|position| Some(*position)).chain([None]) {
            if position.is_none() || !chosen.contains(&position) {
                chosen[node] = position;
                naive(problem, node + 1, chosen, best);
                chosen[node] = None;
            }
        }
    }

    proptest! {
        #[test]
        fn no_assignment_is_better(
            fits in prop::collection::vec(prop::collection::btree_set(0_usize..5, 0..4), 0..5),
            edges in prop::collection::vec((0_usize..4, 0_usize..4), 0..5),
        ) {
            let problem = Problem { fits: fits.into_iter().map(|fits| fits.into_iter().collect()).collect(), edges };
            let mut best = (0, std::cmp::Reverse(usize::MAX));
            naive(&problem, 0, &mut vec![None; problem.fits.len()], &mut best);
            prop_assert_eq!(problem.worth(&problem.solve()), best);
        }
    }

    #[test]
    fn a_read_that_a_first_fit_takes_too_early_is_given_back() {
        let problem = Problem { fits: vec![vec![1], vec![0, 2]], edges: vec![(0, 1)] };
        assert_eq!(problem.solve(), [Some(1), Some(2)]);
    }
}
