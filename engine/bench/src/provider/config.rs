//! How a provider is asked: part of `run.json`. The key is not; it never leaves the environment.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::form::Form;
use crate::usage::Prices;

/// Times a request is sent at most.
pub const MAX_ATTEMPTS: u32 = 20;
/// Seconds for a request at most.
pub const MAX_TIMEOUT: u64 = 3600;
/// Requests in flight at most.
pub const MAX_CONCURRENCY: u16 = 256;

/// How a model calls tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolMode {
    /// Through the provider's own tool calls; nothing in the words is taken for a call.
    #[default]
    Native,
    /// In a fenced JSON block, for models without tool calls.
    Prompt,
}

impl std::str::FromStr for ToolMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "native" => Ok(ToolMode::Native),
            "prompt" => Ok(ToolMode::Prompt),
            _ => Err(format!("`{text}` is neither `native` nor `prompt`")),
        }
    }
}

/// How the agents of a run that are behind a model ask their provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    /// The wire form; chat completions where none is written.
    #[serde(default, skip_serializing_if = "Form::is_first")]
    pub form: Form,
    /// Where its path begins, e.g. `http://127.0.0.1:8080/v1`.
    pub base_url: String,
    /// How tools are called.
    pub tool_mode: ToolMode,
    /// The sampling temperature.
    pub temperature: f64,
    /// Tokens of one message at most; always sent.
    pub max_tokens: u32,
    /// A merge patch (RFC 7396) over the body of every request; null leaves a key out.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra_body: Map<String, Value>,
    /// Whether a message of calls alone goes back with `""` as its words rather than null.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub empty_content: bool,
    /// Seconds for a request and its answer.
    pub timeout: u64,
    /// How often a request is sent before the provider counts as unreachable.
    pub attempts: u32,
    /// Milliseconds before the second attempt; doubled for each further one.
    pub retry_wait_ms: u64,
    /// Requests in flight at most, whatever `--jobs` says.
    pub concurrency: u16,
    /// Requests a minute at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// What tokens cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// The environment variable that holds the key.
    pub api_key_env: String,
    /// Whether answers come from a cassette that is among the run's inputs, by its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cassette: Option<probity_engine::Hash>,
}

impl ProviderConfig {
    /// The defaults for a provider at a URL.
    pub fn at(base_url: impl Into<String>) -> Self {
        ProviderConfig {
            form: Form::default(),
            base_url: base_url.into(),
            tool_mode: ToolMode::Native,
            temperature: 0.0,
            max_tokens: 1024,
            extra_body: Map::new(),
            empty_content: false,
            timeout: 120,
            attempts: 5,
            retry_wait_ms: 1000,
            concurrency: 4,
            requests_per_minute: None,
            prices: None,
            api_key_env: Form::default().key_env.to_owned(),
            cassette: None,
        }
    }

    /// Whether it stays within bounds; a `run.json` can say anything.
    ///
    /// # Errors
    /// What is out of bounds.
    pub fn check(&self) -> Result<(), String> {
        let is_http = ["http://", "https://"].iter().any(|scheme| self.base_url.starts_with(scheme));
        if !is_http {
            return Err(format!("the base URL `{}` does not start with http:// or https://", self.base_url));
        }
        let authority = self.base_url.split('/').nth(2).unwrap_or_default();
        if authority.contains('@') {
            return Err("the base URL holds a user name or key; it would be written down".to_owned());
        }
        if authority.is_empty() || authority.contains('?') || self.base_url.contains(['#', ' ']) {
            return Err("the base URL is not scheme, host, path and query alone".to_owned());
        }
        if !is_query_written(&self.base_url) {
            // What else stands there may be the key itself, so it is not said again.
            return Err(format!(
                "the query of the base URL would be written down, and holds more than `{}`; a key belongs into the \
                 variable that --api-key-env names",
                WRITTEN_QUERY.join("`, `")
            ));
        }
        if !is_variable(&self.api_key_env) {
            // It may be the key itself, so it is not said again.
            return Err("what names the key's environment variable is no name of one".to_owned());
        }
        if let Some(name) = secret_in(&self.extra_body) {
            return Err(format!("`extra_body` holds `{name}`, which would be written down"));
        }
        let bounds = [
            ("timeout", self.timeout, 1, MAX_TIMEOUT),
            ("attempts", u64::from(self.attempts), 1, u64::from(MAX_ATTEMPTS)),
            ("max_tokens", u64::from(self.max_tokens), 1, 10_000_000),
            ("retry_wait_ms", self.retry_wait_ms, 0, 600_000),
            ("concurrency", u64::from(self.concurrency), 1, u64::from(MAX_CONCURRENCY)),
            ("requests_per_minute", u64::from(self.requests_per_minute.unwrap_or(1)), 1, 1_000_000),
        ];
        if let Some((name, value, least, most)) =
            bounds.into_iter().find(|(_, value, low, high)| value < low || value > high)
        {
            return Err(format!("`{name}` is {value}, not from {least} to {most}"));
        }
        match self.temperature.is_finite() && (0.0..=10.0).contains(&self.temperature) {
            true => Ok(()),
            false => Err(format!("`temperature` is {}, not from 0 to 10", self.temperature)),
        }
    }

    /// Where requests for a model go: the query of the base URL stays behind the path.
    pub(super) fn url(&self, model: &str) -> String {
        let (path, query) = self.base_url.split_once('?').unwrap_or((&self.base_url, ""));
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{}{mark}{query}", path.trim_end_matches('/'), self.form.path_of(model))
    }
}

/// Whether a text can name an environment variable; an empty one names none.
fn is_variable(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn reads_secret(name: &str) -> bool {
    let name: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    ["apikey", "authorization", "secret", "password", "accesstoken"].iter().any(|word| name.contains(word))
}

/// What the query of a base URL may hold: it is written down.
const WRITTEN_QUERY: [&str; 5] = ["api-version", "api_version", "version", "deployment", "region"];

/// Whether the query of a URL holds nothing but what may be written down.
fn is_query_written(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = query.split(['&', ';']).filter(|pair| !pair.is_empty());
    pairs.all(|pair| {
        pair.split_once('=').is_some_and(|(name, _)| WRITTEN_QUERY.contains(&name.to_ascii_lowercase().as_str()))
    })
}

/// The first key, however deep, that reads as if it held a secret.
fn secret_in(body: &Map<String, Value>) -> Option<&str> {
    body.iter().find_map(|(name, value)| match value {
        _ if reads_secret(name) => Some(name.as_str()),
        Value::Object(inner) => secret_in(inner),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold};

    #[test]
    fn keys_are_not_written_down() {
        let config = ProviderConfig { api_key_env: "sk-abc".to_owned(), ..ProviderConfig::at("http://h/v1") };
        let why = config.check().unwrap_err();
        assert!(why.contains("no name") && !why.contains("sk-abc"), "{why}");
        let body = serde_json::json!({"user": {"API-Key": "x"}}).as_object().cloned().unwrap();
        let config = ProviderConfig { extra_body: body, ..ProviderConfig::at("http://h/v1") };
        assert!(config.check().unwrap_err().contains("`API-Key`"));
        let body = serde_json::json!({"max_completion_tokens": 5, "top_k": 1}).as_object().cloned().unwrap();
        assert_eq!(ProviderConfig { extra_body: body, ..ProviderConfig::at("http://h/v1") }.check(), Ok(()));
    }

    /// Where a model is asked, or what is wrong with the base URL.
    fn url(base: &str) -> String {
        let config = ProviderConfig::at(base);
        config.check().map_or_else(|why| why, |()| config.url("m"))
    }

    #[test]
    fn a_base_url_holds_no_secret_and_keeps_its_query() {
        hold(include_str!("config_cases.txt"), &[("url", url as Reader)]);
    }

    #[test]
    fn bounds_are_kept() {
        let config = ProviderConfig { attempts: 0, ..ProviderConfig::at("http://h/v1") };
        assert_eq!(config.check(), Err("`attempts` is 0, not from 1 to 20".to_owned()));
        let config = ProviderConfig { temperature: f64::NAN, ..ProviderConfig::at("http://h/v1") };
        assert!(config.check().unwrap_err().contains("temperature"));
    }
}
