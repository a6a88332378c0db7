//! `probity import`.

mod asked;
mod seen;
pub mod tickets;
mod tools;

use std::path::Path;

use super::Global;
use super::exit::Exit;
use clap::Subcommand;
use probity_engine::write_new;
use probity_local::Failure;

/// Turn tools of others or raw dialogues into environments, tasks and tickets.
///
/// What they do not say is listed: the bodies of the tools above all, or what a reply must convey. Nothing is
/// overwritten.
#[derive(clap::Args)]
pub struct Import {
    #[command(subcommand)]
    from: From,
}

#[derive(Subcommand)]
enum From {
    /// Tools of an MCP server, as an environment that plays
    Mcp(tools::ImportMcp),
    /// Operations of an OpenAPI document, as an environment that plays
    #[command(name = "openapi")]
    OpenApi(tools::ImportOpenApi),
    /// Raw service dialogues, masked and put in turns, as tickets
    Tickets(tickets::ImportTickets),
}

impl Import {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        match &self.from {
            From::Mcp(import) => import.run(global),
            From::OpenApi(import) => import.run(global),
            From::Tickets(import) => import.run(global),
        }
    }
}

/// Writes all files or, when another text is there already or one cannot be written, none.
pub fn write(out: &Path, files: &[(&str, &str)]) -> Result<(), Failure> {
    let help = "an import overwrites nothing: name an empty folder with `--out`";
    write_new(out, files).map_err(|unwritten| Failure::unwritten(&unwritten, help))
}
