//! Who takes connections, a thread for each, until it is told to stop.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Result};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use probity_bench::Stop;

/// Connections served at the same time, and how many descriptors one may need: its own, a provider's, those of files.
const MAX_CONNECTIONS: usize = 256;
const DESCRIPTORS: u64 = 4;
/// How often a server that nobody asks looks whether it is to stop.
const POLL: Duration = Duration::from_millis(5);
/// How long somebody who has to give way may take to be gone.
const GIVING_WAY: Duration = Duration::from_millis(100);
/// How often in a row taking a connection may fail.
const MAX_FAILURES: usize = 1000;

/// How long a client may take to read a piece of an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Stack of a connection's thread: tool scripts may nest 32 calls deep.
pub const STACK: usize = 16 << 20;

/// A client's place among so many, free again when this is dropped.
pub struct Place(Arc<AtomicUsize>);

impl Place {
    /// A place, where one of `most` is free.
    pub fn take(taken: &Arc<AtomicUsize>, most: usize) -> Option<Place> {
        let place = Place(Arc::clone(taken));
        (taken.fetch_add(1, Ordering::SeqCst) < most).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Clients whose requests are not whole yet, in the order in which they came.
#[derive(Default)]
struct Waiting {
    came: u64,
    streams: BTreeMap<u64, Arc<TcpStream>>,
}

/// A client that has come. Until its request is whole it may have to give way to another one.
pub struct Guest {
    stream: Arc<TcpStream>,
    waits: Option<Waits>,
}

/// Somebody's place among those who wait.
struct Waits {
    all: Arc<Mutex<Waiting>>,
    number: u64,
}

impl Waits {
    fn all(&self) -> MutexGuard<'_, Waiting> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.all().streams.remove(&self.number);
    }
}

impl Guest {
    fn new(stream: TcpStream, all: &Arc<Mutex<Waiting>>) -> Guest {
        let stream = Arc::new(stream);
        let mut waiting = all.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.came += 1;
        let number = waiting.came;
        waiting.streams.insert(number, Arc::clone(&stream));
        drop(waiting);
        Guest { stream, waits: Some(Waits { all: Arc::clone(all), number }) }
    }

    /// Its request is whole: it keeps its place until it is answered. False where it had to give way before that.
    pub(super) fn is_heard(&mut self) -> bool {
        let is_heard = self.waits.as_ref().is_none_or(|waits| waits.all().streams.remove(&waits.number).is_some());
        if is_heard {
            self.waits = None;
        }
        is_heard
    }

    /// Whether it had to give way.
    pub(super) fn gave_way(&self) -> bool {
        self.waits.as_ref().is_some_and(|waits| !waits.all().streams.contains_key(&waits.number))
    }
}

#[cfg(test)]
impl Guest {
    /// One that others took the place of.
    pub fn that_gave_way(stream: TcpStream) -> Guest {
        stream.shutdown(Shutdown::Read).unwrap();
        Guest { stream: Arc::new(stream), waits: Some(Waits { all: Arc::default(), number: 1 }) }
    }
}

#[cfg(test)]
impl From<TcpStream> for Guest {
    fn from(stream: TcpStream) -> Guest {
        Guest { stream: Arc::new(stream), waits: None }
    }
}

impl Deref for Guest {
    type Target = TcpStream;

    fn deref(&self) -> &TcpStream {
        &self.stream
    }
}

/// What is done with each client.
pub type Answering = Arc<dyn Fn(Guest) + Send + Sync>;

pub struct Listener {
    listener: TcpListener,
    /// Connections served at the same time.
    most: usize,
    open: Arc<AtomicUsize>,
    waiting: Arc<Mutex<Waiting>>,
}

impl Listener {
    /// Listens at an address; port 0 takes any that is free.
    pub fn bind(address: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Listener { listener, most: most(), open: Arc::default(), waiting: Arc::default() })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Has each connection served until it is to stop; `on_poll` is called again and again.
    pub fn serve(&self, stop: &Stop, answer: &Answering, on_poll: &dyn Fn()) -> Result<()> {
        let mut failures = 0;
        while !stop() {
            match self.accept() {
                Ok(stream) => {
                    failures = 0;
                    self.take(stream, Arc::clone(answer));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(POLL),
                // A client that is gone already: that passes.
                Err(_) if failures < MAX_FAILURES => {
                    failures += 1;
                    std::thread::sleep(POLL);
                }
                Err(error) => return Err(error),
            }
            on_poll();
        }
        Ok(())
    }

    fn take(&self, stream: TcpStream, answer: Answering) {
        let Some(place) = self.place() else { return };
        let guest = Guest::new(stream, &self.waiting);
        let work = move || {
            let _place = place;
            if guest.set_nonblocking(false).and_then(|()| guest.set_write_timeout(Some(PATIENCE))).is_ok() {
                answer(guest);
            }
        };
        // Who finds no thread is not answered.
        let _ = std::thread::Builder::new().name("connection".to_owned()).stack_size(STACK).spawn(work);
    }

    /// The next who comes. Where there are no descriptors, who has waited longest without a whole request gives way, and
    /// nobody has come until there are.
    fn accept(&self) -> Result<TcpStream> {
        let accept = || match self.listener.accept() {
            Err(error) if is_scarce(&error) => None,
            came => Some(came.map(|(stream, _)| stream)),
        };
        accept().or_else(|| self.with_less(accept)).unwrap_or(Err(ErrorKind::WouldBlock.into()))
    }

    /// A place for one more. Where all are taken, who has waited longest without a whole request gives way; where
    /// everybody is being answered there is none.
    fn place(&self) -> Option<Place> {
        let place = || Place::take(&self.open, self.most);
        place().or_else(|| self.with_less(place))
    }

    /// What is found once who has waited longest without a whole request is gone.
    fn with_less<T>(&self, find: impl Fn() -> Option<T>) -> Option<T> {
        let (_, oldest) = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).streams.pop_first()?;
        // They are still told why.
        let _ = oldest.shutdown(Shutdown::Read);
        drop(oldest);
        (0..GIVING_WAY.as_millis()).find_map(|_| {
            std::thread::sleep(Duration::from_millis(1));
            find()
        })
    }

    /// Waits until no connection is open, but no longer than that; whether none is.
    pub fn rest(&self, most: Duration) -> bool {
        let mut left = most;
        while self.open.load(Ordering::SeqCst) > 0 && !left.is_zero() {
            std::thread::sleep(POLL);
            left = left.saturating_sub(POLL);
        }
        self.open.load(Ordering::SeqCst) == 0
    }
}

/// How many connections this process can serve at the same time.
fn most() -> usize {
    #[cfg(unix)]
    let descriptors = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let descriptors = None;
    let few = descriptors.and_then(|most| usize::try_from(most / DESCRIPTORS).ok());
    few.map_or(MAX_CONNECTIONS, |few| few.clamp(1, MAX_CONNECTIONS))
}

/// Whether there are no descriptors, of this process or of the machine.
fn is_scarce(error: &Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error().is_some_and(|code| {
        use rustix::io::Errno;
        [Errno::MFILE, Errno::NFILE].iter().any(|scarce| scarce.raw_os_error() == code)
    });
    #[cfg(not(unix))]
    return error.raw_os_error() == Some(10024); // WSAEMFILE
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::sync::atomic::AtomicBool;

    use super::super::{Request, RequestLimits, refuse, write};
    use super::*;

    const LIMITS: RequestLimits = RequestLimits { head: 1 << 10, body: 100, patience: Duration::from_secs(30) };

    fn heard(mut stream: TcpStream) -> String {
        let mut said = String::new();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.read_to_string(&mut said).unwrap();
        said
    }

    #[test]
    fn who_has_waited_longest_is_told_so_and_gives_way() {
        let listener = Listener { most: 2, ..Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap() };
        let address = listener.address().unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let answer: Answering = Arc::new(|mut guest| match Request::read(&mut guest, &LIMITS) {
            Ok(_) => write(&guest, 200, "", "{}").unwrap(),
            Err(unheard) => unheard.refusal().map_or((), |(status, what)| refuse(&guest, status, what)),
        });
        std::thread::scope(|scope| {
            let stopped = Arc::clone(&over);
            let stop: Stop = Arc::new(move || stopped.load(Ordering::SeqCst));
            let serving = scope.spawn(|| listener.serve(&{ stop }, &answer, &|| {}));
            let silent: Vec<TcpStream> = (0..5).map(|_| TcpStream::connect(address).unwrap()).collect();
            for _ in 0..3 {
                let mut asking = TcpStream::connect(address).unwrap();
                asking.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
                let said = heard(asking);
                assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{said}");
            }
            let first = heard(silent.into_iter().next().unwrap());
            assert!(first.starts_with("HTTP/1.1 503 "), "{first}");
            over.store(true, Ordering::SeqCst);
            serving.join().unwrap().unwrap();
        });
        assert!(listener.rest(Duration::from_secs(20)));
    }

    /// What lies in the kernel's buffer is still read when its sender has to give way.
    #[test]
    fn a_whole_request_of_one_that_gave_way_is_none() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut asking = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let waiting = Arc::default();
        let mut guest = Guest::new(listener.accept().unwrap().0, &waiting);
        assert!(!guest.gave_way());
        asking.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        waiting.lock().unwrap().streams.pop_first();
        assert!(matches!(Request::read(&mut guest, &LIMITS), Err(super::super::Unheard::GaveWay)) && guest.gave_way());
        let mut guest = Guest::new(guest.try_clone().unwrap(), &waiting);
        assert!(guest.is_heard() && !guest.gave_way() && waiting.lock().unwrap().streams.is_empty());
    }

    #[test]
    fn only_descriptors_that_are_missing_are_waited_for() {
        assert!((1..=MAX_CONNECTIONS).contains(&most()) && !is_scarce(&ErrorKind::ConnectionAborted.into()));
        #[cfg(unix)]
        assert!(is_scarce(&rustix::io::Errno::MFILE.into()) && is_scarce(&rustix::io::Errno::NFILE.into()));
    }
}
