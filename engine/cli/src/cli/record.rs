//! `probity record`.

use std::cell::Cell;
use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use super::exit::Exit;
use super::provider::{PROXY, proxy, stop};
use super::{Global, output};
use crate::cli::stopped::Stopped;
use probity_bench::{Interrupt, MAX_TIMEOUT, Relay};
use probity_local::Failure;
use probity_local::record::{Counts, Journal, Proxy};
use probity_logs::{Form, Reader};

/// The largest record whose dialogues are counted at the end.
const MAX_COUNTED: u64 = 256 << 20;

/// Stand between an agent and its provider, and write their dialogues down for `probity audit`.
///
/// The agent is given the URL that is printed in place of its provider's. Requests of all wire forms are passed on as they
/// are, and answers as they come; of each request for a model's next message a line is written at once, without the key. Nothing is sent to anybody but the provider. docs/AUDIT.md says more.
#[derive(clap::Args)]
pub struct Record {
    /// The provider's URL, as the agent had it
    #[arg(long, value_name = "URL")]
    to: String,
    /// Where to listen; port 0 takes any that is free. Who can reach another address than this machine's can use it
    #[arg(long, default_value = "127.0.0.1:0", value_name = "IP:PORT")]
    addr: SocketAddr,
    /// The record: it is begun, or gone on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seconds in which a provider must say something
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=MAX_TIMEOUT))]
    request_timeout: u64,
}

impl Record {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let relay = Relay::new(&self.to, self.request_timeout, proxy().as_deref()).map_err(|what| {
            Failure::new(what, format!("give the URL that the agent had with `--to`, and a proxy with {PROXY}"))
        })?;
        let journal = Journal::open(&self.out).map_err(|error| {
            let message = format!("`{}`: {error}", self.out.display());
            Failure::new(message, "name a new file, or a record to go on with, in a directory that can be written")
        })?;
        let listening = |error| {
            Failure::new(format!("cannot listen on {}: {error}", self.addr), "name another address with `--addr`")
        };
        let interrupt = Arc::new(Interrupt::default());
        super::signals::stop(&interrupt);
        let served = Proxy::bind(self.addr, relay, journal).and_then(|proxy| Ok((proxy.base_url()?, proxy)));
        let (url, served) = served.map_err(listening)?;
        match global.json {
            true => output::json_line(&serde_json::json!({"base_url": url, "out": self.out})),
            false => output::print(&format!("{url}\n")),
        }
        if !self.addr.ip().is_loopback() {
            output::note(&format!("warning: whoever reaches {} asks the provider through it", self.addr));
        }
        global.note(&format!(
            "give it to the agent as its provider's URL; Ctrl-C ends it, and then: probity audit {}",
            self.out.display()
        ));
        let told = Cell::new(false);
        let lost = |counts: &Counts| counts.missing.keys().find(|why| why.contains("cannot be written")).cloned();
        served
            .serve(&stop(&interrupt), &|| {
                if let Some(why) = lost(&served.counts()).filter(|_| !told.get()) {
                    told.set(true);
                    output::error(&why, "requests are passed on all the same; see to it that there is room");
                }
            })
            .map_err(listening)?;
        let counts = served.counts();
        self.end(global, &counts);
        Ok(if lost(&counts).is_some() { Exit::BadInput } else { Exit::Clean })
    }

    /// Says what is in the record.
    fn end(&self, global: &Global, counts: &Counts) {
        let dialogues = self.dialogues();
        if global.json {
            let mut json = counts.json();
            json["dialogues"] = dialogues.into();
            return output::json_line(&json);
        }
        let Counts { requests, recorded, unanswered, missing, .. } = counts;
        let requests = output::count(usize::try_from(*requests).unwrap_or(usize::MAX), "request");
        let mut text = format!("{requests}, {recorded} recorded, {unanswered} of them not answered\n");
        for (why, count) in missing {
            text.push_str(&format!("not recorded: {count} ({why})\n"));
        }
        match dialogues {
            Some(dialogues) => {
                text.push_str(&format!("{} holds {}\n", self.out.display(), output::count(dialogues, "dialogue")))
            }
            None => text.push_str(&format!("{} is too large to count its dialogues here\n", self.out.display())),
        }
        output::print(&text);
    }

    fn dialogues(&self) -> Option<usize> {
        let file = File::open(&self.out).ok()?;
        let length = file.metadata().ok()?.len();
        (length <= MAX_COUNTED).then(|| Reader::new("record", file, Some(Form::Recorded)).filter(Result::is_ok).count())
    }
}
