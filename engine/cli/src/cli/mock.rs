//! `probity mock`.

use std::sync::Arc;

use super::exit::Exit;
use super::{Global, output};
use crate::cli::stopped::{Stopped, sound};
use probity_behaviour::suite::Suite;
use probity_bench::{Interrupt, Stop};
use probity_local::Failure;
use probity_local::mock::mode::{MODES, Mode};
use probity_local::mock::server::Server;
use probity_local::mock::speaker::Speaker;

/// Serve a scripted model on this machine.
///
/// It speaks all wire forms on loopback, each at its own path, and answers as the oracle of the tasks below --root would, so that a
/// client can be tried without a network, a key or a model. Judges get grades that follow from what they ask. In other modes it misbehaves as real servers do.
#[derive(clap::Args)]
pub struct Mock {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    port: u16,
    /// How it answers
    #[arg(long, default_value = "plain", value_name = "MODE", value_parser = mode)]
    mode: &'static Mode,
    /// Print all modes with what an agent and a judge should make of each, and stop
    #[arg(long)]
    list_modes: bool,
}

fn mode(text: &str) -> Result<&'static Mode, String> {
    text.parse()
}

impl Mock {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        if self.list_modes {
            output::print(&list(global.json));
            return Ok(Exit::Clean);
        }
        let suite = sound(Suite::load(&global.root))?;
        let interrupt = Arc::new(Interrupt::default());
        super::signals::stop(&interrupt);
        serve(self, global, &suite, &interrupt).map_err(|error| {
            Failure::new(format!("cannot listen on port {}: {error}", self.port), "name another with `--port`")
        })?;
        Ok(Exit::Interrupted)
    }
}

fn serve(mock: &Mock, global: &Global, suite: &Suite, interrupt: &Arc<Interrupt>) -> std::io::Result<()> {
    let server = Server::bind(mock.port, mock.mode, Speaker::new(suite))?;
    let url = server.base_url()?;
    global.tell(|| serde_json::json!({"base_url": url, "mode": mock.mode.name}), || format!("{url}\n"));
    global.note(&format!("try it: probity run --agent openai:mock --base-url {url}\nCtrl-C ends it"));
    let heard = Arc::clone(interrupt);
    let stop: Stop = Arc::new(move || heard.is_set());
    server.serve(&stop)
}

fn list(json: bool) -> String {
    if json {
        let entry = |mode: &Mode| serde_json::json!({"mode": mode.name, "description": mode.description, "agent": mode.expected.name(), "judge": mode.judge.name()});
        let entries: Vec<_> = MODES.iter().map(entry).collect();
        return format!("{}\n", serde_json::to_string_pretty(&entries).unwrap_or_default());
    }
    let line = |mode: &Mode| {
        let (agent, judge) = (mode.expected.name(), mode.judge.name());
        format!("{:<18} {agent:<12} {judge:<12} {}\n", mode.name, mode.description)
    };
    let header = format!("{:<18} {:<12} {:<12} what it does\n", "mode", "agent", "judge");
    std::iter::once(header).chain(MODES.iter().map(line)).collect()
}
