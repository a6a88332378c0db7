//! An import after the author's edits: what came from the source changes, what the author wrote stays. Both files are
//! brought together by their elements (a tool, a collection, a count, a function), so that a new tool comes with all
//! that it needs or not at all.

use std::collections::BTreeSet;

use probity_engine::format::format;
use probity_engine::ids::identifier_of;

use crate::document::{self, Node};
use crate::draft::{Guess, fault};
use crate::functions;
use crate::source::Refused;

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
    /// What the next import compares with: the new draft, and of what is left the old one, so that it is told again.
    pub kept: Texts,
    /// What the source and the author both changed, and what would not load: the author's stands.
    pub left: Vec<Left>,
}

/// An element that stays as the author has it, although the source changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    at: At,
    /// The author's text; empty where they took it out.
    pub yours: String,
    /// The source's; empty where it has it no longer.
    pub source: String,
    /// Why it cannot be taken over, where only the source changed it.
    pub why: String,
}

impl Left {
    /// Whether it stands in the script.
    pub fn is_of_script(&self) -> bool {
        self.at.first().is_some_and(|first| first == FUNCTION)
    }

    /// What it is called: tool `moveHire`, `parameters.day`.
    pub fn element(&self) -> String {
        let (kind, rest) = match self.at.split_first() {
            Some((first, rest)) if first == FUNCTION => ("function", rest),
            Some((first, rest)) if first == "tools" => ("tool", rest),
            Some((first, rest)) if first == "state" => ("collection", rest),
            _ => return format!("`{}`", self.at.join(".")),
        };
        match rest.split_first() {
            Some((name, [])) => format!("{kind} `{name}`"),
            Some((name, below)) => format!("{kind} `{name}`, `{}`", below.join(".")),
            None => format!("`{}`", self.at.join(".")),
        }
    }
}

/// The place of an element: `tools`, the tool's name and what is below; `fn` and a function's name.
type At = Vec<String>;

const FUNCTION: &str = "fn";

/// A merge under way: where it is, what stays as it is, and what was left.
pub(crate) struct Merge<'h> {
    at: At,
    held: &'h BTreeSet<At>,
    left: Vec<Left>,
}

impl<'h> Merge<'h> {
    pub fn new(held: &'h BTreeSet<At>) -> Merge<'h> {
        Merge { at: Vec::new(), held, left: Vec::new() }
    }

    /// Whether nothing was left.
    pub fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    pub fn within<T>(&mut self, name: &str, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.at.push(name.to_owned());
        let found = inner(self);
        self.at.pop();
        found
    }

    pub fn is_held(&self) -> bool {
        self.held.contains(&self.at)
    }

    /// Whether something below stays as it is.
    pub fn holds_below(&self) -> bool {
        self.held.range(self.at.clone()..).next().is_some_and(|held| held.starts_with(&self.at))
    }

    pub fn left(&mut self, yours: &str, source: &str) {
        let (yours, source) = (yours.trim().to_owned(), source.trim().to_owned());
        self.left.push(Left { at: self.at.clone(), yours, source, why: String::new() });
    }
}

/// Brings into the author's files what changed from the `old` import to the `new` one.
///
/// # Errors
/// The author's environment cannot be read, or does not load.
pub fn again(id: &str, old: &Texts, mine: &Texts, new: &Texts) -> Result<Again, Refused> {
    let mend = "mend it (`probity check` tells more), then import again";
    let unread = |which: &str, why: String| {
        Refused::new(format!("{which} `environments/{id}.json` cannot be read: {why}"), mend)
    };
    let from = Node::read(&old.environment).map_err(|why| unread("what was kept of", why))?;
    let to = Node::read(&new.environment).map_err(|why| unread("the new", why))?;
    let is_styled = format("", &mine.environment).is_ok_and(|styled| styled == mine.environment);
    let merged = |mine: &Texts, held: &BTreeSet<At>| -> Result<(Texts, Vec<Left>), Refused> {
        let mut merge = Merge::new(held);
        let text = document::merged(&from, &mine.environment, &to, &mut merge).map_err(|why| unread("your", why))?;
        let environment = if is_styled { format("", &text).unwrap_or(text) } else { text };
        let script = merge.within(FUNCTION, |merge| functions::merged(&old.script, &mine.script, &new.script, merge));
        Ok((Texts { environment, script }, merge.left))
    };
    let is_broken = |texts: &Texts| fault(id, &texts.environment, &texts.script);
    let mut held = BTreeSet::new();
    let mut apart = Vec::new();
    if is_broken(&merged(mine, &held)?.0).is_some() {
        if let Some(why) = is_broken(mine) {
            return Err(Refused::new(format!("what stands there does not load: {why}"), mend));
        }
        let units = units(&from, &to, old, new);
        held = units.iter().flatten().cloned().collect();
        let mut known = merged(mine, &held)?.0;
        for unit in &units {
            let freed: BTreeSet<At> = held.iter().filter(|at| !unit.contains(at)).cloned().collect();
            let (texts, _) = merged(mine, &freed)?;
            let why = if texts == known { None } else { is_broken(&texts) };
            match (why, unit.first()) {
                (Some(why), Some(at)) => {
                    let text = |node: &Node<'_>, script: &str| element(node, script, at);
                    let own = Node::read(&mine.environment).map_err(|why| unread("your", why))?;
                    let (yours, source) = (text(&own, &mine.script), text(&to, &new.script));
                    apart.push(Left { at: at.clone(), yours, source, why });
                }
                _ => (held, known) = (freed, texts),
            }
        }
    }
    let (texts, mut left) = merged(mine, &held)?;
    left.extend(apart);
    held.extend(left.iter().map(|left| left.at.clone()));
    let (mut kept, _) = merged(old, &held)?;
    kept.environment = format("", &kept.environment).unwrap_or(kept.environment);
    Ok(Again { texts, kept, left })
}

/// The text of an element; empty where there is none.
fn element(node: &Node<'_>, script: &str, at: &[String]) -> String {
    let found = match at {
        [first, name] if first == FUNCTION => {
            let found = functions::parts(script).into_iter().find(|part| part.name.as_ref() == Some(name));
            found.map(|part| part.text.to_owned())
        }
        [above @ .., name] => {
            let above: Vec<&str> = above.iter().map(String::as_str).collect();
            node.members(&above).and_then(|members| members.get(name)).map(document::Member::text)
        }
        [] => None,
    };
    found.unwrap_or_default().trim().to_owned()
}

/// What comes together or not at all: a collection with its counts, a tool with its function, a function, a key.
fn units(from: &Node<'_>, to: &Node<'_>, old: &Texts, new: &Texts) -> Vec<Vec<At>> {
    let at = |path: &[&str]| -> At { path.iter().map(|part| (*part).to_owned()).collect() };
    let names = |path: &[&str]| -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for member in [from, to].into_iter().filter_map(|node| node.members(path)).flat_map(|members| &members.all) {
            if !all.contains(&member.name) {
                all.push(member.name.clone());
            }
        }
        all
    };
    let sizes = names(&["populate", "sizes"]);
    let counts = |name: &str| sizes.iter().map(|size| at(&["populate", "sizes", size, name])).collect::<Vec<_>>();
    let collections = names(&["state"]);
    let mut units: Vec<Vec<At>> =
        collections.iter().map(|name| [vec![at(&["state", name])], counts(name)].concat()).collect();
    let tools = names(&["tools"]);
    let function = |tool: &String| {
        let own = [to, from].into_iter().find_map(|node| {
            let text = element(node, "", &at(&["tools", tool, "function"]));
            serde_json::from_str::<String>(text.split_once(':')?.1.trim()).ok()
        });
        own.unwrap_or_else(|| identifier_of(tool))
    };
    let of_tools: Vec<String> = tools.iter().map(function).collect();
    let functions: BTreeSet<String> = [&old.script, &new.script]
        .into_iter()
        .flat_map(|script| functions::parts(script))
        .filter_map(|p| p.name)
        .collect();
    // What others call comes before them, and what fills the collections behind them.
    let others = functions.into_iter().filter(|name| !of_tools.contains(name));
    let (last, first): (Vec<String>, Vec<String>) = others.partition(|name| name == "populate");
    units.extend(first.iter().map(|name| vec![at(&[FUNCTION, name])]));
    units.extend(tools.iter().zip(&of_tools).map(|(tool, own)| vec![at(&["tools", tool]), at(&[FUNCTION, own])]));
    units.extend(last.iter().map(|name| vec![at(&[FUNCTION, name])]));
    let keys = names(&[]).into_iter().filter(|key| !["state", "tools", "populate"].contains(&key.as_str()));
    units.extend(keys.map(|key| vec![vec![key]]));
    units
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

/// Two changes of a text brought together by its lines; nothing where both changed the same ones.
pub(crate) fn by_lines(old: &str, mine: &str, new: &str) -> Option<String> {
    // A last line without its end would run into the next.
    let whole = |text: &str| format!("{text}\n");
    diffy::merge(&whole(old), &whole(mine), &whole(new)).ok().map(|text| text.trim_end().to_owned())
}

/// What changes, as a unified diff; empty where nothing does.
pub fn diff(old: &str, new: &str) -> String {
    if old == new { String::new() } else { diffy::create_patch(old, new).to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Draft, Only, draft, mcp};

    fn made(tools: &serde_json::Value) -> Draft {
        draft("shop/desk", mcp(&json!({"tools": tools}).to_string(), &Only::default()).unwrap()).unwrap()
    }

    fn texts(draft: &Draft) -> Texts {
        Texts { environment: draft.environment.clone(), script: draft.script.clone() }
    }

    fn tool(name: &str, properties: &serde_json::Value) -> serde_json::Value {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        json!({"name": name, "description": format!("To {name}."), "inputSchema": {"properties": properties, "required": required}})
    }

    fn lamps() -> Vec<serde_json::Value> {
        let text = json!({"type": "string"});
        vec![
            tool("getLamp", &json!({"lampId": text})),
            tool("moveLamp", &json!({"lampId": text, "room": text})),
            tool("getShade", &json!({"shadeId": text})),
        ]
    }

    fn with_log() -> Vec<serde_json::Value> {
        let text = json!({"type": "string"});
        [lamps(), vec![tool("addReading", &json!({"lampId": text, "lumen": {"type": "integer"}}))]].concat()
    }

    /// An author's file without the collection `shades` and its tool.
    fn without_shades(texts: &Texts) -> Texts {
        let mut value: serde_json::Value =
            serde_json::from_str(&probity_engine::comment::blank(&texts.environment).0).unwrap();
        value["state"].as_object_mut().unwrap().remove("shades");
        value["tools"].as_array_mut().unwrap().retain(|tool| tool["name"] != "getShade");
        for size in ["easy", "medium", "hard"] {
            value["populate"]["sizes"][size].as_object_mut().unwrap().remove("shades");
        }
        let start = texts.script.find("    for i in 0..size.shades").unwrap();
        let script = format!("{}}}\n", &texts.script[..start]);
        let tool = script.find("fn get_shade").unwrap();
        let end = tool + script[tool..].find("\n}\n").unwrap() + 3;
        Texts {
            environment: format("", &value.to_string()).unwrap(),
            script: format!("{}{}", &script[..tool], &script[end..]),
        }
    }

    #[test]
    fn what_the_author_wrote_stays_and_the_same_import_changes_nothing() {
        let old = texts(&made(&json!(lamps())));
        let mut mine = old.clone();
        mine.environment = mine.environment.replace("\"title\": \"Tools of", "\"title\": \"My tools of");
        mine.script = mine.script.replace("it.room = args.room;", "it.room = args.room; // as it is said");
        let same = again("shop/desk", &old, &mine, &old).unwrap();
        assert_eq!((&same.texts, &same.kept, same.left.len()), (&mine, &old, 0));
        let mut tools = lamps();
        tools[0]["description"] = json!("One lamp.");
        let new = texts(&made(&json!(tools)));
        let found = again("shop/desk", &old, &mine, &new).unwrap();
        assert_eq!(found.texts.environment, mine.environment.replace("To getLamp.", "One lamp."));
        assert_eq!((&found.texts.script, &found.kept, found.left), (&mine.script, &new, Vec::new()));
    }

    #[test]
    fn a_new_tool_brings_its_collection_its_counts_and_its_function() {
        let old = texts(&made(&json!(lamps())));
        let mine = without_shades(&old);
        assert_eq!(fault("shop/desk", &mine.environment, &mine.script), None);
        let new = texts(&made(&json!(with_log())));
        let found = again("shop/desk", &old, &mine, &new).unwrap();
        assert_eq!(found.left, []);
        assert_eq!(fault("shop/desk", &found.texts.environment, &found.texts.script), None);
        for wanted in ["\"readings\": {", "\"addReading\"", "\"readings\": 20"] {
            assert!(found.texts.environment.contains(wanted), "{wanted}: {}", found.texts.environment);
        }
        assert!(!found.texts.environment.contains("shade"), "{}", found.texts.environment);
        assert!(found.texts.script.contains("fn add_reading(") && found.texts.script.contains("0..size.readings"));
        assert_eq!(found.kept, new);
    }

    #[test]
    fn what_would_not_load_is_left_whole_and_told_again() {
        let old = texts(&made(&json!(lamps())));
        let shades = without_shades(&old);
        let mut tools = lamps();
        tools.push(tool("moveShade", &json!({"shadeId": {"type": "string"}, "room": {"type": "string"}})));
        tools[0]["description"] = json!("One lamp.");
        let new = texts(&made(&json!(tools)));
        let mut found = again("shop/desk", &old, &shades, &new).unwrap();
        for _ in 0..2 {
            let left: Vec<String> = found.left.iter().map(Left::element).collect();
            assert!(left.contains(&"tool `moveShade`".to_owned()), "{left:?}");
            assert_eq!(fault("shop/desk", &found.texts.environment, &found.texts.script), None);
            assert!(!found.texts.environment.contains("moveShade") && !found.texts.script.contains("move_shade"));
            assert!(found.texts.environment.contains("One lamp."), "{}", found.texts.environment);
            found = again("shop/desk", &found.kept, &found.texts, &new).unwrap();
        }
    }

    #[test]
    fn a_conflict_has_its_name_and_both_texts_until_it_is_solved() {
        let old = texts(&made(&json!(lamps())));
        let mut mine = old.clone();
        mine.environment = mine.environment.replace("To moveLamp.", "As the author says.");
        mine.script = mine.script.replace("it.room = args.room;", "it.room = \"attic\";");
        let mut tools = lamps();
        tools[1] = tool(
            "moveLamp",
            &json!({"lampId": {"type": "string"}, "room": {"type": "string"}, "shelf": {"type": "string"}}),
        );
        tools[1]["description"] = json!("As the source says.");
        let new = texts(&made(&json!(tools)));
        let first = again("shop/desk", &old, &mine, &new).unwrap();
        let told: Vec<(String, &str)> = first.left.iter().map(|left| (left.element(), left.source.as_str())).collect();
        assert!(told.contains(&("tool `moveLamp`, `description`".to_owned(), "\"As the source says.\"")), "{told:?}");
        assert!(
            told.iter().any(|(element, text)| element == "function `move_lamp`" && text.contains("shelf")),
            "{told:?}"
        );
        // The rest of the tool comes.
        assert!(first.texts.environment.contains("\"shelf\""), "{}", first.texts.environment);
        let second = again("shop/desk", &first.kept, &first.texts, &new).unwrap();
        assert_eq!((&second.left, &second.texts), (&first.left, &first.texts));
        let solved = Texts {
            environment: first.texts.environment.replace("As the author says.", "As the source says."),
            ..new.clone()
        };
        let third = again("shop/desk", &second.kept, &solved, &new).unwrap();
        assert_eq!((third.left, third.kept), (Vec::new(), new));
    }

    fn boats(moved: &serde_json::Value) -> Draft {
        let text = json!({"type": "string"});
        let mut moves = json!({"hireId": text});
        moves.as_object_mut().unwrap().extend(moved.as_object().unwrap().clone());
        made(&json!([
            tool("findSailors", &json!({"name": text})),
            tool("getHire", &json!({"hireId": text})),
            tool("moveHire", &moves),
        ]))
    }

    #[test]
    fn a_line_of_a_loop_that_both_changed_is_a_conflict() {
        let day = json!({"type": "string", "format": "date"});
        let old = texts(&boats(&json!({"day": day})));
        let mut mine = old.clone();
        mine.script = mine.script.replace("it.day = add_days(today(), rng.below(60));", "it.day = \"2026-03-04\";");
        assert_ne!(mine, old);
        for newer in [json!({"date": day}), json!({"crew": {"type": "integer"}, "day": day})] {
            let new = texts(&boats(&newer));
            let found = again("shop/desk", &old, &mine, &new).unwrap();
            let told: Vec<String> = found.left.iter().map(Left::element).collect();
            assert!(told.contains(&"function `populate`".to_owned()), "{told:?}");
            assert_eq!(fault("shop/desk", &found.texts.environment, &found.texts.script), None);
            let second = again("shop/desk", &found.kept, &found.texts, &new).unwrap();
            assert_eq!((&second.left, &second.texts), (&found.left, &found.texts));
            assert_eq!(again("shop/desk", &new, &found.texts, &new).unwrap().left, []);
        }
    }

    #[test]
    fn what_the_source_has_no_longer_goes_unless_the_author_changed_it() {
        let old = texts(&made(&json!(lamps())));
        let new = texts(&made(&json!(lamps()[..2])));
        let found = again("shop/desk", &old, &old, &new).unwrap();
        assert_eq!((found.texts, found.left), (new.clone(), Vec::new()));
        let mut mine = old.clone();
        mine.environment = mine.environment.replace("To getShade.", "A shade.");
        let left = again("shop/desk", &old, &mine, &new).unwrap().left;
        assert!(left.iter().any(|left| left.element() == "tool `getShade`" && left.source.is_empty()), "{left:?}");
    }

    #[test]
    fn a_guess_whose_comment_the_author_took_away_is_decided() {
        let made = made(&json!([tool("deleteLamp", &json!({"lampId": {"type": "string"}}))]));
        let old = texts(&made);
        let mut guesses = made.guesses.clone();
        assert_eq!(decide(&old, &old, &mut guesses), 0);
        let comment = "  // cannot be taken back: it deletes\n";
        let mine = Texts { environment: old.environment.replace(comment, ""), ..old.clone() };
        assert_ne!(mine, old);
        assert_eq!((decide(&old, &mine, &mut guesses), guesses.len() + 1), (1, made.guesses.len()));
    }
}
