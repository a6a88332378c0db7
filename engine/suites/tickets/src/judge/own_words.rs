//! What of a reply is the agent's own: not what it copies from what it was told.

use std::collections::BTreeMap;

use probity_prose::token::tokens;

/// So many words in a row that were told are copied; fewer are how people speak of the same thing.
const RUN: usize = 8;
/// So many copied words are a quotation, whatever the length of the recorded reply.
const QUOTATION: usize = 40;

/// A reply with blanks in place of what it copies from `told`. Quotations are its own words: as many words in a row as half
/// of the recorded reply has, or a few more, unless most of the reply is such.
pub(super) fn own_words<'t>(reply: &str, recorded: &str, told: impl Iterator<Item = &'t str>) -> String {
    let words = tokens(reply);
    if words.len() <= QUOTATION {
        return reply.to_owned();
    }
    let said: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let mut runs: BTreeMap<&[&str], Vec<usize>> = BTreeMap::new();
    said.windows(RUN).enumerate().for_each(|(at, run)| runs.entry(run).or_default().push(at));
    let mut is_copied = vec![false; said.len()];
    for text in told {
        let told = tokens(text);
        let told: Vec<&str> = told.iter().map(|word| word.folded.as_str()).collect();
        for at in told.windows(RUN).filter_map(|run| runs.get(run)).flatten() {
            is_copied.iter_mut().skip(*at).take(RUN).for_each(|word| *word = true);
        }
    }
    let most = (tokens(recorded).len() / 2).max(QUOTATION);
    let copied = is_copied.iter().filter(|copied| **copied).count();
    if copied <= most || 2 * copied <= said.len() {
        is_copied
            .chunk_by_mut(|one, next| one == next)
            .filter(|words| words.len() <= most)
            .for_each(|words| words.fill(false));
    }
    let mut signs: Vec<char> = reply.chars().collect();
    for (word, _) in words.iter().zip(&is_copied).filter(|(_, copied)| **copied) {
        signs.iter_mut().take(word.span.1).skip(word.span.0).for_each(|sign| *sign = ' ');
    }
    signs.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = "A password has 12 to 30 characters of at least three kinds. A restart from the start menu does \
                        not count, and a page says nothing where a password is turned down. A server that is moved to \
                        another host begins from the start when it is restarted, and a resize is billed by the hour.";

    #[test]
    fn what_is_copied_counts_as_far_as_it_is_a_quotation() {
        let own = |reply: &str| own_words(reply, "Please reset it again.", [TOLD].into_iter());
        let quoting = "I looked it up for you. A password has 12 to 30 characters of at least three kinds, so the one \
                       that you have chosen is too short; please go to the page of the server, take a longer one there, \
                       and tell me whether the page says that it was taken, since it may say nothing at all.";
        assert_eq!(own(quoting), quoting);
        let pasted = format!("{TOLD} I hope that this helps.");
        assert_eq!(own(&pasted).trim_matches([' ', '.', ',']), "I hope that this helps");
        assert_eq!(own(TOLD).chars().count(), TOLD.chars().count());
    }
}
