//! The wish to stop, as workers and agents hear it, and the processes that must not outlive it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::OwnFolder;

/// Set once from outside; everything that plays or waits looks at it.
#[derive(Debug, Default)]
pub struct Interrupt {
    is_set: AtomicBool,
    /// The processes' groups, with the folder of each.
    groups: Mutex<BTreeMap<u32, Arc<OwnFolder>>>,
}

impl Interrupt {
    /// Asks everything to stop; true when it had been asked before.
    pub fn set(&self) -> bool {
        self.is_set.swap(true, Ordering::Relaxed)
    }

    /// Whether everything is asked to stop.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Kills the process groups of all agents that are running, and takes their folders away.
    pub fn kill_agents(&self) {
        for (group, folder) in self.groups().iter() {
            kill_group(*group);
            folder.remove();
        }
    }

    /// A process group that has to be killed when the program ends early.
    pub(super) fn watch(&self, group: u32, folder: &Arc<OwnFolder>) {
        self.groups().insert(group, Arc::clone(folder));
    }

    /// Kills a watched group. Its leader must not have been waited for yet: only then is the number still its own.
    pub(super) fn kill(&self, group: u32) {
        if self.groups().remove(&group).is_some() {
            kill_group(group);
        }
    }

    fn groups(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<OwnFolder>>> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn kill_group(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw) {
        // The group is gone already when all of it has exited.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_group: u32) {}
