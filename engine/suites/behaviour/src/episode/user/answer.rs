//! What the contract user says of how it takes what was asked: a fixed line, its wish, or what of its own words is about
//! that.

use super::asked::ASKED;
use super::confirmation::{asks_again, asks_wish_again, offers_things, tellings};
use super::contract::ContractUser;
use super::decision::{Decision, Leave};
use super::kept_text::questions;
use super::manner::Line;

impl<'a> ContractUser<'a> {
    /// Says how it takes what was asked; what it said no to stays a no in other words.
    pub(super) fn say(&mut self, decision: Decision<'a>, asked: &str) -> String {
        match decision {
            Decision::Turn | Decision::Nothing => String::new(),
            Decision::Waiting => self.wait(),
            Decision::Courtesy => self.line(Line::Courtesy),
            Decision::Unknown if questions(asked).iter().any(|question| ASKED.asks_private(question.text)) => {
                self.line(Line::Private)
            }
            Decision::Unknown => self.line(Line::Unknown),
            Decision::Said(line) => self.line(line),
            Decision::Closing => self.wish_or(asked, Line::Closing),
            Decision::Wish => self.wish_or(asked, Line::NothingElse),
            Decision::Asking => self.ask_first(asked),
            Decision::Leave(Leave::Without) => self.line(Line::Without),
            Decision::Leave(Leave::Beside) if self.wish("").is_some() => self.line(Line::Provided),
            Decision::Leave(_) => match self.wish_anew(asked) {
                Some(wish) => {
                    let wish = wish.map(|_| self.last_wish.clone());
                    std::iter::once(self.line(Line::Provided)).chain(wish).collect::<Vec<_>>().join(" ")
                }
                None => self.nothing_left(Line::NothingElse),
            },
            Decision::Inquiry(inquired) => self.say_of(&inquired, asked),
            Decision::No(calls) => match self.wish_again(asked) {
                Some(wish) => wish,
                None => {
                    let line = self.refusal(calls);
                    self.line(line)
                }
            },
            Decision::NotThat(calls) => match self.wish_anew(asked) {
                Some(wish) => [self.line(Line::NotThat)].into_iter().chain(wish).collect::<Vec<_>>().join(" "),
                None => {
                    let line = if calls.is_empty() { Line::NothingElse } else { self.refusal(calls) };
                    self.nothing_left(line)
                }
            },
            Decision::Other(calls) => {
                let line = self.refusal(calls);
                self.line(line)
            }
            Decision::Pressed { is_beside } => {
                if let Some(own) = self.way_out(asked) {
                    return self.line_of(Line::Wish, &own);
                }
                let step = match self.pressed {
                    0 => Line::Both,
                    1 => Line::BothAgain,
                    _ => Line::BothAtLast,
                };
                self.pressed += 1;
                let line = self.line(step);
                let wish = if is_beside && step != Line::BothAtLast { self.wish_again(asked) } else { None };
                std::iter::once(line).chain(wish).collect::<Vec<_>>().join(" ")
            }
        }
    }

    fn refusal(&mut self, calls: Vec<&'a str>) -> Line {
        let is_again = calls.iter().all(|call| self.refused.contains(call));
        self.refused.extend(calls);
        if is_again { Line::NoAgain } else { Line::No }
    }

    /// Its wish once more, that it stands where those were its last words, or where all of it is done a fixed line.
    fn wish_or(&mut self, asked: &str, line: Line) -> String {
        match self.wish_anew(asked) {
            Some(Some(wish)) => wish,
            Some(None) => match self.old_wish_about(asked).filter(|about| *about != self.last_about) {
                Some(about) => {
                    self.last_about.clone_from(&about);
                    self.line_of(Line::Wish, &about)
                }
                None if questions(asked).iter().any(offers_things) => self.line(Line::Either),
                None => self.line(Line::Stands),
            },
            None => self.nothing_left(line),
        }
    }

    /// What it says when all that it ordered is done; where a turn waits, what it waits for.
    fn nothing_left(&mut self, line: Line) -> String {
        if self.waiting().is_some() { self.wait() } else { self.line(line) }
    }

    /// The sentence of its turns that is about what is asked, its wish, or that it knows no more than those.
    fn say_of(&mut self, inquired: &str, asked: &str) -> String {
        let mut said: Vec<String> = inquired.lines().filter_map(|asked| self.sentence_about(asked)).collect();
        said.dedup();
        said.retain(|said| !self.is_over(said));
        if let Some(said) = Some(said.join(" ")).filter(|said| !said.is_empty() && *said != self.last_about) {
            self.last_about.clone_from(&said);
            return self.line_of(Line::Wish, &said);
        }
        match self.wish_anew(asked) {
            Some(Some(wish)) if self.last_about.is_empty() => wish,
            Some(_) | None if self.waiting().is_some() => self.wait(),
            // *Will it be dry there?* may ask for leave in other words.
            Some(_) if !inquired.lines().any(|asked| ASKED.inquires(asked)) => self.line(Line::Stands),
            Some(_) => self.line(Line::NoMore),
            None if self.upcoming().is_some() => self.line(Line::NoMore),
            None => self.line(Line::NothingElse),
        }
    }

    /// What it ordered that is about a question, where that is not all of its wish.
    fn old_wish_about(&self, asked: &str) -> Option<String> {
        let all = questions(asked);
        let texts: Vec<&str> = all.iter().map(|question| question.text).collect();
        self.old_wish(&texts.join(" ")).filter(|about| *about != self.last_wish && !ASKED.knowing.are_in(about))
    }

    /// Its wish where it has one; within that nothing when it has just said the same and is not asked for it again.
    fn wish_anew(&mut self, asked: &str) -> Option<Option<String>> {
        let before = self.last_wish.clone();
        let is_again =
            questions(asked).iter().any(|question| asks_wish_again(question.text) || asks_again(question.text));
        let wish = self.wish_again(asked)?;
        Some(Some(wish).filter(|_| is_again || self.last_wish != before))
    }

    pub(super) fn wish_again(&mut self, asked: &str) -> Option<String> {
        let questions = questions(asked);
        let old = || {
            let mut again = questions.iter().filter(|question| asks_wish_again(question.text));
            again.find_map(|question| self.old_wish(question.text))
        };
        let asked: Vec<&str> = questions.iter().map(|question| question.text).collect();
        let wish = self.wish(&asked.join(" ")).or_else(old)?;
        self.is_wish_told = true;
        self.last_wish.clone_from(&wish);
        Some(self.line_of(Line::Wish, &wish))
    }

    /// That it wants its answers first, and what it has told of the matter that it is asked about.
    fn ask_first(&mut self, asked: &str) -> String {
        let line = self.line(Line::Asking);
        let questions = questions(asked);
        let about = questions.iter().find_map(|question| {
            let about = self.sentence_about(question.text)?;
            (tellings(question.text, &about).0 > 1 && about != self.last_about).then_some(about)
        });
        match about {
            Some(about) => {
                self.last_about.clone_from(&about);
                [line, about].join(" ")
            }
            None => line,
        }
    }
}
