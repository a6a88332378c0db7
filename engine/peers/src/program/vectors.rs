//! The vectors of all files that are named, each once, and what could not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use probity_engine::{Diagnostic, Located, Severity, foreign};
use probity_peers::{Case, Examiner};

#[derive(Default)]
pub(super) struct Vectors {
    /// In the order of the files.
    pub(super) cases: Vec<Case>,
    /// What could not be read, and what was given twice.
    pub(super) found: Vec<Diagnostic>,
    /// Vectors that could not be read; a whole file counts as one.
    pub(super) unreadable: usize,
    /// The case of each id, and where it was given first.
    known: BTreeMap<String, (usize, String)>,
}

impl Vectors {
    pub(super) fn read(files: &[PathBuf], examiner: &Examiner) -> Self {
        let mut vectors = Vectors::default();
        let mut given = BTreeSet::new();
        for file in files {
            match file.canonicalize().is_ok_and(|real| !given.insert(real)) {
                true => vectors.found.push(given_twice(&file.to_string_lossy(), 0, "the file was given before")),
                false => vectors.read_file(file, examiner),
            }
        }
        vectors
    }

    fn read_file(&mut self, path: &Path, examiner: &Examiner) {
        let file = path.to_string_lossy();
        let text = match foreign::read(path) {
            Ok(text) => text,
            Err(problem) => return self.refuse([problem]),
        };
        let (lines, problems) = foreign::each_line(&file, &text);
        problems.into_iter().for_each(|problem| self.refuse([problem]));
        for line in lines {
            let number = line.lines_before + 1;
            match case(&file, line, examiner) {
                Ok(case) => self.add(case, &file, number),
                Err(problems) => self.refuse(problems),
            }
        }
    }

    fn refuse(&mut self, problems: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(problems);
        self.unreadable += 1;
    }

    /// Adds a vector, unless its id was given before.
    fn add(&mut self, case: Case, file: &str, line: usize) {
        let Some((index, place)) = self.known.get(&case.id) else {
            self.known.insert(case.id.clone(), (self.cases.len(), format!("{file}:{line}")));
            return self.cases.push(case);
        };
        let what = format!("`{}` was given before, at {place}", case.id);
        if self.cases.get(*index) == Some(&case) {
            return self.found.push(given_twice(file, line, &what));
        }
        let problem = Diagnostic::file(file, "duplicate_id", format!("{what}, and says something else"));
        self.refuse([Diagnostic { line, column: 1, ..problem.help("give each vector an id of its own") }]);
    }
}

fn case(file: &str, line: Located, examiner: &Examiner) -> Result<Case, Vec<Diagnostic>> {
    let number = line.lines_before + 1;
    let on_line = |problem: Diagnostic| vec![Diagnostic { line: number, column: 1, ..problem }];
    if let Some(pointer) = line.wide.first() {
        let message = format!("the integer at `{pointer}` is beyond 64 bits, which we cannot hold exactly");
        return Err(on_line(Diagnostic::file(file, "wide_integer", message).help("leave this vector out")));
    }
    examiner.read(file, number, line.value)
}

fn given_twice(file: &str, line: usize, what: &str) -> Diagnostic {
    let found = Diagnostic::file(file, "given_twice", format!("{what}; it counts once")).help("leave one of them out");
    let column = usize::from(line > 0);
    Diagnostic { line, column, severity: Severity::Warning, ..found }
}
