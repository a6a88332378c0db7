//! "Did you mean": the nearest known name, for diagnostics.

use super::visible::{skeleton, strange};

/// Longer names are not compared: that takes as long as both together are long.
const LONGEST: usize = 64;
/// Most names that are listed.
const MOST: usize = 60;

/// The candidate nearest to `name`, if it is near enough to be a slip of the hand; never `name` itself. What looks the
/// same is nearest of all.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let look = skeleton(name);
    let others = candidates.into_iter().filter(|candidate| *candidate != name);
    others
        .filter(|candidate| name.len().max(candidate.len()) <= LONGEST)
        .map(|candidate| (strsim::osa_distance(&look, &skeleton(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 4)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A help line: the nearest name, else the list of all; which character of the two is not what it looks like.
pub fn help<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<&str> = candidates.into_iter().collect();
    match nearest(name, all.iter().copied()) {
        Some(near) => match (strange(name), strange(near)) {
            (Some(found), None) => format!("did you mean `{near}`? what stands here holds {found}"),
            (_, Some(found)) => format!("`{near}` holds {found}: write both alike, without it"),
            (None, None) => format!("did you mean `{near}`?"),
        },
        None if all.is_empty() => "there is none to choose from".to_owned(),
        None => format!("known: {}", listed(&all)),
    }
}

/// Names of a list, of a long one the first.
fn listed(all: &[&str]) -> String {
    match all.get(..MOST) {
        Some(first) if all.len() > MOST => format!("{} and {} more", first.join(", "), all.len() - MOST),
        Some(_) | None => all.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_compared_with_none_and_a_strange_one_is_told() {
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        let told = "`get_\u{200b}order` holds U+200B (zero-width space): write both alike, without it";
        assert_eq!(help("get_order", ["get_\u{200b}order"]), told);
    }
}
