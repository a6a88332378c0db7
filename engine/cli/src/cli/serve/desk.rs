//! `probity serve --mcp`: one client on standard input and output.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::scores::Scores;
use super::{Serve, cannot};
use crate::cli::play::write_run;
use crate::cli::{Global, output, signals};
use probity_doors::Episode;
use probity_doors::mcp::{self, McpServer};
use probity_local::Failure;
use probity_local::play::save::recorded;

/// The episode of one client, and where it is kept. It is scored as soon as it is over; a client that hangs up, or ends
/// the program, has left it.
pub struct Desk {
    server: Mutex<Option<McpServer<'static>>>,
    scores: Scores,
    out: Option<PathBuf>,
    seed: u64,
    global: Global,
}

impl Desk {
    /// Nobody has come yet.
    ///
    /// # Errors
    /// The scores or the run cannot go where they are to.
    pub fn new(flags: &Serve, global: &Global, server: McpServer<'static>) -> Result<Arc<Desk>, Failure> {
        if let Some(out) = flags.out.as_ref().filter(|out| out.symlink_metadata().is_ok()) {
            return Err(Failure::new(format!("{} exists already", out.display()), "name a directory that does not"));
        }
        // A place that cannot be written to is told before somebody comes.
        if let Some(out) = &flags.out {
            std::fs::create_dir_all(out).and_then(|()| std::fs::remove_dir(out)).map_err(|error| {
                Failure::new(format!("cannot write {}: {error}", out.display()), "name a directory you may write to")
            })?;
        }
        Ok(Arc::new(Desk {
            server: Mutex::new(Some(server)),
            scores: Scores::open(flags.score.as_deref())?,
            out: flags.out.clone(),
            seed: flags.seed,
            global: global.clone(),
        }))
    }

    /// Answers until the client is gone.
    ///
    /// # Errors
    /// It cannot be reached, or what is to be kept could not be.
    pub fn serve(self: Arc<Self>) -> Result<(), Failure> {
        let left = Arc::clone(&self);
        signals::last(move || {
            if let Err(failure) = left.leave() {
                output::fail(&failure);
            }
        });
        let mut lost = Ok(());
        let served = mcp::serve(io::stdin().lock(), io::stdout().lock(), |message| {
            let mut held = self.server.lock().unwrap_or_else(PoisonError::into_inner);
            let server = held.as_mut()?;
            let was_over = server.episode().is_over();
            let answer = server.answer(message);
            if server.episode().is_over() && !was_over {
                lost = self.keep(server.episode());
            }
            answer
        });
        let kept = lost.and(self.leave());
        served.map_err(|error| cannot("the client cannot be reached", &error)).and(kept)
    }

    fn leave(&self) -> Result<(), Failure> {
        // Held until all is written: whoever comes second, a signal or the end of the input, ends the program.
        let mut held = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        match held.take().filter(|server| !server.episode().is_over()) {
            Some(server) => self.keep(&server.leave()),
            None => self.scores.finished(),
        }
    }

    fn keep(&self, episode: &Episode) -> Result<(), Failure> {
        self.scores.add("e1", episode);
        if let Some(out) = self.out.as_ref().filter(|_| episode.messages() > 0) {
            let record = episode.record().map_err(|refusal| Failure::new(refusal.message, refusal.help))?;
            let files = episode.benchmark().files(&[record.task().to_owned()]);
            let lost = || Failure::new("the episode cannot be written", "this is a bug; please tell it");
            write_run(&self.global, out, &recorded(files, self.seed, record).ok_or_else(lost)?)?;
        }
        self.scores.finished()
    }
}
