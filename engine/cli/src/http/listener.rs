//! Who takes connections, a thread for each, until it is told to stop.

use std::io::{ErrorKind, Result};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use probity_bench::Stop;

/// Connections served at the same time; more are closed at once.
const MAX_CONNECTIONS: usize = 256;
/// How often a server that nobody asks looks whether it is to stop.
const POLL: Duration = Duration::from_millis(5);
/// How often in a row taking a connection may fail.
const MAX_FAILURES: usize = 1000;

pub struct Listener {
    listener: TcpListener,
    open: Arc<AtomicUsize>,
}

impl Listener {
    /// Listens at an address; port 0 takes any that is free.
    pub fn bind(address: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Listener { listener, open: Arc::default() })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Has each connection served until it is to stop; `on_poll` is called again and again.
    pub fn serve(&self, stop: &Stop, answer: &Arc<dyn Fn(TcpStream) + Send + Sync>, on_poll: &dyn Fn()) -> Result<()> {
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

    fn take(&self, stream: TcpStream, answer: Arc<dyn Fn(TcpStream) + Send + Sync>) {
        let open = Arc::clone(&self.open);
        if open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
            open.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        let work = move || {
            if stream.set_nonblocking(false).is_ok() {
                answer(stream);
            }
            open.fetch_sub(1, Ordering::SeqCst);
        };
        if std::thread::Builder::new().name("connection".to_owned()).spawn(work).is_err() {
            self.open.fetch_sub(1, Ordering::SeqCst);
        }
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
