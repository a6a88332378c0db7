//! How fast a provider is asked: requests in flight and requests a minute, whatever `--jobs` says.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::transport::Stop;

/// How long a wait lasts before the wish to stop is looked at again.
const POLL: Duration = Duration::from_millis(50);

/// Lets requests through.
pub struct Pace {
    most: u16,
    gap: Duration,
    stop: Stop,
    state: Mutex<Flow>,
    freed: Condvar,
}

struct Flow {
    in_flight: u16,
    next: Option<Instant>,
}

/// A request that was let through; another may follow when it is dropped.
pub struct Passed<'a>(&'a Pace);

impl Pace {
    /// At most `most` requests in flight, and `per_minute` a minute.
    pub fn new(most: u16, per_minute: Option<u32>, stop: Stop) -> Self {
        let gap = per_minute.map_or(Duration::ZERO, |number| Duration::from_secs(60) / number.max(1));
        Pace {
            most: most.max(1),
            gap,
            stop,
            state: Mutex::new(Flow { in_flight: 0, next: None }),
            freed: Condvar::new(),
        }
    }

    /// Waits for its turn; nothing when everything is asked to stop.
    pub fn pass(&self) -> Option<Passed<'_>> {
        let mut flow = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while flow.in_flight >= self.most {
            if (self.stop)() {
                return None;
            }
            flow = self.freed.wait_timeout(flow, POLL).unwrap_or_else(PoisonError::into_inner).0;
        }
        flow.in_flight += 1;
        let wait = flow.turn(self.gap);
        drop(flow);
        let passed = Passed(self);
        self.sleep(wait).then_some(passed)
    }

    /// Waits; false when everything is asked to stop.
    pub fn sleep(&self, mut wait: Duration) -> bool {
        while !wait.is_zero() && !(self.stop)() {
            let step = wait.min(POLL);
            std::thread::sleep(step);
            wait = wait.saturating_sub(step);
        }
        !(self.stop)()
    }
}

impl Flow {
    /// How long until the next request may start; the one after it comes a gap later.
    #[expect(clippy::disallowed_methods, reason = "a provider is asked in real time; no result knows how fast")]
    fn turn(&mut self, gap: Duration) -> Duration {
        let now = Instant::now();
        let start = self.next.map_or(now, |next| next.max(now));
        self.next = start.checked_add(gap);
        start.saturating_duration_since(now)
    }
}

impl Drop for Passed<'_> {
    fn drop(&mut self) {
        let mut flow = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        flow.in_flight = flow.in_flight.saturating_sub(1);
        drop(flow);
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

    #[test]
    fn never_more_are_in_flight_than_allowed() {
        let pace = Arc::new(Pace::new(2, None, Arc::new(|| false)));
        let (flying, most) = (Arc::new(AtomicU16::new(0)), Arc::new(AtomicU16::new(0)));
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let passed = pace.pass();
                    assert!(passed.is_some());
                    most.fetch_max(flying.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    flying.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn requests_of_a_minute_are_spread() {
        let mut flow = Flow { in_flight: 0, next: None };
        let gap = Duration::from_secs(30);
        assert_eq!(flow.turn(gap), Duration::ZERO);
        let second = flow.turn(gap);
        assert!(second > Duration::from_secs(29) && second <= gap);
        assert!(flow.turn(gap) > Duration::from_secs(59));
    }

    #[test]
    fn nobody_waits_when_all_is_to_stop() {
        let stop = Arc::new(AtomicBool::new(true));
        let seen = Arc::clone(&stop);
        let pace = Pace::new(1, Some(1), Arc::new(move || seen.load(Ordering::SeqCst)));
        assert!(pace.pass().is_none());
        assert!(!pace.sleep(Duration::from_secs(60)));
    }
}
