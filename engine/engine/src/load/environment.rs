//! An environment from its files: the JSON file, its script, and the libraries that scripts share.

use std::collections::BTreeMap;
use std::path::Path;

use super::position::Positions;
use super::{authored, diagnose_all, read};
use crate::constraint::ConstraintGraph;
use crate::environment::Environment;
use crate::model::diagnostic::{Diagnostic, Problem, Severity};
use crate::model::environment_file::EnvironmentFile;
use crate::script::sources::{Source, Sources};

/// Scripts by path below the root, with `/`.
pub type Scripts = BTreeMap<String, Source>;

/// What came of reading an environment.
pub struct LoadedEnvironment {
    /// Its id.
    pub id: String,
    /// Lines and columns of its values.
    pub positions: Positions,
    /// The environment, unless something is wrong with it.
    pub environment: Option<Environment>,
    /// Everything that is wrong, or odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// Makes an environment of the text of its file and the scripts there are.
///
/// # Errors
/// Its file cannot be read: all that is wrong with it.
pub fn load(path: &str, text: &str, scripts: &Scripts) -> Result<LoadedEnvironment, Vec<Diagnostic>> {
    let (file, positions) = authored::environment(path, text)?;
    let id = file.id.clone();
    let (environment, problems) = build(file, path, scripts);
    let diagnostics = diagnose_all(path, &positions, problems);
    Ok(LoadedEnvironment { id, positions, environment, diagnostics })
}

fn build(file: EnvironmentFile, path: &str, scripts: &Scripts) -> (Option<Environment>, Vec<Problem>) {
    let mut problems: Vec<Problem> = misplaced(&file.id, path, "environments").into_iter().collect();
    let Some(sources) = sources_of(&file.id, scripts) else {
        // With a wrong id, the script is looked for where it cannot be.
        if problems.is_empty() {
            let message = format!("the script `scripts/{}.rhai` is missing", file.id);
            problems.push(Problem::error("", "missing_script", message).help("write the tools' bodies there"));
        }
        return (None, problems);
    };
    let (_, found) = ConstraintGraph::build(&[("/constraints", &file.constraints)]);
    problems.extend(found);
    match Environment::build(file, sources) {
        Ok((environment, warnings)) => {
            problems.extend(warnings);
            let is_whole = !problems.iter().any(|problem| problem.severity == Severity::Error);
            (is_whole.then_some(environment), problems)
        }
        Err(found) => {
            problems.extend(found);
            (None, problems)
        }
    }
}

fn sources_of(id: &str, scripts: &Scripts) -> Option<Sources> {
    let main = scripts.get(&format!("scripts/{id}.rhai"))?.clone();
    let library = |(file, source): (&String, &Source)| {
        let name = file.strip_prefix("scripts/lib/")?.strip_suffix(".rhai")?;
        Some((name.to_owned(), source.clone()))
    };
    Some(Sources { main, libraries: scripts.iter().filter_map(library).collect() })
}

/// What is wrong with an id that is not its file's path.
pub fn misplaced(id: &str, path: &str, folder: &str) -> Option<Problem> {
    let of_path = path.strip_prefix(folder).and_then(|rest| rest.strip_suffix(".json")).unwrap_or(path);
    let of_path = of_path.trim_start_matches('/');
    (path != format!("{folder}/{id}.json")).then(|| {
        let message = format!("the id `{id}` is not the file's path");
        let help = format!("write `{of_path}`, or move the file to {folder}/{id}.json");
        Problem::error("/id", "id_is_not_path", message).help(help)
    })
}

impl Environment {
    /// Reads `environments/ID.json`, `scripts/ID.rhai` and the libraries of `scripts/lib/` below a root.
    ///
    /// # Errors
    /// Everything that is wrong with them, each with file, line and column.
    pub fn load(root: &Path, id: &str) -> Result<Environment, Vec<Diagnostic>> {
        let path = format!("environments/{id}.json");
        let text = read::read(root, &path).map_err(|found| vec![found])?;
        let (mut scripts, mut wrong) = (Scripts::new(), Vec::new());
        for file in read::list(root, "scripts", "rhai").files {
            match read::read(root, &file) {
                Ok(text) => drop(scripts.insert(file.clone(), Source { file, text })),
                Err(found) => wrong.push(found),
            }
        }
        let LoadedEnvironment { environment, mut diagnostics, .. } = load(&path, &text, &scripts)?;
        diagnostics.extend(wrong);
        environment.ok_or(diagnostics)
    }
}
