//! What the scripts of environments share stands in `scripts/lib/`.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{contents, root};

/// The functions of a script: name and body, without comments and blanks.
fn functions(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        if let Some((name, rest)) = code.strip_prefix("fn ").and_then(|rest| rest.split_once('(')) {
            let body = rest.split_once('{').map(|(_, body)| body).unwrap_or_default();
            found.push((name.to_owned(), body.to_owned()));
            is_inside = true;
        } else if is_inside && let Some((_, body)) = found.last_mut() {
            body.push(' ');
            body.push_str(code);
        }
        is_inside &= !line.ends_with('}') || line.starts_with(' ');
    }
    let squeezed = |body: &str| body.split_whitespace().collect::<Vec<_>>().join(" ");
    found.into_iter().map(|(name, body)| (name, squeezed(&body))).collect()
}

#[test]
fn functions_are_read_with_their_bodies() {
    let text = "/// A.\nfn a(db) { db.x }\n\nfn b(db, y) {\n    let z = y; // same\n    z\n}\n";
    let wanted = [("a", "db.x }"), ("b", "let z = y; z }")].map(|(name, body)| (name.to_owned(), body.to_owned()));
    assert_eq!(functions(text), wanted);
}

#[test]
fn no_two_environments_share_the_body_of_a_function() {
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut count = 0;
    for domain in fs::read_dir(root().join("scripts")).unwrap().map(Result::unwrap) {
        if domain.file_name() == "lib" || !domain.path().is_dir() {
            continue;
        }
        for script in fs::read_dir(domain.path()).unwrap().map(Result::unwrap) {
            count += 1;
            let file = script.file_name().into_string().unwrap();
            for (name, body) in functions(&contents(script.path())) {
                homes.entry(body).or_default().push(format!("{file} {name}"));
            }
        }
    }
    let shared: Vec<String> = homes
        .into_values()
        .filter(|homes| homes.iter().any(|home| home.split(' ').next() != homes[0].split(' ').next()))
        .map(|homes| homes.join(", "))
        .collect();
    assert!(count >= 16 && shared.is_empty(), "{count} scripts; move to scripts/lib/: {}", shared.join("; "));
}
