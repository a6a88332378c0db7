//! The episodes of `probity serve --mcp-http`: one at each path `/e/NAME/mcp`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::admission::Admission;
use super::answer::{HttpAnswer, header_refusal, refused};
use super::scores::Scores;
use probity_bench::Stop;
use probity_doors::mcp::{Answer, McpServer};
use probity_doors::{MAX_HELD, MAX_LINE, Offer, Opening};
use probity_local::Failure;
use probity_local::http::{self, Answering, Guest, Head, Listener, Request, RequestLimits, Unheard, now};

/// What a request may be, and how long a client may take for it.
const LIMITS: RequestLimits = RequestLimits { head: 16 << 10, body: MAX_LINE, patience: Duration::from_secs(10) };
const BOUNDS: Bounds = Bounds { open: 10_000, over: 1_000_000, idle: Duration::from_secs(600) };
/// How long the last answers are waited for when the server ends.
const LAST: Duration = Duration::from_secs(5);

/// Most episodes of one server that are not over, most that are, and how long nobody asked one of them that gives way
/// to a new one.
struct Bounds {
    open: usize,
    over: usize,
    idle: Duration,
}

/// Episodes over HTTP, each by the name that its client gave it.
pub struct Rooms {
    offer: Offer<'static>,
    /// What each begins with; without a task its client names one.
    opening: Opening,
    admission: Admission,
    scores: Scores,
    bounds: Bounds,
    rooms: Mutex<BTreeMap<String, Arc<Mutex<Room>>>>,
    /// How many of them are not over, and what they hold.
    open: AtomicUsize,
    held: Arc<AtomicUsize>,
}

enum Room {
    /// Nobody has asked anything yet: it is there only while somebody does.
    New,
    /// Somebody has, at that time for the last time.
    Open(Box<McpServer<'static>>, Instant),
    /// The dialogue is over, or its client has left.
    Over,
}

impl Room {
    /// Takes out the episode of one that is open: who has said nothing in it never began it, and may come again.
    fn close(&mut self) -> Option<Box<McpServer<'static>>> {
        let Room::Open(server, _) = self else { return None };
        let next = if server.episode().messages() == 0 { Room::New } else { Room::Over };
        match std::mem::replace(self, next) {
            Room::Open(server, _) => Some(server),
            Room::New | Room::Over => None,
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rooms {
    /// No episode is open yet; each will begin as `opening` says.
    pub fn new(offer: Offer<'static>, opening: Opening, admission: Admission, scores: Scores) -> Arc<Rooms> {
        Arc::new(Rooms {
            offer,
            opening,
            admission,
            scores,
            bounds: BOUNDS,
            rooms: Mutex::default(),
            open: AtomicUsize::new(0),
            held: Arc::default(),
        })
    }

    /// Answers until it is to stop. What is not over then has no reward: nobody left.
    ///
    /// # Errors
    /// It can listen no more.
    pub fn serve(self: &Arc<Self>, listener: &Listener, stop: &Stop) -> std::io::Result<()> {
        let rooms = Arc::clone(self);
        let answer: Answering = Arc::new(move |mut guest| match rooms.asked(&mut guest) {
            Ok(request) => {
                let answer = rooms.answer(&request);
                // A client that breaks off is its own affair.
                let _ = http::write(&guest, answer.status, &answer.headers, &answer.text());
            }
            Err(Some(refusal)) => {
                http::write_unheard(&guest, refusal.status, &refusal.headers, &refusal.text());
            }
            Err(None) => {}
        });
        let served = listener.serve(stop, &answer, &|| {});
        listener.rest(LAST);
        let names: Vec<String> = locked(&self.rooms).keys().cloned().collect();
        for name in names {
            let room = locked(&self.rooms).get(&name).cloned();
            if let Some(Room::Open(server, _)) = room.as_deref().map(locked).as_deref() {
                self.scores.add(&name, server.episode());
            }
        }
        served
    }

    /// Whether all scores were written.
    ///
    /// # Errors
    /// They were not.
    pub fn finished(&self) -> Result<(), Failure> {
        self.scores.finished()
    }

    /// A request of somebody who may ask; whoever may not is not heard any further than that is known.
    /// An error: what they are told, where somebody waits for an answer.
    fn asked(&self, guest: &mut Guest) -> Result<Request, Option<HttpAnswer>> {
        let unheard = |why: Unheard| why.refusal().map(|(status, what)| refused(status, what));
        let head = Head::read(guest, &LIMITS).map_err(unheard)?;
        match self.admission.refusal(head.request()) {
            Some(refusal) => Err(Some(refusal)),
            None => head.whole().map_err(unheard),
        }
    }

    fn answer(&self, request: &Request) -> HttpAnswer {
        let Some(name) = name_of(request) else {
            return refused(404, "an episode is at /e/NAME/mcp; a name has 1 to 64 letters, digits, `-` and `_`");
        };
        match request.method.as_str() {
            "POST" => self.post(name, request),
            "DELETE" => match self.leave(name) {
                true => HttpAnswer::new(204, Value::Null),
                false => refused(404, "no such episode is open"),
            },
            _ => refused(405, "this door is asked by POST, and left by DELETE"),
        }
    }

    fn post(&self, name: &str, request: &Request) -> HttpAnswer {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        // What is no message of the protocol begins nothing.
        if !body.is_array() && body.get("method").is_none() {
            return refused(400, "the body is not one JSON-RPC 2.0 request or notification");
        }
        if let Some(refusal) = header_refusal(request, &body) {
            return refusal;
        }
        let room = match self.room(name) {
            Ok(room) => room,
            Err(refusal) => return refusal,
        };
        let answer = self.asked_in(&mut locked(&room), name, request, &body);
        self.forget(name, room);
        answer
    }

    fn asked_in(&self, room: &mut Room, name: &str, request: &Request, body: &Value) -> HttpAnswer {
        if let Room::New = room {
            // One that cannot begin ends nobody's.
            let begun = self.begun(request).and_then(|server| self.admit().map(|()| server));
            match begun {
                Ok(server) => *room = Room::Open(Box::new(server), now()),
                Err(refusal) => return refusal,
            }
        }
        let Room::Open(server, asked) = room else { return refused(410, "the dialogue of this episode is over") };
        let answer = server.respond(body);
        *asked = now();
        if server.episode().is_over() {
            self.scores.add(name, server.episode());
            self.open.fetch_sub(1, Ordering::SeqCst);
            *room = Room::Over;
        }
        let Some(Answer { body, is_understood, begins_session }) = answer else {
            return HttpAnswer::new(202, Value::Null);
        };
        // Who begins by a handshake leaves by its session.
        let headers = if begins_session { format!("mcp-session-id: {name}\r\n") } else { String::new() };
        HttpAnswer { status: if is_understood { 200 } else { 400 }, headers, body }
    }

    /// An episode of the task that is served or, where each path has one of its own, that the query names.
    fn begun(&self, request: &Request) -> Result<McpServer<'static>, HttpAnswer> {
        let mut opening = self.opening.clone();
        if self.opening.task.is_empty() {
            for (name, value) in request.query() {
                match name.as_str() {
                    "task" => opening.task = value,
                    _ => drop(opening.levels.insert(name, value)),
                }
            }
            if opening.task.is_empty() {
                return Err(refused(404, "which task? /e/NAME/mcp?task=TASK&variant=VARIANT says it"));
            }
        }
        let opened = self.offer.open(&opening, &self.held).and_then(McpServer::new);
        opened.map_err(|refusal| refused(404, &refusal.to_string()))
    }

    fn room(&self, name: &str) -> Result<Arc<Mutex<Room>>, HttpAnswer> {
        let mut rooms = locked(&self.rooms);
        if let Some(room) = rooms.get(name) {
            return Ok(Arc::clone(room));
        }
        if rooms.len().saturating_sub(self.open.load(Ordering::SeqCst)) >= self.bounds.over {
            return Err(refused(503, "as many episodes of this server are over as it remembers: start another one"));
        }
        let room = Arc::new(Mutex::new(Room::New));
        rooms.insert(name.to_owned(), Arc::clone(&room));
        Ok(room)
    }

    /// Lets a room go; of one in which nothing began, the last who has it leaves nothing behind.
    fn forget(&self, name: &str, room: Arc<Mutex<Room>>) {
        let is_new = matches!(*locked(&room), Room::New);
        drop(room);
        if is_new {
            clear(&mut locked(&self.rooms), name);
        }
    }

    /// Counts one more that is open, if there may be one more.
    fn admit(&self) -> Result<(), HttpAnswer> {
        let mut rooms = locked(&self.rooms);
        let is_full =
            self.open.load(Ordering::SeqCst) >= self.bounds.open || self.held.load(Ordering::Relaxed) > MAX_HELD;
        if is_full && !self.gives_way(&mut rooms) {
            return Err(refused(503, "there are as many open episodes as one server has, and somebody plays each"));
        }
        self.open.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Ends the episode that nobody has asked for the longest time, if that is long: nobody left it, so it has no
    /// reward. False where there is none.
    fn gives_way(&self, rooms: &mut BTreeMap<String, Arc<Mutex<Room>>>) -> bool {
        let idle = rooms.iter().filter_map(|(name, room)| {
            // One that is locked is being asked.
            let room = room.try_lock().ok()?;
            let Room::Open(_, asked) = &*room else { return None };
            Some((*asked, name))
        });
        let Some((asked, name)) = idle.min() else { return false };
        let name = name.clone();
        if now().saturating_duration_since(asked) < self.bounds.idle {
            return false;
        }
        let closed = rooms.get(&name).and_then(|room| room.try_lock().ok()?.close());
        let Some(server) = closed else { return false };
        self.open.fetch_sub(1, Ordering::SeqCst);
        self.scores.add(&name, server.episode());
        clear(rooms, &name);
        true
    }

    /// A client leaves: what was not over is scored as left. False where nothing of that name is open.
    fn leave(&self, name: &str) -> bool {
        let room = locked(&self.rooms).get(name).cloned();
        let Some(room) = room else { return false };
        let closed = locked(&room).close();
        if closed.is_some() {
            self.open.fetch_sub(1, Ordering::SeqCst);
        }
        self.forget(name, room);
        let Some(server) = closed else { return false };
        self.scores.add(name, &server.leave());
        true
    }
}

/// Takes a room out in which nothing began and which nobody has: whoever comes finds it among the others alone.
fn clear(rooms: &mut BTreeMap<String, Arc<Mutex<Room>>>, name: &str) {
    if rooms.get(name).is_some_and(|room| Arc::strong_count(room) == 1 && matches!(*locked(room), Room::New)) {
        rooms.remove(name);
    }
}

/// The episode that a request's path names.
fn name_of(request: &Request) -> Option<&str> {
    let name = request.path().strip_prefix("/e/").and_then(|rest| rest.strip_suffix("/mcp"))?;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    ((1..=64).contains(&name.len()) && is_plain).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::{Path, PathBuf};

    use probity_behaviour::benchmark::BehaviourBenchmark;
    use probity_behaviour::suite::Suite;
    use probity_bench::{Benchmark, Services};
    use serde_json::json;

    fn rooms(scores: &Path, bounds: Bounds) -> Rooms {
        let suite = Suite::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        let benchmark: &'static dyn Benchmark = Box::leak(Box::new(BehaviourBenchmark::new(Arc::new(suite))));
        let opening = Opening { task: "late_move".to_owned(), ..Opening::default() };
        let admission = Admission { token: None, is_local: true };
        let scores = Scores::open(Some(scores)).unwrap();
        let offer = Offer::new(benchmark, Services::default(), "client");
        let rooms = Arc::into_inner(Rooms::new(offer, opening, admission, scores)).unwrap();
        Rooms { bounds, ..rooms }
    }

    fn post(rooms: &Rooms, target: &str, method: &str, params: &Value) -> HttpAnswer {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string().into_bytes();
        let (method, target) = ("POST".to_owned(), format!("/e/{target}"));
        rooms.answer(&Request { method, target, headers: Vec::new(), body, is_old: false })
    }

    /// The status of an answer to words that are said in an episode.
    fn said(rooms: &Rooms, name: &str) -> u16 {
        let call = json!({"name": "say_to_user", "arguments": {"text": "One moment."}});
        post(rooms, &format!("{name}/mcp"), "tools/call", &call).status
    }

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("probity-rooms-{}-{name}", std::process::id()))
    }

    #[test]
    fn the_longest_idle_gives_way_and_has_no_reward() {
        let file = file("idle");
        let rooms = rooms(&file, Bounds { open: 2, over: 9, idle: Duration::ZERO });
        let statuses = ["a", "b", "a", "c", "a", "b"].map(|name| said(&rooms, name));
        assert_eq!(statuses, [200, 200, 200, 200, 200, 410]);
        // What stands behind it is of one that was played to its end.
        let lines = fs::read_to_string(&file).unwrap();
        let line: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!((&line["episode"], &line["reward"], &line["end"]), (&json!("b"), &Value::Null, &Value::Null));
        fs::remove_file(file).unwrap();
    }

    #[test]
    fn what_somebody_plays_gives_way_to_nobody() {
        let file = file("played");
        let rooms = rooms(&file, Bounds { open: 2, over: 9, idle: Duration::from_secs(600) });
        assert_eq!(["a", "b", "c", "a"].map(|name| said(&rooms, name)), [200, 200, 503, 200]);
        assert!(rooms.leave("a") && !rooms.leave("a"));
        assert_eq!(["c", "d"].map(|name| said(&rooms, name)), [200, 503]);
        fs::remove_file(file).unwrap();
    }

    #[test]
    fn what_never_began_is_not_counted_and_what_is_over_counts_apart() {
        let file = file("apart");
        let mut rooms = rooms(&file, Bounds { open: 2, over: 1, idle: Duration::ZERO });
        rooms.opening.task.clear();
        let asked = |name: &str, task: &str| post(&rooms, &format!("{name}/mcp?task={task}"), "ping", &Value::Null);
        let say = |name: &str| said(&rooms, name);
        // Nobody gives way to one that cannot begin.
        let statuses = [("a", "late_move"), ("b", "late%5Fmove"), ("c", "late_mov"), ("d", "late%255Fmove")]
            .map(|(name, task)| asked(name, task).status);
        assert_eq!(statuses, [200, 200, 404, 404]);
        let names = || locked(&rooms.rooms).keys().cloned().collect::<String>();
        assert_eq!(names(), "ab");
        // One in which nothing was said leaves nothing behind, nor does one that gives way.
        assert!(rooms.leave("b") && names() == "a" && !rooms.leave("b") && names() == "a");
        assert_eq!(["b", "c"].map(|name| asked(name, "late_move").status), [200, 200]);
        assert_eq!((names().as_str(), rooms.open.load(Ordering::SeqCst)), ("bc", 2));
        assert_eq!((say("b"), rooms.leave("b")), (200, true));
        let refusal = asked("e", "late_move");
        assert!(refusal.status == 503 && refusal.text().contains("remembers"), "{}", refusal.text());
        assert_eq!((say("b"), say("c"), names().as_str()), (410, 200, "bc"));
        fs::remove_file(file).unwrap();
    }
}
