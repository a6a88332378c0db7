//! Scripts that mean harm, or mean well and go wrong: each becomes a typed rejection, and the state stays.

use std::collections::BTreeMap;

use probity_engine::{Actor, Difficulty, Environment, Rejection, RejectionKind, Source, Sources, State, ToolCall};
use serde_json::{Value, json};

const HELPERS: &str = r#"
fn forever(n) { forever(n + 1) }
fn deep(n) { if n == 0 { 1 } else { #{ below: deep(n - 1) } } }
fn nest(n) { let value = 1; for i in 0..n { value = [value]; } value }
fn populate(db, rng, size) {
    for i in 0..size.cups {
        let id = "C" + pad(i, 3);
        db.cups[id] = #{ cup_id: id, sips: 3, tags: [] };
    }
}
"#;

/// An environment with one tool, `harm`, that may change one cup; `body` is what it does first.
pub fn environment(effect: &str, body: &str) -> Result<Environment, Vec<String>> {
    let closed = |properties: Value, required: Value| json!({"type": "object", "additionalProperties": false, "properties": properties, "required": required});
    let cup = json!({
        "any": true, "cup_id": {"type": "string"}, "sips": {"type": "integer", "minimum": 0}, "weight": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}}
    });
    let mut tool = json!({
        "name": "harm", "description": "Does harm.", "effect": effect, "returns": true, "errors": ["empty"],
        "parameters": closed(json!({"cup_id": {"type": "string"}}), json!(["cup_id"]))
    });
    if effect == "write" {
        tool["effects"] = json!([{"collection": "cups", "kinds": ["update"], "max_rows": 1}]);
        tool["claims"] = json!(["harmed"]);
    }
    let file = json!({
        "format": 1, "id": "test/hostile", "title": "Hostile", "summary": "A cup.", "clock": "2026-01-01T00:00:00Z",
        "policy": [], "state": {"cups": {"kind": "collection", "key": "cup_id",
            "item": closed(cup, json!(["cup_id", "sips", "tags"]))}},
        "tools": [tool],
        "populate": {"function": "populate", "sizes": {"easy": {"cups": 2}, "medium": {"cups": 20}, "hard": {"cups": 200}}}
    });
    let text = format!("fn harm(db, args) {{\nlet cup = db.cups[args.cup_id];\n{body}\n}}\n{HELPERS}");
    let main = Source { file: "scripts/test/hostile.rhai".to_owned(), text };
    let file = serde_json::from_value(file).unwrap();
    let built = Environment::build(file, Sources { main, libraries: BTreeMap::new() });
    built
        .map(|(environment, _)| environment)
        .map_err(|problems| problems.into_iter().map(|p| p.code.to_owned()).collect())
}

fn call(environment: &Environment, size: Difficulty) -> (State, Rejection) {
    let before = environment.populate(size, 1).unwrap();
    let call = ToolCall { tool: "harm".to_owned(), arguments: json!({"cup_id": "C001"}) };
    let stepped = environment.step(&before, &call, Actor::Agent);
    assert_eq!(stepped.after.hash(), before.hash(), "a refused call leaves the state as it was");
    assert_eq!(stepped.after.sum(), before.sum());
    (before, stepped.result.expect_err("the call is refused"))
}

/// Asserts how a body is refused, and that the agent is told nothing of the host.
fn refused(body: &str, kind: RejectionKind, detail: &str) {
    let built = environment("write", body).unwrap_or_else(|codes| panic!("{body}: {codes:?}"));
    let (_, rejection) = call(&built, Difficulty::Easy);
    let found = rejection.detail.clone().unwrap_or_default();
    assert_eq!(rejection.kind, kind, "{body}\n{found}");
    assert!(found.contains(detail), "{body}\nexpected: {detail}\nfound: {found}");
    let told = serde_json::to_string(&rejection.observation()).unwrap();
    assert!(!told.contains(".rhai") && !told.contains("Rhai") && !told.contains("position"), "{told}");
}

#[test]
fn scripts_that_never_end_run_out_of_operations() {
    let limit = |body| refused(body, RejectionKind::LimitExceeded, "too many operations");
    limit("cup.sips = 2; loop { }");
    limit("cup.sips = 2; while true { cup.sips += 1; }");
    limit("let n = 0; for i in 0..9223372036854775807 { n = i; } n");
    limit("try { loop { } } catch (error) { cup.sips = 2; error }");
    limit("try { loop { } } catch { } cup");
    limit("do { cup.tags.push(\"x\"); cup.tags.pop(); } until false; cup");
}

#[test]
fn closures_burn_the_fuel_of_the_call() {
    let limit = |body| refused(body, RejectionKind::LimitExceeded, "too many operations");
    limit("[1, 2, 3].filter(|n| { loop { } n > 1 })");
    limit("let all = db.cups.values(); all.map(|c| { for i in 0..900000 { c.sips; } c })");
    limit(
        "let list = []; list.pad(1000, 1); list.sort(|a, b| { let n = 0; for i in 0..100000 { n += i; } a - b }); list",
    );
    limit("let list = []; list.pad(1000, 1); let other = list; list.map(|x| other.filter(|y| x == y).len())");
    limit("let f = |g| { loop { } g }; f.call(1)");
}

#[test]
fn recursion_stops_at_the_call_depth() {
    refused("cup.sips = 2; forever(0)", RejectionKind::LimitExceeded, "stack overflow");
    refused("try { forever(0) } catch { } cup", RejectionKind::LimitExceeded, "stack overflow");
    refused("deep(40)", RejectionKind::LimitExceeded, "stack overflow");
    refused("let f = |g, n| g.call(g, n + 1); f.call(f, 0)", RejectionKind::LimitExceeded, "");
}

#[test]
fn growing_values_stop_at_their_size() {
    let limit = |body, detail| refused(body, RejectionKind::LimitExceeded, detail);
    limit("let text = \"ab\"; loop { text += text; }", "length of string too large");
    limit("let text = \"ab\"; text.pad(100000000, 'x'); text", "length of string too large");
    limit("let list = [1]; loop { list += list; }", "size of array");
    limit("let list = []; list.pad(100000000, 1); list", "size of array");
    limit("let map = #{}; for i in 0..200000 { map[i.to_string()] = i; } map", "");
    limit("let text = \"ab\"; try { loop { text += text; } } catch { } cup", "");
}

#[test]
fn thrown_values_are_the_authors_fault() {
    let fault = |body, detail| refused(body, RejectionKind::ScriptFault, detail);
    fault("cup.sips = 2; throw \"oh\"", "oh");
    fault("throw #{ code: \"empty\", message: \"no\" }", "");
    fault("cup.sips = 1 / 0; cup", "zero");
    fault("cup.sips = 9223372036854775807 + 1; cup", "overflow");
    fault("db.cups[\"none\"]", "there is no `none` in `cups`");
    fault("db.cups.insert(\"C001\", #{}); cup", "there is already a `C001`");
    fault("cup.weight", "has no field `weight`");
    fault("let gone = cup; db.cups.remove(args.cup_id); gone.sips", "is gone");
}

#[test]
fn failures_carry_their_code_and_undo_everything() {
    let body = "cup.sips = 0; if cup.sips == 0 { fail(\"empty\", \"the cup is empty\"); } cup";
    let (_, rejection) = call(&environment("write", body).unwrap(), Difficulty::Easy);
    assert_eq!((rejection.kind, rejection.code.as_str()), (RejectionKind::ToolFailed, "empty"));
    let swallowed = "try { fail(\"empty\", \"no\"); } catch (error) { throw error; } cup";
    let (_, rejection) = call(&environment("write", swallowed).unwrap(), Difficulty::Easy);
    assert_eq!(rejection.kind, RejectionKind::ToolFailed);
    let made_up = "let code = \"other\"; fail(code, \"no\"); cup";
    refused(made_up, RejectionKind::ScriptFault, "the code is not among the tool's `errors`");
}

#[test]
fn what_is_no_json_is_not_handed_out() {
    let fault = |body, detail| refused(body, RejectionKind::ScriptFault, detail);
    fault("cup.sips = 2; 0.0 / 0.0", "NaN is not JSON");
    fault("#{ a: [1.0 / 0.0] }", "/a/0: inf is not JSON");
    fault("|x| x + 1", "is not JSON");
    fault("#{ f: Fn(\"deep\") }", "is not JSON");
    fault("db", "is not JSON");
    fault("'x'", "a char is not JSON");
    fault("0..3", "is not JSON");
    fault("9007199254740993", "beyond 2^53 - 1");
    fault("nest(40)", "nested deeper than 32 levels");
}

#[test]
fn what_is_no_json_is_not_kept() {
    let fault = |body, detail| refused(body, RejectionKind::ScriptFault, detail);
    fault("cup.weight = 0.0 / 0.0; cup", "NaN is not JSON");
    fault("cup.tags = [|x| x]; cup", "is not JSON");
    fault("cup.tags = nest(40); cup", "nested deeper");
    fault("cup.sips = 9007199254740993; cup", "beyond 2^53 - 1");
}

#[test]
fn what_the_schema_refuses_is_not_kept() {
    let violation = |body, detail| refused(body, RejectionKind::SchemaViolation, detail);
    violation("cup.sips = -1; cup", "/cups/C001/sips");
    violation("cup.sips = \"three\"; cup", "/cups/C001/sips");
    violation("cup.tags.push(7); cup", "/cups/C001/tags/0");
    violation("cup[\"size\" + \"s\"] = 1; cup", "/cups/C001");
    violation("cup.cup_id = \"C000\"; cup", "/cups/C001/cup_id");
}

#[test]
fn writes_beyond_the_effects_are_refused_even_when_the_refusal_is_caught() {
    let violation = |body, detail| refused(body, RejectionKind::EffectViolation, detail);
    violation("db.cups.remove(args.cup_id); 1", "may not delete /cups/C001");
    violation("db.cups[\"C9\"] = #{ cup_id: \"C9\", sips: 1, tags: [] }; 1", "may not create /cups/C9");
    violation("for c in db.cups.values() { c.sips = 9; } 1", "changed 2 entities");
    violation("try { db.cups.remove(args.cup_id); } catch { } 1", "may not delete /cups/C001");
}

#[test]
fn a_read_that_hides_its_write_from_the_lint_is_refused_when_it_writes() {
    let hidden = "let cups = #{ all: db.cups.values() };\n\
        try { for c in cups.all { c.sips = 7; } } catch { }\n1";
    let built = environment("read", hidden).unwrap();
    let (_, rejection) = call(&built, Difficulty::Easy);
    assert_eq!(rejection.kind, RejectionKind::EffectViolation);
}

#[test]
fn handles_within_values_count_with_all_they_lead_to() {
    let doubling = "let n = 0; while n < 60 { cup.any = [cup, cup]; n += 1; } cup";
    refused(doubling, RejectionKind::LimitExceeded, "too many operations");
    let wide = "let n = 0; while n < 20 { cup.any = [cup, cup, cup, cup, cup, cup, cup, cup]; n += 1; } cup";
    refused(wide, RejectionKind::LimitExceeded, "too many operations");
    let deep = "let n = 0; while n < 9000 { let a = [[[[[cup]]]]]; cup.any = [[[[[a]]]]]; n += 1; } cup";
    refused(deep, RejectionKind::ScriptFault, "nested deeper than 32 levels");
    let table = "let n = 0; while n < 100 { cup.any = [db.cups]; n += 1; } cup";
    refused(table, RejectionKind::ScriptFault, "nested deeper than 32 levels");
}

#[test]
fn what_a_call_writes_and_returns_has_an_end() {
    // Much text is many operations before it is many bytes.
    let limit = |body: String| refused(&body, RejectionKind::LimitExceeded, "too m");
    let text = "let text = \"\"; text.pad(60000, 'x');";
    limit(format!("{text} for i in 0..20000 {{ db.cups.insert(`C${{i}}x`, #{{ cup_id: \"a\", any: text }}); }} cup"));
    limit(format!("{text} for i in 0..20000 {{ cup[`f${{i}}`] = text; }} cup"));
    limit(format!("{text} cup.any = text; let all = []; all.pad(9000, cup); all"));
    limit(format!("{text} try {{ for i in 0..20000 {{ db.cups[text + i] = #{{}}; }} }} catch {{ }} 1"));
}

#[test]
fn long_texts_cost_more_than_one_operation() {
    let limit = |body: String| refused(&body, RejectionKind::LimitExceeded, "is the most)");
    let text = "let text = \"\"; text.pad(65000, 'x'); cup.any = text;";
    let calls = [
        "same_text(text, text)",
        "has_text(text, \"y\")",
        "digits(text)",
        "text.to_upper()",
        "text.split(\"y\")",
        "text.split()",
        "text.contains(\"y\")",
        "cup.any",
        "cup.to_map()",
        "db.cups.where_text(\"any\", text)",
        "db.cups.where(\"any\", text)",
        "db.cups.new_id(\"C\", [text])",
    ];
    for call in calls {
        limit(format!("{text} for i in 0..3000 {{ {call}; }} cup"));
    }
}

#[test]
fn a_handle_in_the_place_of_another_is_a_copy_or_an_error() {
    let build = |body: &str| environment("write", body).unwrap();
    let environment = build("db.cups[\"C000\"] = cup; 1");
    let (_, rejection) = call(&environment, Difficulty::Easy);
    assert!(rejection.detail.unwrap().contains("must repeat the key `C000`"));
    refused("db.cups[\"T2\"] = db.cups[\"C001\"]; 1", RejectionKind::EffectViolation, "may not create /cups/T2");
    refused("db.cups = cup; 1", RejectionKind::ScriptFault, "only records can");
    // A handle that is put where it stands is no write.
    let environment = build("db.cups[\"C001\"] = cup; db.cups = db.cups; db.cups[\"C001\"].sips = 3; 1");
    let before = environment.populate(Difficulty::Easy, 1).unwrap();
    let call = ToolCall { tool: "harm".to_owned(), arguments: json!({"cup_id": "C001"}) };
    let applied = environment.step(&before, &call, Actor::Agent).result.unwrap();
    assert!(applied.delta.is_empty());
}

/// A tool that writes, with this precondition; its body hands its arguments out.
pub fn guarded(precondition: &str) -> Result<Environment, Vec<String>> {
    let base = environment("write", "cup.sips = 1; return args;").unwrap();
    let mut file = base.file().clone();
    let precondition = json!([{"code": "guarded", "message": "No.", "expr": precondition}]);
    file.tools[0].preconditions = serde_json::from_value(precondition).unwrap();
    Environment::build(file, base.sources().clone())
        .map(|(environment, _)| environment)
        .map_err(|problems| problems.into_iter().map(|p| p.code.to_owned()).collect())
}

#[test]
fn a_precondition_reads_only() {
    for name in ["args.cup_id", "\"__wr\" + \"ite\""] {
        let computed = guarded(&format!("Fn({name}).call(db) == ()")).err().unwrap_or_default();
        assert!(computed.contains(&"computed_function".to_owned()), "{computed:?}");
    }
    for made_up in ["Fn(\"__write\").call(db) == ()", "__write(db) == ()", "__refuse(0) == ()"] {
        let codes = guarded(made_up).err().unwrap_or_default();
        assert!(codes.contains(&"unknown_function".to_owned()), "{made_up}: {codes:?}");
    }
    let environment = guarded("args.remove(\"cup_id\") == \"C001\"").unwrap();
    let before = environment.populate(Difficulty::Easy, 1).unwrap();
    let call = ToolCall { tool: "harm".to_owned(), arguments: json!({"cup_id": "C001"}) };
    let applied = environment.step(&before, &call, Actor::Agent).result.unwrap();
    assert_eq!(applied.observation, json!({"cup_id": "C001"}));
}

#[test]
fn mathematics_that_differs_between_machines_is_not_there() {
    for body in ["1.5.sin()", "exp(1.5)", "ln(2.0)", "log(2.0)", "hypot(1.0, 2.0)", "PI()", "to_degrees(1.0)"] {
        let codes = environment("read", body).err().unwrap_or_default();
        assert!(codes.contains(&"unknown_function".to_owned()), "{body}: {codes:?}");
    }
    assert_eq!(environment("read", "2.0 ** 0.5").err().unwrap_or_default(), ["bad_script"]);
    let exact = "[floor(1.5), 1.5.ceiling(), (2.5).round, sqrt(2.25), to_int(-1.9), to_float(3), parse_int(\"7\"),
        parse_int(\"ff\", 16), 1.75.fraction(), abs(-2), min(1, 2), max(1.5, 2.5), parse_float(\"0.5\"), 1.5.int()]";
    let environment = environment("read", exact).unwrap();
    let before = environment.populate(Difficulty::Easy, 1).unwrap();
    let call = ToolCall { tool: "harm".to_owned(), arguments: json!({"cup_id": "C001"}) };
    let applied = environment.step(&before, &call, Actor::Agent).result.unwrap();
    assert_eq!(applied.observation, json!([1, 2, 3, 1.5, -1, 3, 7, 255, 0.75, 2, 1, 2.5, 0.5, 1]));
    refused("to_int(9223372036854775808.0)", RejectionKind::ScriptFault, "no whole number of 64 bits");
}

#[test]
fn the_host_cannot_be_reached() {
    for body in ["import \"x\" as y; 1", "eval(\"1\")", "export cup; 1"] {
        let codes = environment("write", body).err().unwrap_or_default();
        assert_eq!(codes, ["bad_script"], "{body}");
    }
    for body in ["sleep(1)", "timestamp()", "rand()", "open_file(\"/etc/passwd\")", "__write(db)"] {
        let codes = environment("read", body).err().unwrap_or_default();
        assert!(codes.contains(&"unknown_function".to_owned()), "{body}: {codes:?}");
    }
}

/// Each of these took seconds or minutes, a few the process, while one operation could touch any number of values.
#[test]
fn what_an_operation_touches_is_counted() {
    let limit = |body: &str| refused(body, RejectionKind::LimitExceeded, "");
    limit("let a = []; for i in 0..10000 { a = [a]; } a");
    limit("let a = #{}; for i in 0..10000 { a = #{ a: a }; } a");
    limit("let f = |x| x; for i in 0..100000 { let g = f; f = |y| g.call(y); } f.call(1)");
    limit("let a = []; for i in 0..100000 { try { a = [a]; } catch { } } while true { a.len(); }");
    limit("let a = []; a.pad(9000, #{ b: 1 }); loop { let b = a; }");
    limit("let a = []; a.pad(9000, \"text\"); loop { a.len(); }");
    limit("loop { let a = []; a.pad(10000, 1); }");
    limit("loop { let t = \"\"; t.pad(65000, 'x'); }");
    limit("loop { let t = \"\"; t.pad(65000, \"xy\"); }");
    limit("let t = \"\"; t.pad(60000, 'x'); loop { t.index_of(\"y\"); }");
    limit("let t = \"\"; t.pad(60000, 'x'); loop { t == t + \"\"; }");
    limit("let t = \"\"; t.pad(60000, 'x'); loop { \"y\" in t; }");
    limit("let t = \"\"; t.pad(60000, 'x'); let n = 0; loop { n += t[59999].to_int(); }");
    limit("let t = \"\"; t.pad(60000, 'x'); let by = t; t.replace(\"x\", by); t");
    limit("let a = []; for i in 0..9000 { a.push(9000 - i); } loop { let b = a; b.sort(); }");
    limit("let a = []; a.pad(9000, 1); let b = []; b.pad(9000, 1); loop { a == b; }");
    limit("let a = []; a.pad(4000, 1); loop { a + a; }");
    limit("let a = []; a.pad(9000, [1]); loop { a.to_string(); }");
    limit("let m = #{}; for i in 0..5000 { m[i.to_string()] = i; } loop { m + #{ x: 1 }; }");
    limit("for i in 0..100000 { db.cups[`N${i}`] = #{ cup_id: `N${i}`, sips: 1, tags: [] }; db.cups.len(); }");
    limit("for i in 0..500000 { db.cups.new_id(\"C\", i); }");
    limit("let c = db.cups.values(); loop { for d in c { d.sips += 1; } }");
    limit("for i in 0..9223372036854775807 { for c in range(0, 1000000, 3) { } }");
    limit("let a = []; a.pad(9000, #{ b: 1 }); let l = []; l.pad(9000, 1); loop { l.contains(a); }");
    limit("let a = []; a.pad(9000, #{ b: 1 }); let l = []; l.pad(9000, 1); loop { a in l; }");
    limit("let a = []; a.pad(9000, #{ b: 1 }); let l = []; l.pad(9000, 1); loop { l.index_of(a); l.index_of(a, -9); }");
    limit("let k = \"\"; k.pad(60000, 'x'); let m = #{}; for i in 0..100 { m[k + i] = 1; } loop { m.len(); }");
    limit("let t = \"\"; t.pad(60000, 'x'); let all = []; loop { all = [all, t.split(\"x\", 60000)]; }");
    limit("let t = \"\"; t.pad(60000, 'x'); let all = []; loop { all = [all, t.split_rev('x')]; }");
    limit("let a = []; a.pad(9000, #{ b: 1 }); let all = []; for i in 0..9000 { all = [all, a]; } all");
}

#[test]
fn populate_writes_no_more_than_it_may() {
    let base = environment("write", "cup").unwrap();
    let mut file = base.file().clone();
    let easy = BTreeMap::from([("cups".to_owned(), 1_000_000)]);
    file.populate.sizes.insert(Difficulty::Easy, easy);
    let refused = Environment::build(file, base.sources().clone()).err().unwrap();
    assert!(refused.iter().any(|problem| problem.code == "count_too_large"), "{refused:?}");
    let mut endless = base.sources().clone();
    endless.main.text =
        endless.main.text.replace("for i in 0..size.cups {", "loop { pad(1, 3); } for i in 0..size.cups {");
    let (environment, _) = Environment::build(base.file().clone(), endless).unwrap();
    assert_eq!(environment.populate(Difficulty::Easy, 1).err().unwrap(), "too many operations (2000000 is the most)");
}
