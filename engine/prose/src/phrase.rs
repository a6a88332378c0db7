//! Phrases that texts are searched for: plain text, or a regular expression after `re:`.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder, bytes};

#[derive(Clone, Debug)]
pub struct Phrase {
    pub source: String,
    core: Core,
}

/// What is looked for. Whole suites have thousands of plain phrases, for each of which an automaton would be built.
#[derive(Clone, Debug)]
enum Core {
    Plain(Plain),
    Expression(Expression),
}

/// An expression without regard to case. In a text of ASCII alone, as most are, it finds the same where its classes are of
/// ASCII: that automaton is built in a fraction of the time and of the memory. The other is built where it is needed
/// first, if it is certain to fit.
#[derive(Clone, Debug)]
struct Expression {
    pattern: String,
    ascii: Option<bytes::Regex>,
    any: OnceLock<Option<Regex>>,
}

/// Most bytes that an automaton may take.
const MOST_BYTES: usize = 1 << 20;
/// So many classes of all letters, and so many other characters, dots among them, are together below that.
const FEW_CLASSES: usize = 8;
const FEW_CHARACTERS: usize = 250;

/// Words in lower case, and whether a hyphen may stand between two of them: `autumn sale` is said by `the autumn-sale
/// freeze`; between numbers a hyphen is a range.
#[derive(Clone, Debug)]
struct Plain {
    words: Vec<Vec<char>>,
    is_hyphenable: bool,
    /// What may stand before it, and behind it.
    edges: (Edge, Edge),
}

impl Phrase {
    /// Compiles a phrase. Plain text is looked for as whole words, without regard to case and white space.
    pub fn parse(source: &str) -> Result<Phrase, String> {
        let Some(pattern) = source.strip_prefix("re:") else { return Phrase::plain(source) };
        let core = Expression::parse(pattern)?;
        if core.is_in("") {
            return Err("it is found in everything, even where nothing is said".to_owned());
        }
        Ok(Phrase { source: source.to_owned(), core: Core::Expression(core) })
    }

    fn plain(source: &str) -> Result<Phrase, String> {
        let trimmed = source.trim();
        if trimmed.is_empty() {
            return Err("a phrase cannot be empty".to_owned());
        }
        let number = if trimmed.contains([':', '/', '-']) { &DAY } else { &NUMBER };
        let plain = Plain {
            words: trimmed.split_whitespace().map(|word| word.chars().map(folded).collect()).collect(),
            is_hyphenable: !source.contains(|c: char| c.is_ascii_digit()),
            edges: (Edge::of(trimmed.chars().next(), number), Edge::of(trimmed.chars().next_back(), number)),
        };
        Ok(Phrase { source: source.to_owned(), core: Core::Plain(plain) })
    }

    pub fn is_expression(&self) -> bool {
        self.source.starts_with("re:")
    }

    /// How `text` says the phrase, each time: the character at which its first word starts, and the phrase itself or
    /// the whole words that an expression finds.
    pub fn ways_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, String)> + 'a {
        // Spans stand in order, so the characters before them are counted once.
        let (mut counted, mut characters) = (0, 0);
        self.spans(text).map(move |found| {
            let (before, rest) = text.split_at(found.start);
            let (within, after) = rest.split_at(found.end - found.start);
            let is_word = |c: &char| c.is_alphanumeric();
            let lead = within.chars().position(|c| c.is_alphanumeric()).unwrap_or_default();
            characters += before.get(counted..).unwrap_or_default().chars().count();
            counted = found.start;
            let at = characters + lead;
            if !self.is_expression() {
                return (at, self.source.clone());
            }
            let head: Vec<char> = before.chars().rev().take_while(is_word).collect();
            let tail: String = after.chars().take_while(is_word).collect();
            let words: String = head.into_iter().rev().chain(within.chars()).chain(tail.chars()).collect();
            (at, words.trim().to_owned())
        })
    }

    pub fn is_in(&self, text: &str) -> bool {
        match &self.core {
            Core::Plain(plain) => plain.spans(text).next().is_some(),
            Core::Expression(expression) => expression.is_in(text),
        }
    }

    /// Where it stands, in bytes.
    fn spans<'a>(&'a self, text: &'a str) -> Box<dyn Iterator<Item = Range<usize>> + 'a> {
        match &self.core {
            Core::Plain(plain) => Box::new(plain.spans(text)),
            Core::Expression(expression) => expression.spans(text),
        }
    }
}

impl Expression {
    fn parse(pattern: &str) -> Result<Expression, String> {
        // A letter beyond ASCII may be one of ASCII in another case: `ſ` is an `s`.
        let is_plain = pattern.is_ascii() && !["\\x", "\\u", "\\U"].iter().any(|escape| pattern.contains(escape));
        let mut ascii = bytes::RegexBuilder::new(pattern);
        ascii.unicode(false).case_insensitive(true).size_limit(MOST_BYTES);
        let ascii = ascii.build().ok().filter(|_| is_plain);
        let any = match ascii {
            Some(_) if Expression::is_certain_to_fit(pattern) => OnceLock::new(),
            Some(_) | None => {
                let built = Expression::build(pattern).map_err(|error| last_line(&error.to_string()).to_owned())?;
                OnceLock::from(Some(built))
            }
        };
        Ok(Expression { pattern: pattern.to_owned(), ascii, any })
    }

    /// Whether the automaton of all letters can be built, where that of ASCII can: what is not known to is not certain.
    fn is_certain_to_fit(pattern: &str) -> bool {
        let is_known = |flags: &str| flags.trim_start_matches(['i', 's', 'm']).starts_with([':', ')']);
        let edges = pattern.matches(r"\b").count();
        let (mut classes, mut characters) = (pattern.matches(['\\', '[']).count() - edges, pattern.len());
        for (before, repeated) in pattern.match_indices('{').map(|(at, _)| pattern.split_at(at)) {
            let most =
                repeated.strip_prefix('{').and_then(|rest| rest.split_once('}')?.0.rsplit(',').next()?.parse().ok());
            // What is repeated is one character or one class, and no group.
            let mut behind = before.chars().rev();
            let is_one = behind.next().is_some_and(|c| c == '.' || c.is_ascii_alphanumeric());
            let Some(most) = most.filter(|most: &usize| is_one && *most <= FEW_CHARACTERS) else { return false };
            match behind.next() {
                Some('\\') => classes += most,
                Some(_) | None => characters += most,
            }
        }
        pattern.split("(?").skip(1).all(is_known) && classes <= FEW_CLASSES && characters <= FEW_CHARACTERS
    }

    fn build(pattern: &str) -> Result<Regex, regex::Error> {
        RegexBuilder::new(pattern).case_insensitive(true).size_limit(MOST_BYTES).build()
    }

    /// What finds it in any text.
    fn any(&self) -> Option<&Regex> {
        self.any.get_or_init(|| Expression::build(&self.pattern).ok()).as_ref()
    }

    fn is_in(&self, text: &str) -> bool {
        match &self.ascii {
            Some(ascii) if text.is_ascii() => ascii.is_match(text.as_bytes()),
            Some(_) | None => self.any().is_some_and(|any| any.is_match(text)),
        }
    }

    fn spans<'a>(&'a self, text: &'a str) -> Box<dyn Iterator<Item = Range<usize>> + 'a> {
        match &self.ascii {
            Some(ascii) if text.is_ascii() => Box::new(ascii.find_iter(text.as_bytes()).map(|found| found.range())),
            Some(_) | None => {
                Box::new(self.any().into_iter().flat_map(|any| any.find_iter(text)).map(|found| found.range()))
            }
        }
    }
}

impl Plain {
    /// Where its words stand with nothing beside them that goes on with them.
    fn spans<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut at = 0;
        let found = std::iter::from_fn(move || {
            let found = self.find_at(text, at)?;
            at = found.start + text.get(found.start..)?.chars().next().map_or(1, char::len_utf8);
            Some(found)
        });
        let (before, behind) = self.edges;
        found.filter(move |found| {
            before.may_follow(text.split_at(found.start).0) && behind.may_precede(text.split_at(found.end).1)
        })
    }

    /// Where it stands first from the byte `at` on.
    fn find_at(&self, text: &str, at: usize) -> Option<Range<usize>> {
        let first = *self.words.first()?.first()?;
        let starts = text.get(at..)?.char_indices().filter(|(_, c)| folded(*c) == first);
        starts.map(|(start, _)| at + start).find_map(|start| Some(start..self.end(text, start)?))
    }

    /// Where it ends, if it stands at `start`.
    fn end(&self, text: &str, start: usize) -> Option<usize> {
        let mut rest = text.get(start..)?;
        for (number, word) in self.words.iter().enumerate() {
            if number > 0 {
                let blanks = rest.trim_start();
                let hyphen = rest.strip_prefix('-').filter(|_| self.is_hyphenable);
                rest = if blanks.len() < rest.len() { blanks } else { hyphen? };
            }
            let mut chars = rest.chars();
            let is_it = word.iter().all(|own| chars.next().is_some_and(|c| folded(c) == *own));
            rest = is_it.then_some(chars.as_str())?;
        }
        Some(text.len() - rest.len())
    }
}

/// A letter in lower case, where that is one letter.
fn folded(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    lower.next().filter(|_| lower.next().is_none()).unwrap_or(c)
}

/// What a regular expression's error says, without the picture of the expression.
pub fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default().trim().trim_start_matches("error: ")
}

/// What may stand before a number: it is not found inside a longer one, a day or a time (`15` is in none of
/// `115`, `1.15`, `-15`, `2026-06-15` and `11:15`), but at the end of a range such as `10-15`.
const BEFORE_NUMBER: &str = r"(?:^|[^\w.,:/-]|(?:^|\D)[.,:/]|(?:^|[^\d-])\d{1,3}-)";
const AFTER_NUMBER: &str = r"(?:$|[^\w.,:/-]|[.,:/-](?:$|\D)|-\d{1,3}(?:$|[^\d-]))";
/// The same of days and times, which have their own marks within and may be the ends of a range.
const BEFORE_DAY: &str = r"(?:^|[^\w.,]|(?:^|\D)[.,])";
const AFTER_DAY: &str = r"(?:$|[^\w.,]|[.,](?:$|\D))";

static NUMBER: Guards = LazyLock::new(|| guards(BEFORE_NUMBER, AFTER_NUMBER));
static DAY: Guards = LazyLock::new(|| guards(BEFORE_DAY, AFTER_DAY));

/// What stands before a number, to its end, and behind it, from its beginning.
type Guards = LazyLock<[Option<Regex>; 2]>;

fn guards(before: &str, behind: &str) -> [Option<Regex>; 2] {
    [format!("{before}$"), format!("^{behind}")].map(|pattern| Regex::new(&pattern).ok())
}

/// What may stand beside a phrase.
#[derive(Clone, Copy, Debug)]
enum Edge {
    Open,
    /// Nothing that goes on with a word.
    Word,
    Number(&'static Guards),
}

impl Edge {
    /// By the first or the last character of the phrase.
    fn of(edge: Option<char>, number: &'static Guards) -> Edge {
        match edge {
            Some(c) if c.is_ascii_digit() => Edge::Number(number),
            Some(c) if is_of_word(c) => Edge::Word,
            Some(_) | None => Edge::Open,
        }
    }

    fn may_follow(self, text: &str) -> bool {
        match self {
            Edge::Open => true,
            Edge::Word => !text.chars().next_back().is_some_and(is_of_word),
            Edge::Number(guards) => {
                let [before, _] = &**guards;
                before.as_ref().is_some_and(|before| before.is_match(text))
            }
        }
    }

    fn may_precede(self, text: &str) -> bool {
        match self {
            Edge::Open => true,
            Edge::Word => !text.chars().next().is_some_and(is_of_word),
            Edge::Number(guards) => {
                let [_, behind] = &**guards;
                behind.as_ref().is_some_and(|behind| behind.is_match(text))
            }
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_fit_is_refused_before_a_text_needs_it() {
        let most = |part: &str| part.repeat(FEW_CHARACTERS / part.len());
        for classes in [r"\w", r"\W", r"[^a]", r"\S"].map(|class| class.repeat(FEW_CLASSES)) {
            for others in
                [format!(".{{0,{FEW_CHARACTERS}}}"), most("."), most("sk"), most("k|"), most("(s)"), most("s?")]
            {
                assert!(Expression::build(&format!("(?is){classes}{others}k")).is_ok(), "{classes}{others}");
            }
        }
        for (fits, pattern) in [
            (true, r"(?is)\b(hold|leave)\b.{0,40}\b(?:it|server)"),
            (true, r"^\W{0,4}no\b.{0,180}?a{3}"),
            (false, r"\w{9}"),
            (false, ".{0,200}.{0,201}"),
            (false, ".{3,}"),
            (false, "(?:.{0,9}){9}"),
            (false, "[a-z]{2}"),
            (false, ".{2}{3}"),
            (false, r"\w+{99}"),
            (false, ".{0,9}?{99}"),
            (false, r"(?x)\w {9}"),
            (false, "(?-u)."),
            (false, "(?-u:.{0,40})x"),
            (false, "(?<one>a)"),
            (false, r"\{"),
            (false, r"\p{L}"),
        ] {
            assert_eq!(Expression::is_certain_to_fit(pattern), fits, "{pattern}");
        }
        assert!(!Expression::is_certain_to_fit(&".".repeat(2000)));
    }

    #[test]
    fn an_expression_may_find_places_without_words() {
        assert_eq!(Phrase::parse(r"re:\b").unwrap().ways_in("a b").count(), 4);
    }

    const PATTERNS: [&str; 15] = [
        r"k\w*",
        r"\bs.{0,3}\b",
        r"\W+1?",
        r"[^a]s",
        r"(?-i)K|\d",
        r"(?s)a.b",
        r"^\s*a|b$",
        r"[’']s",
        r"\p{Lu}",
        "ſ|é",
        r"\x{17f}",
        r"\u212a",
        r"(a|ab)(\W|1)*?_",
        r"\B.",
        r"(?m)^[[:alpha:]]+$",
    ];

    /// A plain phrase as one expression with what may stand beside it.
    fn at_once(phrase: &str) -> Regex {
        let numbers = if phrase.trim().contains([':', '/', '-']) {
            [BEFORE_DAY, AFTER_DAY]
        } else {
            [BEFORE_NUMBER, AFTER_NUMBER]
        };
        let [before, behind] = [phrase.trim().chars().next(), phrase.trim().chars().next_back()].map(Option::unwrap);
        let edge = |c: char, number| {
            if c.is_ascii_digit() {
                number
            } else if is_of_word(c) {
                r"\b"
            } else {
                ""
            }
        };
        let between = if phrase.contains(|c: char| c.is_ascii_digit()) { r"\s+" } else { r"(?:\s+|-)" };
        let words: Vec<String> = phrase.split_whitespace().map(regex::escape).collect();
        let pattern = format!("{}{}{}", edge(before, numbers[0]), words.join(between), edge(behind, numbers[1]));
        RegexBuilder::new(&pattern).case_insensitive(true).build().unwrap()
    }

    proptest::proptest! {
        #[test]
        fn expressions_find_the_same_in_ascii_by_either_automaton(text in "[kKsS aB1_.\n'-]{0,12}") {
            static BOTH: LazyLock<Vec<(Expression, Regex)>> = LazyLock::new(|| {
                let both = |pattern: &&str| (Expression::parse(pattern).unwrap(), Expression::build(pattern).unwrap());
                PATTERNS.iter().map(both).collect()
            });
            for (own, any) in BOTH.iter() {
                let found: Vec<Range<usize>> = any.find_iter(&text).map(|found| found.range()).collect();
                proptest::prop_assert_eq!(own.is_in(&text), !found.is_empty());
                proptest::prop_assert_eq!(own.spans(&text).collect::<Vec<_>>(), found, "{} in {:?}", own.pattern, text);
            }
        }

        #[test]
        fn words_and_guards_find_what_one_expression_of_both_finds(
            phrase in "[15a][15ab:/. -]{0,3}[15ab]|[15ab]|[aé.](é|[b -]){0,4}",
            pieces in proptest::collection::vec("[15a:/., éÉB\u{a0}-]{0,4}", 1..5),
        ) {
            let text = pieces.join(&phrase);
            let is_in = Phrase::parse(&phrase).unwrap().is_in(&text);
            proptest::prop_assert_eq!(is_in, at_once(&phrase).is_match(&text), "{:?} in {:?}", phrase, text);
        }
    }
}
