//! An import after the author's edits: what came from the source changes, what the author wrote stays. Both files are
//! brought together by their elements (a tool, a collection, a count, a function), so that a new tool comes with all
//! that it needs or not at all.

use std::collections::BTreeSet;

use probity_engine::format::format;
use probity_engine::load::environment::Scripts;

use crate::document::Node;
use crate::functions;
use crate::merge::{At, FUNCTION, Left};
use crate::sides::{MEND, Sides, element};
use crate::source::Refused;
use crate::undecided::Guess;

/// The texts of an environment and of its script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    pub environment: String,
    pub script: String,
}

/// Files after another import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Again {
    pub texts: Texts,
    /// The collections that there are now.
    pub collections: Vec<String>,
    /// What the next import compares with: the new draft, and of what is left the old one, so that it is told again.
    pub kept: Texts,
    /// What the source and the author both changed, and what would not load: the author's stands.
    pub left: Vec<Left>,
}

/// Brings into the author's files what changed from the `old` import to the `new` one. `libraries` are the scripts beside
/// the environment's own.
///
/// # Errors
/// The author's environment cannot be read, or `check` refuses it without any task.
pub fn again(id: &str, old: &Texts, mine: &Texts, new: &Texts, libraries: &Scripts) -> Result<Again, Refused> {
    let sides = Sides::read(id, [old, mine, new], libraries)?;
    let mut held = Held::bound(&sides)?;
    if sides.fault(&held.texts).is_some() {
        if let Some(why) = sides.fault(mine) {
            return Err(Refused::new(format!("what stands there does not pass `check`: {why}"), MEND));
        }
        let units = sides.units();
        held.free(&sides, &units)?;
        held.keep_what_tools_change(&sides, &units)?;
        held.keep_what_fills(&sides)?;
    }
    let Held { mut at, texts, apart } = held;
    let mut left = sides.merged(mine, &at)?.1;
    left.extend(apart);
    at.extend(left.iter().map(|left| left.at.clone()));
    let (mut kept, _) = sides.merged(old, &at)?;
    kept.environment = format("", &kept.environment).unwrap_or(kept.environment);
    let now = Node::read(&texts.environment).map_err(|why| sides.unread("your", &why))?;
    let state = now.members(&["state"]).into_iter().flat_map(|members| &members.all);
    let collections = state.map(|member| member.name.clone()).collect();
    Ok(Again { texts, collections, kept, left })
}

/// What a merge holds back, what comes of it then, and what is told of that.
struct Held {
    at: BTreeSet<At>,
    texts: Texts,
    apart: Vec<Left>,
}

impl Held {
    /// Held is what goes with functions that stay as the author has them.
    fn bound(sides: &Sides<'_>) -> Result<Held, Refused> {
        let [_, mine, _] = sides.texts;
        let (mut at, mut apart) = (BTreeSet::new(), Vec::new());
        for (function, bound) in sides.bound(&sides.merged(mine, &at)?.1) {
            let source = sides.source(&bound);
            if sides.before(&bound) != source && sides.yours(&bound) != source {
                apart.push(sides.stays(&bound, format!("function `{function}` is yours, and it goes with that")));
            }
            at.insert(bound);
        }
        let texts = sides.merged(mine, &at)?.0;
        Ok(Held { at, texts, apart })
    }

    /// Holds all units, and frees one after another as far as `check` takes what comes of it.
    fn free(&mut self, sides: &Sides<'_>, units: &[Vec<At>]) -> Result<(), Refused> {
        let [_, mine, _] = sides.texts;
        let bound = self.at.clone();
        self.at.extend(units.iter().flatten().cloned());
        self.texts = sides.merged(mine, &self.at)?.0;
        for unit in units {
            let mut why = None;
            // A field that goes from a collection goes from what fills it as well.
            for unit in [unit.clone(), [unit.as_slice(), &[filled()]].concat()] {
                let is_freed = |at: &&At| bound.contains(*at) || !unit.contains(at);
                let freed: BTreeSet<At> = self.at.iter().filter(is_freed).cloned().collect();
                let texts = sides.merged(mine, &freed)?.0;
                let Some(found) = (texts != self.texts).then(|| sides.fault(&texts)).flatten() else {
                    (self.at, self.texts, why) = (freed, texts, None);
                    break;
                };
                why = why.or(Some(found));
            }
            if let (Some(why), Some(at)) = (why, unit.first()) {
                self.apart.push(sides.stays(at, format!("with it this would not pass `check`: {why}")));
            }
        }
        Ok(())
    }

    /// A tool that stays needs what it changes as it was.
    fn keep_what_tools_change(&mut self, sides: &Sides<'_>, units: &[Vec<At>]) -> Result<(), Refused> {
        let is_tool = |at: &&At| at.len() == 2 && at.first().is_some_and(|first| first == "tools");
        let tools: Vec<At> = self.apart.iter().map(|left| &left.at).filter(is_tool).cloned().collect();
        for tool in &tools {
            let changes = sides.yours(&[tool.as_slice(), &["changes".to_owned()]].concat());
            for unit in units {
                let (Some([first, name, ..]), Some(at)) = (unit.first().map(Vec::as_slice), unit.first()) else {
                    continue;
                };
                if first == "state" && changes.contains(&format!("\"{name}\"")) && !self.at.contains(at) {
                    let tool = tool.last().map_or("", String::as_str);
                    self.keep(sides, unit, &format!("tool `{tool}` stays as it is, and it goes with that"))?;
                }
            }
        }
        Ok(())
    }

    /// A collection that stays although the source has it no longer stays filled.
    fn keep_what_fills(&mut self, sides: &Sides<'_>) -> Result<(), Refused> {
        let [_, mine, _] = sides.texts;
        let fills = |texts: &Texts, name: &str| {
            let mut parts = functions::parts(&texts.script).into_iter();
            let populate = parts.find(|part| part.name.as_deref() == Some("populate"));
            populate.is_some_and(|part| part.text.contains(&format!("db.{name}[")))
        };
        let is_emptied = |at: &&At| match at.as_slice() {
            [first, name] if first == "state" && sides.source(at).is_empty() => {
                fills(mine, name) && !fills(&self.texts, name)
            }
            _ => false,
        };
        match self.at.iter().find(is_emptied).and_then(|at| at.last()).cloned() {
            Some(name) => {
                self.keep(sides, &[filled()], &format!("collection `{name}` stays as it is, and this fills it"))
            }
            None => Ok(()),
        }
    }

    /// Holds a unit, with what fills the collections where it takes that, if `check` takes what comes of it.
    fn keep(&mut self, sides: &Sides<'_>, unit: &[At], why: &str) -> Result<(), Refused> {
        let [_, mine, _] = sides.texts;
        for more in [Vec::new(), vec![filled()]] {
            let kept: BTreeSet<At> = self.at.iter().chain(unit).chain(&more).cloned().collect();
            let texts = sides.merged(mine, &kept)?.0;
            if texts == self.texts || sides.fault(&texts).is_some() {
                continue;
            }
            self.apart.extend(unit.first().into_iter().chain(&more).map(|at| sides.stays(at, why.to_owned())));
            (self.at, self.texts) = (kept, texts);
            break;
        }
        Ok(())
    }
}

/// What fills the collections.
fn filled() -> At {
    vec![FUNCTION.to_owned(), "populate".to_owned()]
}

/// Takes away the guesses that the author has decided: their comment stood in the `old` environment and no longer stands
/// in theirs. Says how many of them were doubtful.
pub fn decide(old: &Texts, mine: &Texts, guesses: &mut Vec<Guess>) -> usize {
    let (Ok(old), Ok(mine)) = (Node::read(&old.environment), Node::read(&mine.environment)) else { return 0 };
    let doubtful = |guesses: &[Guess]| guesses.iter().filter(|guess| guess.doubt > 0).count();
    let before = doubtful(guesses);
    let is_said = |node: &Node<'_>, guess: &Guess| {
        let of = |part: &str| element(node, "", &[part.to_owned(), guess.tool.clone()]);
        ["tools", "state"].iter().any(|part| of(part).contains(&guess.comment()))
    };
    guesses.retain(|guess| !is_said(&old, guess) || is_said(&mine, guess));
    before - doubtful(guesses)
}

/// What changes, as a unified diff; empty where nothing does.
pub fn diff(old: &str, new: &str) -> String {
    if old == new { String::new() } else { diffy::create_patch(old, new).to_string() }
}
