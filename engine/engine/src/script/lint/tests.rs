use std::collections::BTreeMap;

use serde_json::json;

use crate::environment::Environment;
use crate::model::diagnostic::{Place, Problem};
use crate::model::pattern::CallPattern;
use crate::script::sources::{Source, Sources};

const POPULATE: &str = "fn populate(db, rng, size) { db.desk = #{ limit: rng.below(size.cups) }; }";

/// What is wrong when a tool `look(cup_id, note?)` that reads has this body (from line 2 on).
fn lint(body: &str) -> Vec<String> {
    match built(body) {
        Ok((_, warnings)) => texts(warnings),
        Err(problems) => texts(problems),
    }
}

fn built(body: &str) -> Result<(Environment, Vec<Problem>), Vec<Problem>> {
    let text = format!("fn look(db, args) {{\n{body}\n}}\n{POPULATE}");
    let part = |properties| json!({"type": "object", "additionalProperties": false, "properties": properties});
    let lid = part(json!({"colour": {"type": "string"}}));
    let cup = json!({
        "type": "object", "additionalProperties": false, "required": ["cup_id"],
        "properties": {"cup_id": {"type": "string"}, "sips": {"type": "integer"}, "lid": lid,
            "state": {"type": "string", "enum": ["full", "empty"]},
            "tags": {"type": "array", "items": {"type": "string"}}, "parts": {"type": "array", "items": lid},
            "free": {"type": "object", "additionalProperties": {"type": "string"}}}
    });
    let file = json!({
        "format": 1, "id": "test/lint", "title": "Lint", "summary": "Cups.", "clock": "2026-01-01T00:00:00Z",
        "policy": [], "populate": {"function": "populate", "sizes": {"easy": {"cups": 1}, "medium": {"cups": 2}, "hard": {"cups": 3}}},
        "state": {
            "cups": {"kind": "collection", "key": "cup_id", "item": cup},
            "desk": {"kind": "record", "item": part(json!({"limit": {"type": "integer"}}))}},
        "tools": [{"name": "look", "description": "Looks.", "effect": "read", "returns": true,
            "parameters": part(json!({"cup_id": {"type": "string"}, "note": {"type": "string"}}))}]
    });
    let main = Source { file: "main".to_owned(), text };
    let library = Source { file: "tea".to_owned(), text: "fn first() { [\"mint\"] }".to_owned() };
    Environment::build(
        serde_json::from_value(file).unwrap(),
        Sources { main, libraries: BTreeMap::from([("tea".to_owned(), library)]) },
    )
}

fn texts(problems: Vec<Problem>) -> Vec<String> {
    let text = |problem: Problem| {
        let place = match &problem.place {
            Place::Script { file, line, column } => format!("{file}:{line}:{column}"),
            Place::Pointer(pointer) | Place::Key(pointer) => pointer.clone(),
        };
        format!("{place} {}: {}", problem.code, problem.message)
    };
    problems.into_iter().map(text).collect()
}

#[test]
fn what_authors_write_is_let_pass() {
    let bodies = [
        "db.cups[args.cup_id]",
        "if \"note\" in args { print(args.note); } args.get(\"note\", \"\")",
        "let all = db.cups.values(); all.filter(|c| c.sips > 1 && \"x\" in c.tags).map(|c| c.lid.colour)",
        "let n = 0; for c in db.cups.values() { n += c.sips; } n",
        "let best = (); for c in db.cups.values() { if best == () || c.sips > best.sips { best = c; } } best",
        "let near = db.cups[args.cup_id].tags; near.push(\"x\"); near",
        "let near = db.cups[args.cup_id].tags; near.push(\"x\"); near.len()",
        "let lid = db.cups[args.cup_id].lid; lid.colour = \"red\"; #{ lid: lid }",
        "let line = db.cups[args.cup_id].to_map(); line.extra = 1; line.extra + line.sips",
        "let out = []; for c in db.cups.values() { out.push(c); } out.sort(|a, b| compare(a.sips, b.sips)); out[0].sips",
        "let c = db.cups.get(args.cup_id); if c == () { return 0; } c.sips",
        "let c = db.cups.find(\"sips\", 3) ?? db.cups.values()[0]; c?.sips",
        "let by = #{}; for c in db.cups.values() { by[c.cup_id] = c.sips; } by.keys().len() + by.values().len()",
        "db.cups[args.cup_id].free.anything.at.all",
        "let free = db.cups[args.cup_id].free; free[\"anything\"]",
        "db.desk.limit + db.cups.count(\"sips\", 1) + db.cups.sum(\"sips\") + db.cups.len()",
        "let _seen = db.cups.keys(); tea::first()",
        "switch args.cup_id { \"a\" => db.cups[\"a\"].sips, \"b\" if db.desk.limit > 1 => 2, _ => 3 }",
        "let f = |c| c.sips; let all = db.cups.values(); all.map(f)",
        "let total = db.cups.values().reduce(|sum, c| sum + c.sips, 0); total",
        "try { db.cups[args.cup_id].sips } catch (error) { error.to_string() }",
        "let map = #{ inner: #{ value: 1 } }; map.inner.value += 1; map",
        "let x = if db.desk.limit > 0 { db.cups[args.cup_id] } else { db.cups[\"none\"] }; x.sips",
        "let text = `${db.desk.limit} of ${args.cup_id}`; text.to_upper().len",
        "is_full(db.cups[args.cup_id])\n}\nfn is_full(cup) { cup.sips > 3",
        "is_full(db, args.cup_id)\n}\nprivate fn is_full(db, id) { let cup = db.cups[id]; cup.sips > fill(cup)\n}\nfn fill(c) { c.sips",
    ];
    let found: Vec<(&str, Vec<String>)> = bodies.into_iter().map(|body| (body, lint(body))).collect();
    let wrong: Vec<_> = found.iter().filter(|(_, problems)| !problems.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn names_are_followed_to_where_they_come_from() {
    let cases = [
        ("let c = db.cups.get(args.cup_id); c.sip", "unknown_field: `cups` has no field `sip`"),
        ("let c = db.cups.find(\"sip\", 1); c", "unknown_field: `cups` has no field `sip`"),
        ("db.cups.values().map(|c| c.sip)", "unknown_field: `cups` has no field `sip`"),
        ("db.cups.values().filter(|c| c.lid.color == \"\")", "unknown_field: the map has no field `color`"),
        ("let n = 1; db.cups.values().some(|c| c.sip > n)", "unknown_field: `cups` has no field `sip`"),
        ("for p in db.cups[\"a\"].parts { print(p.color); }", "unknown_field: the map has no field `color`"),
        ("db.cups[\"a\"][\"sip\"]", "unknown_field: `cups` has no field `sip`"),
        ("db.desk.limits", "unknown_field: `desk` has no field `limits`"),
        ("pick(db).sip\n}\nfn pick(db) { db.cups.values()[0]", "unknown_field: `cups` has no field `sip`"),
        ("sip(db.cups[\"a\"])\n}\nfn sip(c) { c.sip", "unknown_field: `cups` has no field `sip`"),
        ("helper(args)\n}\nfn helper(wanted) { wanted.cup", "unknown_parameter: there is no parameter `cup`"),
        ("args[\"cup\"]", "unknown_parameter: there is no parameter `cup`"),
        (
            "db.cups.values().push(1); tea::frist()",
            "unknown_function: there is no function `tea::frist` with no arguments",
        ),
        ("db.cups.put(\"a\", #{})", "unknown_function: a collection has no method `put`"),
        ("db.cups.has()", "unknown_function: `has` of a collection is not called with no arguments"),
        ("db.values()", "unknown_function: `db` has no method `values`"),
        ("__write(db)", "unknown_function: there is no function `__write` with 1 argument"),
        ("\"a\".pad(1, 2, 3)", "unknown_function: `.pad` is not called with 3 arguments"),
    ];
    let without_place = |text: String| text.split_once(' ').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    let found = cases.map(|(body, _)| (body, lint(body).into_iter().map(without_place).collect::<Vec<_>>()));
    let wrong: Vec<_> = found.iter().zip(cases).filter(|((_, found), (_, expected))| found != &[*expected]).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn writes_of_a_read_are_found_wherever_they_hide() {
    let writes = [
        "db.cups[\"a\"].sips = 1;",
        "let c = db.cups[\"a\"]; c.sips += 1;",
        "db.desk.limit = 1;",
        "db.cups[\"a\"].tags.push(\"x\");",
        "db.cups[\"a\"].lid.colour = \"x\";",
        "for c in db.cups.values() { c.sips = 1; }",
        "let all = db.cups.values(); all[0].sips = 1;",
        "db.cups.remove(\"a\");",
        "db.cups[\"a\"] = #{ cup_id: \"a\" };",
        "if false { db.desk.limit = 1; }",
        "drink(db);\n}\nfn drink(db) { sip(db.cups[\"a\"]);\n}\nfn sip(c) { c.sips -= 1;",
    ];
    for body in writes {
        let found = lint(body);
        assert_eq!(found.len(), 1, "{body}: {found:?}");
        assert!(found[0].contains(" read_tool_writes: `look` only reads, but "), "{body}: {found:?}");
    }
}

#[test]
fn copies_that_are_written_into_and_forgotten_are_lost() {
    let lost = [
        "let lid = db.cups[\"a\"].lid; lid.colour = \"x\";",
        "let tags = db.cups[\"a\"].tags; tags.push(\"x\");",
        "for p in db.cups[\"a\"].parts { p.colour = \"x\"; }",
        "let parts = db.cups[\"a\"].parts; parts[0].colour = \"x\";",
    ];
    for body in lost {
        let found = lint(body);
        assert_eq!(found.len(), 1, "{body}: {found:?}");
        assert!(found[0].contains(" lost_write: "), "{body}: {found:?}");
    }
}

#[test]
fn predicates_of_constraints_are_read_too() {
    let (environment, _) = built("db.cups[args.cup_id]").unwrap();
    let problem = |text: &str| environment.pattern(&text.parse::<CallPattern>().unwrap()).err().map(|p| p.message);
    assert_eq!(problem("look where db.cups.values().some(|c| c.sips > 1)"), None);
    assert_eq!(problem("look where args.cup == 1"), Some("there is no parameter `cup`".to_owned()));
    assert_eq!(problem("look where look(db, args).sip == 1"), Some("`cups` has no field `sip`".to_owned()));
    assert_eq!(problem("look where db.cups.remove(\"a\") == ()"), Some("an expression cannot write".to_owned()));
    let some = "look where db.cups.values().some(|c| c.sip > 1)";
    assert_eq!(problem(some), Some("`cups` has no field `sip`".to_owned()));
}

#[test]
fn a_listed_value_is_compared_with_its_own_values() {
    let cup = "let c = db.cups[\"a\"];";
    for (body, text) in [
        ("c.state == \"ful\"", "ful"),
        ("\"emtpy\" != c.state", "emtpy"),
        ("c.state in [\"full\", \"gone\"]", "gone"),
        ("db.cups.values().some(|it| it.state == \"ful\")", "ful"),
    ] {
        let found = lint(&format!("{cup}\n{body}"));
        let wanted = format!("impossible_value: the value is never \"{text}\"");
        assert!(found.iter().any(|line| line.ends_with(&wanted)), "{body}: {found:?}");
    }
    for body in [
        "c.state == \"full\"",
        "c.state in [\"full\", \"empty\"]",
        "c.state == args.note",
        "c.state == ()",
        "c.cup_id == \"x\"",
    ] {
        assert_eq!(lint(&format!("{cup}\n{body}")), [""; 0], "{body}");
    }
}

/// The arguments of a method are read once: twice, and twenty pushes within each other take seconds.
#[test]
fn nested_pushes_are_read_once() {
    let nested = (0..20).fold("1".to_owned(), |inner, _| format!("o.push({inner})"));
    assert_eq!(lint(&format!("let o = []; {nested}; o")), Vec::<String>::new());
}

#[test]
fn functions_are_named_in_quotes() {
    let found = lint("let name = args.note; Fn(name).call(1)");
    assert_eq!(found, ["main:2:23 computed_function: `Fn` needs the name of a function in quotes"]);
    assert_eq!(lint("Fn(\"nope\").call(1)"), ["main:2:1 unknown_function: there is no function `nope`"]);
}

#[test]
fn what_a_native_never_returns_is_compared_with_nothing() {
    let day = "let day = today();";
    for (body, place, message) in [
        ("weekday(day) != \"Sunday\"", "main:3:14", "`weekday` never returns \"Sunday\""),
        ("if \"sun\" == weekday(day) { 1 } else { 2 }", "main:3:10", "`weekday` never returns \"sun\""),
        ("weekday(day) in [\"saturday\", \"Sun\"]", "main:3:14", "`weekday` never returns \"Sun\""),
        ("compare(day, args.cup_id) == 2", "main:3:27", "`compare` never returns 2"),
        ("digits(day) == 20260611", "main:3:13", "`digits` never returns 20260611"),
        ("today() == \"11 June\"", "main:3:9", "`today` never returns \"11 June\""),
        ("days_until(day) == \"2\"", "main:3:17", "`days_until` never returns \"2\""),
    ] {
        let mut found = lint(&format!("{day}\n{body}"));
        found.retain(|found| !found.contains("unused_variable"));
        assert_eq!(found, [format!("{place} impossible_value: {message}")], "{body}");
    }
    for body in [
        "weekday(day) != \"sunday\"",
        "weekday(day) in [\"saturday\", \"sunday\"]",
        "compare(day, args.cup_id) == -1",
        "digits(day) == \"20260611\"",
        "add_days(day, 1) == \"2026-06-11\"",
        "weekday(day) == args.cup_id",
        "add_minutes(day + \"T09:00:00Z\", 1) == \"9999-12-31T23:59:59Z\"",
    ] {
        assert_eq!(lint(&format!("{day}\n{body}")), [""; 0], "{body}");
    }
}
