//! Who may come in over HTTP.

use std::net::SocketAddr;

use super::answer::{HttpAnswer, refused};
use probity_local::Failure;
use probity_local::http::{Listener, Request};

/// Who may come in.
pub struct Admission {
    /// The token that each request has to bring.
    pub token: Option<String>,
    /// Whether it listens on this machine alone: then nobody comes in by another host's name.
    pub is_local: bool,
}

impl Admission {
    /// Why a request is not let in, if it is not.
    pub(super) fn refusal(&self, request: &Request) -> Option<HttpAnswer> {
        let is_here = |host: &str| {
            let host = host.rsplit_once("://").map_or(host, |(_, host)| host);
            let name = if host.starts_with('[') { host.split(']').next() } else { host.split(':').next() };
            matches!(name.unwrap_or_default(), "localhost" | "127.0.0.1" | "[::1")
        };
        // A page of another site may not use a browser on this machine, nor a name that leads here.
        let origin = request.header("origin");
        let is_own = |origin: &str| request.header("host").is_some_and(|host| origin.ends_with(&format!("://{host}")));
        if origin.is_some_and(|origin| !(if self.is_local { is_here(origin) } else { is_own(origin) })) {
            return Some(refused(403, "requests of other origins are not answered"));
        }
        if self.is_local && !request.header("host").is_none_or(is_here) {
            return Some(refused(403, "this server is asked as localhost alone"));
        }
        let given = request.header("authorization").and_then(|value| value.split_once(' '));
        let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
        let is_admitted = self.token.as_deref().is_none_or(|token| given.is_some_and(|given| is_same(given, token)));
        (!is_admitted).then(|| refused(401, "`authorization: Bearer TOKEN` is missing or wrong"))
    }
}

/// Whether two texts are the same, found out in a time that does not tell where they part.
fn is_same(one: &str, other: &str) -> bool {
    let differs = one.bytes().zip(other.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
    one.len() == other.len() && differs == 0
}

/// Listens where it is told to.
///
/// # Errors
/// It cannot, or not without a token.
pub fn listener(address: SocketAddr, token: Option<&str>) -> Result<Listener, Failure> {
    if !address.ip().is_loopback() && token.is_none() {
        let message = format!("{address} is open to others, and nobody would be asked for a token");
        return Err(Failure::new(message, "name a variable that holds one with `--token-env`, or take 127.0.0.1"));
    }
    Listener::bind(address)
        .map_err(|error| Failure::new(format!("cannot listen at {address}: {error}"), "name another address"))
}

/// The token that the variable of this name holds.
///
/// # Errors
/// It holds none, or one that is guessed too soon.
#[expect(clippy::disallowed_methods, reason = "a token comes from the environment, and from nowhere else")]
pub fn token(name: &str) -> Result<String, Failure> {
    let token = std::env::var(name).ok().filter(|token| token.len() >= 16);
    token.ok_or_else(|| {
        let help = format!("for example `export {name}=$(openssl rand -hex 16)`");
        Failure::new(format!("`{name}` holds no token of 16 bytes or more"), help)
    })
}
