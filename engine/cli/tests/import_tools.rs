//! Tools of others as they come: lists of MCP servers, a server that is asked, OpenAPI documents.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{
    cases, code, contents, err, json as said_json, out, probity, probity_at, root, said, scratch, succeeded,
};

fn import(from: &[&str], to: &Path) -> Value {
    let start = ["--json", "import"].into_iter().chain(from.iter().copied());
    said_json(&succeeded(probity(&start.chain(["--out", to.to_str().unwrap()]).collect::<Vec<_>>())))
}

fn file(name: &str) -> String {
    cases("import").join(name).to_str().unwrap().to_owned()
}

/// What each of some calls gives, played one after the other.
fn played(root: &Path, id: &str, calls: &[(&str, Value)]) -> Vec<Value> {
    let lines = calls.iter().map(|(tool, arguments)| format!("{tool} {arguments}\n"));
    let mut play = crate::support::binary()
        .args(["--root", root.to_str().unwrap(), "play", id, "--json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut play.stdin.take().unwrap(), lines.collect::<String>().as_bytes()).unwrap();
    let output = play.wait_with_output().unwrap();
    out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_list_of_tools_becomes_a_world_that_plays() {
    let root = scratch("import-mcp");
    let found = import(&["mcp", "--tools", &file("repairs.json"), "--id", "shop/repairs"], &root);
    assert_eq!(found["collections"], json!(["bikes", "customers", "reminders", "repairs"]));
    insta::with_settings!({snapshot_path => "../../../snapshots/import", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("repairs_environment", contents(root.join("environments/shop/repairs.json")));
        insta::assert_snapshot!("repairs_script", contents(root.join("scripts/shop/repairs.rhai")));
    });
    let checked = probity_at(&root, &["check", "--all"]);
    assert!(code(&checked) == 0 && out(&checked).contains("9/9 tools succeeded"), "{}", said(&checked));
    let steps = played(
        &root,
        "shop/repairs",
        &[
            ("createRepair", json!({"bikeId": "B0001", "parts": [{"partId": "chain", "count": 1}]})),
            ("getRepair", json!({"repairId": "R0006"})),
            ("listRepairs", json!({"bikeId": "B0001"})),
            ("cancelRepair", json!({"repairId": "R0006"})),
            ("getRepair", json!({"repairId": "R9999"})),
            ("updateCustomer", json!({"customerId": "C0002", "address": {"street": "Mill Lane 4", "town": "Orre"}})),
            ("deleteReminder", json!({"reminderId": 2})),
            ("deleteReminder", json!({"reminderId": 2})),
        ],
    );
    let text = serde_json::to_string(&steps).unwrap();
    for wanted in [
        r#""repairId":"R0006""#,
        r#""status":"cancelled""#,
        "repair_not_found",
        r#""street":"Mill Lane 4""#,
        r#""deleted":true"#,
        "reminder_not_found",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn an_openapi_document_becomes_a_world_that_plays() {
    let root = scratch("import-openapi");
    let found = import(&["openapi", &file("library.yaml"), "--id", "town/library"], &root);
    let first = &found["guesses"][0];
    assert_eq!(
        (&first["tool"], &first["says"]),
        (&json!("searchBooks"), &json!("reads")),
        "a POST that reads comes first"
    );
    let notes: Vec<&str> =
        found["notes"].as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap()).collect();
    assert!(notes.contains(&"a pattern that is not regular is left out"), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("holds itself")), "{notes:?}");
    let checked = probity_at(&root, &["check", "--all"]);
    assert!(code(&checked) == 0 && out(&checked).contains("7/7 tools succeeded"), "{}", said(&checked));
    let text = contents(root.join("environments/town/library.json"));
    assert!(
        !text.contains("X-Trace") && text.contains("\"price?\": {\"exclusiveMinimum\": 0, \"type\": \"number\"}"),
        "{text}"
    );
}

#[test]
fn what_the_author_changed_stays_when_tools_are_imported_again() {
    let root = scratch("import-again");
    let tools = root.join("tools.json");
    fs::write(&tools, contents(file("repairs.json"))).unwrap();
    let from = ["mcp", "--tools", tools.to_str().unwrap(), "--id", "shop/repairs"];
    import(&from, &root);
    let environment = root.join("environments/shop/repairs.json");
    let edited =
        contents(&environment).replace("\"title\": \"Tools of an MCP server\"", "\"title\": \"A bicycle workshop\"");
    fs::write(&environment, &edited).unwrap();
    let same = import(&from, &root);
    assert_eq!((&same["diff"], contents(&environment) == edited), (&json!(""), true));
    let newer = contents(&tools).replace("All repairs, newest last.", "All repairs, oldest first.");
    fs::write(&tools, newer.replace("A customer with address and phone.", "A customer.")).unwrap();
    let changed = import(&from, &root);
    let diff = changed["diff"].as_str().unwrap();
    assert!(
        diff.contains("+   \"description\": \"All repairs, oldest first.\"") && !diff.contains("workshop"),
        "{diff}"
    );
    let text = contents(&environment);
    assert!(text.contains("A bicycle workshop") && text.contains("All repairs, oldest first."), "{text}");
    // What both changed is told, and the author's stands.
    fs::write(&environment, text.replace("A customer.", "Who somebody is.")).unwrap();
    fs::write(&tools, contents(&tools).replace("A customer.", "One customer.")).unwrap();
    let again = |more: &[&str]| {
        let start = ["--json", "import"].into_iter().chain(from).chain(["--out", root.to_str().unwrap()]);
        let output = probity(&start.chain(more.iter().copied()).collect::<Vec<_>>());
        (code(&output), serde_json::from_str::<Value>(&out(&output)).unwrap()["left"].clone())
    };
    // Until it is solved it is told each time.
    for _ in 0..2 {
        let (code, left) = again(&[]);
        assert_eq!((code, &left[0]["source"]), (1, &json!("\"One customer.\"")), "{left}");
        assert_eq!(left[0]["element"], "tool `getCustomer`, `description`");
        assert!(contents(&environment).contains("Who somebody is."));
    }
    assert_eq!((again(&["--keep-mine"]).0, again(&[])), (0, (0, json!([]))));
    assert!(contents(&environment).contains("Who somebody is."));
    // Without what was kept nothing says whose an edit is.
    fs::remove_file(root.join("imports/shop/repairs.json")).unwrap();
    let output = probity(&["import", "mcp", "--tools", from[2], "--id", from[4], "--out", root.to_str().unwrap()]);
    let text = err(&output);
    assert!(code(&output) == 2 && text.contains("`imports/shop/repairs.json`") && text.contains("missing"), "{text}");
}

fn text() -> Value {
    json!({"type": "string"})
}

fn one(name: &str, properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({"name": name, "description": format!("To {name}."), "inputSchema": {"type": "object", "properties": properties, "required": required}})
}

/// A project with the tools of a boat hire, and what `import` says of these when they are other ones.
struct Project {
    root: std::path::PathBuf,
}

impl Project {
    fn of(name: &str, tools: &Value) -> Project {
        let project = Project { root: scratch(name) };
        assert_eq!(project.import(tools, &[]).0, 0);
        project
    }

    fn import(&self, tools: &Value, more: &[&str]) -> (i32, Value) {
        let list = self.root.join("tools.json");
        fs::write(&list, json!({"tools": tools}).to_string()).unwrap();
        let given = ["--json", "import", "mcp", "--tools", list.to_str().unwrap(), "--id", "hire/boats", "--out"];
        let output = probity(
            &given.into_iter().chain([self.root.to_str().unwrap()]).chain(more.iter().copied()).collect::<Vec<_>>(),
        );
        (code(&output), serde_json::from_str(&out(&output)).unwrap_or_else(|_| panic!("{}", said(&output))))
    }

    fn edit(&self, from: &str, to: &str) {
        let path = self.root.join("scripts/hire/boats.rhai");
        let before = contents(&path);
        assert!(before.contains(from), "{before}");
        fs::write(path, before.replace(from, to)).unwrap();
    }

    fn is_clean(&self) {
        let checked = probity_at(&self.root, &["check"]);
        assert_eq!(code(&checked), 0, "{}", said(&checked));
    }
}

#[test]
fn a_line_that_the_author_and_the_source_changed_is_a_conflict_that_can_be_ended() {
    let day = json!({"type": "string", "format": "date"});
    let tools = |moved: &Value| json!([one("getHire", &json!({"hireId": text()})), one("moveHire", moved)]);
    let project = Project::of("import-conflict", &tools(&json!({"hireId": text(), "day": day})));
    project.edit("it.day = add_days(today(), rng.below(60));", "it.day = \"2026-03-04\";");
    let newer = tools(&json!({"hireId": text(), "day": day, "crew": {"type": "integer"}}));
    for _ in 0..2 {
        let (code, said) = project.import(&newer, &[]);
        assert_eq!((code, &said["left"][0]["element"]), (1, &json!("function `populate`")), "{said:#}");
        project.is_clean();
    }
    assert_eq!(project.import(&newer, &["--keep-mine"]).0, 0);
    assert_eq!(project.import(&newer, &[]).1["left"], json!([]));
    project.is_clean();
}

#[test]
fn what_an_import_wrote_passes_check_or_says_what_to_change_and_where() {
    let lines = |name: &str| json!({"type": "array", "items": {"type": "object", "properties": {name: {"type": "integer"}}, "required": [name]}});
    let tools = |name: &str, day: &str| {
        let mut get = one("getHire", &json!({"hireId": text()}));
        get["outputSchema"] = json!({"type": "object", "properties": {"hireId": text(), "count": {"type": "integer"}}});
        json!([
            get,
            one("addHire", &json!({"boat": text(), "crew": lines(name)})),
            one("moveHire", &json!({"hireId": text(), day: {"type": "string", "format": "date"}}))
        ])
    };
    let project = Project::of("import-passes", &tools("count", "day"));
    project.edit(
        "    it.boat = args.boat;",
        "    it.boat = args.boat;\n    let all = 0;\n    for each in args.crew { all += each.count; }",
    );
    project.edit("    it.day = args.day;", "    let to = args.day;\n    it.day = to;");
    project.is_clean();
    let (code, said) = project.import(&tools("people", "day"), &[]);
    let gone = json!([{"file": "scripts/hire/boats.rhai", "line": 16, "name": "count", "of": "tool `addHire`", "new": ["people"]}]);
    assert_eq!((code, &said["gone"], &said["left"], &said["wrong"]), (1, &gone, &json!([]), &json!([])), "{said:#}");
    let line = contents(project.root.join("scripts/hire/boats.rhai")).lines().nth(15).unwrap_or_default().to_owned();
    assert!(line.contains("each.count"), "{line}");
    // The field goes from the collection, the tool and what fills it together, or from none.
    let (code, said) = project.import(&tools("people", "date"), &[]);
    let left: Vec<&str> =
        said["left"].as_array().unwrap().iter().map(|left| left["element"].as_str().unwrap()).collect();
    assert!(code == 1 && left.contains(&"collection `hires`") && left.contains(&"function `populate`"), "{said:#}");
    project.is_clean();
    // What a task needs and the source has no longer is told at its line.
    fs::create_dir_all(project.root.join("tasks/hire/boats")).unwrap();
    fs::write(
        project.root.join("calls.txt"),
        "moveHire {\"hireId\": \"H0001\", \"day\": \"2026-03-05\"}\nsave task later\n",
    )
    .unwrap();
    let play = crate::support::binary()
        .args(["--root", project.root.to_str().unwrap(), "play", "hire/boats"])
        .stdin(fs::File::open(project.root.join("calls.txt")).unwrap())
        .output()
        .unwrap();
    assert!(project.root.join("tasks/hire/boats/later.json").is_file(), "{}", crate::support::said(&play));
    let less = json!([one("getHire", &json!({"hireId": text()}))]);
    project.edit("    let to = args.day;\n    it.day = to;", "    it.day = args.day;");
    let (code, said) = project.import(&less, &[]);
    let wrong = said["wrong"].as_array().unwrap();
    assert!(code == 1 && wrong.iter().any(|found| found["file"] == "tasks/hire/boats/later.json"), "{said:#}");
}

#[test]
fn an_import_goes_over_its_own_kind_of_source_into_a_folder() {
    let tools = json!([one("getHire", &json!({"hireId": text()}))]);
    let project = Project::of("import-kinds", &tools);
    let out = project.root.to_str().unwrap();
    let output = probity(&["import", "openapi", &file("library.yaml"), "--id", "hire/boats", "--out", out]);
    let wanted = "`hire/boats` was made of tools of an MCP server, and this is an OpenAPI document";
    assert!(code(&output) == 2 && err(&output).contains(wanted), "{}", said(&output));
    let list = project.root.join("tools.json");
    let list = list.to_str().unwrap();
    let output = probity(&["import", "mcp", "--tools", list, "--id", "hire/boats", "--out", list]);
    assert!(code(&output) == 2 && err(&output).contains("is no folder"), "{}", said(&output));
    assert_eq!(code(&probity_at(&project.root, &["fmt"])), 0, "tasks may be missing");
}

#[test]
fn prose_of_a_change_that_may_be_left_out_is_warned_of() {
    let move_it = json!({"name": "moveHire", "inputSchema": {"type": "object", "properties": {"hireId": text(), "day": text(), "reason": text()}, "required": ["hireId", "day"]}});
    let project = Project::of("import-prose", &json!([one("getHire", &json!({"hireId": text()})), move_it]));
    let path = project.root.join("environments/hire/boats.json");
    let before = contents(&path);
    let with = before.replace("\"claims\": [\"moved\"]", "\"claims\": [\"moved\"], \"free_text\": [\"reason\"]");
    assert_ne!(with, before);
    fs::write(&path, &with).unwrap();
    let warned = out(&probity_at(&project.root, &["check"]));
    assert!(warned.contains("optional_free_text") && warned.contains("none given"), "{warned}");
    let given = with.replace(
        "\"reason?\": {\"type\": \"string\"}",
        "\"reason?\": {\"is\": \"string\", \"default\": \"none given\"}",
    );
    assert!(given.contains("none given"), "{given}");
    fs::write(&path, given).unwrap();
    let warned = out(&probity_at(&project.root, &["check"]));
    assert!(!warned.contains("optional_free_text"), "{warned}");
}

/// What was just made is found, whatever a list asks for unless told otherwise.
#[test]
fn what_was_just_made_is_listed() {
    let root = scratch("import-made");
    let (text, kind) = (json!({"type": "string"}), json!({"type": "string", "enum": ["open", "shut"]}));
    let shown = json!({"type": "array", "items": {"properties": {"jarId": text, "shelf": text, "kind": kind}}});
    let tools = json!({"tools": [
        {"name": "addJar", "inputSchema": {"properties": {"shelf": text}, "required": ["shelf"]}},
        {"name": "listJars", "inputSchema": {"properties": {
            "shelf": {"type": ["string", "null"], "default": null},
            "kind": {"type": "string", "enum": ["open", "shut"], "default": "open"}}}, "outputSchema": shown},
    ]});
    fs::write(root.join("tools.json"), tools.to_string()).unwrap();
    let found = import(&["mcp", "--tools", root.join("tools.json").to_str().unwrap(), "--id", "shop/jars"], &root);
    assert!(found["guesses"].to_string().contains("leaves `kind` out"), "{found:#}");
    let list = |arguments: Value| ("listJars", arguments);
    let calls = [("addJar", json!({"shelf": "S1"})), list(json!({})), list(json!({"kind": "shut"}))];
    let steps = played(&root, "shop/jars", &calls);
    assert!(steps[1].to_string().contains("J0006") && !steps[2].to_string().contains("J0006"), "{steps:#?}");
}

#[test]
fn a_server_is_asked_in_either_era() {
    for (era, title) in [("legacy", "Lamps"), ("modern", "Tools of an MCP server")] {
        let root = scratch(&format!("import-server-{era}"));
        let found = import(&["mcp", "--command", &format!("python3 {} {era}", file("server.py"))], &root);
        assert_eq!((&found["tools"], &found["id"]), (&json!(2), &json!("imported/server")));
        assert!(contents(root.join("environments/imported/server.json")).contains(title));
        assert_eq!(code(&probity_at(&root, &["check"])), 0);
    }
    let root = scratch("import-server-late");
    for (command, message) in [
        (format!("python3 {} late", file("server.py")), "before it answered `tools/list`"),
        (format!("python3 {} long", file("server.py")), "its next page has more than 4096 bytes"),
        ("./there-is-no-such-server".to_owned(), "does not start"),
    ] {
        let output = probity(&["import", "mcp", "--command", &command, "--out", root.to_str().unwrap()]);
        assert!(code(&output) == 2 && err(&output).contains(message), "{}", said(&output));
    }
}

#[test]
fn what_is_no_source_is_refused_with_a_help_line() {
    let root = scratch("import-refused");
    let at = root.join("source");
    let deep = "[".repeat(300) + &"]".repeat(300);
    let deeper = format!("{{\"openapi\": {deep}}}");
    for (kind, text, message) in [
        ("mcp", "{\"tools\": []}", "there are no tools in it"),
        ("mcp", "\u{feff}{\"tools\": []}", "there are no tools in it"),
        ("mcp", "not json", "source`: line 1, column 2: this is no JSON\n"),
        ("mcp", &deep, "the values are nested more than 127 deep\n"),
        ("openapi", &deeper, "the values are nested more than 127 deep\n"),
        ("mcp", "{\"tools\": [{\"name\": \"do it!\"}]}", "`do it!` is left out: a tool's name has letters"),
        ("openapi", "swagger: '2.0'\npaths: {}\n", "it is of Swagger 2.0"),
        ("openapi", "{\"openapi\": \"3.1.0\", \"paths\": {}}", "there are no tools in it"),
        ("openapi", "a: [b", "it is neither JSON"),
    ] {
        fs::write(&at, text).unwrap();
        let (at, to) = (at.to_str().unwrap(), root.join("out"));
        let source = if kind == "mcp" { vec!["import", kind, "--tools", at] } else { vec!["import", kind, at] };
        let output = probity(&[source, vec!["--out", to.to_str().unwrap()]].concat());
        assert!(
            code(&output) == 2 && err(&output).contains(message) && err(&output).contains("help: "),
            "{}",
            said(&output)
        );
        assert!(!to.exists(), "nothing is written");
    }
    let output = probity(&["import", "mcp", "tools.json", "--out", root.to_str().unwrap()]);
    assert!(code(&output) == 2 && err(&output).contains("help: write `--tools tools.json`"), "{}", said(&output));
}

/// A wrapper such as `npx` has the server as a child: both end, and what they print has a bound.
#[test]
fn a_server_ends_with_all_that_it_began_and_cannot_flood() {
    let root = scratch("import-server-child");
    let (pid, floods) = (root.join("pid"), root.join("floods.sh"));
    let wrapper = root.join("wrapper.sh");
    let server = file("server.py");
    fs::write(&wrapper, format!("sleep 600 &\necho $! > {}\npython3 {server} legacy\n", pid.display())).unwrap();
    import(&["mcp", "--command", &format!("sh {}", wrapper.display())], &root.join("out"));
    let child = contents(&pid);
    let state = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
    fs::write(&floods, "tr '\\0' x < /dev/zero\n").unwrap();
    let command = format!("sh {}", floods.display());
    let output = probity(&["import", "mcp", "--command", &command, "--out", root.join("flood").to_str().unwrap()]);
    assert!(code(&output) == 2 && err(&output).contains("printed more than 64 MiB"), "{}", said(&output));
}

#[test]
fn more_than_an_environment_holds_is_refused_before_it_is_written() {
    let root = scratch("import-large");
    let (at, out) = (root.join("large.json"), root.join("out"));
    let field =
        |number: usize| (format!("field{number}"), json!({"type": "string", "description": "word ".repeat(100)}));
    let properties: Value = Value::Object((0..200).map(field).collect());
    let tool = |number: usize| json!({"name": format!("make{number:03}"), "inputSchema": {"properties": properties}});
    fs::write(&at, json!({"tools": (0..200).map(tool).collect::<Vec<_>>()}).to_string()).unwrap();
    let from = ["import", "mcp", "--tools", at.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let output = probity(&from);
    let text = err(&output);
    assert!(code(&output) == 2 && text.contains("8 MiB") && text.contains("`--only`"), "{}", said(&output));
    assert!(!out.exists(), "nothing is written");
    assert_eq!(code(&probity(&[&from[..], &["--only", "make00"]].concat())), 0);
    // What is no file may never end.
    let output = probity(&["import", "mcp", "--tools", "/dev/zero", "--out", out.to_str().unwrap()]);
    assert!(code(&output) == 2 && err(&output).contains("it is no file"), "{}", said(&output));
}

#[test]
fn what_is_not_an_object_is_returned_and_what_shows_nothing_is_told() {
    let root = scratch("import-odd");
    let at = root.join("odd.yaml");
    let get = |schema: &str| {
        format!("{{get: {{responses: {{'200': {{content: {{application/json: {{schema: {schema}}}}}}}}}}}}}")
    };
    let day = get("{type: string, format: date}");
    let (text, count) = (get("{type: [string, 'null']}"), get("{type: integer}"));
    let posts = "{post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}, required: [name]}}}}, responses: {'204': {}}}}";
    let parameters = "[{name: kinds, in: query, schema: {type: array, items: {type: string}}}, {name: size, in: query, schema: {type: string}}, {name: made, in: query, schema: {type: boolean}}]";
    let item = "{type: object, properties: {lampId: {type: string}, kinds: {type: string}, size: {type: integer}, made: {type: string}}}";
    let lamps = format!(
        "{{get: {{parameters: {parameters}, responses: {{'200': {{content: {{application/json: {{schema: {{type: array, items: {item}}}}}}}}}}}}}}}"
    );
    let document = format!(
        "openapi: 3.1.0\npaths:\n  /health: {{get: {{}}}}\n  /day: {day}\n  /text: {text}\n  /count: {count}\n  /lamps: {lamps}\n  /notes: {posts}\n"
    );
    fs::write(&at, document).unwrap();
    let found = import(&["openapi", at.to_str().unwrap(), "--id", "odd/desk"], &root);
    let texts = found.to_string();
    for wanted in ["get_health", "shows nothing yet", "passes over `made`", "its body may be left out"] {
        assert!(texts.contains(wanted), "{wanted}: {found:#}");
    }
    let script = contents(root.join("scripts/odd/desk.rhai"));
    for wanted in
        ["args.kinds.contains(it.get(\"kinds\", ()))", "it.get(\"size\", \"\").to_string() == args.size.to_string()"]
    {
        assert!(script.contains(wanted), "{wanted}: {script}");
    }
    let steps = played(&root, "odd/desk", &[("get_day", json!({})), ("get_text", json!({})), ("get_count", json!({}))]);
    let text = serde_json::to_string(&steps).unwrap();
    assert!(!text.contains("returns_differ") && text.contains("2026-03-02"), "{text}");
    assert_eq!(code(&probity_at(&root, &["check", "--all"])), 0);
}

#[test]
fn logs_alone_become_a_world_with_what_they_show() {
    let root = scratch("import-logs");
    let found = import(&["mcp", "--logs", &file("parcels.jsonl"), "--id", "post/desk"], &root);
    assert_eq!((&found["tools"], &found["collections"]), (&json!(3), &json!(["parcels"])));
    let (environment, script) =
        (contents(root.join("environments/post/desk.json")), contents(root.join("scripts/post/desk.rhai")));
    assert!(environment.contains("\"examples\": [\"en\"]") && !environment.contains("@parcels"), "{environment}");
    assert!(
        script.contains(
            "db.parcels[\"P1\"] = #{ \"parcelId\": \"P1\", \"mail\": \"ke***@***.example\", \"status\": \"held\""
        ),
        "{script}"
    );
    let grounds = found["guesses"].to_string();
    for wanted in
        ["seen in 1 of 2 results in logs", "begins with 6 that logs show", "shows `status` as one of held, released"]
    {
        assert!(grounds.contains(wanted), "{wanted}: {grounds}");
    }
    let checked = probity_at(&root, &["check", "--all"]);
    assert_eq!(code(&checked), 0, "{}", said(&checked));
    let steps = played(
        &root,
        "post/desk",
        &[("releaseParcel", json!({"parcelId": "P2"})), ("getParcel", json!({"parcelId": "P2"}))],
    );
    assert!(serde_json::to_string(&steps[1]).unwrap().contains("released"), "{steps:?}");
    // A list of tools, and what logs show of one of them.
    let both = root.join("both");
    let list =
        json!({"tools": [{"name": "getParcel", "inputSchema": {"properties": {"parcelId": {"type": "string"}}}}]});
    fs::write(root.join("list.json"), list.to_string()).unwrap();
    let list = root.join("list.json");
    let found = import(&["mcp", "--tools", list.to_str().unwrap(), "--logs", &file("parcels.jsonl")], &both);
    assert!(found["tools"] == 1 && found["guesses"].to_string().contains("returns what logs show"), "{found:#}");
}

/// Nine tools with a list, an object within and a reference, and a task whose words alone are an author's.
#[test]
fn nine_tools_become_a_task_that_is_certified() {
    let certify = |name: &str, only: &[&str]| -> String {
        let root = scratch(&format!("import-nine-{name}"));
        let boats = file("boats.json");
        let from = ["mcp", "--tools", &boats, "--id", "hire/boats"];
        let only = only.iter().flat_map(|beginning| ["--only", beginning]);
        let found = import(&from.into_iter().chain(only).collect::<Vec<_>>(), &root);
        let notes: Vec<&Value> = found["notes"].as_array().unwrap().iter().map(|note| &note["text"]).collect();
        assert!(notes.iter().all(|note| **note == "`required` of what is returned is not kept"), "{notes:?}");
        succeeded(probity_at(&root, &["check", "--all"]));
        let task = root.join("tasks/hire/boats/call_it_off.json");
        fs::create_dir_all(task.parent().unwrap()).unwrap();
        fs::write(&task, contents(file("call_it_off.json"))).unwrap();
        succeeded(probity_at(&root, &["check", "--update"]));
        succeeded(probity_at(&root, &["check", "--deny-warnings", "--all"]));
        out(&probity_at(&root, &["certify"]))
    };
    let certified = certify("seven", &["find", "get", "list", "cancel"]);
    assert!(certified.ends_with("certified 1 of 1 task\n"), "{certified}");
    let whole = certify("all", &[]);
    assert!(whole.ends_with("certified 1 of 1 task\n"), "{whole}");
}

/// Batches of every kind, with and without a schema of what they return, load, play and pass `check`.
#[test]
fn batches_make_and_remove_several() {
    let root = scratch("import-batches");
    let at = root.join("tools.json");
    let (text, count) = (json!({"type": "string"}), json!({"type": "integer"}));
    let tool = |name: &str, properties: Value| json!({"name": name, "inputSchema": {"properties": properties, "required": []}});
    let many = |fields: &Value| json!({"type": "array", "items": {"type": "object", "properties": fields}});
    let entity = json!({"entityId": text, "kind": text});
    let mut shown = tool("create_entities", json!({"entities": many(&entity)}));
    shown["outputSchema"] = json!({"type": "object", "properties": {"entities": many(&entity)}});
    let tools = json!({"tools": [
        tool("addLines", json!({"shipmentId": text, "lines": many(&json!({"sku": text}))})),
        tool("createInvoices", json!({"invoices": many(&json!({"invoiceId": count, "sum": count}))})),
        tool("getInvoice", json!({"invoiceId": count})),
        tool("deleteInvoices", json!({"invoices": {"type": "array", "items": count}})),
        shown,
        tool("mergeInvoice", json!({"invoiceId": count, "invoice_id": count, "sum": count})),
    ]});
    fs::write(&at, tools.to_string()).unwrap();
    import(&["mcp", "--tools", at.to_str().unwrap(), "--id", "shop/batches"], &root);
    let checked = probity_at(&root, &["check", "--all"]);
    assert!(code(&checked) == 0 && out(&checked).contains("6/6 tools succeeded"), "{}", said(&checked));
    let steps = played(
        &root,
        "shop/batches",
        &[
            ("addLines", json!({"shipmentId": "S1", "lines": [{"sku": "a"}, {"sku": "b"}]})),
            ("createInvoices", json!({"invoices": [{"invoiceId": 77, "sum": 3}, {"sum": 4}]})),
            ("create_entities", json!({"entities": [{"entityId": "e", "kind": "k"}]})),
            ("deleteInvoices", json!({"invoices": [77]})),
            ("getInvoice", json!({"invoiceId": 77})),
        ],
    );
    let text = serde_json::to_string(&steps).unwrap();
    for wanted in [
        r#""sku":"b""#,
        r#""shipmentId":"S1""#,
        r#""invoiceId":"77""#,
        r#""entities":[{"entityId":"e""#,
        "invoice_not_found",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

/// Where no look-up by a text is there, a task begins with two calls that work, and all that is left is to be written.
#[test]
fn a_task_is_drafted_from_calls_that_work() {
    let root = scratch("import-draft");
    import(&["mcp", "--tools", &file("repairs.json"), "--id", "shop/repairs"], &root);
    succeeded(probity_at(&root, &["new", "task", "shop/repairs/one"]));
    let draft: Value = serde_json::from_str(&contents(root.join("tasks/shop/repairs/one.json"))).unwrap();
    let oracle: Vec<&Value> =
        draft["outcomes"][0]["oracle"].as_array().unwrap().iter().map(|call| &call["tool"]).collect();
    assert_eq!(oracle, ["findBikes", "createRepair"]);
    assert_eq!(draft["variants"].as_object().unwrap().len(), 7);
    assert_eq!(draft["bindings"]["$bike"]["where"], json!({"frame": "frame 1"}));
    assert_eq!(draft["constraints"]["precedence"][0]["seen"], "bikeId");
    let checked = said_json(&probity_at(&root, &["check", "--json"]));
    let codes: Vec<&str> =
        checked["diagnostics"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect();
    assert!(codes.iter().all(|code| ["unfinished", "oracle_not_perfect"].contains(code)), "{codes:?}");
    assert!(codes.contains(&"unfinished"), "{codes:?}");
}

/// What stands in a list is a fact as what stands alone, and what cannot be taken back has a yes.
#[test]
fn a_draft_has_facts_of_lists_and_a_yes_to_what_cannot_be_taken_back() {
    let text = json!({"type": "string"});
    let tool = |name: &str, properties: Value| {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        json!({"name": name, "inputSchema": {"properties": properties, "required": required}})
    };
    let drafted = |name: &str, tools: Value| -> Value {
        let root = scratch(&format!("import-draft-{name}"));
        fs::write(root.join("tools.json"), json!({"tools": tools}).to_string()).unwrap();
        import(&["mcp", "--tools", root.join("tools.json").to_str().unwrap(), "--id", "shop/desk"], &root);
        succeeded(probity_at(&root, &["new", "task", "shop/desk/one"]));
        serde_json::from_str(&contents(root.join("tasks/shop/desk/one.json"))).unwrap()
    };
    let marks =
        json!({"type": "array", "items": {"type": "object", "properties": {"mark": text}, "required": ["mark"]}});
    let listed = drafted(
        "list",
        json!([
            tool("getOrder", json!({"orderId": text})),
            tool("markOrder", json!({"orderId": text, "marks": marks})),
        ]),
    );
    assert!(listed["facts"]["mark"].is_object() || listed["facts"]["mark"].is_string(), "{:#}", listed["facts"]);
    assert!(listed["variants"]["underspecification"]["withheld"].is_array(), "{listed:#}");
    let deletes = tool("deleteOrder", json!({"orderId": text}));
    let deleted = drafted("delete", json!([tool("getOrder", json!({"orderId": text})), deletes]));
    for variant in deleted["variants"].as_object().unwrap().values() {
        assert!(variant["consents"].to_string().contains("[\"deleteOrder\"]"), "{variant:#}");
    }
}

/// Lists of five servers that people use are not in this repository.
#[test]
fn lists_of_real_servers_load_and_pass() {
    let lists = root().join("../shared/peers/mcp");
    if !lists.is_dir() {
        eprintln!("skipped: no lists of real servers in ../shared/peers/mcp");
        return;
    }
    for (name, tools, notes) in
        [("everything", 13, 0), ("filesystem", 14, 0), ("memory", 9, 0), ("notion", 24, 19), ("playwright", 25, 1)]
    {
        let folder = scratch(&format!("import-{name}"));
        let list = lists.join(format!("{name}.json"));
        let found = import(&["mcp", "--tools", list.to_str().unwrap()], &folder);
        assert_eq!(found["tools"], tools, "{name}");
        // Beside the keywords of a tool and of what it returns that are not kept.
        let is_other = |note: &&Value| note["at"] != "" || !note["text"].as_str().unwrap().ends_with(" is not kept");
        let others: Vec<&Value> = found["notes"].as_array().unwrap().iter().filter(is_other).collect();
        assert_eq!(others.len(), notes, "{name}: {others:#?}");
        let checked = probity_at(&folder, &["check"]);
        assert_eq!(code(&checked), 0, "{name}: {}", said(&checked));
    }
}
