//! Episodes reckoned by hand, the first two of them the paper's Figure 4.

use super::loop_tests::{Played, Ticket, direct};
use super::*;

/// So many checkpoints, of each of which nothing is covered yet; replies of 100 tokens, every query follows.
fn ticket(count: usize) -> Ticket {
    let silent = || Played { calls: Vec::new(), covers: vec![false; count], tokens: 100 };
    Ticket {
        needed: vec![Vec::new(); count],
        played: (0..count).map(|_| vec![silent(), silent()]).collect(),
        fluent: vec![vec![true; count]; count],
        strict: false,
        attempts: 1,
    }
}

impl Ticket {
    fn says(self, at: usize, covers: &[usize], tokens: u64) -> Ticket {
        self.says_at(at, 1, covers, tokens)
    }

    fn says_at(mut self, at: usize, attempt: usize, covers: &[usize], tokens: u64) -> Ticket {
        let played = &mut self.played[at - 1][attempt - 1];
        covers.iter().for_each(|covered| played.covers[covered - 1] = true);
        played.tokens = tokens;
        self
    }

    /// A checkpoint needs a call, and this one is made there.
    fn calls(mut self, at: usize, needed: Option<&'static str>, made: Option<&'static str>) -> Ticket {
        self.strict = true;
        self.needed[at - 1].extend(needed);
        self.played[at - 1][0].calls.extend(made);
        self
    }

    fn by_words(self) -> Ticket {
        Ticket { strict: false, ..self }
    }

    fn twice(self) -> Ticket {
        Ticket { attempts: 2, ..self }
    }

    fn stops(mut self, from: usize, to: usize) -> Ticket {
        self.fluent[from - 1][to - 1] = false;
        self
    }
}

/// `4 of 10 covered by 3 responses, 1 jumped, NEI 0.33, MTL 2112.0`.
fn told(ticket: &Ticket) -> String {
    let (figures, _, _) = direct(ticket);
    let Figures { covered, checkpoints, accepted, lj, nei, mtl, .. } = figures;
    let mtl = mtl.map_or("-".to_owned(), |mtl| format!("{mtl:.1}"));
    format!("{covered} of {checkpoints} covered by {accepted}, {lj} jumped, NEI {nei:.2}, MTL {mtl}")
}

fn hold<const N: usize>(cases: [(&str, Ticket, &str); N]) {
    for (what, ticket, expected) in cases {
        assert_eq!(told(&ticket), expected, "{what}");
    }
}

#[test]
fn jumps_and_ends_reckoned_by_hand() {
    let figure = ticket(10).says(1, &[1, 2], 2587).says(3, &[3], 3000).says(4, &[4], 2861);
    let gap = ticket(4).says(1, &[1, 3, 4], 100).says(2, &[2, 3], 300).says(4, &[4], 200);
    hold([
        (
            "Figure 4: 1-2, 3, 4, then 5 is rejected",
            figure.clone(),
            "4 of 10 covered by 3, 1 jumped, NEI 0.33, MTL 2112.0",
        ),
        (
            "Figure 4, ended by a query that does not follow",
            figure.says(5, &[5], 1).stops(4, 5),
            "4 of 10 covered by 3, 1 jumped, NEI 0.33, MTL 2112.0",
        ),
        ("one checkpoint, covered", ticket(1).says(1, &[1], 500), "1 of 1 covered by 1, 0 jumped, NEI 1.00, MTL 500.0"),
        ("one checkpoint, rejected", ticket(1), "0 of 1 covered by 0, 0 jumped, NEI 0.00, MTL -"),
        (
            "one reply covers all five",
            ticket(5).says(1, &[1, 2, 3, 4, 5], 1000),
            "5 of 5 covered by 1, 4 jumped, NEI 1.00, MTL 200.0",
        ),
        (
            "three plain steps",
            ticket(3).says(1, &[1], 200).says(2, &[2], 100).says(3, &[3], 300),
            "3 of 3 covered by 3, 0 jumped, NEI 0.00, MTL 200.0",
        ),
        (
            "the third is rejected, its tokens left out",
            ticket(3).says(1, &[1], 100).says(2, &[2], 200).says(3, &[], 900),
            "2 of 3 covered by 2, 0 jumped, NEI 0.00, MTL 150.0",
        ),
        (
            "the second query does not follow",
            ticket(4).says(1, &[1], 100).stops(1, 2),
            "1 of 4 covered by 1, 0 jumped, NEI 1.00, MTL 100.0",
        ),
        (
            "a jump, then a query that does not follow",
            ticket(4).says(1, &[1, 2], 300).stops(1, 3),
            "2 of 4 covered by 1, 1 jumped, NEI 1.00, MTL 150.0",
        ),
        ("a gap is no jump", gap, "4 of 4 covered by 3, 1 jumped, NEI 0.33, MTL 150.0"),
    ]);
}

#[test]
fn attempts_and_calls_reckoned_by_hand() {
    let call = Some("check:u1");
    let retried = ticket(2).twice().says(1, &[], 900).says_at(1, 2, &[1], 400).says(2, &[2], 200);
    let both = ticket(3).twice().says_at(1, 2, &[1, 2], 600).says_at(3, 2, &[3], 300);
    let called = |made| ticket(2).calls(1, call, made).says(1, &[1], 107).says(2, &[2], 50);
    hold([
        ("the second attempt counts", retried, "2 of 2 covered by 2, 0 jumped, NEI 0.00, MTL 300.0"),
        ("both attempts are rejected", ticket(2).twice(), "0 of 2 covered by 0, 0 jumped, NEI 0.00, MTL -"),
        ("second attempts, one with a jump", both, "3 of 3 covered by 2, 1 jumped, NEI 0.50, MTL 300.0"),
        (
            "its own is missed, though the next is covered",
            ticket(2).says(1, &[2], 100),
            "0 of 2 covered by 0, 0 jumped, NEI 0.00, MTL -",
        ),
        ("strict, the right call", called(call), "2 of 2 covered by 2, 0 jumped, NEI 0.00, MTL 78.5"),
        ("strict, a wrong argument", called(Some("check:u2")), "0 of 2 covered by 0, 0 jumped, NEI 0.00, MTL -"),
        (
            "the same by words alone",
            called(Some("check:u2")).by_words(),
            "2 of 2 covered by 2, 0 jumped, NEI 0.00, MTL 78.5",
        ),
        (
            "strict, a needless call",
            ticket(1).calls(1, None, call).says(1, &[1], 100),
            "0 of 1 covered by 0, 0 jumped, NEI 0.00, MTL -",
        ),
        (
            "strict, no jump without the call that it needs",
            ticket(2).calls(2, call, call).says(1, &[1, 2], 100).says(2, &[2], 87),
            "2 of 2 covered by 2, 0 jumped, NEI 0.00, MTL 93.5",
        ),
        (
            "strict, an own call does not stand in the way",
            ticket(2).calls(1, call, call).says(1, &[1, 2], 107),
            "2 of 2 covered by 1, 1 jumped, NEI 1.00, MTL 53.5",
        ),
        (
            "jumps from 1 to 3 and from 3 to 6",
            ticket(6).says(1, &[1, 2], 120).says(3, &[3, 4, 5], 240).says(6, &[6], 60),
            "6 of 6 covered by 3, 3 jumped, NEI 0.60, MTL 70.0",
        ),
        (
            "a jump to the end",
            ticket(4).says(1, &[1], 100).says(2, &[2, 3, 4], 300),
            "4 of 4 covered by 2, 2 jumped, NEI 0.67, MTL 100.0",
        ),
    ]);
}
