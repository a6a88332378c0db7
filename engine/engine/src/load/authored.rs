//! Reading of authored files, long or short: comments are passed over, what is short is written out, what is generated
//! is put in, and then all of it is read strictly, each problem at the place of what was written.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::position::{self, Positions};
use super::short::{self, ShortFormErrors};
use super::strict;
use super::tree::Tree;
use crate::model::diagnostic::Diagnostic;
use crate::model::environment_file::EnvironmentFile;
use crate::model::merge::merge;

/// What was written and where, or all that is wrong with it.
pub type Read<T> = Result<(T, Positions), Vec<Diagnostic>>;

/// Reads an environment.
///
/// # Errors
/// All that is wrong with it.
pub fn environment(file: &str, text: &str) -> Read<EnvironmentFile> {
    read(file, text, |tree, refused| short::environment(file, tree, refused), |_| Vec::new())
}

/// Reads a file that may be short: `write_out` makes it long, `put_in` adds what is generated.
///
/// # Errors
/// All that is wrong with it.
pub fn read<T: DeserializeOwned + JsonSchema>(
    file: &str,
    text: &str,
    write_out: impl FnOnce(&mut Tree, &mut ShortFormErrors),
    put_in: impl FnOnce(&mut Tree) -> Vec<Diagnostic>,
) -> Read<T> {
    let mut tree = position::authored_tree(file, text)?;
    let mut refused = ShortFormErrors::of(file);
    write_out(&mut tree, &mut refused);
    let mut found = refused.into_found();
    found.extend(put_in(&mut tree));
    let (value, positions) = Positions::beside(tree);
    let read = strict::of_value(file, &value, &positions);
    if found.is_empty() {
        return read.map(|parsed| (parsed, positions));
    }
    found.extend(read.err().into_iter().flatten());
    found.sort();
    found.dedup();
    Err(found)
}

/// The JSON Schema of environments, long and short, for editors.
pub fn environment_schema() -> Value {
    schema::<EnvironmentFile>(include_str!("short/environment.schema.json"))
}

/// The schema of a long form with a merge patch that lets the short one pass as well.
pub fn schema<T: JsonSchema>(short: &str) -> Value {
    let mut schema = strict::format_schema::<T>();
    merge(&mut schema, &serde_json::from_str(short).unwrap_or_default());
    schema
}
