//! The words that Rhai keeps for itself, and what to do about a script that does not compile.

use rhai::{Engine, LexError, ParseError, ParseErrorType, Position};

use crate::model::ids::is_identifier;

/// What to do when nothing better is known.
const MEND: &str = "mend this first: the rest has not been read";

/// Whether Rhai keeps a word for itself, so that it can neither be a name nor stand after a dot.
/// The compiler is asked, because its own list depends on how it is built.
pub fn is_reserved(word: &str) -> bool {
    is_identifier(word) && Engine::new_raw().compile(format!("fn f(x) {{ x.{word} }}")).is_err()
}

/// A help line for a script or expression that does not compile.
pub(super) fn help(text: &str, error: &ParseError) -> String {
    if let Some(help) = reserved(text, error) {
        return help;
    }
    match error.err_type() {
        ParseErrorType::BadInput(LexError::UnexpectedInput(_)) if is_foreign_letter(text, error.position()) => {
            "names are made of ASCII letters, digits and `_`; other letters stand in texts and comments".to_owned()
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
        ParseErrorType::FnDuplicatedDefinition(..) => "rename one".to_owned(),
        _ => MEND.to_owned(),
    }
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

fn is_foreign_letter(text: &str, position: Position) -> bool {
    let word = word_at(text, position).map(|(word, _)| word).unwrap_or_default();
    word.chars().next().is_some_and(|first| !first.is_ascii() && first.is_alphabetic())
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
    fn help_says_what_to_do() {
        let engine = Engine::new_raw();
        let help = |text: &str| help(text, &engine.compile(text).unwrap_err());
        let reserved = |word: &str| {
            format!(
                "Rhai keeps the word `{word}` for itself: choose another name; \
             a field of that name is written `x[\"{word}\"]` or `#{{\"{word}\": ..}}`"
            )
        };
        for text in ["let until = 1;", "fn f(until) { }", "fn until() { }", "x.until", "#{ until: 1 }"] {
            assert_eq!(help(text), reserved("until"), "{text}");
        }
        assert_eq!(help("fn f(x) { match x { } }"), reserved("match"));
        assert_eq!(help("fn f(switch) { }"), reserved("switch"));
        assert_eq!(help("let x = 1\nreturn x"), "end the statement before it with `;`");
        assert_eq!(help("let x = (1 + 2"), "close what is open before it with `)`");
        assert_eq!(help("let x = #{ a: 1 return x"), "close what is open before it with `}`");
        assert_eq!(help("fn f() { 1 } fn f() { 2 }"), "rename one");
        let names = "names are made of ASCII letters, digits and `_`; other letters stand in texts and comments";
        for text in ["let größe = 1;", "fn f(ö) { 1 }", "let x = ä;"] {
            assert_eq!(help(text), names, "{text}");
        }
        assert_eq!(help("let x = ;"), MEND);
    }
}
