//! What is answered over HTTP, and what of a request's headers is refused.

use serde_json::{Value, json};

use probity_doors::mcp::{LEGACY, MODERN};
use probity_local::http::Request;

const HEADER_MISMATCH: i64 = -32020;

/// An answer over HTTP.
pub(super) struct HttpAnswer {
    pub status: u16,
    pub headers: String,
    /// Null: none.
    pub body: Value,
}

impl HttpAnswer {
    pub fn new(status: u16, body: Value) -> HttpAnswer {
        HttpAnswer { status, headers: String::new(), body }
    }

    pub fn text(&self) -> String {
        if self.body.is_null() { String::new() } else { self.body.to_string() }
    }
}

pub(super) fn refused(status: u16, what: &str) -> HttpAnswer {
    let headers = match status {
        401 => "www-authenticate: Bearer\r\n",
        405 => "allow: POST, DELETE\r\n",
        _ => "",
    };
    let body = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": what}});
    HttpAnswer { status, headers: headers.to_owned(), body }
}

/// What is wrong with the headers of the protocol. The revision without a handshake wants them to say what the body says.
pub(super) fn header_refusal(request: &Request, body: &Value) -> Option<HttpAnswer> {
    let told = body.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion").and_then(Value::as_str);
    let version = request.header("mcp-protocol-version");
    if version.is_some_and(|version| version != MODERN && !LEGACY.contains(&version)) {
        return Some(refused(400, "this version of the protocol is not spoken here"));
    }
    let is_modern = told == Some(MODERN);
    let differs = |header: &str, own: Option<&str>, is_needed: bool| match request.header(header) {
        Some(value) => own.is_some_and(|own| own != value),
        None => is_needed,
    };
    let method = body.get("method").and_then(Value::as_str);
    let named = body.pointer("/params/name").or_else(|| body.pointer("/params/uri")).and_then(Value::as_str);
    let is_wrong = differs("mcp-protocol-version", told, is_modern)
        || differs("mcp-method", method, is_modern)
        || differs("mcp-name", named, false);
    let what = "`MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` do not say what the body says";
    let error = json!({"code": HEADER_MISMATCH, "message": what});
    is_wrong.then(|| HttpAnswer::new(400, json!({"jsonrpc": "2.0", "id": body.get("id"), "error": error})))
}
