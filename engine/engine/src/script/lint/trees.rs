//! The syntax trees that are read.

use std::collections::BTreeMap;

use rhai::AST;

use crate::script::program::Program;
use crate::script::sources::{Source, Sources};

/// The syntax trees of an environment's scripts, dead branches and all.
pub struct Trees {
    /// The main script.
    pub main: AST,
    /// The libraries, by name.
    pub libraries: BTreeMap<String, AST>,
}

impl Trees {
    /// Those of a program and of the libraries beside it.
    pub(crate) fn of(program: &Program, sources: &Sources) -> Trees {
        // What does not compile has been reported.
        let parse = |source: &Source| program.engine.compile(&source.text).unwrap_or_default();
        let libraries = sources.libraries.iter().map(|(name, source)| (name.clone(), parse(source))).collect();
        Trees { main: program.ast.clone(), libraries }
    }

    /// Libraries and main script, the main script under the empty name.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &AST)> {
        let libraries = self.libraries.iter().map(|(name, tree)| (name.as_str(), tree));
        libraries.chain(std::iter::once(("", &self.main)))
    }
}
