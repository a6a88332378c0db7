//! `probity serve`: episodes for agents that live elsewhere.

mod admission;
mod answer;
mod desk;
mod rooms;
mod scores;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exit::Exit;
use super::meant::Meant;
use super::run::{level, played_on};
use super::{Global, output, signals};
use admission::Admission;
use desk::Desk;
use probity_behaviour::benchmark::{BehaviourBenchmark, NAME};
use probity_bench::{Benchmark, Interrupt, MAX_MESSAGES, MAX_SEED, Services, Stop};
use probity_doors::mcp::McpServer;
use probity_doors::{Offer, Opening, jsonl};
use probity_engine::Difficulty;
use probity_local::Failure;
#[cfg(unix)]
use probity_local::http::{Place, STACK};
use probity_local::play::save::by_hand;
use rooms::Rooms;
use scores::Scores;

/// Let agents that live elsewhere play episodes: many over JSON lines, or one as an MCP server.
///
/// The same moves have the same digest as in a run. docs/SERVE.md has the protocol and what is told to whom.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("door").required(true))]
pub struct Serve {
    /// Over MCP: the task (its id or the last part of it); over HTTP each path may name its own in place of that. Or an
    /// environment, whose tools alone are served
    what: Option<String>,
    /// Many episodes, over JSON lines on standard input and output
    #[arg(long, group = "door")]
    jsonl: bool,
    /// One episode as an MCP server on standard input and output
    #[arg(long, group = "door", requires = "what")]
    mcp: bool,
    /// As many episodes as clients ask for, as MCP servers over HTTP at http://ADDR/e/NAME/mcp, such as 127.0.0.1:8080;
    /// without a task at http://ADDR/e/NAME/mcp?task=TASK&variant=VARIANT
    #[arg(long, group = "door", value_name = "ADDR")]
    mcp_http: Option<SocketAddr>,
    /// With --mcp-http: the variable that holds the token which clients have to bring
    #[arg(long, value_name = "NAME", requires = "mcp_http")]
    token_env: Option<String>,
    /// With --jsonl: a Unix socket in place of standard input and output; each connection has episodes of its own
    #[arg(long, value_name = "PATH", requires = "jsonl")]
    socket: Option<PathBuf>,
    /// Where the scores of episodes over MCP go: a line of JSON is added for each
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    score: Option<PathBuf>,
    /// With --jsonl, for training alone: tell with each answer the share of the wanted calls that were made
    #[arg(long, conflicts_with_all = ["mcp", "mcp_http"])]
    shaping: bool,
    /// With --mcp: a run directory that every other command reads, of the one episode; it must not exist yet
    #[arg(long, value_name = "DIR", conflicts_with_all = ["jsonl", "mcp_http"])]
    out: Option<PathBuf>,
    /// The benchmark that is played
    #[arg(long, default_value = NAME, value_name = "NAME")]
    suite: String,
    /// Of an environment: how large its state is [default: easy]
    #[arg(long)]
    size: Option<Difficulty>,
    /// Over MCP: how the user behaves
    #[arg(long, value_name = "VARIANT", conflicts_with = "jsonl")]
    variant: Option<String>,
    /// Over MCP: a level of one of the suite's settings; may be repeated
    #[arg(long = "level", value_name = "FACTOR=LEVEL", value_parser = level, conflicts_with = "jsonl")]
    levels: Vec<(String, String)>,
    /// Who speaks for the user, of those that need no model [default: the suite's first]
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// A choice of the suite between ways to play; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = level)]
    options: Vec<(String, String)>,
    /// The root seed of everything random; of an environment, the seed of its state
    #[arg(long, default_value_t = 0, value_name = "SEED", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    /// Agent messages in one episode at most [default: 20; of an environment as many as there can be]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MESSAGES)))]
    max_messages: Option<u32>,
    /// The agent's name in records
    #[arg(long = "as", default_value = "client", value_name = "NAME")]
    name: String,
}

impl Serve {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        self.serve(global).map(|()| Exit::Clean)
    }

    fn serve(&self, global: &Global) -> Result<(), Failure> {
        let (benchmark, task, most) = self.played(global)?;
        // It is played until the program ends.
        let benchmark: &'static Arc<dyn Benchmark> = Box::leak(Box::new(benchmark));
        let opening = Opening {
            task: task.unwrap_or_default(),
            levels: self
                .levels
                .iter()
                .cloned()
                .chain(self.variant.clone().map(|name| ("variant".to_owned(), name)))
                .collect(),
            trial: 0,
            seed: Some(self.seed),
            user: self.user.clone(),
            max_messages: self.max_messages.or(most),
            options: Some(self.options.iter().cloned().collect()),
        };
        let offer =
            Offer::new(benchmark.as_ref(), Services::default(), &self.name).with(&opening)?.shaped(self.shaping);
        // Of an environment alone nothing is asked.
        let offer = if most.is_some() { offer.unrewarded() } else { offer };
        let held = Arc::default();
        if let Some(address) = self.mcp_http {
            // What cannot be opened is told before somebody comes.
            if !opening.task.is_empty() {
                drop(offer.open(&opening, &held).and_then(McpServer::new)?);
            }
            let scores = Scores::open(self.score.as_deref())?;
            return self.rooms(global, address, (offer, opening), scores);
        }
        if self.mcp {
            let server = offer.open(&opening, &held).and_then(McpServer::new)?;
            return Desk::new(self, global, server)?.serve();
        }
        match &self.socket {
            None => jsonl::serve(&offer, io::stdin().lock(), io::stdout().lock())
                .map_err(|error| cannot("the client cannot be reached", &error)),
            Some(path) => socket(global, path, offer),
        }
    }

    fn rooms(
        &self,
        global: &Global,
        address: SocketAddr,
        (offer, opening): (Offer<'static>, Opening),
        scores: Scores,
    ) -> Result<(), Failure> {
        let token = self.token_env.as_deref().map(admission::token).transpose()?;
        let listener = admission::listener(address, token.as_deref())?;
        let bound = listener.address().map_err(|error| cannot("nobody can be listened to", &error))?;
        let own = if opening.task.is_empty() { "?task=TASK" } else { "" };
        output::print(&format!("http://{bound}/e/NAME/mcp{own}\n"));
        global.note("each NAME is an episode of its own; Ctrl-C ends it");
        let interrupt = Arc::new(Interrupt::default());
        signals::stop(&interrupt);
        let stop: Stop = Arc::new(move || interrupt.is_set());
        let admission = Admission { token, is_local: address.ip().is_loopback() };
        let rooms = Rooms::new(offer, opening, admission, scores);
        let served = rooms.serve(&listener, &stop);
        served.map_err(|error| cannot("no more clients can be taken", &error)).and_then(|()| rooms.finished())
    }

    /// What is served, the task of it where one is named, and how many messages an episode has where nobody says so.
    fn played(&self, global: &Global) -> Result<(Arc<dyn Benchmark>, Option<String>, Option<u32>), Failure> {
        let named = self.what.as_slice();
        if let Some(what) = self.what.as_deref().filter(|_| self.suite == NAME) {
            let suite = Meant::suite(named, &global.root);
            if let Some((environment, file)) = suite.environments.get(what).zip(suite.files.get(what)) {
                let size = self.size.unwrap_or(Difficulty::Easy);
                let made = by_hand(environment, &file.text, size, self.seed);
                let (suite, id) = made.map_err(|what| Failure::new(what, "`probity check` tells more"))?;
                return Ok((Arc::new(BehaviourBenchmark::new(suite)), Some(id), Some(MAX_MESSAGES)));
            }
        }
        if self.size.is_some() {
            return Err(Failure::new("`--size` is about an environment", "name one, or leave it out"));
        }
        let benchmark = played_on(global.suite(&self.suite)?, global, named)?;
        if let Some(what) = self.what.as_ref().filter(|_| self.jsonl) {
            let message = format!("`{what}` is no environment");
            return Err(Failure::new(
                message,
                "`--jsonl` serves all tasks; name an environment to serve its tools alone",
            ));
        }
        Ok((benchmark, self.what.clone(), None))
    }
}

fn cannot(what: &str, error: &io::Error) -> Failure {
    Failure::new(format!("{what}: {error}"), "look whether it is still there, and start again")
}

/// Most clients of a socket at once.
#[cfg(unix)]
const MAX_CLIENTS: usize = 64;

#[cfg(unix)]
fn socket(global: &Global, path: &Path, offer: Offer<'static>) -> Result<(), Failure> {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
    use std::os::unix::net::{UnixListener, UnixStream};

    // A socket that nobody listens at was left by a program that was killed.
    let is_socket = path.symlink_metadata().is_ok_and(|found| found.file_type().is_socket());
    if is_socket && UnixStream::connect(path).is_err() {
        drop(std::fs::remove_file(path));
    }
    let listener = UnixListener::bind(path)
        .map_err(|error| Failure::new(format!("cannot listen at {}: {error}", path.display()), "name another path"))?;
    // Nobody but its owner reaches it.
    let kept = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
    kept.map_err(|error| cannot("the socket cannot be kept from others", &error))?;
    let own = path.to_owned();
    signals::last(move || drop(std::fs::remove_file(own)));
    global.note(&format!("serving at {}; Ctrl-C ends it", path.display()));
    let (clients, offer) = (Arc::default(), Arc::new(offer));
    for client in listener.incoming() {
        let Ok(client) = client else {
            // Too many open files: that passes.
            std::thread::sleep(std::time::Duration::from_millis(5));
            continue;
        };
        let Some(place) = Place::take(&clients, MAX_CLIENTS) else {
            let refusal = serde_json::json!({"id": null, "error": {"code": "too_many", "message": format!("{MAX_CLIENTS} clients are the most"), "help": "come again later"}});
            // Who is gone already hears nothing.
            let _ = io::Write::write_all(&mut &client, format!("{refusal}\n").as_bytes());
            continue;
        };
        let offer = Arc::clone(&offer);
        let serve = move || {
            let _place = place;
            // A client that is gone has no more to hear.
            let _ = jsonl::serve(&offer, &client, &client);
        };
        // Who finds no thread is not answered.
        let _ = std::thread::Builder::new().stack_size(STACK).spawn(serve);
    }
    Ok(())
}

#[cfg(not(unix))]
fn socket(_: &Global, _: &Path, _: Offer<'static>) -> Result<(), Failure> {
    Err(Failure::new("there are no Unix sockets on this system", "use standard input and output"))
}
