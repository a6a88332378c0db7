//! What is wrong with an environment and its script, as `check` finds it where there is no task.

use probity_engine::load::environment::{Scripts, load};
use probity_engine::{Difficulty, Severity, Source};

use crate::again::Texts;

/// Seeds that populated states are tried with, of each size.
const SEEDS: u64 = 3;

/// Why an environment with its script does not load or cannot be populated, where it does not. `libraries` are the
/// scripts beside its own.
pub fn fault(id: &str, texts: &Texts, libraries: &Scripts) -> Option<String> {
    let file = format!("scripts/{id}.rhai");
    let mut scripts = libraries.clone();
    scripts.insert(file.clone(), Source { file: file.clone(), text: texts.script.clone() });
    let found = match load(&format!("environments/{id}.json"), &texts.environment, &scripts) {
        Ok(loaded) => match loaded.environment {
            Some(environment) => {
                let sizes = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard].into_iter();
                let has = |size: &Difficulty| environment.file().populate.sizes.contains_key(size);
                let drawn = sizes.filter(has).flat_map(|size| (1..=SEEDS).map(move |seed| (size, seed)));
                return drawn.into_iter().find_map(|(size, seed)| {
                    let why = environment.populate(size, seed).err()?;
                    Some(format!("{file}: with size `{}` and seed {seed} the state cannot be made: {why}", size.name()))
                });
            }
            None => loaded.diagnostics,
        },
        Err(found) => found,
    };
    let first = found.iter().find(|found| found.severity == Severity::Error).or(found.first());
    let line = |line: usize| if line > 0 { format!(":{line}") } else { String::new() };
    Some(first.map(|found| format!("{}{}: {}", found.file, line(found.line), found.message)).unwrap_or_default())
}
