//! The network: the only user of ureq.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::io::ErrorKind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use probity_wire::lenient;

use super::body::{Unread, read_body};
use super::completion::Completion;
use super::config::ProviderConfig;
use super::form::Form;
use super::key::ApiKey;
use super::retry::wait_ms;
use super::transport::{Broken, KEPT_HEADERS, MAX_BODY, Outgoing, Reply, Stop, Transport};
use super::{body, fenced};

/// How long a wait lasts before the wish to stop is looked at again.
const POLL: Duration = Duration::from_millis(50);
/// What a request may take beyond its time limit before its thread is left to itself.
const GRACE: Duration = Duration::from_secs(5);

/// A provider behind a URL.
pub struct Http {
    agent: ureq::Agent,
    config: ProviderConfig,
    key: Option<ApiKey>,
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
        Http { agent: agent.build().into(), config: config.clone(), key, stop }
    }

    fn wait(&self, answer: &std::sync::mpsc::Receiver<Result<Reply, Broken>>) -> Result<Reply, Broken> {
        let mut left = Duration::from_secs(self.config.timeout) + GRACE;
        loop {
            match answer.recv_timeout(POLL) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Broken::Connection("the request broke off".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if (self.stop)() => return Err(Broken::Interrupted),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Broken::Timeout(self.config.timeout)),
                Err(RecvTimeoutError::Timeout) => left = left.saturating_sub(POLL),
            }
        }
    }
}

impl Transport for Http {
    fn send(&self, request: Outgoing) -> Result<Reply, Broken> {
        let (agent, key, body) = (self.agent.clone(), self.key.clone(), request.body.to_owned());
        let url = self.config.url(request.model.unwrap_or_default());
        let (form, timeout) = (self.config.form, self.config.timeout);
        let (done, answer) = channel();
        let work = move || {
            // Nobody listens any more when the run was stopped.
            let _ = done.send(exchange(&agent, &url, (form, key.as_ref()), &body, timeout));
        };
        let thread = std::thread::Builder::new().name("provider".to_owned()).spawn(work);
        thread.map_err(|error| Broken::Connection(error.to_string()))?;
        self.wait(&answer)
    }

    fn is_live(&self) -> bool {
        true
    }
}

fn exchange(
    agent: &ureq::Agent,
    url: &str,
    (form, key): (Form, Option<&ApiKey>),
    body: &str,
    timeout: u64,
) -> Result<Reply, Broken> {
    let mut request = agent.post(url).content_type("application/json");
    if let Some(key) = key {
        request = request.header(form.key_header, key.header(form.key_header));
    }
    for (name, value) in form.headers {
        request = request.header(*name, *value);
    }
    let broken = |error: ureq::Error| broken(&error, timeout);
    let mut response = request.send(body).map_err(broken)?;
    let headers = response.headers().clone();
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let status = response.status().as_u16();
    let retry_after_ms = wait_ms(status, &header, now_ms());
    let kept =
        KEPT_HEADERS.iter().filter_map(|name| Some(((*name).to_owned(), header(name)?.chars().take(200).collect())));
    let kept: BTreeMap<String, String> = kept.collect();
    let content_type = header("content-type");
    let is_stream = content_type.as_deref().is_some_and(|kind| body::is_stream(Some(kind), ""));
    let reader = response.body_mut().with_config().limit(MAX_BODY).reader();
    let bytes = read_body(reader, header("content-encoding").as_deref(), is_stream.then_some(form)).map_err(
        |error| match error {
            Unread::Broken(broken) => broken,
            Unread::Read(error) => broken_io(error, timeout),
        },
    )?;
    let text = text(form, content_type.as_deref(), response.status().is_success(), &bytes)?;
    let Some(key) = key else { return Ok(Reply { status, retry_after_ms, body: text, headers: kept }) };
    let body = key.blot(&text);
    match is_in_pieces(form, key, &body) {
        true => Err(Broken::Connection("the answer says the key back in pieces, and is not taken".to_owned())),
        false => Ok(Reply { status, retry_after_ms, body, headers: blotted(key, kept) }),
    }
}

/// The text of an answer; a stream of events is put together to the message that it comes to.
pub(super) fn text(form: Form, kind: Option<&str>, is_success: bool, bytes: &[u8]) -> Result<String, Broken> {
    // A character that is cut at the end was cut with the answer; others are mended when it is read.
    let is_cut = std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    if is_cut && is_success {
        return Err(broke_off());
    }
    let is_json = lenient::read(bytes).is_ok();
    let text = String::from_utf8_lossy(bytes).into_owned();
    match !is_json && body::is_stream(kind, &text) {
        false => Ok(text),
        true => match body::gathered(&text, form) {
            Ok(body) => Ok(body.to_string()),
            Err(_) if !is_success => Ok(text),
            Err(why) => Err(Broken::Connection(why)),
        },
    }
}

/// Whether a key stands in the words only when they are put together: from the parts of a message, or from what is left
/// of them when calls are read from its blocks.
pub(super) fn is_in_pieces(form: Form, key: &ApiKey, body: &str) -> bool {
    let answered = lenient::read(body.as_bytes()).ok().and_then(|body| (form.answered)(&body.value).ok());
    let read = answered.and_then(|answered| Completion::read(&answered.chat).ok());
    let words = read.and_then(|completion| completion.text).unwrap_or_default();
    let left = |is_cut_off| {
        let message = fenced::read(&words, is_cut_off);
        let arguments = message.calls.into_iter().map(|call| format!("{} {}", call.tool, call.arguments));
        message.text.into_iter().chain(arguments).collect::<Vec<_>>().join("\n")
    };
    [left(false), left(true), words.clone()].iter().any(|words| key.blot(words) != *words)
}

fn broke_off() -> Broken {
    Broken::Connection("the answer broke off".to_owned())
}

pub(super) fn broken(error: &ureq::Error, timeout: u64) -> Broken {
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

pub(super) fn broken_io(error: std::io::Error, timeout: u64) -> Broken {
    broken(&ureq::Error::from(error), timeout)
}

fn blotted(key: &ApiKey, headers: BTreeMap<String, String>) -> BTreeMap<String, String> {
    headers.into_iter().map(|(name, value)| (name, key.blot(&value))).collect()
}

#[expect(clippy::disallowed_methods, reason = "a provider's date is real time; no result knows it")]
fn now_ms() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn is_loopback(url: &str) -> bool {
    let authority = url.split('/').nth(2).unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_in_pieces_is_seen_when_they_are_put_together() {
        let key = ApiKey::new("sk_li-Zx9_bQ7w_r55L_20Pa").unwrap();
        let body = |content: serde_json::Value| {
            serde_json::json!({"choices": [{"message": {"content": content}}]}).to_string()
        };
        let parts = serde_json::json!([{"text": "sk_li-Zx9"}, {"text": "_bQ7w_r55"}, {"text": "L_20Pa"}]);
        assert!(is_in_pieces(Form::default(), &key, &body(parts)));
        let call = "```json\n{\"tool\": \"now\"}\n```";
        assert!(is_in_pieces(Form::default(), &key, &body(format!("sk_li-Zx9{call}_bQ7w_r55{call}L_20Pa").into())));
        let cuts = [
            format!("sk_li-Zx9````json\n{}\n````_bQ7w_r55L_20Pa", "{\"tool\": \"now\"}"),
            format!("sk_li-Zx9{call}_bQ7w_r55~~~\n{}\n~~~L_20Pa", "{\"calls\": []}"),
            "sk_li-Zx9```\n{\"text\": \"_bQ7w_r55\", \"calls\": null}\n```L_20Pa".to_owned(),
        ];
        for words in cuts {
            let body = key.blot(&body(words.clone().into()));
            assert!(body.contains("Zx9") && is_in_pieces(Form::default(), &key, &body), "{words}");
        }
        for whole in ["sk_li-Zx9_bQ7w_r55L_20Pa", "Done.", "```\nx\n``` sk_li"] {
            assert!(!is_in_pieces(Form::default(), &key, &key.blot(&body(whole.into()))), "{whole}");
        }
    }

    #[test]
    fn a_proxy_does_not_stand_before_this_machine() {
        assert!(is_loopback("http://127.0.0.1:80/v1") && is_loopback("http://localhost/v1"));
        assert!(is_loopback("http://[::1]:80/v1"));
        assert!(!is_loopback("https://example.org/v1"));
    }
}
