//! Static checks of `conduct`: collections, fields, tools and parameters exist, patterns compile.

use crate::environment::Environment;
use crate::events::Pattern;
use crate::model::diagnostic::Problem;
use crate::model::environment_file::properties;
use crate::model::suggest;

/// The calls that the warnings of `conduct` are about, compiled, and its problems.
pub(super) fn check(environment: &Environment) -> (Vec<Pattern>, Vec<Problem>) {
    let conduct = &environment.file().conduct;
    let (mut warned, mut problems) = (Vec::new(), Vec::new());
    if let Some(people) = &conduct.people {
        for (i, fields) in people.known_by.iter().enumerate() {
            for (k, field) in fields.iter().enumerate() {
                let at = format!("/conduct/people/known_by/{i}/{k}");
                problems.extend(check_field(environment, &people.collection, field, &at));
            }
        }
        problems.extend(people.known_by.is_empty().then(|| {
            let text = "nothing says by what a person is known";
            Problem::error("/conduct/people/known_by", "empty_list", text).help("for example [[\"last_name\"]]")
        }));
    }
    for (i, rule) in conduct.overwrites.iter().enumerate() {
        let at = |key: &str| format!("/conduct/overwrites/{i}/{key}");
        for (key, parameter) in [("argument", &rule.argument), ("key", &rule.key)] {
            problems.extend(check_parameter(environment, &rule.tool, parameter, (&at("tool"), &at(key))));
        }
        problems.extend(check_field(environment, &rule.collection, &rule.field, &at("field")));
    }
    for (i, warning) in conduct.warnings.iter().enumerate() {
        let at = |key: &str| format!("/conduct/warnings/{i}{key}");
        match environment.pattern(&warning.before) {
            Ok(pattern) => warned.push(pattern),
            Err(problem) => problems.push(problem.below(&at("/before"))),
        }
        for (k, parameter) in warning.amounts.iter().enumerate() {
            let places = (at("/before"), at(&format!("/amounts/{k}")));
            problems.extend(check_parameter(environment, &warning.before.tool, parameter, (&places.0, &places.1)));
        }
        problems.extend((warning.amounts.is_empty() && warning.words.is_empty()).then(|| {
            let text = "nothing says what the user must have been told";
            Problem::error(at(""), "empty_warning", text).help("give `amounts` or `words`")
        }));
    }
    (warned, problems)
}

fn check_field(environment: &Environment, collection: &str, field: &str, at: &str) -> Option<Problem> {
    let state = &environment.file().state;
    let Some(slot) = state.get(collection) else {
        let help = suggest::help(collection, state.keys().map(String::as_str));
        return Some(Problem::error(at, "unknown_path", format!("there is no collection `{collection}`")).help(help));
    };
    let fields = properties(&slot.item);
    let help = suggest::help(field, fields.keys().map(String::as_str));
    let text = format!("`{collection}` has no field `{field}`");
    (!fields.contains_key(field)).then(|| Problem::error(at, "unknown_field", text).help(help))
}

fn check_parameter(environment: &Environment, tool: &str, name: &str, at: (&str, &str)) -> Option<Problem> {
    let Some(known) = environment.tool(tool) else {
        let help = suggest::help(tool, environment.tools().iter().map(|tool| tool.name.as_str()));
        return Some(Problem::error(at.0, "unknown_tool", format!("there is no tool `{tool}`")).help(help));
    };
    let parameters = properties(&known.parameters);
    let help = suggest::help(name, parameters.keys().map(String::as_str));
    let text = format!("`{tool}` has no parameter `{name}`");
    (!parameters.contains_key(name)).then(|| Problem::error(at.1, "unknown_parameter", text).help(help))
}
