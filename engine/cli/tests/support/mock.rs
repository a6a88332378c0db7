//! A mock provider that serves as long as it is held.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use probity_local::mock::mode::Mode;
use probity_local::mock::server::Server;
use probity_local::mock::speaker::Speaker;

use super::probity;

pub struct Mock {
    pub url: String,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Patience fit for a test.
pub const PATIENCE: [&str; 6] = ["--attempts", "2", "--retry-wait", "1", "--request-timeout", "1"];

pub fn mode(name: &str) -> &'static Mode {
    name.parse().unwrap()
}

impl Mock {
    pub fn start(mode: &'static Mode) -> Mock {
        let server = Server::bind(0, mode, Speaker::new(super::suite())).unwrap();
        let url = server.base_url().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let work = move || {
            let stop: probity_bench::Stop = Arc::new(move || seen.load(Ordering::SeqCst));
            server.serve(&stop).unwrap();
        };
        Mock { url, stop, thread: Some(std::thread::spawn(work)) }
    }

    pub fn run(&self, directory: &Path, more: &[&str]) -> std::process::Output {
        let mut arguments =
            vec!["run", "--out", directory.to_str().unwrap(), "--agent", "openai:mock", "--base-url", &self.url];
        arguments.extend(PATIENCE);
        arguments.extend(more);
        probity(&arguments)
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
