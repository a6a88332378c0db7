//! "Did you mean": the nearest known name, for diagnostics.

/// Longer names are not compared: that takes as long as both together are long.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, if it is near enough to be a slip of the hand.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .filter(|candidate| name.len().max(candidate.len()) <= LONGEST)
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 4)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A help line: the nearest name, else the list of all.
pub fn help<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<&str> = candidates.into_iter().collect();
    match nearest(name, all.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if all.is_empty() => "there is none to choose from".to_owned(),
        None => format!("known: {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_listed() {
        assert_eq!(help("stauts", ["status", "room"]), "did you mean `status`?");
        assert_eq!(help("weather", ["status", "room"]), "known: status, room");
        assert_eq!(help("x", []), "there is none to choose from");
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
