//! `probity fmt`.

use serde_json::json;

use super::Global;
use super::exit::Exit;
use super::output;
use probity_behaviour::folder::is_expected;
use probity_engine::{Diagnostic, format::format, read};

/// Write environments and tasks in the one style: what fits in 110 columns stands on one line, all else is broken
/// by one blank a level. Keys keep their order, comments stay with what they are about.
#[derive(clap::Args)]
pub struct Fmt {
    /// Write nothing: name the files that are not in this style, and exit 1 if there are any
    #[arg(long)]
    check: bool,
}

#[derive(Default)]
struct FormattedFiles {
    files: usize,
    changed: Vec<String>,
    refused: Vec<Diagnostic>,
}

impl Fmt {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let mut done = FormattedFiles::default();
        for folder in ["environments", "tasks"].into_iter().filter(|folder| is_expected(&global.root, folder)) {
            let listing = read::list(&global.root, folder, "json");
            done.refused.extend(listing.refused);
            listing.files.iter().for_each(|path| self.file(global, path, &mut done));
        }
        match (global.json, self.check) {
            (true, _) => {
                output::json(&json!({"files": done.files, "changed": done.changed, "diagnostics": done.refused}));
            }
            (false, true) => done.changed.iter().for_each(|path| output::print(&format!("{path}\n"))),
            (false, false) => done.changed.iter().for_each(|path| output::print(&format!("formatted {path}\n"))),
        }
        if !done.refused.is_empty() {
            if !global.json {
                output::note(output::diagnostics(&done.refused).trim_end());
            }
            return Exit::BadInput;
        }
        if self.check && !done.changed.is_empty() {
            global.note("these are not in the one style; `probity fmt` writes them so");
            return Exit::Failed;
        }
        Exit::Clean
    }

    fn file(&self, global: &Global, path: &str, done: &mut FormattedFiles) {
        done.files += 1;
        let text = match read::read(&global.root, path) {
            Ok(text) => text,
            Err(refused) => return done.refused.push(refused),
        };
        match format(path, &text) {
            Ok(formatted) if formatted == text => {}
            Ok(formatted) => {
                let written = if self.check { Ok(()) } else { read::replace(&global.root, path, &formatted) };
                match written {
                    Ok(()) => done.changed.push(path.to_owned()),
                    Err(refused) => done.refused.push(refused),
                }
            }
            Err(refused) => done.refused.extend(refused),
        }
    }
}
