//! The outline of an environment from the names of its collections and tools: what only an author knows is left to do.

use serde_json::json;

use probity_engine::format::format as formatted;
use probity_engine::ids::is_identifier;
use probity_local::Failure;
use probity_proof::check::TO_DO;

const READS: [&str; 3] = ["find_", "get_", "list_"];

pub(super) fn files(id: &str, collections: &[String], tools: &[String]) -> Result<Vec<(String, String)>, Failure> {
    if let Some(name) = collections.iter().chain(tools).find(|name| !is_identifier(name)) {
        let help = "lower-case letters, digits and `_`, several with a comma between and no blank";
        return Err(Failure::new(format!("`{name}` is no name"), help));
    }
    let path = format!("environments/{id}.json");
    let text = environment(collections, tools);
    let text = formatted(&path, &text).unwrap_or(text);
    let script = format!("scripts/{id}.rhai");
    Ok(vec![(path, text), (script, bodies(id, collections, tools))])
}

/// The collection that a tool is about: the one whose name stands in its own, else the first.
fn collection_of<'a>(tool: &str, collections: &'a [String]) -> &'a str {
    let is_named = |name: &&String| tool.contains(key_stem(name));
    collections.iter().find(is_named).or(collections.first()).map_or("", String::as_str)
}

/// `order` for `orders`: what the key is called after.
fn key_stem(collection: &str) -> &str {
    collection.strip_suffix('s').unwrap_or(collection)
}

fn is_read(tool: &str) -> bool {
    READS.iter().any(|begin| tool.starts_with(begin))
}

/// Whether a tool shows several entities, by a name.
fn lists(tool: &str) -> bool {
    tool.starts_with("find_") || tool.starts_with("list_")
}

fn environment(collections: &[String], tools: &[String]) -> String {
    let part = |name: &String| {
        let key = format!("{}_id", key_stem(name));
        format!("\"{name}\": {{\"key\": \"{key}\", \"fields\": {{\"{key}\": \"string\", \"name\": \"string\"}}}}")
    };
    let state: Vec<String> = collections.iter().map(part).collect();
    let tools: Vec<String> = tools.iter().map(|tool| self::tool(tool, collection_of(tool, collections))).collect();
    format!(
        "// What stands behind TODO is for you to write; `probity check` tells what is left.\n{{\n\
         \"title\": \"{TO_DO}for people\",\n\"summary\": \"{TO_DO}what an agent can do here\",\n\
         \"clock\": \"2026-03-02T09:00:00Z\",\n\
         // Rules in words, each with what checks it: docs/FORMATS.md, section \"Policy\".\n\"policy\": [],\n\
         // Each collection by its key and its fields; `\"note?\"` may be left out.\n\"state\": {{{}}},\n\
         \"tools\": [{}],\n\
         // How many of each `populate` makes.\n\
         \"populate\": {{\"sizes\": {{\"easy\": {{\"each\": 5}}, \"medium\": {{\"each\": 20}}, \
         \"hard\": {{\"each\": 80}}}}}}\n}}\n",
        state.join(", "),
        tools.join(",\n")
    )
}

fn tool(name: &str, collection: &str) -> String {
    let key = format!("{}_id", key_stem(collection));
    let description = format!("{TO_DO}what it does, for the agent");
    let (parameters, returns) = match lists(name) {
        true => (json!({"name": "string"}), format!("list of {collection}")),
        false => (json!({key.as_str(): format!("ref {collection}")}), collection.to_owned()),
    };
    let (quoted, description, returns) = (json!(name), json!(description), json!(returns));
    let start = format!("{{\"name\": {quoted}, \"description\": {description}");
    match is_read(name) {
        true => format!("{start}, \"parameters\": {parameters}, \"returns\": {returns}}}"),
        false => {
            let changes = json!({collection: "update"});
            let claims = json!([format!("{TO_DO}by which word an agent says it did this, e.g. cancelled")]);
            format!(
                "{start}, \"changes\": {changes}, \"parameters\": {parameters}, \"returns\": {returns}, \
                 \"claims\": {claims}}}"
            )
        }
    }
}

fn bodies(id: &str, collections: &[String], tools: &[String]) -> String {
    let mut text = format!("// Tool bodies of {id}. `db` is the state, `args` the checked arguments.\n\n");
    for tool in tools {
        let collection = collection_of(tool, collections);
        let key = format!("{}_id", key_stem(collection));
        let body = match (lists(tool), is_read(tool)) {
            (true, _) => format!(" db.{collection}.where_text(\"name\", args.name) "),
            (false, true) => format!(" db.{collection}[args.{key}] "),
            (false, false) => {
                format!("\n    // What it changes: `entity.field = value`.\n    db.{collection}[args.{key}]\n")
            }
        };
        text.push_str(&format!("fn {tool}(db, args) {{{body}}}\n\n"));
    }
    text.push_str(
        "/// Fills the state: `size` gives the counts, `rng` is the seeded source.\nfn populate(db, rng, size) {\n",
    );
    for collection in collections {
        let (key, letter) = (format!("{}_id", key_stem(collection)), collection.get(..1).unwrap_or("x").to_uppercase());
        text.push_str(&format!(
            "    for i in 0..size.each {{\n        let id = \"{letter}\" + pad(i + 1, 3);\n        \
             db.{collection}[id] = #{{ {key}: id, name: \"{} \" + (i + 1) }};\n    }}\n",
            key_stem(collection)
        ));
    }
    text + "}\n"
}
