//! Where a run goes that names no directory.

use std::path::PathBuf;

use probity_bench::NamedAgent;

/// A directory below `runs/` that is not there yet, named after the time and the agents.
#[expect(clippy::disallowed_methods, reason = "only the directory's name knows the time")]
pub(super) fn default_directory(agents: &[NamedAgent]) -> PathBuf {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_secs()).ok().and_then(|s| jiff::Timestamp::from_second(s).ok());
    let time = now.map(|now| now.strftime("%Y%m%d-%H%M%S").to_string()).unwrap_or_default();
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let names: String = names.join("-").chars().map(plain).take(40).collect();
    let wanted = PathBuf::from("runs").join(format!("{time}-{names}"));
    let free = (2..1000).map(|n| PathBuf::from("runs").join(format!("{time}-{names}-{n}")));
    std::iter::once(wanted.clone()).chain(free).find(|path| !path.exists()).unwrap_or(wanted)
}
