//! What each tool does with which collection, and on what ground that is believed; the words of names that say so: a
//! noun in the singular, and the verb before or behind it (`vocabulary.json`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use super::source::OuterTool;
use probity_engine::ids::identifier_of;
use probity_prose::Verb;
use probity_prose::deed::{Deed, before, is_mere_verb, pair, verb};
use probity_prose::noun::{plural, singular};

/// What a tool does with the entities of its collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    List,
    Get,
    Create,
    /// Changes fields of one entity, or only its status.
    Update,
    Delete,
    /// Reads nothing that a collection holds.
    Look,
    /// Changes nothing that a collection holds: it is written down that it was done.
    Act,
}

/// A tool's part in the world.
#[derive(Clone, Debug)]
pub struct Part {
    pub role: Role,
    /// One entity of its collection: `order`.
    pub one: String,
    /// The parameter that names one entity.
    pub id: Option<String>,
    /// The parameter that holds several of them at once.
    pub batch: Option<String>,
    /// The verb of its name, or of its method.
    pub verb: String,
    /// Why it is believed to read or to change.
    pub ground: String,
    /// How much it wants a look: the larger the more.
    pub doubt: u8,
    /// Whether its name is about something else than what its id is the key of: `bench_climate` by `benchId`.
    pub is_by_other: bool,
}

impl Part {
    pub fn of(tool: &OuterTool) -> Part {
        let name = Name::of(&tool.name);
        let (verb_word, named) = name.verb.clone().map_or((String::new(), None), |(word, verb)| (word, Some(verb)));
        let (reads, ground, doubt) = reads(tool);
        let route = tool.route.as_ref().map(|route| Place::of(&route.path));
        let one = match &route {
            Some(place) if !place.one.is_empty() => place.one.clone(),
            _ => name.noun,
        };
        let id = match &route {
            Some(place) => place.id.clone().filter(|id| has_parameter(tool, id)),
            None => id_of(tool, &one, matches!(named, Some(Verb::Create | Verb::List))),
        };
        let verb = match (reads, named, &route) {
            (true, _, Some(place)) => {
                if place.id.is_some() && !place.is_below {
                    Verb::Get
                } else {
                    Verb::List
                }
            }
            (true, Some(Verb::List), None) => Verb::List,
            (true, _, None) => {
                if id.is_some() {
                    Verb::Get
                } else {
                    Verb::List
                }
            }
            (false, Some(verb @ (Verb::Create | Verb::Update | Verb::Delete)), None) => verb,
            (false, _, None) => Verb::Update,
            (false, _, Some(place)) => match tool.route.as_ref().map(|route| route.method.as_str()) {
                Some("DELETE") => Verb::Delete,
                Some("PUT" | "PATCH") => Verb::Update,
                _ if place.id.is_some() => Verb::Update,
                _ => Verb::Create,
            },
        };
        let role = match verb {
            _ if one.is_empty() => {
                if reads {
                    Role::Look
                } else {
                    Role::Act
                }
            }
            Verb::List => Role::List,
            Verb::Create => Role::Create,
            Verb::Get if id.is_some() => Role::Get,
            Verb::Update if id.is_some() => Role::Update,
            Verb::Delete if id.is_some() => Role::Delete,
            Verb::Get => Role::Look,
            Verb::Update | Verb::Delete => Role::Act,
        };
        let batch = match (verb, &id) {
            (Verb::Create | Verb::Delete, None) if !reads => batch_of(tool, &one, verb == Verb::Create),
            _ => None,
        };
        let role = if batch.is_some() && verb == Verb::Delete { Role::Delete } else { role };
        let verb = if verb_word.is_empty() { default_word(role).to_owned() } else { verb_word };
        Part { role, one, id, batch, verb, ground, doubt, is_by_other: false }
    }

    pub fn reads(&self) -> bool {
        matches!(self.role, Role::List | Role::Get | Role::Look)
    }
}

fn default_word(role: Role) -> &'static str {
    match role {
        Role::List => "list",
        Role::Get | Role::Look => "get",
        Role::Create => "create",
        Role::Update => "update",
        Role::Delete => "delete",
        Role::Act => "do",
    }
}

/// Whether a tool only reads, why that is believed, and how doubtful it is.
fn reads(tool: &OuterTool) -> (bool, String, u8) {
    let deed = Deed::of(&tool.name, &tool.description);
    let told = deed.as_ref().map(|deed| {
        let says = format!("its {} says `{}`", if deed.is_named { "name" } else { "description" }, deed.word);
        (!deed.changes, says)
    });
    // A description may begin with `Returns` for what a call made.
    let by_name = told.clone().filter(|_| deed.as_ref().is_some_and(|deed| deed.is_named));
    let method = tool.route.as_ref().map(|route| route.method.as_str());
    match (tool.hints.read_only, method, by_name) {
        (Some(true), _, Some((false, says))) => (true, format!("`readOnlyHint` is true, although {says}"), 2),
        (Some(true), ..) => (true, "`readOnlyHint` is true".to_owned(), 0),
        (_, Some(method @ ("GET" | "HEAD")), _) => (true, format!("its method is {method}"), 0),
        (_, Some("POST"), Some((true, says))) => (true, format!("{says}, although its method is POST"), 3),
        (_, Some(method), _) => (false, format!("its method is {method}"), 0),
        (Some(false), None, Some((true, says))) => (true, format!("{says}, although `readOnlyHint` is false"), 3),
        (None, None, Some((true, says))) if tool.hints.destructive == Some(true) => {
            (true, format!("{says}, although `destructiveHint` is true"), 3)
        }
        (_, None, Some((reads, says))) => (reads, says, 0),
        (Some(false), None, None) => (false, "`readOnlyHint` is false".to_owned(), 1),
        (None, None, None) => match told.filter(|(reads, _)| !reads || tool.hints.destructive != Some(true)) {
            Some((reads, says)) => (reads, says, 1),
            None => (false, "nothing says that it only reads".to_owned(), 2),
        },
    }
}

fn properties(tool: &OuterTool) -> impl Iterator<Item = (&String, &Value)> {
    tool.input.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn has_parameter(tool: &OuterTool, name: &str) -> bool {
    properties(tool).any(|(known, schema)| known == name && is_key(schema))
}

/// Whether values of a schema can name an entity: one text or whole number.
pub fn is_key(schema: &Value) -> bool {
    matches!(schema.get("type").and_then(Value::as_str), Some("string" | "integer" | "number"))
        && schema.get("enum").is_none()
}

/// The parameter that holds several entities to be made, or the keys of several to be removed: `entities`, `entityNames`.
fn batch_of(tool: &OuterTool, one: &str, makes: bool) -> Option<String> {
    if one.is_empty() {
        return None;
    }
    let is_batch = |schema: &Value| {
        let items = schema.get("items").filter(|_| schema.get("type") == Some(&Value::from("array")));
        items.is_some_and(|items| if makes { items.get("properties").is_some() } else { is_key(items) })
    };
    let mut found = properties(tool).filter(|(name, schema)| {
        let called = identifier_of(name);
        is_batch(schema) && (called == plural(one) || (!makes && called.starts_with(one)))
    });
    found.next().filter(|_| found.next().is_none()).map(|(name, _)| name.clone())
}

/// The parameter that names one entity, by its name; `is_others` where another's id is as likely: who makes a repair
/// names the bike that it is for, who lists hires the sailor.
fn id_of(tool: &OuterTool, one: &str, is_others: bool) -> Option<String> {
    let keys: BTreeMap<String, &String> =
        properties(tool).filter(|(_, schema)| is_key(schema)).map(|(name, _)| (identifier_of(name), name)).collect();
    let names = VOCABULARY.ids(one);
    let named = names.iter().filter(|_| !one.is_empty()).find_map(|name| keys.get(name));
    let mut others = keys.iter().filter(|(name, _)| name.ends_with("_id")).map(|(_, name)| name);
    let only = others.next().filter(|_| others.next().is_none()).filter(|name| is_required(tool, name));
    named.or(only.filter(|_| !is_others)).map(|name| (*name).clone())
}

pub fn is_required(tool: &OuterTool, name: &str) -> bool {
    let required = tool.input.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|known| known == name))
}

/// What a path says: `/v1/orders/{orderId}/cancel`.
struct Place {
    one: String,
    id: Option<String>,
    /// Whether a word that is several stands behind the id: `/orders/{id}/items` is about items.
    is_below: bool,
}

impl Place {
    fn of(path: &str) -> Place {
        let is_digit = |c: char| c.is_ascii_digit();
        let is_version = |part: &str| part.strip_prefix('v').is_some_and(|rest| rest.chars().all(is_digit));
        let is_kept = |part: &&str| !part.is_empty() && *part != "api" && !is_version(part);
        let parts: Vec<&str> = path.split(['/', ':']).filter(is_kept).collect();
        let parameter = |part: &str| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')).map(str::to_owned);
        let is_word = |part: &&&str| parameter(part).is_none();
        let last_id = parts.iter().rposition(|part| parameter(part).is_some());
        let behind = last_id.and_then(|at| parts.get(at + 1)).copied();
        let is_several = |word: &str| plural(&singular(word)) == word;
        let one = |word: &str| singular(&identifier_of(word));
        match (last_id, behind) {
            // `/orders/{id}`, `/orders/{id}/cancel`
            (Some(at), behind) if !behind.is_some_and(is_several) => {
                let word = parts.iter().take(at).rev().find(|part| parameter(part).is_none()).copied();
                let id = parts.get(at).and_then(|part| parameter(part));
                Place { one: word.map(one).unwrap_or_default(), id, is_below: false }
            }
            // `/orders/{id}/items`
            (Some(_), behind) => Place { one: behind.map(one).unwrap_or_default(), id: None, is_below: true },
            (None, _) => {
                // `/books/search` is about books.
                let is_noun = |part: &&&str| is_word(part) && !is_mere_verb(&identifier_of(part));
                let word = parts.iter().rev().find(is_noun).copied();
                Place { one: word.map(one).unwrap_or_default(), id: None, is_below: false }
            }
        }
    }
}

/// A name taken apart: `API-post-search`, `getOrderById`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The verb's word, and what it does; nothing where the name has no verb that is known.
    pub verb: Option<(String, Verb)>,
    /// What it is about, in the singular; empty where the name says nothing.
    pub noun: String,
}

impl Name {
    pub fn of(name: &str) -> Name {
        let identifier = identifier_of(name);
        let words: Vec<&str> = identifier.split('_').filter(|word| !word.is_empty()).collect();
        let words = words.get(before(&words)..).unwrap_or_default();
        let is_verb = |at: &usize| is_mere_verb(word(words, *at)) || (*at == 0 && verb(word(words, 0)).is_some());
        let Some(at) = (0..words.len().min(3)).find(is_verb) else {
            return Name { verb: None, noun: noun_of(words) };
        };
        let is_of = |list: &[String], word: &str| list.iter().any(|known| known == word);
        // `book_list`, `order_cancel`: the first is a noun.
        let is_behind = at + 2 == words.len() && !is_mere_verb(word(words, at)) && is_mere_verb(word(words, at + 1));
        let at = if is_behind { at + 1 } else { at };
        let found = word(words, at);
        let paired = pair(found, word(words, at + 1));
        let is_end = |word: &&str| is_of(&VOCABULARY.ends, word);
        let behind = words.iter().skip(at + 1 + usize::from(paired.is_some())).skip_while(|word| is_end(word));
        let behind = behind.filter(|word| !is_of(&VOCABULARY.articles, word));
        let mut noun: Vec<&str> = behind.take_while(|word| !is_end(word)).copied().collect();
        if noun.is_empty() {
            // `items.list`, `order_cancel`
            noun = words.iter().take(at).copied().collect();
        }
        Name { verb: paired.or(verb(found)).map(|verb| (found.to_owned(), verb)), noun: noun_of(&noun) }
    }
}

/// Most characters of a noun, so that there is room for `_not_found` behind it.
const MAX_NOUN: usize = 48;

fn noun_of(words: &[&str]) -> String {
    let noun: String = identifier_of(&words.join("_")).chars().take(MAX_NOUN).collect();
    singular(noun.trim_end_matches('_'))
}

fn word<'a>(words: &[&'a str], at: usize) -> &'a str {
    words.get(at).copied().unwrap_or_default()
}

pub(crate) static VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| serde_json::from_str(include_str!("vocabulary.json")).unwrap_or_default());

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    pub articles: Vec<String>,
    /// Words that end what a verb is about: `getOrder` `By` `Id`.
    pub ends: Vec<String>,
    /// What a parameter is called that names one entity, the likeliest first; `{one}` is the entity, `{last}` its last word.
    ids: Vec<String>,
    /// What a field is called by which entities that are made several at once are known.
    batch_ids: Vec<String>,
    /// Parameters by which people ask for a page of a list, not for some of it.
    pub pages: Vec<String>,
    /// Those that say how many at most.
    pub most: Vec<String>,
    /// Parameters that hold words to look for.
    pub queries: Vec<String>,
    /// Values of a filter that ask for all there are.
    pub every: Vec<String>,
    /// What a parameter is called, or its name ends with, that holds words of the one who calls.
    pub prose: Vec<String>,
    /// Verbs of tools that change what they are given, and nothing where that is nothing.
    pub edits: Vec<String>,
    /// Fields that say how an entity stands.
    pub states: Vec<String>,
    /// Fields of a result that say why a call failed, and those that stand beside them.
    pub errors: Vec<String>,
    pub error_parts: Vec<String>,
    /// What a field is called, or its name ends with, that holds a phone's number.
    pub phones: Vec<String>,
    /// Words of a command that only say that something is run: `docker run`.
    pub runners: Vec<String>,
    pub formats: BTreeMap<String, Format>,
}

/// Values of a format, as a script writes them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// One for each `i` (from 0), by `rng`.
    pub any: String,
    /// One where neither is at hand.
    pub one: String,
}

impl Vocabulary {
    /// The names of a parameter that names one entity, the likeliest first.
    pub fn ids(&self, one: &str) -> Vec<String> {
        filled(&self.ids, one)
    }

    pub(crate) fn batch_ids(&self, one: &str) -> Vec<String> {
        filled(&self.batch_ids, one)
    }
}

fn filled(names: &[String], one: &str) -> Vec<String> {
    let last = one.rsplit('_').next().unwrap_or_default();
    names.iter().map(|name| name.replace("{one}", one).replace("{last}", last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_engine::Schema;

    #[test]
    fn names_are_taken_apart() {
        for (name, verb, noun) in [
            ("getOrderById", Some(("get", Verb::Get)), "order"),
            ("API-post-search", Some(("search", Verb::List)), ""),
            ("API-post-page", Some(("post", Verb::Create)), "page"),
            ("API-retrieve-a-comment", Some(("retrieve", Verb::Get)), "comment"),
            ("items.list", Some(("list", Verb::List)), "item"),
            ("list_directory_with_sizes", Some(("list", Verb::List)), "directory"),
            ("cancelSubscriptions", Some(("cancel", Verb::Update)), "subscription"),
            ("get_issue", Some(("get", Verb::Get)), "issue"),
            ("delete_file", Some(("delete", Verb::Delete)), "file"),
            ("get_file_info", Some(("get", Verb::Get)), "file_info"),
            ("book_list", Some(("list", Verb::List)), "book"),
            ("get_2fa", Some(("get", Verb::Get)), "x_2fa"),
            ("browser_hover", None, "browser_hover"),
            ("check_in_guest", Some(("check", Verb::Update)), "guest"),
            ("checkOutBike", Some(("check", Verb::Update)), "bike"),
            ("checkStock", Some(("check", Verb::Get)), "stock"),
            ("customer_profile", None, "customer_profile"),
            ("order_cancel", Some(("cancel", Verb::Update)), "order"),
        ] {
            let verb = verb.map(|(word, verb)| (word.to_owned(), verb));
            assert_eq!(Name::of(name), Name { verb, noun: noun.to_owned() }, "{name}");
        }
    }

    #[test]
    fn the_words_are_read_and_the_formats_are_the_engines() {
        assert!(!VOCABULARY.ids.is_empty());
        assert_eq!(
            VOCABULARY.ids("stock_item").get(..2),
            Some(&["stock_item_id".to_owned(), "item_id".to_owned()][..])
        );
        assert!(VOCABULARY.formats.keys().all(|format| Schema::formats().contains(&format.as_str())));
    }
}
