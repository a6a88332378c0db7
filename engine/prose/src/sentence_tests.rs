use super::*;

fn split(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for sentence in sentences(text) {
        for start in &sentence.clauses {
            let (from, to) = sentence.clause(*start);
            pieces.push(sentence.range(from, to).collect::<Vec<_>>().join(" "));
        }
    }
    pieces
}

#[test]
fn replies_split_into_clauses() {
    assert_eq!(
        split("Done: it's 15.00 EUR, and I've moved you. Mr. Okafor isn't here, the list, the end; can't he?"),
        ["done", "it is 15.00 eur", "and i have moved you", "mr okafor is not here the list the end", "can not he"]
    );
    assert_eq!(split("I looked but it is gone"), ["i looked", "but it is gone"]);
    assert_eq!(split("The option, unfortunately, is not available."), ["the option unfortunately is not available"]);
}
