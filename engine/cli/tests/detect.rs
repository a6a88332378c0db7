//! Of a run that was played nothing is chosen once more; `cases/sessions/detect.sh` has what `plan --detect` says.

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use probity::cli::Cli;

/// What was played is not chosen once more: of all flags that say it, each is refused; prices are not.
#[test]
fn only_prices_go_with_a_run_that_was_played() {
    let values = ["1", "1,2", "a=b", "{}", "native", "openai:m", "always", "reliability-1"];
    let refused = |words: &[&str], flag: &str| {
        let kind = |value: Option<&str>| {
            let words = words.iter().copied().chain([flag]).chain(value);
            Cli::command().try_get_matches_from(words).err().map(|error| error.kind())
        };
        let all: Vec<_> = [None].into_iter().chain(values.map(Some)).map(kind).collect();
        all.contains(&Some(ErrorKind::ArgumentConflict)) && !all.contains(&None)
    };
    let flags = |command: &str| -> Vec<String> {
        let command = Cli::command().find_subcommand(command).unwrap().clone();
        command.get_arguments().filter_map(|flag| Some(format!("--{}", flag.get_long()?))).collect()
    };
    let (plan, run) = (flags("plan"), flags("run"));
    let shared: Vec<&String> = plan.iter().filter(|flag| run.contains(flag) && *flag != "--out").collect();
    assert!(shared.len() > 40, "{shared:?}");
    for flag in shared {
        let is_priced = ["--prices", "--user-prices"].contains(&flag.as_str());
        for words in [&["probity", "plan", "--list", "p"][..], &["probity", "run", "--resume", "r"]] {
            assert!(refused(words, flag), "{words:?} {flag}");
        }
        assert!(refused(&["probity", "plan", "--detect", "0.1", "r"], flag) != is_priced, "{flag}");
    }
    for flag in ["--out", "--list"] {
        assert!(refused(&["probity", "plan", "--detect", "0.1", "r"], flag), "{flag}");
    }
}
