//! The words that Rhai keeps for itself, and what to do about a script that does not compile.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rhai::{Engine, LexError, ParseError, ParseErrorType, Position};

use super::{handles, natives, sandbox::sandbox};
use crate::load::syntax::begins_with_marker;
use crate::model::ids::is_identifier;
use crate::model::visible::{named, strange};
use crate::state::Shape;

/// What to do when nothing better is known.
const MEND: &str = "mend this first: the rest has not been read";

/// Whether Rhai keeps a word for itself, so that it can neither be a name nor stand after a dot.
/// The compiler is asked, because its own list depends on how it is built.
pub fn is_reserved(word: &str) -> bool {
    static COMPILER: LazyLock<Engine> = LazyLock::new(Engine::new_raw);
    is_identifier(word) && COMPILER.compile(format!("fn f(x) {{ x.{word} }}")).is_err()
}

/// The functions of two parameters that scripts can call without writing them: a tool's own would hide one.
pub fn natives() -> BTreeSet<String> {
    let mut engine = sandbox();
    handles::register(&mut engine, &Shape { slots: Vec::new() }, &BTreeSet::new());
    natives::register(&mut engine);
    let named = engine.collect_fn_metadata(
        None,
        |info| (info.metadata.num_params == 2).then(|| info.metadata.name.to_string()),
        true,
    );
    named.into_iter().filter(|name| is_identifier(name)).collect()
}

/// A help line for a script or expression that does not compile.
pub(super) fn help(text: &str, error: &ParseError) -> String {
    if let Some(help) = foreign(text, error) {
        return help;
    }
    match error.err_type() {
        ParseErrorType::VariableUndefined(name) if matches!(name.as_str(), "db" | "args") => {
            "the function of a tool is `fn NAME(db, args)`; any other is given them as its own parameters".to_owned()
        }
        ParseErrorType::VariableUndefined(name) if matches!(name.as_str(), "rng" | "size") => {
            "`populate` alone has it, which is `fn populate(db, rng, size)`; hand it on as a parameter".to_owned()
        }
        ParseErrorType::VariableUndefined(name) => {
            format!("declare it with `let`; an argument of the call is `args.{name}`")
        }
        ParseErrorType::ModuleUndefined(_) => "a library is a file of scripts/lib/".to_owned(),
        ParseErrorType::MissingToken(token, _) => match token.as_str() {
            ";" => "end the statement before it with `;`".to_owned(),
            "}" | ")" | "]" => format!("close what is open before it with `{token}`"),
            token => format!("put `{token}` before it"),
        },
        ParseErrorType::ExprTooDeep => {
            "it is nested deeper than 64 levels: put parts of it into a `let`, or into functions".to_owned()
        }
        ParseErrorType::FnDuplicatedDefinition(..) => "rename one".to_owned(),
        _ => MEND.to_owned(),
    }
}

/// The help line for what other languages write, characters that Rhai does not know, and words that it keeps.
pub(super) fn foreign(text: &str, error: &ParseError) -> Option<String> {
    let undefined = match error.err_type() {
        ParseErrorType::VariableUndefined(name) => Some(name.as_str()),
        _ => word_at(text, error.position()).map(|(word, _)| word),
    };
    let of_another = undefined.and_then(of_another_language).map(str::to_owned);
    of_another.or_else(|| odd_character(text, error)).or_else(|| reserved(text, error))
}

/// What Rhai has for a word of another language.
fn of_another_language(word: &str) -> Option<&'static str> {
    Some(match word {
        "function" | "def" | "func" | "fun" | "lambda" => "Rhai begins a function with `fn`",
        "var" | "auto" => "Rhai declares a variable with `let`",
        "null" | "None" | "nil" | "undefined" | "NULL" => "Rhai has `()` for nothing: `x == ()`",
        "True" | "TRUE" => "Rhai writes `true`",
        "False" | "FALSE" => "Rhai writes `false`",
        "and" | "AND" => "Rhai writes `&&`",
        "or" | "OR" => "Rhai writes `||`",
        "not" | "NOT" => "Rhai writes `!`",
        "elif" | "elsif" | "elseif" => "Rhai writes `else if`",
        "foreach" => "Rhai writes `for item in list { .. }`",
        _ => return None,
    })
}

/// What to do about a character that is neither of a name nor a sign of Rhai.
fn odd_character(text: &str, error: &ParseError) -> Option<String> {
    if !matches!(error.err_type(), ParseErrorType::BadInput(LexError::UnexpectedInput(_))) {
        return None;
    }
    let found = character_at(text, error.position())?;
    let name = named(found);
    Some(match found {
        '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => format!("here stands {name}; texts stand in straight `\"`"),
        _ if found.is_ascii() && !found.is_ascii_control() => return None,
        _ if found.is_alphabetic() && strange(&found.to_string()).is_none() => {
            "names are made of ASCII letters, digits and `_`; other letters stand in texts and comments".to_owned()
        }
        _ => format!("here stands {name}; write an ordinary letter, blank or sign in its place"),
    })
}

/// The line, from 1, of a mark that an unfinished merge has left, at or before a place.
pub(super) fn merge_marker(text: &str, position: Position) -> Option<usize> {
    let until = position.line().unwrap_or(usize::MAX);
    let lines = text.split_inclusive('\n').take(until).enumerate();
    lines.filter(|(_, line)| begins_with_marker(line)).map(|(before, _)| before + 1).next()
}

/// The help line when a name is wanted and a word stands there that Rhai keeps for itself.
pub(super) fn reserved(text: &str, error: &ParseError) -> Option<String> {
    let (word, rest) = word_at(text, error.position())?;
    let wants_name = match error.err_type() {
        ParseErrorType::PropertyExpected
        | ParseErrorType::VariableExpected
        | ParseErrorType::FnMissingName
        | ParseErrorType::Reserved(_) => true,
        // In a map a key is wanted, in a list of parameters a name; else a bracket may be missing.
        ParseErrorType::MissingToken(_, place) => {
            let is_key = place.contains("object map") && rest.trim_start().starts_with(':');
            is_key || place.contains("parameters list")
        }
        _ => false,
    };
    if !wants_name || !is_reserved(word) {
        return None;
    }
    Some(match word {
        "this" => "name what the closure or function is given: `|item| ..`".to_owned(),
        "eval" | "import" | "export" => format!("scripts cannot use `{word}`"),
        _ => {
            format!(
                "Rhai keeps the word `{word}` for itself: choose another name; \
             a field of that name is written `x[\"{word}\"]` or `#{{\"{word}\": ..}}`"
            )
        }
    })
}

fn character_at(text: &str, position: Position) -> Option<char> {
    text.lines().nth(position.line()?.checked_sub(1)?)?.chars().nth(position.position()?.checked_sub(1)?)
}

/// The word that starts at a position, and the text behind it.
fn word_at(text: &str, position: Position) -> Option<(&str, &str)> {
    let line = text.lines().nth(position.line()?.checked_sub(1)?)?;
    let (start, _) = line.char_indices().nth(position.position()?.checked_sub(1)?)?;
    let from = line.get(start..)?;
    let end = from.find(|next: char| !(next.is_alphanumeric() || next == '_')).unwrap_or(from.len());
    from.split_at_checked(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold};

    #[test]
    fn words_are_reserved_as_the_compiler_has_it() {
        for word in ["until", "match", "new", "default", "spawn", "with", "is", "do", "print", "type_of"] {
            assert!(is_reserved(word), "{word}");
        }
        for word in ["from", "to", "exit", "each", "item_id", "a b", "x; y", ""] {
            assert!(!is_reserved(word), "{word}");
        }
    }

    #[test]
    fn functions_are_named_that_a_tools_own_would_hide() {
        let names = natives();
        for name in ["add_days", "filter", "has", "pad", "fail", "index_of", "remove"] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
        assert!(!names.contains("get_order") && !names.contains("to_upper"), "{names:?}");
    }

    fn helped(engine: &Engine, text: &str) -> String {
        help(text, &engine.compile(text).unwrap_err())
    }

    #[test]
    fn what_does_not_compile_is_helped_as_the_cases_say() {
        let readers: [(&str, Reader); 2] = [
            ("help", |text| helped(&Engine::new_raw(), text)),
            ("strict help", |text| helped(Engine::new_raw().set_strict_variables(true), text)),
        ];
        hold(include_str!("words_cases.txt"), &readers);
        let merge = "fn f() {\n<<<<<<< HEAD\n 1\n=======\n 2\n>>>>>>> side\n}";
        assert_eq!(merge_marker(merge, Engine::new_raw().compile(merge).unwrap_err().position()), Some(2));
    }
}
