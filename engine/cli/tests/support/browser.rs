//! Chromium without a window, driven over a pipe: real keys, real clicks, and whatever the console says.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything takes; what takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Browser {
    child: Child,
    commands: File,
    answers: Receiver<Value>,
    session: Option<String>,
    sent: u64,
    events: VecDeque<Value>,
    pub said: Vec<String>,
}

impl Browser {
    /// A browser; where none is found the test says so on standard error.
    pub fn start(folder: &Path, test: &str) -> Option<Browser> {
        let Some(program) = found() else {
            super::skipped(format_args!("no Chromium found, {test} is not opened"));
            return None;
        };
        let [input, output] = ["commands", "answers"].map(|name| folder.join(name));
        assert!(Command::new("mkfifo").args([&input, &output]).status().unwrap().success());
        let child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<\"$COMMANDS\" 4>\"$ANSWERS\"", program])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .envs([("COMMANDS", &input), ("ANSWERS", &output)])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let commands = OpenOptions::new().write(true).open(input).unwrap();
        let answers = listen(File::open(output).unwrap());
        let (events, said) = Default::default();
        let mut browser = Browser { child, commands, answers, session: None, sent: 0, events, said };
        let target = browser.ask("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.ask(&format!("{domain}.enable"), &json!({}));
        }
        browser.resize(1400);
        Some(browser)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// What comes back, which may be an error.
    fn answer(&mut self, method: &str, params: &Value) -> Value {
        self.sent += 1;
        let mut command = json!({"id": self.sent, "method": method, "params": params});
        if let Some(session) = &self.session {
            command["sessionId"] = session.as_str().into();
        }
        self.commands.write_all(format!("{command}\0").as_bytes()).unwrap();
        loop {
            let answer = self.receive();
            if answer["id"] == self.sent {
                return answer;
            }
            self.events.push_back(answer);
        }
    }

    fn receive(&mut self) -> Value {
        let answer = self.answers.recv_timeout(PATIENCE).unwrap();
        let params = &answer["params"];
        match answer["method"].as_str() {
            Some("Runtime.consoleAPICalled") => self.said.push(params["args"].to_string()),
            Some("Runtime.exceptionThrown") => self.said.push(params["exceptionDetails"].to_string()),
            Some("Log.entryAdded") => self.said.push(params["entry"].to_string()),
            _ => {}
        }
        answer
    }

    pub fn resize(&mut self, width: u32) {
        let size = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", &size);
    }

    pub fn open(&mut self, page: &Path, hash: &str) {
        for url in ["about:blank".to_owned(), format!("file://{}{hash}", page.display())] {
            self.events.clear();
            self.ask("Page.navigate", &json!({"url": url}));
            while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
                let event = self.receive();
                self.events.push_back(event);
            }
        }
    }

    /// What an expression is on the page.
    pub fn value(&mut self, expression: &str) -> Value {
        self.evaluated(expression).unwrap_or_else(|left| panic!("{expression}: {left}"))
    }

    /// What an expression is on the page, or that the page was left while it was asked.
    fn evaluated(&mut self, expression: &str) -> Result<Value, Value> {
        let wanted = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.answer("Runtime.evaluate", &wanted);
        if answer["error"]["code"] == -32000 {
            return Err(answer);
        }
        let result = &answer["result"];
        assert!(result["exceptionDetails"].is_null() && result["result"].is_object(), "{expression}: {answer}");
        Ok(result["result"]["value"].clone())
    }

    pub fn text(&mut self, selector: &str) -> String {
        let value = self.value(&format!("document.querySelector({})?.textContent ?? ''", json!(selector)));
        value.as_str().unwrap().to_owned()
    }

    /// Holds that no page wrote to the console.
    pub fn is_silent(&self) {
        assert!(self.said.is_empty(), "the console is not silent: {:?}", self.said);
    }

    pub fn count(&mut self, selector: &str) -> u64 {
        self.value(&format!("document.querySelectorAll({}).length", json!(selector))).as_u64().unwrap()
    }

    pub fn until(&mut self, expression: &str) {
        let start = Instant::now();
        while self.evaluated(&format!("Boolean({expression})")) != Ok(true.into()) {
            assert!(start.elapsed() < PATIENCE, "never: {expression}\n{}", self.value("document.body.innerText"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses keys, one after the other; `Enter`, `Escape`, `Tab` and arrows by name.
    pub fn press(&mut self, keys: &[&str]) {
        for key in keys {
            let (code, text) = match *key {
                "Enter" => (13, "\r"),
                "Escape" => (27, ""),
                "Tab" => (9, ""),
                "ArrowUp" => (38, ""),
                "ArrowDown" => (40, ""),
                other => (other.chars().next().map_or(0, |c| u32::from(c.to_ascii_uppercase())), other),
            };
            let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
            if !text.is_empty() {
                event["text"] = text.into();
            }
            self.ask("Input.dispatchKeyEvent", &event);
            self.ask("Input.dispatchKeyEvent", &json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}));
        }
    }

    /// Clicks into the middle of what a selector finds first.
    pub fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const node = document.querySelector({}); node.scrollIntoView({{ block: 'center' }});
               const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", &event);
        }
    }

    /// Chooses an entry of a list, as a hand does.
    pub fn choose(&mut self, name: &str, value: &str) {
        self.value(&format!(
            "(() => {{ const list = document.querySelector('[name=' + {} + ']'); list.value = {};
               list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
            json!(name),
            json!(value)
        ));
    }

    /// By how many pixels the page is wider than its window.
    pub fn overhang(&mut self) -> i64 {
        self.value("document.documentElement.scrollWidth - innerWidth").as_i64().unwrap()
    }

    pub fn focused(&mut self) -> String {
        self.value("document.activeElement.textContent").as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn found() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let quiet = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    })
}

/// Hears the browser on a thread of its own, so that waiting for it can end.
fn listen(pipe: File) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for message in BufReader::new(pipe).split(0).map_while(Result::ok) {
            let Ok(value) = serde_json::from_slice(&message) else { return };
            if sender.send(value).is_err() {
                return;
            }
        }
    });
    receiver
}
