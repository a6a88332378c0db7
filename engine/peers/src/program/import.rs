//! `probity-peers import`.

mod cirrus;
mod rut;
mod tau2;

use clap::Subcommand;
use probity::cli::exit::Exit;
use probity::cli::{Global, Stopped};

/// Turn another benchmark's samples into drafts of environments, tasks and tickets.
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
    /// Samples of RUT-Bench
    RutBench(rut::ImportRut),
    /// Task files of CirrusBench, as tickets
    Cirrus(cirrus::ImportCirrus),
    /// Tasks of tau2-bench, with its databases and policies, to be played as they are
    Tau2(tau2::ImportTau2),
}

impl Import {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        match &self.from {
            From::RutBench(import) => import.run(global),
            From::Cirrus(import) => import.run(global),
            From::Tau2(import) => import.run(global),
        }
    }
}
