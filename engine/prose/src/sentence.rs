//! Replies as sentences of plain words, with their clauses: what is asked, negated or only supposed is told apart.

use std::sync::Arc;

use compact_str::{CompactString, format_compact};

use super::lexicon::{Classes, Entry, WordClass, is, lexicon};
use super::token::{Shape, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing but blanks.
    None,
    Comma,
    /// A colon, dash or bracket. Quotation marks and emphasis are nothing.
    Strong,
}

/// A word of a sentence: folded, contractions written out.
#[derive(Clone, Debug)]
pub struct Word {
    pub text: CompactString,
    pub mark: Mark,
    /// Whether it is a name, a number or an id.
    pub is_particular: bool,
    /// Which of the sentence's tokens it comes from.
    pub token: usize,
    classes: Classes,
    /// Whether nouns of two words begin with it.
    leads: bool,
    /// The verbs that it may be a past form of.
    pub verbs: Vec<CompactString>,
}

impl Word {
    fn new(text: &str, mark: Mark, is_particular: bool, token: usize) -> Word {
        Word::of(lexicon().entry(text), text, mark, is_particular, token)
    }

    fn of(entry: &Entry, text: &str, mark: Mark, is_particular: bool, token: usize) -> Word {
        let Entry { classes, leads, .. } = *entry;
        let verbs = entry.verbs_of(text);
        Word { text: CompactString::new(text), mark, is_particular, token, classes, leads, verbs }
    }

    /// `post-mortem` and `on call` are nouns of their own.
    fn follow(&mut self, before: &Word) {
        if before.leads {
            let whole = format_compact!("{}-{}", before.text, self.text);
            self.classes = self.classes.and(lexicon().entry(&whole).classes);
        }
    }

    pub fn is(&self, class: WordClass) -> bool {
        self.classes.has(class)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Sentence {
    pub words: Vec<Word>,
    /// The tokens of the text, of which it takes `count` from `first` on.
    all: Arc<[Token]>,
    pub first: usize,
    count: usize,
    /// Where its clauses start; the first is 0.
    pub clauses: Vec<usize>,
    pub is_question: bool,
    /// Whether it ends with a colon, as before a list.
    pub introduces: bool,
    /// Whether an empty line or the end of the text follows.
    pub ends_paragraph: bool,
}

impl Sentence {
    /// What it was written as.
    pub fn tokens(&self) -> &[Token] {
        self.all.get(self.first..self.first + self.count).unwrap_or_default()
    }

    pub fn token(&self, at: usize) -> Option<&Token> {
        self.tokens().get(self.words.get(at)?.token)
    }

    /// The verbs that the word at `at` may be a past form of.
    pub fn verbs(&self, at: usize) -> &[CompactString] {
        self.words.get(at).map_or(&[], |word| &word.verbs)
    }

    pub fn is_past_form(&self, at: usize) -> bool {
        !self.verbs(at).is_empty()
    }

    /// The word at `at`; nothing beyond the ends.
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    pub fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    /// What stands before the word at `at`; the end of a sentence counts as strong.
    pub fn mark(&self, at: usize) -> Mark {
        self.words.get(at).map_or(Mark::Strong, |word| word.mark)
    }

    /// The clause around a word: where it starts and ends.
    pub fn clause(&self, at: usize) -> (usize, usize) {
        let next = self.clauses.partition_point(|start| *start <= at);
        let start = next.checked_sub(1).and_then(|last| self.clauses.get(last)).copied().unwrap_or(0);
        (start, self.clauses.get(next).copied().unwrap_or(self.words.len()))
    }

    pub fn range(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &str> {
        self.words.iter().take(to).skip(from).map(|word| word.text.as_str())
    }

    /// The characters of the reply that the words from `from` up to `to` take.
    pub fn span(&self, from: usize, to: usize) -> (usize, usize) {
        let token = |at: usize| self.token(at);
        let start = token(from).map_or(0, |token| token.span.0);
        (start, token(to.max(1) - 1).map_or(start, |token| token.span.1))
    }

    pub fn is(&self, class: WordClass, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.is(class))
    }

    pub fn has(&self, class: WordClass, from: usize, to: usize) -> bool {
        self.words.iter().take(to).skip(from).any(|word| word.is(class))
    }

    pub fn has_any(&self, class: WordClass) -> bool {
        self.has(class, 0, self.words.len())
    }

    /// Whether it is a question that ends with the clause around `at`.
    pub fn asks(&self, at: usize) -> bool {
        self.is_question && self.clause(at).1 == self.words.len()
    }

    /// Whether the word at `at` is a name, a number or an id.
    pub fn is_particular(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.is_particular)
    }

    /// The words from which on a phrase stands in it.
    pub fn find(&self, phrase: &[CompactString]) -> Vec<usize> {
        let is_at = |at: &usize| phrase.iter().zip(*at..).all(|(word, at)| self.word(at) == word);
        (0..self.words.len()).filter(|at| !phrase.is_empty() && is_at(at)).collect()
    }

    /// The sentence's words, for people, cut when long.
    pub fn quote(&self) -> String {
        let words: Vec<&str> = self.words.iter().take(16).map(|word| word.text.as_str()).collect();
        format!("\"{}{}\"", words.join(" "), if self.words.len() > 16 { " .." } else { "" })
    }
}

/// A text that was read once: its tokens, and its sentences.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub tokens: Arc<[Token]>,
    /// The sentences, in order; each token belongs to one.
    pub sentences: Vec<Sentence>,
    /// The tokens between quotation marks: the first, and the one after the last.
    quoted: Vec<(usize, usize)>,
}

impl Text {
    pub fn read(text: &str) -> Text {
        let tokens: Arc<[Token]> = super::token::tokens(text).into();
        let (mut sentences, mut first) = (Vec::new(), 0);
        for (at, token) in tokens.iter().enumerate() {
            if at + 1 == tokens.len() || ends_sentence(token) {
                sentences.push(Sentence::of(&tokens, first, at));
                first = at + 1;
            }
        }
        Text { quoted: quotations(&tokens), tokens, sentences }
    }

    /// Whether characters of the text are somebody's words, between quotation marks of one line.
    pub fn is_quoted(&self, (from, to): (usize, usize)) -> bool {
        let char_of = |token: usize| self.tokens.get(token).map(|token| token.span);
        self.quoted.iter().any(|(first, end)| {
            let around = char_of(*first).zip(end.checked_sub(1).and_then(char_of));
            around.is_some_and(|(first, last)| first.0 <= from && to <= last.1)
        })
    }

    pub fn around(&self, character: usize) -> Option<&Sentence> {
        let token = self.tokens.partition_point(|token| token.span.0 <= character).saturating_sub(1);
        self.sentence_at(token).map(|(sentence, _)| sentence)
    }

    /// The sentence that a token belongs to, and the first of its words that comes from that token.
    pub fn sentence_at(&self, token: usize) -> Option<(&Sentence, usize)> {
        let index = self.sentences.partition_point(|sentence| sentence.first <= token).checked_sub(1)?;
        let sentence = self.sentences.get(index)?;
        Some((sentence, sentence.words.partition_point(|word| word.token < token - sentence.first)))
    }
}

/// The tokens that stand between quotation marks.
fn quotations(tokens: &[Token]) -> Vec<(usize, usize)> {
    let (mut found, mut open) = (Vec::new(), None);
    let last = tokens.last().map_or("", |token| token.after.as_str());
    let gaps = tokens.iter().map(|token| token.gap.as_str()).chain(std::iter::once(last));
    for (at, gap) in gaps.enumerate() {
        for mark in gap.chars() {
            match (mark, open) {
                ('"' | '“' | '„', None) => open = Some(at),
                ('"' | '”' | '“', Some(from)) => {
                    found.push((from, at));
                    open = None;
                }
                ('\n', _) => open = None,
                _ => {}
            }
        }
    }
    found
}

impl Sentence {
    fn of(all: &Arc<[Token]>, first: usize, last: usize) -> Sentence {
        let mut words = Vec::with_capacity(last + 1 - first);
        let own = all.get(first..=last).unwrap_or_default();
        own.iter().enumerate().for_each(|(at, token)| {
            push(&mut words, token, at);
            if let [.., before, last] = words.as_mut_slice() {
                last.follow(before);
            }
        });
        let after = own.last().map_or("", |token| token.after.as_str());
        Sentence {
            clauses: clauses(&words),
            words,
            all: Arc::clone(all),
            first,
            count: own.len(),
            is_question: after.trim_start_matches([')', '"', '”', '*', '\'']).trim_start().starts_with('?'),
            introduces: after.trim_start_matches('*').starts_with(':'),
            ends_paragraph: after.matches('\n').count() > 1,
        }
    }
}

/// Whether an apostrophe joins it to the token before.
fn is_contracted(token: &Token) -> bool {
    matches!(token.gap.as_str(), "'" | "’" | "‘" | "`" | "´" | "ʼ")
}

fn ends_sentence(token: &Token) -> bool {
    let after = token.after.as_str();
    let is_letter = token.folded.chars().count() == 1 && !token.folded.starts_with(char::is_numeric);
    // An initial, but not the end of *Anna's*.
    let letter = is_letter && token.folded != "i" && !is_contracted(token);
    let stop = after.trim_start_matches([')', '"', '”', '*', '\'']).starts_with('.')
        && after.contains(char::is_whitespace)
        && !is(WordClass::Abbreviations, &token.folded)
        && !letter;
    stop || after.contains(['?', '!', '\n', ';'])
}

fn push(words: &mut Vec<Word>, token: &Token, at: usize) {
    let mark = match &token.gap {
        gap if words.is_empty() || gap.contains([':', '—', '–', '(', ')', '|', '→']) || gap.contains(" - ") => {
            Mark::Strong
        }
        gap if gap.contains(',') => Mark::Comma,
        _ => Mark::None,
    };
    // `re-funded` is a word of its own.
    let is_rest = |last: &&mut Word| token.gap == "-" && lexicon().is_split(&last.text, &token.folded);
    if let Some(last) = words.last_mut().filter(is_rest) {
        let whole = format_compact!("{}{}", last.text, token.folded);
        *last = Word::new(&whole, last.mark, last.is_particular, last.token);
        return;
    }
    let is_particular = token.shape != Shape::Word || (token.is_capitalised() && !token.starts);
    let mut add = |text: &str, mark| words.push(Word::new(text, mark, is_particular, at));
    let contracted = is_contracted(token);
    match token.folded.as_str() {
        "ve" if contracted => add("have", mark),
        "ll" if contracted => add("will", mark),
        "d" if contracted => add("would", mark),
        "re" if contracted => add("are", mark),
        "m" if contracted => add("am", mark),
        "s" if contracted => {
            let is_pronoun = words.last().is_some_and(|word| word.is(WordClass::Contracting));
            if is_pronoun {
                words.push(Word::new("is", mark, false, at));
            }
        }
        "t" if contracted => {
            if let Some(last) = words.last_mut() {
                let whole = match last.text.as_str() {
                    "won" => "will",
                    "can" => "can",
                    "shan" => "shall",
                    other => other.strip_suffix('n').unwrap_or(other),
                };
                *last = Word::new(whole, last.mark, last.is_particular, last.token);
            }
            words.push(Word::new("not", mark, false, at));
        }
        other => {
            let entry = lexicon().entry(other);
            match entry.whole.as_slice() {
                [first, rest @ ..] => {
                    add(first, mark);
                    rest.iter().for_each(|word| add(word, Mark::None));
                }
                [] => words.push(Word::of(entry, other, mark, is_particular, at)),
            }
        }
    }
}

/// Most words of a piece of a sentence that are looked through for its verb.
const MAX_PIECE: usize = 64;
fn clauses(words: &[Word]) -> Vec<usize> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let is = |class: WordClass, at: usize| words.get(at).is_some_and(|word| word.is(class));
    let is_predicate = |word: &Word| word.is(WordClass::Helpers) || word.is(WordClass::Pronouns);
    let mut starts = vec![0];
    for (at, word) in words.iter().enumerate().skip(1) {
        let leads = usize::from(is(WordClass::ClauseLeads, at));
        let first = at + leads;
        let has_predicate = || {
            let rest = words.iter().skip(at + 1).take(MAX_PIECE).take_while(|word| word.mark == Mark::None);
            std::iter::once(word).chain(rest).any(is_predicate)
        };
        let is_subject = |at: usize| is(WordClass::Subjects, at) || is(WordClass::Determiners, at);
        // `once that is settled, Aldwick meet Marle`: a condition with its verb ends where somebody else begins.
        let start = starts.last().copied().unwrap_or(0);
        let ends_condition = || {
            let mut condition = words.iter().take(at).skip(start + 1).take(MAX_PIECE);
            matches!(text(start), "if" | "unless" | "once")
                && condition.any(is_predicate)
                && (word.is_particular || is_subject(first))
        };
        let starts_here = match word.mark {
            Mark::Strong => true,
            // `.., is there anything else?` asks anew; `.., is not available` goes on.
            Mark::Comma if is(WordClass::Helpers, first) => is(WordClass::Pronouns, first + 1),
            Mark::Comma => is(WordClass::Conjunctions, first) || has_predicate() || ends_condition(),
            Mark::None => {
                is(WordClass::Conjunctions, at) && at + 1 < words.len()
                    || (leads == 1
                        && text(at) != "or"
                        && (is(WordClass::Pronouns, first) || (is_subject(first) && has_predicate())))
            }
        };
        if starts_here {
            starts.push(at);
        }
    }
    starts
}

/// Most tokens of a piece that is a label with its value.
const MOST: usize = 8;
/// Most tokens of a piece in which a verb stands between them: more is a sentence.
const FEW: usize = 6;
/// Most tokens of the label.
const MAX_LABEL: usize = 4;

impl Text {
    /// How many of its pieces are nothing but a label with its value.
    pub fn label_count(&self) -> usize {
        let pieces = self.tokens.chunk_by(|_, next| !starts_piece(next));
        pieces.filter(|piece| piece.len() <= MOST && has_label(piece)).count()
    }

    /// The characters of the pieces that begin with a label.
    pub(super) fn labelled(&self) -> Vec<(usize, usize)> {
        let pieces = self.tokens.chunk_by(|_, next| !starts_piece(next)).filter(|piece| has_label(piece));
        pieces.filter_map(|piece| Some((piece.first()?.span.0, piece.last()?.span.1))).collect()
    }
}

fn starts_piece(token: &Token) -> bool {
    let gap = token.gap.as_str();
    token.starts && !gap.contains([':', '"', '*', '|'])
        || gap.contains(['\n', ';', '!', '?', '{', '}'])
        || gap.starts_with('.')
        || gap.contains(',')
        || token.folded == "and"
}

fn has_label(piece: &[Token]) -> bool {
    let is_joint = |token: &Token| is(WordClass::Joins, &token.folded);
    let is_mark = |token: &Token| token.gap.contains([':', '=', '|', '→']) || token.gap.contains(" - ");
    let joined = |(at, token): (usize, &Token)| {
        is_mark(token) || (is_joint(token) && piece.len() <= FEW && at + 1 < piece.len())
    };
    piece.iter().enumerate().skip(1).take(MAX_LABEL).any(joined)
}
