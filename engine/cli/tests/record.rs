//! `probity record`: what passes between agents and providers is not changed by it, and stands in a file that `audit`
//! reads; `cases/sessions/record.sh` has how it ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

use probity_bench::{Form, Relay, Stop};
use probity_local::record::{Counts, Journal, Proxy};
use probity_logs::{Dialogue, Event, Reader};
use serde_json::{Value, json};

use crate::support::mock::{Mock, PATIENCE, mode};
use crate::support::{binary, code, contents, json as parsed, out, probity, report, said, scratch, succeeded};

const KEY: &str = "sk-Qx7-not_to_be_told-41Zw";

/// A provider that answers each connection, once its request was read, as it is told; its URL, for `--base-url`.
fn upstream(answer: impl Fn(TcpStream, &str) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map(Result::unwrap) {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let mut piece = [0; 16384];
                let head = loop {
                    let read = stream.read(&mut piece).unwrap_or(0);
                    bytes.extend(&piece[..read]);
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let length = text.to_ascii_lowercase();
                    let length =
                        length.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
                    match text.split_once("\r\n\r\n") {
                        Some((_, body)) if body.len() >= length.unwrap_or(0) => break text,
                        _ if read == 0 => return,
                        _ => {}
                    }
                };
                answer(stream, &head);
            });
        }
    });
    url
}

/// A recording by the program itself.
pub struct Recording {
    child: Child,
    pub url: String,
}

impl Recording {
    pub fn start(to: &str, file: &Path) -> Recording {
        let mut command = binary();
        command.args(["record", "--to", to, "--out", file.to_str().unwrap()]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::with_capacity(1, child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        Recording { child, url: url.trim().to_owned() }
    }

    /// Ends it with a signal; what it said.
    pub fn end(self, signal: &str) -> Output {
        let sent = Command::new("kill").args([&format!("-{signal}"), &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.child.wait_with_output().unwrap()
    }
}

/// A proxy of this process, while it is held.
struct Held {
    url: String,
    path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Counts>>,
}

impl Held {
    fn start(name: &str, to: &str, timeout: u64) -> Held {
        let path = scratch(name).join("record.jsonl");
        let relay = Relay::new(to, timeout, None).unwrap();
        let proxy = Proxy::bind("127.0.0.1:0".parse().unwrap(), relay, Journal::open(&path).unwrap()).unwrap();
        let (url, stop) = (proxy.base_url().unwrap(), Arc::new(AtomicBool::new(false)));
        let seen = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let stop: Stop = Arc::new(move || seen.load(Ordering::SeqCst));
            proxy.serve(&stop, &|| {}).unwrap();
            proxy.counts()
        });
        Held { url, path, stop, thread: Some(thread) }
    }

    fn address(&self) -> &str {
        self.url.split('/').nth(2).unwrap()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// All that comes back for these bytes.
    fn ask(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Ends it; what passed, and what was recorded.
    fn end(mut self) -> (Counts, String, Vec<Dialogue>) {
        self.stop.store(true, Ordering::SeqCst);
        let counts = self.thread.take().unwrap().join().unwrap();
        (counts, contents(&self.path), dialogues(&self.path))
    }
}

fn dialogues(path: &Path) -> Vec<Dialogue> {
    Reader::new("record.jsonl", fs::File::open(path).unwrap(), None).filter_map(Result::ok).collect()
}

/// A chat request with these words of a user.
fn chat(path: &str, words: &str) -> Vec<u8> {
    let body = json!({"model": "m", "messages": [{"role": "user", "content": words}]}).to_string();
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {KEY}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn event(words: &str, finish: Option<&str>) -> String {
    let choice = json!({"index": 0, "delta": {"content": words}, "finish_reason": finish});
    format!("data: {}\n\n", json!({"choices": [choice]}))
}

fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

#[test]
fn runs_in_every_form_are_what_they_are_without_it_and_their_dialogues_can_be_audited() {
    let folder = scratch("record");
    let few =
        ["--as", "model", "--limit", "3", "--variant", "ideal", "--trials", "2", "--api-key-env", "PROBITY_TEST_KEY"];
    let run = |form: Form, at: &str, name: &str| {
        let directory = folder.join(name);
        let model = format!("{form}:mock");
        let mut command = binary();
        command.arg("--root").arg(crate::support::sampled_root()).env("PROBITY_TEST_KEY", KEY);
        command.args(["run", "--out", directory.to_str().unwrap(), "--agent", &model, "--base-url", at]);
        succeeded(command.args(few).args(PATIENCE).output().unwrap());
        directory
    };
    let plain = Mock::start(mode("plain"));
    let alone = report(&run(Form::default(), &plain.url, "alone"))["digest"].clone();
    let audit = |file: &Path| parsed(&succeeded(probity(&["audit", "-q", "--json", file.to_str().unwrap()])));
    let episodes = audit(&folder.join("alone/episodes.jsonl"));
    let summed =
        |audited: &Value| (audited["summary"]["dialogues"].clone(), audited["summary"]["claims"]["calls"].clone());
    for name in ["plain", "stream"] {
        let mock = Mock::start(mode(name));
        for form in Form::all() {
            let file = folder.join(format!("{form}-{name}.jsonl"));
            let recording = Recording::start(&mock.url, &file);
            let directory = run(form, &recording.url, &format!("{form}-{name}"));
            assert_eq!(report(&directory)["digest"], alone, "{form} {name}");
            let output = recording.end("TERM");
            assert_eq!(code(&output), 0, "{}", said(&output));
            assert!(
                out(&output).contains("holds 6 dialogues") && !out(&output).contains("not recorded"),
                "{}",
                out(&output)
            );
            let audited = audit(&file);
            assert_eq!(summed(&audited), summed(&episodes), "{form} {name}: {audited}");
            assert_eq!(audited["summary"]["unread"]["count"], 0, "{audited}");
            let text = contents(&file);
            assert!(!text.contains("not_to_be_told") && !said(&output).contains("not_to_be_told"), "{form} {name}");
            for dialogue in dialogues(&file) {
                assert!(!dialogue.brief.is_empty() && !dialogue.tools.is_empty(), "{form} {name}: {dialogue:?}");
                assert!(dialogue.events.iter().all(|event| !matches!(event, Event::Told { .. })), "{dialogue:?}");
            }
            // What a request repeats is not written again.
            let turns: usize = text
                .lines()
                .map(|line| {
                    let line: Value = serde_json::from_str(line).unwrap();
                    line["turns"].as_array().unwrap().len()
                })
                .sum();
            assert!(turns < 4 * text.lines().count(), "{form} {name}: {turns} turns in {} lines", text.lines().count());
        }
    }
}

#[test]
fn a_stream_is_passed_through_while_it_comes() {
    let (heard, is_heard) = channel::<()>();
    let is_heard = std::sync::Mutex::new(is_heard);
    let to = upstream(move |mut stream, _| {
        stream.write_all(format!("{STREAM}{}", chunk(&event("First", None))).as_bytes()).unwrap();
        // The rest is not sent before the client has that.
        is_heard.lock().unwrap().recv_timeout(Duration::from_secs(20)).unwrap();
        let rest = [event(" and last.", Some("stop")), "data: [DONE]\n\n".to_owned()].concat();
        stream.write_all(format!("{}0\r\n\r\n", chunk(&rest)).as_bytes()).unwrap();
    });
    let held = Held::start("record-stream", &to, 30);
    let mut client = held.connect();
    client.write_all(&chat("/v1/chat/completions", "Hi")).unwrap();
    let (mut answer, mut piece) = (String::new(), [0; 512]);
    while !answer.contains("First") {
        let read = client.read(&mut piece).unwrap();
        assert!(read > 0, "{answer}");
        answer.push_str(&String::from_utf8_lossy(&piece[..read]));
    }
    assert!(!answer.contains("and last"), "{answer}");
    heard.send(()).unwrap();
    client.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("content-type: text/event-stream") && answer.ends_with("0\r\n\r\n"), "{answer}");
    let (counts, _, dialogues) = held.end();
    assert_eq!((counts.recorded, counts.unanswered), (1, 0));
    assert!(
        matches!(&dialogues[0].events[..], [_, Event::Agent { text, .. }] if text == "First and last."),
        "{dialogues:?}"
    );
}

#[test]
fn what_goes_wrong_is_passed_on_as_it_is_and_stands_in_the_record() {
    let to = upstream(|mut stream, head| {
        let answer = match head {
            head if head.contains("cut") => format!("{STREAM}{}", chunk(&event("Half", None))),
            head if head.contains("busy") => {
                let body = format!("{{\"error\": {{\"message\": \"slow down, {KEY}\"}}}}");
                format!("HTTP/1.1 429 No\r\nretry-after: 7\r\ncontent-length: {}\r\n\r\n{body}", body.len())
            }
            head if head.contains("elsewhere") => {
                "HTTP/1.1 307 No\r\nlocation: http://127.0.0.1:9/v1/chat/completions\r\ncontent-length: 0\r\n\r\n"
                    .to_owned()
            }
            head if head.contains("silent") => return std::thread::sleep(Duration::from_secs(4)),
            head if head.contains("embed") => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}".to_owned(),
            head => panic!("{head}"),
        };
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let held = Held::start("record-wrong", &to, 1);
    let ask = |words: &str| held.ask(&chat("/v1/chat/completions", words));
    let cut = ask("cut");
    assert!(cut.contains("Half") && !cut.ends_with("0\r\n\r\n"), "a client sees that it broke off: {cut}");
    let busy = ask("busy");
    assert!(busy.starts_with("HTTP/1.1 429") && busy.contains("retry-after: 7") && busy.contains(KEY), "{busy}");
    let elsewhere = ask("elsewhere");
    assert!(
        elsewhere.starts_with("HTTP/1.1 307") && elsewhere.contains("location: http://127.0.0.1:9/"),
        "{elsewhere}"
    );
    assert!(ask("silent").starts_with("HTTP/1.1 504"));
    assert!(held.ask(&chat("/v1/embeddings?key=abcdefghijkl", "embed")).ends_with("{}"));
    assert!(held.ask(b"GET http://127.0.0.1:9/v1/models HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 502"));
    assert!(held.ask(b"CONNECT 127.0.0.1:9 HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 502"));
    let (counts, text, dialogues) = held.end();
    assert_eq!((counts.requests, counts.recorded, counts.unanswered), (7, 4, 4), "{counts:?}");
    let missing: Vec<&String> = counts.missing.keys().collect();
    assert!(missing.iter().any(|why| *why == "POST /embeddings asks for no dialogue"), "{missing:?}");
    for why in
        ["HTTP 429: slow down, [key]", "the stream of events broke off", "HTTP 307", "no answer within 1 seconds"]
    {
        assert!(text.contains(why) || why.contains("broke off") && text.contains("broke off"), "{why}: {text}");
    }
    assert!(
        dialogues.is_empty() && !text.contains("not_to_be_told") && !format!("{counts:?}").contains("abcdefghijkl")
    );
}

#[test]
fn nonsense_and_dying_clients_harm_themselves_only() {
    let to = upstream(|mut stream, head| {
        let _ = stream.write_all(format!("{STREAM}{}", chunk(&event("First", None))).as_bytes());
        let is_slow = head.contains("slow");
        for _ in 0..if is_slow { 200 } else { 0 } {
            if stream.write_all(chunk(&event(" and", None)).as_bytes()).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = stream.write_all(format!("{}0\r\n\r\n", chunk(&event(" last.", Some("stop")))).as_bytes());
    });
    let held = Held::start("record-nonsense", &to, 30);
    let nonsense: Vec<u8> = (0..10_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert!(held.ask(&nonsense).starts_with("HTTP/1.1 400"));
    assert!(
        held.ask(b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n")
            .starts_with("HTTP/1.1 413")
    );
    drop(held.connect());
    let mut dying = held.connect();
    dying.write_all(&chat("/v1/chat/completions", "slow")).unwrap();
    let mut piece = [0; 64];
    assert!(dying.read(&mut piece).unwrap() > 0);
    drop(dying);
    let mut half = held.connect();
    half.write_all(b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 50\r\n\r\n{\"mess").unwrap();
    drop(half);
    // Nothing but what a model is asked is a dialogue.
    let odd = b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 9\r\n\r\nnot JSON.";
    assert!(held.ask(odd).starts_with("HTTP/1.1 200"));
    assert!(held.ask(&chat("/v1/chat/completions", "Hi")).contains("last."));
    let (counts, text, dialogues) = held.end();
    assert_eq!((counts.recorded, counts.unanswered), (2, 1), "{counts:?}\n{text}");
    assert_eq!(counts.missing.get("the body is no JSON"), Some(&1), "{counts:?}");
    assert_eq!(counts.missing.get("the request could not be read"), Some(&2), "{counts:?}");
    assert!(text.contains("the client broke off"), "{text}");
    assert_eq!(dialogues.len(), 1);
}
