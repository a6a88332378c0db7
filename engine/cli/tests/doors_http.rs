//! The door over HTTP: who comes in, and that each path is an episode of its own.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use probity_doors::mcp::SAY;
use serde_json::{Value, json};

use crate::support::{binary, root, scratch};

/// A request of HTTP to a server of ours, and the status and body of its answer.
fn http(address: &str, head: &str, body: &str) -> (u16, String) {
    use std::io::Read as _;
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// A server over HTTP, at a port that is free.
struct Served {
    child: Child,
    /// What it says first.
    said: String,
    address: String,
}

impl Served {
    fn start(arguments: &[&str]) -> Served {
        Served::start_by(binary(), arguments)
    }

    fn start_by(mut command: std::process::Command, arguments: &[&str]) -> Served {
        let mut child = command
            .args(["--root", root().to_str().unwrap(), "-q", "serve", "--mcp-http", "127.0.0.1:0"])
            .args(arguments)
            .env("DOOR_TOKEN", "a-token-of-some-length")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.trim_start_matches("http://").split('/').next().unwrap().to_owned();
        Served { child, said, address }
    }

    fn stop(mut self) {
        let stopped = std::process::Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(stopped.success() && self.child.wait().unwrap().success());
    }
}

/// A test that fails leaves no server behind.
impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill().and_then(|()| self.child.wait()));
    }
}

#[test]
fn who_may_not_come_in_is_not_heard() {
    use std::io::Read as _;
    use std::net::TcpStream;
    use std::time::Duration;

    let server = Served::start(&["late_move", "--token-env", "DOOR_TOKEN"]);
    let head = |more: &str| format!("POST /e/one/mcp HTTP/1.1\r\nHost: {}\r\n{more}\r\n\r\n", server.address);
    let token = "Authorization: Bearer a-token-of-some-length\r\n";
    // Who is answered while they speak may be cut off: then what they have heard by then counts.
    let asked = |text: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let _ = stream.write_all(text.as_bytes());
        let mut said = Vec::new();
        let heard = stream.read_to_end(&mut said);
        (String::from_utf8(said).unwrap(), heard)
    };
    // The bodies of these never come, and one who waits for them says 408.
    for (more, wanted) in [
        ("Content-Length: 900000", "HTTP/1.1 401 Unauthorized\r\n"),
        ("Content-Length: 90000000", "HTTP/1.1 401 Unauthorized\r\n"),
        ("Origin: https://elsewhere.example\r\nTransfer-Encoding: chunked", "HTTP/1.1 403 Forbidden\r\n"),
    ] {
        let (said, heard) = asked(&head(more));
        assert!(said.starts_with(wanted) && said.contains("connection: close\r\n"), "{more}: {said} {heard:?}");
    }
    let late = head(&format!("{token}content-length: 2")).replace("POST", "GET");
    assert!(asked(&late).0.contains(" 408 Request Timeout\r\n"));
    // One who sends all of a body that is too large before they listen hears why it was not taken.
    let mut large = head(&format!("{token}Content-Length: 20000000"));
    large.push_str(&"x".repeat(20_000_000));
    let (said, heard) = asked(&large);
    let is_reset = heard.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset);
    assert!(said.starts_with("HTTP/1.1 413 Content Too Large\r\n") || said.is_empty() && is_reset, "{said}");
    server.stop();
}

/// More of them than a server may have files open.
#[cfg(unix)]
#[test]
fn who_says_nothing_keeps_nobody_out() {
    use std::net::TcpStream;

    let limited = "ulimit -n 48; exec \"$0\" \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited]).arg(binary().get_program());
    let server = Served::start_by(command, &["late_move"]);
    let silent: Vec<TcpStream> = (0..60).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let head = format!("POST /e/one/mcp HTTP/1.1\r\nHost: {}", server.address);
    for _ in 0..3 {
        assert_eq!(http(&server.address, &head, r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#).0, 200);
    }
    drop(silent);
    server.stop();
}

#[test]
fn a_path_may_name_its_own_task() {
    let scores = scratch("serve_paths").join("scores.jsonl");
    let server = Served::start(&["--score", scores.to_str().unwrap()]);
    assert!(server.said.trim().ends_with("/e/NAME/mcp?task=TASK"), "{}", server.said);
    let ask = |method: &str, target: &str, body: &Value| {
        let head = format!("{method} /e/{target} HTTP/1.1\r\nHost: {}", server.address);
        http(&server.address, &head, &if body.is_null() { String::new() } else { body.to_string() })
    };
    let call = |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let say = call("tools/call", json!({"name": SAY, "arguments": {"text": "One moment."}}));
    let brief = call("resources/read", json!({"uri": "probity://brief"}));
    let first = |target: &str| ask("POST", target, &brief).1;
    let move_late = first("a/mcp?task=travel_hospitality/front_desk/late_move&variant=ideal");
    assert!(move_late.contains("Ines Okafor") && first("a/mcp") == move_late, "{move_late}");
    let hostile = first("b/mcp?task=late_move&variant=impatience_and_hostility");
    let escaped = first("e/mcp?task=travel_hospitality%2Ffront_desk%2Flate%5Fmove&variant=ideal");
    assert_eq!(escaped, move_late);
    let card = first("c/mcp?task=mislaid_card");
    assert!(
        move_late != hostile && hostile.contains("Ines Okafor") && !card.contains("Ines Okafor"),
        "{hostile} {card}"
    );
    for (target, wanted) in [
        ("d/mcp", "which task?"),
        ("d/mcp?task=", "which task?"),
        ("d/mcp?task=late_mov", "did you mean `late_move`"),
        ("d/mcp?task=late_move&variant=angry", "is not played at variant=angry"),
        ("d/mcp?task=%2e%2e/%2e%2e", "there is no task"),
        ("d/mcp?task=late%255Fmove", "there is no task"),
    ] {
        let (status, said) = ask("POST", target, &brief);
        assert!(status == 404 && said.contains(wanted), "{target}: {status} {said}");
    }
    // One in which nothing was said was not begun, and may be begun again, with another task even.
    assert_eq!(ask("DELETE", "a/mcp", &Value::Null).0, 204);
    assert_eq!(ask("DELETE", "a/mcp", &Value::Null).0, 404);
    assert_eq!(first("a/mcp?task=late_move&variant=impatience_and_hostility"), hostile);
    assert_eq!(ask("POST", "a/mcp", &say).0, 200);
    assert_eq!(ask("POST", "b/mcp", &say).0, 200);
    assert_eq!((ask("DELETE", "b/mcp", &Value::Null).0, ask("POST", "b/mcp", &say).0), (204, 410));
    server.stop();
    let lines = std::fs::read_to_string(scores).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ended: Vec<(&Value, bool)> = lines.iter().map(|line| (&line["episode"], line["reward"].is_null())).collect();
    assert_eq!(ended, [(&json!("b"), false), (&json!("a"), true)], "{lines:?}");
}

#[test]
fn each_path_of_http_is_an_episode_and_nobody_else_comes_in() {
    let score = scratch("serve_http").join("scores.jsonl");
    let server = Served::start(&["late_move", "--token-env", "DOOR_TOKEN", "--score", score.to_str().unwrap()]);
    let address = server.address.clone();
    let head = |method: &str, path: &str, more: &str| {
        format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer a-token-of-some-length{more}")
    };
    let call = |method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    };
    let say = call("tools/call", json!({"name": SAY, "arguments": {"text": "One moment."}}));
    let list = call("tools/list", json!({}));
    let asked = |episode: &str, body: &str| http(&address, &head("POST", &format!("/e/{episode}/mcp"), ""), body);
    let (status, tools) = asked("one", &list);
    assert_eq!(status, 200, "{tools}");
    let said = |episode: &str| asked(episode, &say).1;
    let (first, second) = (said("one"), said("one"));
    assert!(first != second && said("two") == first, "{first} {second}");
    for (status, head, body) in [
        (401, format!("POST /e/one/mcp HTTP/1.1\r\nHost: {address}"), list.as_str()),
        (
            401,
            format!("POST /e/one/mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer a-token-of-some-lengtH"),
            &list,
        ),
        (403, head("POST", "/e/one/mcp", "\r\nOrigin: https://elsewhere.example"), &list),
        (403, head("POST", "/e/one/mcp", "\r\nOrigin: http://localhost.elsewhere.example"), &list),
        (403, head("POST", "/e/one/mcp", "").replace(&address, "elsewhere.example"), &list),
        (200, head("POST", "/e/one/mcp", "\r\nOrigin: http://localhost:9999"), &list),
        (405, head("GET", "/e/one/mcp", ""), ""),
        (404, head("POST", "/e/../mcp", ""), &list),
        (404, head("POST", "/e/one/../../mcp", ""), &list),
        (404, head("POST", "/score", ""), &list),
        (400, head("POST", "/e/one/mcp", "\r\nMCP-Protocol-Version: 1999-01-01"), &list),
        (400, head("POST", "/e/one/mcp", "\r\nMcp-Method: tools/call"), &list),
        (400, head("POST", "/e/one/mcp", ""), "{"),
        (202, head("POST", "/e/one/mcp", ""), r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#),
        (404, head("DELETE", "/e/nobody/mcp", ""), ""),
        (204, head("DELETE", "/e/one/mcp", ""), ""),
        (410, head("POST", "/e/one/mcp", ""), &list),
    ] {
        let (found, said) = http(&address, &head, body);
        assert_eq!(found, status, "{head}: {said}");
    }
    // Who stops it has what was not over scored as left.
    server.stop();
    let scores = std::fs::read_to_string(&score).unwrap();
    let names: Vec<Value> =
        scores.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["episode"].clone()).collect();
    assert_eq!(names, ["one", "two"], "{scores}");
    // Nobody left the second: it is not scored.
    let last: Value = serde_json::from_str(scores.lines().last().unwrap()).unwrap();
    assert_eq!((&last["reward"], &last["end"]), (&Value::Null, &Value::Null), "{last}");
}
