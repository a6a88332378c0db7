//! An import after the author's edits: what came from the source changes, what the author wrote stays.

/// A file after another import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    pub text: String,
    /// What changes, as a unified diff; empty where nothing does.
    pub diff: String,
    /// Places where the source and the author changed the same lines: the author's stand, and the source's are here.
    pub left: Vec<String>,
}

/// Brings into the author's `text` what changed from the `old` import to the `new` one.
pub fn again(old: &str, text: &str, new: &str) -> Again {
    // A last line without its end would run into a mark.
    let whole =
        |text: &str| if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let (merged, left) = match diffy::merge(&whole(old), &whole(text), &whole(new)) {
        Ok(merged) => (merged, Vec::new()),
        Err(conflicted) => settled(&conflicted),
    };
    let diff = if merged == text { String::new() } else { diffy::create_patch(text, &merged).to_string() };
    Again { text: merged, diff, left }
}

/// The author's side of each conflict, and the others' sides.
fn settled(conflicted: &str) -> (String, Vec<String>) {
    #[derive(PartialEq)]
    enum Side {
        Both,
        Ours,
        Old,
        Theirs,
    }
    let (mut text, mut left, mut theirs, mut side) = (String::new(), Vec::new(), String::new(), Side::Both);
    for line in conflicted.split_inclusive('\n') {
        let marker = |sign: &str| line.starts_with(sign);
        side = match side {
            Side::Both if marker("<<<<<<<") => Side::Ours,
            Side::Ours if marker("|||||||") => Side::Old,
            Side::Ours | Side::Old if marker("=======") => Side::Theirs,
            Side::Theirs if marker(">>>>>>>") => {
                left.push(std::mem::take(&mut theirs));
                Side::Both
            }
            side => {
                match side {
                    Side::Both | Side::Ours => text.push_str(line),
                    Side::Theirs => theirs.push_str(line),
                    Side::Old => {}
                }
                side
            }
        };
    }
    (text, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

    #[test]
    fn what_the_author_wrote_stays() {
        let text = OLD.replace("two\n", "two, as the author has it\n");
        let new = OLD.replace("six\n", "six of the source\n");
        let found = again(OLD, &text, &new);
        assert_eq!(found.text, text.replace("six\n", "six of the source\n"));
        assert!(found.diff.contains("+six of the source") && found.left.is_empty());
        assert_eq!(again(OLD, &text, OLD), Again { text, diff: String::new(), left: Vec::new() });
    }

    #[test]
    fn where_both_changed_the_same_the_authors_stands() {
        let text = OLD.replace("four\n", "four, as the author has it\n");
        let found = again(OLD, &text, &OLD.replace("four\n", "four of the source\n"));
        assert_eq!((found.text, found.left), (text, vec!["four of the source\n".to_owned()]));
    }
}
