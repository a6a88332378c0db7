//! An import after the author's edits: what came from the source changes, what the author wrote stays. Both files are
//! brought together by their elements (a tool, a collection, a count, a function), so that a new tool comes with all
//! that it needs or not at all.

use std::collections::BTreeSet;

use probity_engine::format::format;
use probity_engine::ids::identifier_of;
use probity_engine::load::environment::Scripts;

use crate::document::{self, Node};
use crate::fault::fault;
use crate::functions;
use crate::guess::Guess;
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
    /// The collections that there are now.
    pub collections: Vec<String>,
    /// What the next import compares with: the new draft, and of what is left the old one, so that it is told again.
    pub kept: Texts,
    /// What the source and the author both changed, and what would not load: the author's stands.
    pub left: Vec<Left>,
}

/// An element that stays as the author has it, although the source changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    at: At,
    /// The author's text.
    pub yours: String,
    /// The source's; empty where it has it no longer.
    pub source: String,
    /// Why it is not taken over, where only the source changed it.
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
    pub(crate) fn holds_below(&self) -> bool {
        self.held.range(self.at.clone()..).next().is_some_and(|held| held.starts_with(&self.at))
    }

    pub fn left(&mut self, yours: &str, source: &str) {
        let (yours, source) = (yours.trim().to_owned(), source.trim().to_owned());
        self.left.push(Left { at: self.at.clone(), yours, source, why: String::new() });
    }
}

/// Brings into the author's files what changed from the `old` import to the `new` one. `libraries` are the scripts beside
/// the environment's own.
///
/// # Errors
/// The author's environment cannot be read, or `check` refuses it without any task.
pub fn again(id: &str, old: &Texts, mine: &Texts, new: &Texts, libraries: &Scripts) -> Result<Again, Refused> {
    let mend = "mend it (`probity check` tells more), then import again";
    let unread = |which: &str, why: String| {
        Refused::new(format!("{which} `environments/{id}.json` cannot be read: {why}"), mend)
    };
    let from = Node::read(&old.environment).map_err(|why| unread("what was kept of", why))?;
    let own = Node::read(&mine.environment).map_err(|why| unread("your", why))?;
    let to = Node::read(&new.environment).map_err(|why| unread("the new", why))?;
    let is_styled = format("", &mine.environment).is_ok_and(|styled| styled == mine.environment);
    let merged = |mine: &Texts, held: &BTreeSet<At>| -> Result<(Texts, Vec<Left>), Refused> {
        let mut merge = Merge::new(held);
        let text = document::merged(&from, &mine.environment, &to, &mut merge).map_err(|why| unread("your", why))?;
        let environment = if is_styled { format("", &text).unwrap_or(text) } else { text };
        let script = merge.within(FUNCTION, |merge| functions::merged(&old.script, &mine.script, &new.script, merge));
        Ok((Texts { environment, script }, merge.left))
    };
    let source = |at: &At| element(&to, &new.script, at);
    let stays =
        |at: &At, why: String| Left { at: at.clone(), yours: element(&own, &mine.script, at), source: source(at), why };
    let is_broken = |texts: &Texts| fault(id, texts, libraries);
    let mut apart = Vec::new();
    let mut held = BTreeSet::new();
    for (function, at) in bound(&merged(mine, &held)?.1, &own, &to) {
        let before = element(&from, &old.script, &at);
        if before != source(&at) && element(&own, &mine.script, &at) != source(&at) {
            apart.push(stays(&at, format!("function `{function}` is yours, and it goes with that")));
        }
        held.insert(at);
    }
    if is_broken(&merged(mine, &held)?.0).is_some() {
        if let Some(why) = is_broken(mine) {
            return Err(Refused::new(format!("what stands there does not pass `check`: {why}"), mend));
        }
        let units = units(&from, &to, old, new);
        let filled = [FUNCTION.to_owned(), "populate".to_owned()].to_vec();
        let bound = held.clone();
        held.extend(units.iter().flatten().cloned());
        let mut known = merged(mine, &held)?.0;
        for unit in &units {
            let mut why = None;
            // A field that goes from a collection goes from what fills it as well.
            for unit in [unit.clone(), [unit.as_slice(), std::slice::from_ref(&filled)].concat()] {
                let freed: BTreeSet<At> =
                    held.iter().filter(|at| bound.contains(*at) || !unit.contains(at)).cloned().collect();
                let (texts, _) = merged(mine, &freed)?;
                let found = if texts == known { None } else { is_broken(&texts) };
                match found {
                    None => {
                        (held, known, why) = (freed, texts, None);
                        break;
                    }
                    Some(found) => why = why.or(Some(found)),
                }
            }
            if let (Some(why), Some(at)) = (why, unit.first()) {
                apart.push(stays(at, format!("with it this would not pass `check`: {why}")));
            }
        }
        // A tool that stays needs what it changes as it was.
        let tools: Vec<At> = apart.iter().map(|left| left.at.clone()).filter(|at| at.len() == 2).collect();
        for tool in tools.iter().filter(|at| at.first().is_some_and(|first| first == "tools")) {
            let changes = element(&own, "", &[tool.as_slice(), &["changes".to_owned()]].concat());
            for unit in &units {
                let Some(at) = unit.first().filter(|at| at.first().is_some_and(|first| first == "state")) else {
                    continue;
                };
                let is_changed = at.get(1).is_some_and(|name| changes.contains(&format!("\"{name}\"")));
                if !is_changed || held.contains(at) {
                    continue;
                }
                for more in [Vec::new(), vec![filled.clone()]] {
                    let kept: BTreeSet<At> = held.iter().chain(unit).chain(&more).cloned().collect();
                    let (texts, _) = merged(mine, &kept)?;
                    if texts == known || is_broken(&texts).is_some() {
                        continue;
                    }
                    let goes = |at: &At| {
                        stays(
                            at,
                            format!(
                                "tool `{}` stays as it is, and it goes with that",
                                tool.last().map_or("", String::as_str)
                            ),
                        )
                    };
                    apart.extend([at].into_iter().chain(&more).map(goes));
                    (held, known) = (kept, texts);
                    break;
                }
            }
        }
    }
    let (texts, mut left) = merged(mine, &held)?;
    left.extend(apart);
    held.extend(left.iter().map(|left| left.at.clone()));
    let (mut kept, _) = merged(old, &held)?;
    kept.environment = format("", &kept.environment).unwrap_or(kept.environment);
    let now = Node::read(&texts.environment).map_err(|why| unread("your", why))?;
    let state = now.members(&["state"]).into_iter().flat_map(|members| &members.all);
    let collections = state.map(|member| member.name.clone()).collect();
    Ok(Again { texts, collections, kept, left })
}

/// What of a tool follows from its function.
const FOLLOWS: [&str; 5] = ["returns", "changes", "effect", "effects", "errors"];

/// What goes with functions that stay as the author has them, each with its function: the tool where the source has it no
/// longer, else what of it follows from the body.
fn bound(left: &[Left], own: &Node<'_>, to: &Node<'_>) -> Vec<(String, At)> {
    let mut found = Vec::new();
    for function in left.iter().filter(|left| left.is_of_script()).filter_map(|left| left.at.get(1)) {
        let tools = own.members(&["tools"]).into_iter().flat_map(|members| &members.all);
        for tool in tools.filter(|tool| function_of(own, &tool.name) == *function) {
            let at = ["tools".to_owned(), tool.name.clone()].to_vec();
            match to.members(&["tools", &tool.name]) {
                None => found.push((function.clone(), at)),
                Some(_) => {
                    found.extend(FOLLOWS.map(|key| (function.clone(), [at.as_slice(), &[key.to_owned()]].concat())))
                }
            }
        }
    }
    found
}

/// The function of a tool, by what an environment says of it or else by its name.
fn function_of(node: &Node<'_>, tool: &str) -> String {
    let text = element(node, "", &["tools", tool, "function"].map(str::to_owned));
    let said = text.split_once(':').and_then(|(_, text)| serde_json::from_str::<String>(text.trim()).ok());
    said.unwrap_or_else(|| identifier_of(tool))
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
        let has = |node: &&Node<'_>| node.members(&["tools", tool]).is_some();
        [to, from].into_iter().find(has).map_or_else(|| identifier_of(tool), |node| function_of(node, tool))
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
    use crate::seen::Seen;
    use crate::{Draft, Only, draft, mcp};

    fn made(tools: &serde_json::Value) -> Draft {
        draft("shop/desk", mcp(&json!({"tools": tools}).to_string(), &Only::default()).unwrap(), &Seen::default())
            .unwrap()
    }

    fn texts(draft: &Draft) -> Texts {
        draft.texts.clone()
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
        let same = again("shop/desk", &old, &mine, &old, &Scripts::new()).unwrap();
        assert_eq!((&same.texts, &same.kept, same.left.len()), (&mine, &old, 0));
        let mut tools = lamps();
        tools[0]["description"] = json!("One lamp.");
        let new = texts(&made(&json!(tools)));
        let found = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
        assert_eq!(found.texts.environment, mine.environment.replace("To getLamp.", "One lamp."));
        assert_eq!((&found.texts.script, &found.kept, found.left), (&mine.script, &new, Vec::new()));
    }

    #[test]
    fn a_new_tool_brings_its_collection_its_counts_and_its_function() {
        let old = texts(&made(&json!(lamps())));
        let mine = without_shades(&old);
        assert_eq!(fault("shop/desk", &mine, &Scripts::new()), None);
        let new = texts(&made(&json!(with_log())));
        let found = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
        assert_eq!(found.left, []);
        assert_eq!(fault("shop/desk", &found.texts, &Scripts::new()), None);
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
        let mut found = again("shop/desk", &old, &shades, &new, &Scripts::new()).unwrap();
        for _ in 0..2 {
            let left: Vec<String> = found.left.iter().map(Left::element).collect();
            assert!(left.contains(&"tool `moveShade`".to_owned()), "{left:?}");
            assert_eq!(fault("shop/desk", &found.texts, &Scripts::new()), None);
            assert!(!found.texts.environment.contains("moveShade") && !found.texts.script.contains("move_shade"));
            assert!(found.texts.environment.contains("One lamp."), "{}", found.texts.environment);
            found = again("shop/desk", &found.kept, &found.texts, &new, &Scripts::new()).unwrap();
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
        let first = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
        let told: Vec<(String, &str)> = first.left.iter().map(|left| (left.element(), left.source.as_str())).collect();
        assert!(told.contains(&("tool `moveLamp`, `description`".to_owned(), "\"As the source says.\"")), "{told:?}");
        assert!(
            told.iter().any(|(element, text)| element == "function `move_lamp`" && text.contains("shelf")),
            "{told:?}"
        );
        // The rest of the tool comes.
        assert!(first.texts.environment.contains("\"shelf\""), "{}", first.texts.environment);
        let second = again("shop/desk", &first.kept, &first.texts, &new, &Scripts::new()).unwrap();
        assert_eq!((&second.left, &second.texts), (&first.left, &first.texts));
        let solved = Texts {
            environment: first.texts.environment.replace("As the author says.", "As the source says."),
            ..new.clone()
        };
        let third = again("shop/desk", &second.kept, &solved, &new, &Scripts::new()).unwrap();
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
            let found = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
            let told: Vec<String> = found.left.iter().map(Left::element).collect();
            assert!(told.contains(&"function `populate`".to_owned()), "{told:?}");
            assert_eq!(fault("shop/desk", &found.texts, &Scripts::new()), None);
            let second = again("shop/desk", &found.kept, &found.texts, &new, &Scripts::new()).unwrap();
            assert_eq!((&second.left, &second.texts), (&found.left, &found.texts));
            assert_eq!(again("shop/desk", &new, &found.texts, &new, &Scripts::new()).unwrap().left, []);
        }
    }

    #[test]
    fn a_field_that_the_source_calls_otherwise_stays_where_the_authors_function_has_it() {
        let day = json!({"type": "string", "format": "date"});
        let (old, new) = (texts(&boats(&json!({"day": day}))), texts(&boats(&json!({"date": day}))));
        let found = again("shop/desk", &old, &old, &new, &Scripts::new()).unwrap();
        assert_eq!((found.texts, found.left), (new.clone(), Vec::new()));
        let mut mine = old.clone();
        mine.script = mine.script.replace(
            "    it.day = args.day;",
            "    if args.day < today() { fail(\"past\", \"it is past\"); }\n    it.day = args.day;",
        );
        mine.environment =
            mine.environment.replace("\"claims\": [\"moved\"]", "\"claims\": [\"moved\"], \"errors\": [\"past\"]");
        assert_eq!(fault("shop/desk", &mine, &Scripts::new()), None);
        let found = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
        let told: Vec<String> = found.left.iter().map(Left::element).collect();
        for wanted in ["collection `hires`", "tool `moveHire`", "function `populate`"] {
            assert!(told.iter().any(|element| element == wanted), "{wanted}: {told:?}");
        }
        assert_eq!(fault("shop/desk", &found.texts, &Scripts::new()), None);
        assert_eq!(found.texts.script, mine.script);
        let second = again("shop/desk", &found.kept, &found.texts, &new, &Scripts::new()).unwrap();
        assert_eq!((&second.left, &second.texts), (&found.left, &found.texts));
    }

    #[test]
    fn a_collection_stays_with_a_tool_that_stays() {
        let text = json!({"type": "string"});
        let tools = |name: &str| {
            let crew = json!({"type": "array", "items": {"type": "object", "properties": {name: {"type": "integer"}}}});
            json!([tool("getHire", &json!({"hireId": text})), tool("addHire", &json!({"crew": crew}))])
        };
        let (old, new) = (texts(&made(&tools("count"))), texts(&made(&tools("people"))));
        let mut mine = old.clone();
        mine.script = mine
            .script
            .replace("    it.crew = args.crew;", "    it.crew = args.crew;\n    for one in args.crew { one.count; }");
        assert_ne!(mine, old);
        let found = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
        let told: Vec<String> = found.left.iter().map(Left::element).collect();
        assert_eq!((told, found.texts), (vec!["tool `addHire`".to_owned(), "collection `hires`".to_owned()], mine));
    }

    #[test]
    fn what_a_tool_returns_stays_with_a_function_of_the_authors() {
        let text = json!({"type": "string"});
        let mut lists = tool("listHires", &json!({}));
        lists["outputSchema"] = json!({"type": "object", "properties": {"hires": {"type": "array",
            "items": {"type": "object", "properties": {"hireId": text}}}}});
        let old = texts(&made(&json!([lists, tool("getHire", &json!({"hireId": text}))])));
        lists["outputSchema"] = json!({"type": "object", "properties": {"count": {"type": "integer"}}});
        let new = texts(&made(&json!([lists, tool("getHire", &json!({"hireId": text}))])));
        let mut mine = old.clone();
        mine.script =
            mine.script.replace("let found = db.hires.values();", "let found = db.hires.values().filter(|it| true);");
        assert_ne!(mine, old);
        let found = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
        let told: Vec<(String, &str)> = found.left.iter().map(|left| (left.element(), left.why.as_str())).collect();
        assert!(told.contains(&("function `list_hires`".to_owned(), "")), "{told:?}");
        let goes = "function `list_hires` is yours, and it goes with that";
        assert!(told.contains(&("tool `listHires`, `returns`".to_owned(), goes)), "{told:?}");
        // A tool that the source has no longer stays with its function.
        let less = texts(&made(&json!([tool("getHire", &json!({"hireId": text}))])));
        let found = again("shop/desk", &old, &mine, &less, &Scripts::new()).unwrap();
        assert_eq!(found.texts.environment, mine.environment);
        assert!(found.left.iter().any(|left| left.element() == "tool `listHires`"), "{:?}", found.left);
    }

    #[test]
    fn what_the_author_took_out_stays_out_whatever_becomes_of_it() {
        let old = texts(&made(&json!(lamps())));
        let mine = without_shades(&old);
        let mut tools = lamps();
        tools[2] = tool("getShade", &json!({"shadeId": {"type": "string"}}));
        tools[2]["outputSchema"] = json!({"properties": {"shadeId": {"type": "string"}, "hue": {"type": "string"}}});
        let new = texts(&made(&json!(tools)));
        let found = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap();
        assert_eq!((found.texts, found.left, found.kept), (mine, Vec::new(), new));
        assert_eq!(found.collections, ["lamps"]);
    }

    #[test]
    fn thousands_of_lines_and_the_deepest_nesting_come_together() {
        let old = texts(&made(&json!(lamps())));
        let mut deep = json!({"type": "string"});
        for _ in 0..24 {
            deep = json!({"type": "object", "properties": {"in": deep}});
        }
        let mut tools = lamps();
        tools[1] = tool("moveLamp", &json!({"lampId": {"type": "string"}, "room": {"type": "string"}, "to": deep}));
        let new = texts(&made(&json!(tools)));
        let lines = |word: &str| (0..1_500).map(|i| format!("    // {word} {i}\n")).collect::<String>();
        let with = |word: &str| {
            let mut mine = old.clone();
            mine.script =
                mine.script.replace("    it.room = args.room;", &format!("{}    it.room = args.room;", lines(word)));
            mine
        };
        let (before, mine) = (with("one"), with("other"));
        let found = again("shop/desk", &before, &mine, &new, &Scripts::new()).unwrap();
        assert!(found.left.iter().any(|left| left.element() == "function `move_lamp`"));
        assert_eq!(fault("shop/desk", &found.texts, &Scripts::new()), None);
    }

    #[test]
    fn what_the_source_has_no_longer_goes_unless_the_author_changed_it() {
        let old = texts(&made(&json!(lamps())));
        let new = texts(&made(&json!(lamps()[..2])));
        let found = again("shop/desk", &old, &old, &new, &Scripts::new()).unwrap();
        assert_eq!((found.texts, found.left), (new.clone(), Vec::new()));
        let mut mine = old.clone();
        mine.environment = mine.environment.replace("To getShade.", "A shade.");
        let left = again("shop/desk", &old, &mine, &new, &Scripts::new()).unwrap().left;
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
