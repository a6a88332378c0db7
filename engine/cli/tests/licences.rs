//! What is built in may be given away: every crate of the program has a licence that this list knows.

use std::process::Command;

use crate::support::{err, json, out};

/// Licences that ask to be named, or (MPL) that changes of their own files stay open.
const KNOWN: [&str; 15] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "MPL-2.0+",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether one can be chosen of each part: `(MIT OR Apache-2.0) AND Unicode-3.0`.
fn is_known(expression: &str) -> bool {
    let one = |part: &str| part.replace(['(', ')'], "").split(" OR ").any(|choice| KNOWN.contains(&choice.trim()));
    expression.replace('/', " OR ").split(" AND ").all(one)
}

#[test]
fn choices_and_parts_are_told_apart() {
    assert!(is_known("MIT") && is_known("GPL-3.0 OR MIT") && is_known("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(is_known("MIT/Apache-2.0") && !is_known("GPL-3.0") && !is_known("MIT AND GPL-3.0"));
}

#[test]
fn every_crate_has_a_licence_that_is_known() {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = out(&version);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = |more: &[&str]| {
        let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
        let here = env!("CARGO_MANIFEST_DIR");
        Command::new(env!("CARGO")).args(arguments).args(more).current_dir(here).output().unwrap()
    };
    // What the tests do not build, such as criterion, may not be there yet.
    let offline = metadata(&["--offline"]);
    let output = if offline.status.success() { offline } else { metadata(&[]) };
    assert!(output.status.success(), "{}", err(&output));
    let metadata = json(&output);
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    let unknown = packages.iter().filter(|package| !package["license"].as_str().is_some_and(is_known));
    let unknown: Vec<String> = unknown.map(|package| format!("{}: {}", package["name"], package["license"])).collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
