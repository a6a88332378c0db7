//! An import after the author's edits: what came from the source changes, what the author wrote stays. Both files are
//! brought together by their elements (a tool, a collection, a count, a function), so that a new tool comes with all
//! that it needs or not at all.

use std::collections::BTreeSet;

use probity_engine::format::format;
use probity_engine::load::environment::Scripts;

use crate::document::Node;
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fault::fault;
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
