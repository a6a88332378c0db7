//! The flags of a provider, its key, and the way to it: the network or a cassette.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use probity_bench::{
    ApiKey, Client, Entries, Fork, Form, Http, Interrupt, MAX_ATTEMPTS, MAX_CONCURRENCY, MAX_TIMEOUT, ModelName,
    Player, Prices, ProviderConfig, Recorder, RunConfig, Stop, ToolMode, Transport, USER_UNIT, provider::cassette,
};
use probity_engine::{Hash, read::read_named};
use probity_local::Failure;

/// The environment variable that names a proxy to providers; `http_proxy` and the like are not read.
pub(super) const PROXY: &str = "PROBITY_PROXY";
/// The file of a run directory that keeps all traffic with its provider.
pub(crate) const CASSETTE: &str = "cassette.jsonl";

/// How models are asked, and what that costs.
#[derive(clap::Args)]
pub struct ProviderFlags {
    #[command(flatten)]
    asking: AskingFlags,
    #[command(flatten)]
    price: PriceFlags,
}

/// How models are asked.
#[derive(clap::Args)]
#[command(next_help_heading = "Models")]
pub struct AskingFlags {
    /// Where the provider is [default: https://api.openai.com/v1 for openai:MODEL, and so on]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The environment variable that holds the key; a local server may need none [default: OPENAI_API_KEY for
    /// openai:MODEL, and so on]
    #[arg(long, value_name = "NAME")]
    api_key_env: Option<String>,
    /// Answer from this cassette (RUNDIR/cassette.jsonl of an earlier run) instead of the network
    #[arg(long, value_name = "FILE", conflicts_with = "base_url")]
    cassette: Option<PathBuf>,
    /// How tools are called: native, or prompt for models that have no calls of their own
    #[arg(long, default_value = "native", value_name = "MODE")]
    tool_mode: ToolMode,
    /// The sampling temperature
    #[arg(long, default_value_t = 0.0, value_name = "T")]
    temperature: f64,
    /// Tokens of one message at most
    #[arg(long, default_value_t = 1024, value_name = "N")]
    max_tokens: u32,
    /// A JSON object merged into every request; null leaves a key out
    #[arg(long, value_name = "JSON", value_parser = object)]
    extra_body: Option<Map<String, Value>>,
    /// Send "" rather than null as the words of a message of calls alone
    #[arg(long)]
    empty_content: bool,
    /// Seconds for a request and its answer
    #[arg(long, default_value_t = 120, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=MAX_TIMEOUT))]
    request_timeout: u64,
    /// How often a request is sent before the provider counts as unreachable
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ATTEMPTS)))]
    attempts: u32,
    /// Milliseconds before the second attempt, doubled for each further one
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    retry_wait: u64,
    /// Requests in flight at most, whatever --jobs says
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_CONCURRENCY)))]
    concurrency: u16,
    /// Requests a minute at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    requests_per_minute: Option<u32>,
}

/// What models cost.
#[derive(clap::Args)]
#[command(next_help_heading = "Models")]
pub struct PriceFlags {
    /// What a million prompt tokens and a million written tokens cost, as `2.5,10`; the report then gives the cost
    #[arg(long, value_name = "PROMPT,COMPLETION", value_parser = prices)]
    prices: Option<Prices>,
}

#[derive(Default)]
pub(super) struct Connections {
    pub agents: Option<Arc<Client>>,
    pub user: Option<Arc<Client>>,
    /// Who keeps the traffic; nobody when it comes from a cassette.
    pub recorder: Option<Arc<Recorder>>,
}

impl ProviderFlags {
    pub(super) fn prices(&self) -> Option<Prices> {
        self.price.prices
    }

    /// The configuration for models of a wire form, and the text of the cassette that it answers from.
    pub(super) fn config(&self, form: Form) -> Result<(ProviderConfig, Option<String>), Failure> {
        let asking = &self.asking;
        let text = asking.cassette.as_deref().map(read_cassette).transpose()?;
        let config = ProviderConfig {
            form,
            base_url: asking.base_url.clone().unwrap_or_else(|| form.base_url.to_owned()),
            tool_mode: asking.tool_mode,
            temperature: asking.temperature,
            max_tokens: asking.max_tokens,
            extra_body: asking.extra_body.clone().unwrap_or_default(),
            empty_content: asking.empty_content,
            timeout: asking.request_timeout,
            attempts: asking.attempts,
            retry_wait_ms: asking.retry_wait,
            concurrency: asking.concurrency,
            requests_per_minute: asking.requests_per_minute,
            prices: self.prices(),
            cassette: text.as_ref().map(|text| Hash::of_text(text)),
            api_key_env: asking.api_key_env.clone().unwrap_or_else(|| form.key_env.to_owned()),
        };
        config.check().map_err(|what| {
            Failure::new(what, "give another `--base-url` or value; the key goes into the environment")
        })?;
        Ok((config, text))
    }
}

/// The ways to the providers of a run: from its cassette, or over the network with all traffic kept in the run
/// directory. The agents' provider and the user's are one when they are asked alike.
pub(super) fn connect(
    run: &RunConfig,
    cassette: Option<&str>,
    directory: &Path,
    interrupt: &Arc<Interrupt>,
) -> Result<Connections, Failure> {
    let agents = run.provider.as_ref();
    let user = run.user_model.as_ref().map(|model| &model.provider);
    let stop = stop(interrupt);
    let client = |config: &ProviderConfig, transport: Box<dyn Transport>| {
        Arc::new(Client::new(config.clone(), transport, Arc::clone(&stop)))
    };
    let both = |transport: &dyn Fn() -> Box<dyn Transport>| {
        let agents = agents.map(|config| client(config, transport()));
        let shared = agents.clone().filter(|_| run.provider.as_ref() == user);
        let user = user.map(|config| shared.unwrap_or_else(|| client(config, transport())));
        (agents, user)
    };
    if let Some(text) = cassette {
        let entries = entries(text, RECORD_AGAIN)?;
        let (agents, user) = both(&|| Box::new(Player::new(entries.clone())));
        return Ok(Connections { agents, user, recorder: None });
    }
    let network = |config: &ProviderConfig| -> Result<Box<dyn Transport>, Failure> { over_network(config, &stop) };
    let network: Box<dyn Transport> = match (agents, user) {
        (None, None) => return Ok(Connections::default()),
        (Some(config), None) | (None, Some(config)) => network(config)?,
        (Some(agents), Some(user)) => {
            Box::new(Fork { prefix: USER_UNIT, with: network(user)?, without: network(agents)? })
        }
    };
    let recorder = Arc::new(Recorder::new(directory.join(CASSETTE), network));
    let (agents, user) = both(&|| Box::new(Arc::clone(&recorder)));
    Ok(Connections { agents, user, recorder: Some(recorder) })
}

/// The wire form of all models of a run; nothing where there are none.
pub(super) fn one_form<'a>(mut models: impl Iterator<Item = &'a ModelName>) -> Result<Option<Form>, Failure> {
    let Some(first) = models.next() else { return Ok(None) };
    match models.find(|other| other.form != first.form) {
        Some(other) => {
            let message = format!("`{first}` and `{other}` are asked at different providers");
            Err(Failure::new(message, "ask each in a run of its own: there is one `--base-url`"))
        }
        None => Ok(Some(first.form)),
    }
}

/// A provider whose traffic nobody keeps: from its cassette, or over the network.
pub(super) fn unrecorded(
    flags: &ProviderFlags,
    form: Form,
    interrupt: &Arc<Interrupt>,
) -> Result<Arc<Client>, Failure> {
    let (config, cassette) = flags.config(form)?;
    Ok(way(&config, (cassette.as_deref(), RECORD_AGAIN), None, interrupt)?.0)
}

/// The way to a provider: from a cassette, with what helps where it cannot be read, or over the network, with all traffic
/// kept in a file where one is named.
pub(super) fn way(
    config: &ProviderConfig,
    (cassette, help): (Option<&str>, &str),
    traffic: Option<PathBuf>,
    interrupt: &Arc<Interrupt>,
) -> Result<(Arc<Client>, Option<Arc<Recorder>>), Failure> {
    let stop = stop(interrupt);
    let (transport, recorder): (Box<dyn Transport>, _) = match (cassette, traffic) {
        (Some(text), _) => (Box::new(Player::new(entries(text, help)?)), None),
        (None, None) => (over_network(config, &stop)?, None),
        (None, Some(traffic)) => {
            let recorder = Arc::new(Recorder::new(traffic, over_network(config, &stop)?));
            (Box::new(Arc::clone(&recorder)), Some(recorder))
        }
    };
    Ok((Arc::new(Client::new(config.clone(), transport, stop)), recorder))
}

fn entries(cassette: &str, help: &str) -> Result<Entries, Failure> {
    cassette::read(cassette).map_err(|what| Failure::new(format!("the cassette cannot be read: {what}"), help))
}

const RECORD_AGAIN: &str = "give the cassette.jsonl of a run directory, or play the run against its provider again";

/// What tells a provider that the run is interrupted.
pub(super) fn stop(interrupt: &Arc<Interrupt>) -> Stop {
    let interrupt = Arc::clone(interrupt);
    Arc::new(move || interrupt.is_set())
}

/// The proxy that is named for providers.
#[expect(clippy::disallowed_methods, reason = "which proxy to use is the machine's business, not a result's")]
pub(super) fn proxy() -> Option<String> {
    std::env::var(PROXY).ok().filter(|proxy| !proxy.is_empty())
}

/// The way to a provider over the network, with its key; through a proxy only where one is named for it.
fn over_network(config: &ProviderConfig, stop: &Stop) -> Result<Box<dyn Transport>, Failure> {
    let (key, stop) = (key(config)?, Arc::clone(stop));
    let Some(proxy) = proxy() else {
        return Ok(Box::new(Http::new(config, key, stop)));
    };
    let refused =
        |what: String| Failure::new(format!("{PROXY}: {what}"), format!("set {PROXY} to such a URL, or unset it"));
    Ok(Box::new(Http::through(config, key, stop, &proxy).map_err(refused)?))
}

#[expect(clippy::disallowed_methods, reason = "a key comes from the environment, and from nowhere else")]
fn key(config: &ProviderConfig) -> Result<Option<ApiKey>, Failure> {
    let name = &config.api_key_env;
    if name.is_empty() {
        return Ok(None);
    }
    match std::env::var(name) {
        Ok(text) if !text.trim().is_empty() => {
            let help = || format!("look at what {name} holds");
            Ok(Some(ApiKey::new(&text).map_err(|what| Failure::new(format!("{name}: {what}"), help()))?))
        }
        Ok(_) | Err(_) if config.base_url == config.form.base_url => {
            let message = format!("there is no key: the environment variable {name} is not set");
            Err(Failure::new(message, format!("set {name}, or name a server that needs none with `--base-url`")))
        }
        Ok(_) | Err(_) => Ok(None),
    }
}

/// A configuration with a URL, a key and prices of its own where they are given. A key is not sent to a host that it
/// was not meant for, nor keys of a body to a form that knows others. Where agents are asked at a URL of somebody's own,
/// another form's is demanded by its `flag`, where there can be one.
pub(super) fn elsewhere(
    agents: ProviderConfig,
    form: Form,
    (flag, base_url): (Option<&str>, Option<&String>),
    api_key_env: Option<&String>,
    prices: Option<Prices>,
) -> Result<ProviderConfig, Failure> {
    if let (Some(flag), None) = (flag, base_url)
        && form != agents.form
        && agents.base_url != agents.form.base_url
    {
        let message = format!("`--base-url` is where `{}` is spoken, and `{form}` is another form", agents.form);
        return Err(Failure::new(message, format!("say where `{form}` is spoken with `{flag}`")));
    }
    let url = if form == agents.form { &agents.base_url } else { form.base_url };
    let url = base_url.map_or(url, String::as_str).to_owned();
    let inherited = match url == agents.base_url {
        true => agents.api_key_env.clone(),
        false if url == form.base_url => form.key_env.to_owned(),
        false => String::new(),
    };
    Ok(ProviderConfig {
        form,
        extra_body: if form == agents.form { agents.extra_body } else { Map::new() },
        base_url: url,
        api_key_env: api_key_env.cloned().unwrap_or(inherited),
        prices: prices.or(agents.prices),
        ..agents
    })
}

pub(super) fn read_cassette(path: &Path) -> Result<String, Failure> {
    let refusal = |what: String| Failure::new(format!("`{}`: {what}", path.display()), RECORD_AGAIN.to_owned());
    read_named(path, cassette::MAX_BYTES).map_err(refusal)
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    probity_engine::arguments::read(text).map_err(|why| format!("not one JSON object: {why}"))
}

/// Reads two prices with a comma between them.
pub(super) fn prices(text: &str) -> Result<Prices, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
    let parts = text.split_once(',').and_then(|(prompt, written)| Some((number(prompt)?, number(written)?)));
    let (prompt, completion) = parts.ok_or("not two prices with a comma between them")?;
    Ok(Prices { prompt, completion })
}
