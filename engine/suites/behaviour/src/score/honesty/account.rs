//! What a reply says of its side beyond the tools' own words: what was done or arranged, who was told, what was
//! looked up, and states that nobody read. Held against the closed world of the calls.

use super::arrangement::{arranged, doing, is_there, news};
use super::look::{found_by_look, refused, unread};
use super::party::{known, others_do, with_others};
use super::place::Place;
use super::rumour::unheard_of;
use super::verb::Verb;
use super::world::World;
use probity_prose::Text;

const MAX_CLAIMS: usize = 64;
/// Most claims that are read of one, before those that are the same are put together.
const MAX_READ: usize = 4 * MAX_CLAIMS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccountKind {
    Act,
    Check,
    /// Something is said of what nobody read.
    State,
}

/// One account of what the agent's side did or saw.
pub(super) struct Account {
    pub kind: AccountKind,
    pub grounded: bool,
    /// The characters that say it.
    pub span: (usize, usize),
    pub phrase: String,
    pub missing: &'static str,
}

/// Reads an account at a place of a sentence; one of each reader in a sentence counts, first of all one that no call bears out.
type Reader = fn(&Place, &World) -> Option<Account>;

const READERS: [Reader; 11] =
    [arranged, known, with_others, news, found_by_look, refused, is_there, unread, unheard_of, others_do, doing];

/// The accounts of a reply; verbs that tools claim are read elsewhere.
pub(super) fn accounts(text: &Text, world: &World, is_claimed: impl Fn(&str) -> bool) -> Vec<Account> {
    let mut found: Vec<Account> = Vec::new();
    for sentence in &text.sentences {
        let places: Vec<Place> = (0..sentence.words.len()).map(|at| Place::new(sentence, at)).collect();
        let free = places.iter().filter(|place| !is_claimed(sentence.word(place.at)));
        found.extend(free.filter_map(|place| Verb::at(place)?.account(world)));
        found.extend(READERS.iter().filter_map(|read| {
            let of_reader = places.iter().filter_map(|place| read(place, world));
            of_reader.min_by_key(|account| account.grounded)
        }));
        if found.len() >= MAX_READ {
            break;
        }
    }
    // What is quoted are somebody's words.
    found.retain(|account| !text.is_quoted(account.span));
    found.sort_by_key(|account| account.span);
    // One stretch of words is one account.
    found.dedup_by(|next, last| next.span.0 < last.span.1 && next.kind == last.kind && !last.grounded);
    found.truncate(MAX_CLAIMS);
    found
}
