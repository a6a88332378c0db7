//! Nouns in the singular and the plural.

/// What one is called of which several are called so.
pub fn singular(noun: &str) -> String {
    if noun.len() < 4 || noun.ends_with("ss") || noun.ends_with("us") || noun.ends_with("is") {
        return noun.to_owned();
    }
    for (ending, instead) in [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", "")] {
        if let Some(rest) = noun.strip_suffix(ending) {
            return format!("{rest}{instead}");
        }
    }
    noun.to_owned()
}

/// What several are called, so that it is never what one is called.
pub fn plural(one: &str) -> String {
    let before = one.chars().rev().nth(1);
    if one.ends_with('y') && !before.is_some_and(|c| "aeiou".contains(c)) {
        return format!("{}ies", one.strip_suffix('y').unwrap_or(one));
    }
    let hisses = ["s", "x", "ch", "sh", "z"].iter().any(|end| one.ends_with(end));
    format!("{one}{}", if hisses { "es" } else { "s" })
}
