//! Who takes connections, a thread for each, until it is told to stop.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Result};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use probity_bench::Stop;

/// Connections served at the same time.
const MAX_CONNECTIONS: usize = 256;
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
    streams: BTreeMap<u64, TcpStream>,
}

/// A client that has come. Until its request is whole it may have to give way to another one.
pub struct Guest {
    stream: TcpStream,
    waits: Option<Waits>,
}

/// Somebody's place among those who wait.
struct Waits {
    all: Arc<Mutex<Waiting>>,
    number: u64,
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).streams.remove(&self.number);
    }
}

impl Guest {
    fn new(stream: TcpStream, all: &Arc<Mutex<Waiting>>) -> Guest {
        let waits = stream.try_clone().ok().map(|own| {
            let mut waiting = all.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.came += 1;
            let number = waiting.came;
            waiting.streams.insert(number, own);
            Waits { all: Arc::clone(all), number }
        });
        Guest { stream, waits }
    }

    /// Its request is whole: it keeps its place until it is answered.
    pub(super) fn is_heard(&mut self) {
        self.waits = None;
    }
}

#[cfg(test)]
impl From<TcpStream> for Guest {
    fn from(stream: TcpStream) -> Guest {
        Guest { stream, waits: None }
    }
}

impl Deref for Guest {
    type Target = TcpStream;

    fn deref(&self) -> &TcpStream {
        &self.stream
    }
}

impl DerefMut for Guest {
    fn deref_mut(&mut self) -> &mut TcpStream {
        &mut self.stream
    }
}

/// What is done with each client.
pub type Answering = Arc<dyn Fn(Guest) + Send + Sync>;

pub struct Listener {
    listener: TcpListener,
    open: Arc<AtomicUsize>,
    waiting: Arc<Mutex<Waiting>>,
}

impl Listener {
    /// Listens at an address; port 0 takes any that is free.
    pub fn bind(address: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Listener { listener, open: Arc::default(), waiting: Arc::default() })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Has each connection served until it is to stop; `on_poll` is called again and again.
    pub fn serve(&self, stop: &Stop, answer: &Answering, on_poll: &dyn Fn()) -> Result<()> {
        let mut failures = 0;
        while !stop() {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    failures = 0;
                    self.take(stream, Arc::clone(answer));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(POLL),
                // A client that is gone already, or too many open files: that passes.
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

    /// A place for one more. Where all are taken, who has waited longest without a whole request gives way; where
    /// everybody is being answered there is none.
    fn place(&self) -> Option<Place> {
        let place = || Place::take(&self.open, MAX_CONNECTIONS);
        place().or_else(|| {
            let (_, oldest) = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).streams.pop_first()?;
            let _ = oldest.shutdown(Shutdown::Both);
            (0..GIVING_WAY.as_millis()).find_map(|_| {
                std::thread::sleep(Duration::from_millis(1));
                place()
            })
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
