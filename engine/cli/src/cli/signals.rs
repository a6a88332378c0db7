//! What a signal does: it ends the program, unless a command heeds it.

use std::sync::{Arc, Mutex, PoisonError};

use super::exit::Exit;
use probity_bench::Interrupt;

enum OnSignal {
    End,
    /// A command is asked to stop; the signal after that ends the program.
    Stop(Arc<Interrupt>),
    /// A command does this, and the program ends.
    Last(Box<dyn FnOnce() + Send>),
    /// Nothing: another program on the same terminal has it.
    Nothing,
}

static ON_SIGNAL: Mutex<OnSignal> = Mutex::new(OnSignal::End);

/// Takes SIGINT, SIGTERM and SIGHUP from now on. A file that grows beyond its limit is an error of whoever writes it,
/// not the end of the program.
pub fn install() {
    // A second handler in one process (tests) is refused; the first still works.
    let _ = ctrlc::set_handler(|| {
        let mut on_signal = ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner);
        if let OnSignal::Last(_) = &*on_signal
            && let OnSignal::Last(last) = std::mem::replace(&mut *on_signal, OnSignal::End)
        {
            last();
        }
        match &*on_signal {
            OnSignal::Stop(interrupt) if !interrupt.set() => {}
            OnSignal::Nothing => {}
            OnSignal::Stop(interrupt) => {
                interrupt.kill_agents();
                std::process::exit(Exit::Interrupted as i32);
            }
            OnSignal::End | OnSignal::Last(_) => std::process::exit(Exit::Interrupted as i32),
        }
    });
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// From now on the first signal lets a command stop; the second kills its agents and the program.
pub fn stop(interrupt: &Arc<Interrupt>) {
    set(OnSignal::Stop(Arc::clone(interrupt)));
}

/// From now on the first signal has this done before it ends the program.
pub fn last(work: impl FnOnce() + Send + 'static) {
    set(OnSignal::Last(Box::new(work)));
}

pub fn ignore() {
    set(OnSignal::Nothing);
}

fn set(on_signal: OnSignal) {
    *ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner) = on_signal;
}
