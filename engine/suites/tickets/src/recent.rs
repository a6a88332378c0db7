//! The tickets that were opened last, so that a suite of any size is played with so many in memory.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::Ticket;

/// Most tickets that are kept. One with all its expressions compiled takes a third of a megabyte.
const MOST: usize = 256;

/// Tickets by id; the one that was kept first goes first.
#[derive(Debug, Default)]
pub struct Recent(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    tickets: BTreeMap<String, Arc<Ticket>>,
    order: VecDeque<String>,
}

impl Recent {
    /// The ticket, built where it is not kept; nothing where it cannot be.
    pub fn get(&self, id: &str, build: impl FnOnce() -> Option<Ticket>) -> Option<Arc<Ticket>> {
        if let Some(kept) = self.kept().tickets.get(id) {
            return Some(Arc::clone(kept));
        }
        // Others use what is kept while it is built; who builds it twice keeps it once.
        let ticket = Arc::new(build()?);
        let mut kept = self.kept();
        if kept.tickets.insert(id.to_owned(), Arc::clone(&ticket)).is_none() {
            kept.order.push_back(id.to_owned());
        }
        if kept.order.len() > MOST
            && let Some(first) = kept.order.pop_front()
        {
            kept.tickets.remove(&first);
        }
        Some(ticket)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TicketFile;

    #[test]
    fn so_many_are_kept_and_the_others_are_built_again() {
        let file = r#"{"checkpoints": [{"query": "Up?", "reply": "Up.", "reply_type": "solution", "facts": ["up"]}]}"#;
        let (recent, mut built) = (Recent::default(), 0);
        let mut get = |number: usize| {
            let id = format!("disk/{number}");
            let ticket = recent.get(&id, || {
                built += 1;
                Ticket::build(&id, serde_json::from_str::<TicketFile>(file).unwrap(), &[], &[]).ok()
            });
            (ticket.unwrap().id.clone(), built)
        };
        assert_eq!(get(0), ("disk/0".to_owned(), 1));
        assert_eq!(get(0).1, 1);
        assert_eq!((1..=MOST).map(&mut get).last().unwrap().1, MOST + 1);
        assert_eq!((get(1).1, get(0).1, get(1).1), (MOST + 1, MOST + 2, MOST + 3));
        assert_eq!(recent.kept().tickets.len(), MOST);
    }
}
