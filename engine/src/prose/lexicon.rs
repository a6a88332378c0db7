//! Closed classes of words, read once from `lexicon.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::token::stem;

/// What a verb does when somebody says to have done it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VerbClass {
    /// Speech, thought, waiting, leaving alone: no act.
    Nothing,
    /// Looks something up.
    Check,
    /// Tells somebody.
    Tell,
    /// Arranges something.
    Arrange,
    /// Takes its meaning from its object: `put`, `make`.
    Light,
}

/// A class of nouns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NounClass {
    /// Someone else than the user and the agent.
    Others,
    /// What carries news: a confirmation, a text.
    Messages,
    /// Those of the desk's side whom not every desk has: colleagues, a porter.
    Staff,
    /// What is sent and not every desk sends: an e-mail, an invitation.
    Letters,
    /// What is kept of a matter, or kept for somebody: a list, a lock, a monitor.
    Keepings,
    /// What a house has, or does not: a balcony, a lift, breakfast.
    Premises,
    /// The weather and the view.
    Senses,
    /// Words before a noun that make it a turn of phrase: `on the other hand`.
    Idle,
    /// A look: `had a look at`.
    Looks,
    /// Names nothing in particular: `it`, `everything`, `a bit`.
    Vague,
    /// Stands for a service of its own that only a call could start.
    Function,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    irregular: BTreeMap<String, String>,
    verbs: BTreeMap<VerbClass, String>,
    same: BTreeMap<String, String>,
    nouns: BTreeMap<NounClass, String>,
}

/// The closed classes.
#[derive(Default)]
pub(crate) struct Lexicon {
    /// Verbs by irregular past form.
    irregular: BTreeMap<String, String>,
    verbs: BTreeMap<VerbClass, BTreeSet<String>>,
    nouns: BTreeMap<NounClass, BTreeSet<String>>,
    /// Groups of verbs that mean the same.
    same: Vec<BTreeSet<String>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.toml")).unwrap_or_default());

/// The closed classes of English that the rules use.
pub(crate) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

impl Lexicon {
    fn read(text: &str) -> Option<Lexicon> {
        let file: File = toml::from_str(text).ok()?;
        let set = |words: &String| words.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
        let forms = file.irregular.iter().flat_map(|(verb, forms)| forms.split_whitespace().map(move |f| (f, verb)));
        Some(Lexicon {
            irregular: forms.map(|(form, verb)| (form.to_owned(), verb.clone())).collect(),
            verbs: file.verbs.iter().map(|(class, words)| (*class, set(words))).collect(),
            nouns: file.nouns.iter().map(|(class, words)| (*class, set(words))).collect(),
            same: file.same.values().map(set).collect(),
        })
    }

    /// Whether a verb, in base form, is of a class.
    pub(crate) fn is_verb(&self, class: VerbClass, verb: &str) -> bool {
        self.verbs.get(&class).is_some_and(|words| words.contains(verb))
    }

    /// Whether a noun is of a class, in the singular or the plural.
    pub(crate) fn is_noun(&self, class: NounClass, noun: &str) -> bool {
        let one = noun.strip_suffix('s').unwrap_or(noun);
        self.nouns.get(&class).is_some_and(|words| words.contains(noun) || words.contains(one))
    }

    /// The verbs that a past form may belong to: `moved` to `move`, `cancelled` to `cancel`, `sent` to `send`. None
    /// for what is no past form.
    pub(crate) fn verbs_of(&self, past: &str) -> Vec<String> {
        if let Some(verb) = self.irregular.get(past) {
            return vec![verb.clone()];
        }
        let Some(root) = past.strip_suffix("ed").filter(|root| root.len() >= 2) else { return Vec::new() };
        let mut verbs = vec![root.to_owned(), format!("{root}e")];
        let mut last = root.chars().rev();
        if last.next() == last.next() {
            verbs.extend(root.get(..root.len() - 1).map(str::to_owned));
        }
        verbs.extend(root.strip_suffix('i').map(|root| format!("{root}y")));
        // `noted` is no form of `not`.
        verbs.retain(|verb| {
            verb != "not"
                && !matches!(past, "need" | "indeed" | "exceed" | "feed" | "speed" | "hundred" | "red" | "bed")
        });
        verbs
    }

    /// Whether two verbs mean the same or are the same.
    pub(crate) fn means_same(&self, one: &str, other: &str) -> bool {
        one == other
            || stem(one) == stem(other)
            || self.same.iter().any(|group| group.contains(one) && group.contains(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_read() {
        let lexicon = lexicon();
        assert!(lexicon.is_verb(VerbClass::Check, "verify") && lexicon.is_verb(VerbClass::Nothing, "mention"));
        assert!(lexicon.is_noun(NounClass::Others, "colleagues") && !lexicon.is_noun(NounClass::Others, "room"));
        assert!(lexicon.means_same("move", "switch") && !lexicon.means_same("move", "cancel"));
    }

    #[test]
    fn past_forms_have_verbs() {
        for (past, verb) in [("moved", "move"), ("cancelled", "cancel"), ("sent", "send"), ("notified", "notify")] {
            assert!(lexicon().verbs_of(past).contains(&verb.to_owned()), "{past}");
        }
        assert!(lexicon().verbs_of("room").is_empty() && lexicon().verbs_of("need").is_empty());
    }
}
