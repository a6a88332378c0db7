//! The network: the only user of ureq.

use std::error::Error as _;
use std::io::ErrorKind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::completion::Completion;
use super::config::ProviderConfig;
use super::key::ApiKey;
use super::transport::{Broken, MAX_BODY, Outgoing, Reply, Stop, Transport};

/// How long a wait lasts before the wish to stop is looked at again.
const POLL: Duration = Duration::from_millis(50);
/// What a request may take beyond its time limit before its thread is left to itself.
const GRACE: Duration = Duration::from_secs(5);

/// A provider behind a URL.
pub struct Http {
    agent: ureq::Agent,
    url: String,
    key: Option<ApiKey>,
    timeout: u64,
    stop: Stop,
}

impl Http {
    /// The provider that a configuration names, asked directly. Redirects are not followed: they would take the key
    /// along.
    pub fn new(config: &ProviderConfig, key: Option<ApiKey>, stop: Stop) -> Self {
        Http::with(config, key, stop, None)
    }

    /// The same through a proxy, unless the provider is on this machine.
    ///
    /// # Errors
    /// The proxy is not a URL of one.
    pub fn through(config: &ProviderConfig, key: Option<ApiKey>, stop: Stop, proxy: &str) -> Result<Self, String> {
        // It may hold a password, so it is not said again.
        let proxy = ureq::Proxy::new(proxy).map_err(|_| "it is not `http://HOST:PORT`".to_owned())?;
        Ok(Http::with(config, key, stop, Some(proxy)))
    }

    fn with(config: &ProviderConfig, key: Option<ApiKey>, stop: Stop, proxy: Option<ureq::Proxy>) -> Self {
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(config.timeout)))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("probity/", env!("CARGO_PKG_VERSION")))
            // Never one that the environment happens to name.
            .proxy(proxy.filter(|_| !is_loopback(&config.base_url)));
        Http { agent: agent.build().into(), url: config.url(), key, timeout: config.timeout, stop }
    }

    fn wait(&self, answer: &std::sync::mpsc::Receiver<Result<Reply, Broken>>) -> Result<Reply, Broken> {
        let mut left = Duration::from_secs(self.timeout) + GRACE;
        loop {
            match answer.recv_timeout(POLL) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Broken::Connection("the request broke off".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if (self.stop)() => return Err(Broken::Interrupted),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Broken::Timeout(self.timeout)),
                Err(RecvTimeoutError::Timeout) => left = left.saturating_sub(POLL),
            }
        }
    }
}

impl Transport for Http {
    fn send(&self, request: Outgoing) -> Result<Reply, Broken> {
        let (agent, url, key) = (self.agent.clone(), self.url.clone(), self.key.clone());
        let (body, timeout) = (request.body.to_owned(), self.timeout);
        let (done, answer) = channel();
        let work = move || {
            // Nobody listens any more when the run was stopped.
            let _ = done.send(exchange(&agent, &url, key.as_ref(), &body, timeout));
        };
        let thread = std::thread::Builder::new().name("provider".to_owned()).spawn(work);
        thread.map_err(|error| Broken::Connection(error.to_string()))?;
        self.wait(&answer)
    }

    fn is_live(&self) -> bool {
        true
    }
}

fn exchange(agent: &ureq::Agent, url: &str, key: Option<&ApiKey>, body: &str, timeout: u64) -> Result<Reply, Broken> {
    let mut request = agent.post(url).content_type("application/json");
    if let Some(key) = key {
        request = request.header("authorization", key.header());
    }
    let broken = |error: ureq::Error| broken(&error, timeout);
    let mut response = request.send(body).map_err(broken)?;
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let retry_after_ms = retry_after(header("retry-after-ms").as_deref(), header("retry-after").as_deref());
    let status = response.status().as_u16();
    let bytes = response.body_mut().with_config().limit(MAX_BODY).read_to_vec().map_err(broken)?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // The words around a failure may be read with gaps; those of a model may not.
        Err(error) if !response.status().is_success() => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        Err(error) => {
            let what = error.utf8_error();
            let is_cut = what.error_len().is_none();
            let place = what.valid_up_to() as u64;
            return Err(if is_cut { broke_off() } else { Broken::NotUtf8(place) });
        }
    };
    let Some(key) = key else { return Ok(Reply { status, retry_after_ms, body: text }) };
    let body = key.blot(&text);
    match is_in_pieces(key, &body) {
        true => Err(Broken::Connection("the answer says the key back in pieces, and is not taken".to_owned())),
        false => Ok(Reply { status, retry_after_ms, body }),
    }
}

/// Whether a key stands in the words only when they are put together: from the parts of a message, or from what stands
/// between its fenced blocks.
fn is_in_pieces(key: &ApiKey, body: &str) -> bool {
    let read = serde_json::from_str(body).ok().and_then(|body| Completion::read(&body).ok());
    let words = read.and_then(|completion| completion.text).unwrap_or_default();
    let unfenced: String = words.split("```").step_by(2).collect();
    [words, unfenced].iter().any(|words| key.blot(words) != *words)
}

fn broke_off() -> Broken {
    Broken::Connection("the answer broke off".to_owned())
}

fn broken(error: &ureq::Error, timeout: u64) -> Broken {
    match error {
        ureq::Error::Timeout(_) => Broken::Timeout(timeout),
        ureq::Error::BodyExceedsLimit(_) => Broken::TooLong(MAX_BODY),
        ureq::Error::Io(error) if error.kind() == ErrorKind::TimedOut => Broken::Timeout(timeout),
        ureq::Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => broke_off(),
        ureq::Error::HostNotFound => Broken::Connection("the host is not known".to_owned()),
        other => {
            let cause = other.source().map(|cause| format!(": {cause}")).unwrap_or_default();
            Broken::Connection(format!("{other}{cause}"))
        }
    }
}

/// Milliseconds to wait, from the headers that say so: a number of either, or a date.
fn retry_after(milliseconds: Option<&str>, seconds: Option<&str>) -> Option<u64> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative; a cast saturates")]
    let whole = |milliseconds: f64| milliseconds.ceil() as u64;
    milliseconds
        .and_then(number)
        .map(whole)
        .or_else(|| seconds.and_then(number).map(|seconds| whole(seconds * 1000.0)))
        .or_else(|| seconds.and_then(until))
}

#[expect(clippy::disallowed_methods, reason = "a provider's date is real time; no result knows it")]
fn until(date: &str) -> Option<u64> {
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date.trim()).ok()?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    let seconds = u64::try_from(date.as_second()).ok()?.saturating_sub(now.as_secs());
    Some(seconds.saturating_mul(1000))
}

fn is_loopback(url: &str) -> bool {
    let authority = url.split('/').nth(2).unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_in_all_their_forms() {
        assert_eq!(retry_after(None, Some("2")), Some(2000));
        assert_eq!(retry_after(None, Some("0.25")), Some(250));
        assert_eq!(retry_after(Some("40"), Some("2")), Some(40));
        assert_eq!(retry_after(None, Some("Wed, 21 Oct 2015 07:28:00 GMT")), Some(0));
        assert_eq!(retry_after(None, Some("soon")), None);
        assert_eq!(retry_after(None, Some("-1")), None);
        assert_eq!(retry_after(None, None), None);
    }

    #[test]
    fn a_key_in_pieces_is_seen_when_they_are_put_together() {
        let key = ApiKey::new("sk_li-Zx9_bQ7w_r55L_20Pa").unwrap();
        let body = |content: serde_json::Value| {
            serde_json::json!({"choices": [{"message": {"content": content}}]}).to_string()
        };
        let parts = serde_json::json!([{"text": "sk_li-Zx9"}, {"text": "_bQ7w_r55"}, {"text": "L_20Pa"}]);
        assert!(is_in_pieces(&key, &body(parts)));
        let call = "```json\n{\"tool\": \"now\"}\n```";
        assert!(is_in_pieces(&key, &body(format!("sk_li-Zx9{call}_bQ7w_r55{call}L_20Pa").into())));
        for whole in ["sk_li-Zx9_bQ7w_r55L_20Pa", "Done.", "```\nx\n``` sk_li"] {
            assert!(!is_in_pieces(&key, &key.blot(&body(whole.into()))), "{whole}");
        }
    }

    #[test]
    fn a_proxy_does_not_stand_before_this_machine() {
        assert!(is_loopback("http://127.0.0.1:80/v1") && is_loopback("http://localhost/v1"));
        assert!(is_loopback("http://[::1]:80/v1"));
        assert!(!is_loopback("https://example.org/v1"));
    }
}
