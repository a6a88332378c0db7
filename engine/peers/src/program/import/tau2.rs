//! `probity-peers import tau2`.

use std::path::PathBuf;

use serde_json::json;

use probity::cli::exit::Exit;
use probity::cli::import::write;
use probity::cli::{Global, Stopped, output};
use probity_peers::tau::{Domain, Package, PackageSource, TauSet};

/// Tasks, databases and policies of tau2-bench, as a folder that the suite `tau2` plays.
///
/// The tools are those of `mm-tau/` below `--root`. Nothing is overwritten, and nothing is written unless all is right.
#[derive(clap::Args)]
pub struct ImportTau2 {
    /// tau2-bench's data: a folder for each world, and the databases with all fields filled in
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The folder to write to, outside your repository; `--root` of later commands
    #[arg(long, value_name = "PKG")]
    out: PathBuf,
    /// A world [default: all three]
    #[arg(long, value_name = "WORLD", value_parser = WORLDS)]
    world: Vec<String>,
    /// Which telecom tasks; the other worlds have one set
    #[arg(long, value_name = "SET", value_parser = ["base", "small", "full"], default_value = "base")]
    set: String,
}

const WORLDS: [&str; 3] = ["retail", "airline", "telecom"];

impl ImportTau2 {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let set = match self.set.as_str() {
            "small" => TauSet::Small,
            "full" => TauSet::Full,
            _ => TauSet::Base,
        };
        let all = [Domain::Retail, Domain::Airline, Domain::Telecom];
        let is_meant = |world: &Domain| self.world.is_empty() || self.world.iter().any(|name| name == world.name());
        let worlds: Vec<Domain> = all.into_iter().filter(is_meant).collect();
        let source = PackageSource { root: &global.root, data: &self.data, set };
        let package = source.package(&worlds).map_err(|found| output::refuse(global.json, &found))?;
        let files: Vec<(&str, &str)> =
            package.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        write(&self.out, &files)?;
        global.tell(|| json!({"wrote": package.files.len(), "tasks": package.tasks}), || self.listing(&package));
        Ok(Exit::Clean)
    }

    fn listing(&self, package: &Package) -> String {
        let mut text = String::new();
        for (world, tasks) in &package.tasks {
            text.push_str(&format!("{world}: {}\n", output::count(*tasks, "task")));
        }
        let (out, files) = (self.out.display(), output::count(package.files.len(), "file"));
        text.push_str(&format!(
            "wrote {files}; they hold tau2-bench's data, see {out}/tau2/NOTICE.md\n\
             play them with `probity run --suite tau2 --root {out}`\n"
        ));
        text
    }
}
