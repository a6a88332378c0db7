//! Whatever bytes come, nothing panics and nothing takes long.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;

use crate::support::{cases, files, read};

/// Every case, smaller ones whole.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let all = files(&cases()).into_iter().flat_map(|folder| files(&folder));
    all.map(|file| (file.display().to_string(), std::fs::read(&file).unwrap())).collect()
}

/// What notices that reading hangs, on a machine that is busy; whole cases take a few milliseconds.
const LONGEST: Duration = Duration::from_secs(30);

#[test]
fn what_is_cut_off_or_damaged_is_read_as_far_as_it_goes() {
    let corpus = corpus();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(7),
        ..ProptestConfig::default()
    });
    let damage = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>());
    let flips = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
    let strategy = (damage, flips);
    let result = runner.run(&strategy, |((file, end, is_cut), flips)| {
        let (name, bytes) = file.get(&corpus);
        let mut bytes = bytes.clone();
        let length = bytes.len();
        flips.iter().filter(|_| length > 0).for_each(|(at, byte)| bytes[at.index(length)] = *byte);
        if is_cut && !bytes.is_empty() {
            bytes.truncate(end.index(bytes.len()));
        }
        let begun = Instant::now();
        let (_, dialogues, unread) = read(name, &bytes);
        prop_assert!(begun.elapsed() < LONGEST, "{name} takes too long");
        prop_assert!(!dialogues.is_empty() || !unread.is_empty(), "{name}: nothing is told");
        Ok(())
    });
    result.unwrap();
}

/// Texts that are large in one way.
#[test]
fn what_is_large_in_one_way_takes_time_that_grows_with_it() {
    let many = 30_000;
    let message = |content: &str| format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"Hi\"}},{content}]}}");
    let calls = (0..many).map(|_| r#"{"id":"c","name":"t","arguments":"{}"}"#).collect::<Vec<_>>().join(",");
    let results =
        (0..many).map(|_| r#"{"role":"tool","tool_call_id":"c","content":"x"}"#).collect::<Vec<_>>().join(",");
    let chain: String = (0..many)
        .map(|n| {
            let parent = if n == 0 { "null".to_owned() } else { format!("\"{}\"", n - 1) };
            format!(
                "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"uuid\":\"{n}\",\"parentUuid\":{parent},\"message\":{{\"role\":\"assistant\",\"content\":\"a\"}}}}\n"
            )
        })
        .collect();
    let spans: String = (0..many)
        .map(|n| {
            format!(
                "{{\"id\":\"{n}\",\"trace_id\":\"t\",\"parent_run_id\":\"{}\",\"run_type\":\"tool\",\"name\":\"x\",\"inputs\":{{}},\"outputs\":{{\"output\":\"y\"}}}}\n",
                (n + 1) % many
            )
        })
        .collect();
    let tools = (0..many).map(|n| format!("{{\"name\":\"t{n}\"}}")).collect::<Vec<_>>().join(",");
    let systems =
        (0..many).map(|n| format!("{{\"role\":\"system\",\"content\":\"{n}\"}}")).collect::<Vec<_>>().join(",");
    let requests: String = (0..many)
        .map(|n| {
            format!(
                "{{\"id\":\"{n}\",\"trace_id\":\"t{n}\",\"run_type\":\"llm\",\"extra\":{{\"metadata\":{{\"thread_id\":\"k\"}}}},\"inputs\":{{\"messages\":[{{\"role\":\"user\",\"content\":\"{n}\"}}]}},\"outputs\":{{\"message\":{{\"role\":\"assistant\",\"content\":\"a\"}}}}}}\n"
            )
        })
        .collect();
    let texts = [
        ("many tools", format!("{{\"tools\":[{tools}],\"messages\":[{{\"role\":\"assistant\",\"content\":\"a\"}}]}}")),
        ("many words of the system", format!("[{systems},{{\"role\":\"assistant\",\"content\":\"a\"}}]")),
        ("many requests of one conversation", requests),
        ("a long text", message(&format!("{{\"role\":\"assistant\",\"content\":\"{}\"}}", "a ".repeat(4 << 20)))),
        ("many calls of one id", message(&format!("{{\"role\":\"assistant\",\"tool_calls\":[{calls}]}},{results}"))),
        ("many results of none", message(&format!("{{\"role\":\"assistant\",\"content\":\"a\"}},{results}"))),
        ("a long path of parents", chain),
        ("a circle of parents", spans),
        ("deep lists", "[".repeat(1 << 20)),
        ("deep objects", "{\"messages\":".repeat(1 << 17)),
        ("many blank lines", "\n".repeat(1 << 20)),
        (
            "many thoughts",
            message(&format!("{{\"role\":\"assistant\",\"content\":\"{}b\"}}", "<think>a</think>".repeat(many))),
        ),
        (
            "many open brackets in words",
            message(&format!("{{\"role\":\"assistant\",\"content\":\"{}\"}}", "[a(".repeat(many))),
        ),
    ];
    for (what, text) in texts {
        let begun = Instant::now();
        let (_, dialogues, unread) = read(what, text.as_bytes());
        assert!(begun.elapsed() < 2 * LONGEST, "{what} takes {:?}", begun.elapsed());
        assert!(!dialogues.is_empty() || !unread.is_empty(), "{what}");
    }
}

/// A line that is too long is passed over, and what stands behind it is read.
#[test]
fn a_line_that_is_too_long_costs_itself_only() {
    use std::io::Read;
    let good = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"assistant\",\"content\":\"Hi\"}]}\n";
    let long = std::io::repeat(b'a').take(probity_logs::MAX_LINE + 10);
    let log = good.as_bytes().chain(long).chain(&b"\n"[..]).chain(good.as_bytes());
    let (mut lines, mut told) = (Vec::new(), Vec::new());
    for read in probity_logs::Reader::new("long.jsonl", log, None) {
        match read {
            Ok(dialogue) => lines.push(dialogue.source.line),
            Err(unread) => told.push(unread.to_string()),
        }
    }
    assert_eq!(lines, [1, 3]);
    assert!(told.len() == 1 && told[0].starts_with("long.jsonl:2: the line is longer than 256 MiB"), "{told:?}");
}

/// A first line may be longer than what is looked at first, begin with a mark, or be a dialogue that is a list.
#[test]
fn a_long_first_line_is_one_line() {
    let long = "word ".repeat(1 << 18);
    let hello = r#"{"role":"user","content":"Hi"}"#;
    let reply = format!("{{\"role\":\"assistant\",\"content\":\"{long}\"}}");
    let broken = "{\"messages\":\n";
    for first in [
        format!("\u{feff}{{\"messages\":[{hello},{reply}]}}\n"),
        format!("[{hello},{reply}]\n"),
        format!("\u{feff}[{hello},{reply}]\n"),
    ] {
        let second = format!("{{\"messages\":[{hello},{{\"role\":\"assistant\",\"content\":\"Hello\"}}]}}\n");
        let text = [&first, broken, &second].concat();
        let (_, dialogues, unread) = read("long.jsonl", text.as_bytes());
        assert_eq!((dialogues.len(), unread.len()), (2, 1), "{}: {unread:?}", &first[..12]);
        assert_eq!(unread[0].line, 2);
    }
}

/// A record in which each request goes on from the one before, and none from an answer: all are dialogues.
#[test]
fn histories_that_are_told_again_and_again_have_an_end() {
    let long = "word ".repeat(1 << 16);
    let agent = |n: u64| json!({"role": "assistant", "content": n.to_string()});
    let line = |n: u64| match n {
        1 => {
            json!({"recorded": 1, "session": "s", "exchange": 1, "turns": [{"role": "user", "content": long}], "answer": [agent(1)]})
        }
        n => {
            json!({"recorded": 1, "session": "s", "exchange": n, "from": n - 1, "kept": n - 1, "turns": [{"role": "user", "content": "x"}], "answer": [agent(n)]})
        }
    };
    let text: String = (1..3000).map(|n| format!("{}\n", line(n))).collect();
    let (_, dialogues, unread) = read("record.jsonl", text.as_bytes());
    assert!(dialogues.len() > 700 && dialogues.len() < 2999, "{}", dialogues.len());
    assert!(unread.len() == 1 && unread[0].what.contains("again of each other"), "{unread:?}");
}
