//! The words of people: those of users, read from `phrases.toml`, and which of several wordings comes next; steps as
//! agents tell them (`lessons.toml`); what the phone showed, as users retell it (`retelling.toml`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::people::understanding::{AppPermission, DeviceStep, SwitchPosition};
use crate::telecom::Persona;
use probity_engine::Stream;

/// A thing to say; the first are said by users with a phone, those behind `GivesUp` at a desk alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Saying {
    Data,
    Service,
    Mms,
    Abroad,
    Home,
    NoWifi,
    Number,
    NumberAgain,
    Name,
    UnknownField,
    Right,
    Wrong,
    Yes,
    No,
    Amount,
    DoubtsPrice,
    NoPlan,
    OtherAmount,
    Puzzled,
    WhereIs,
    Waits,
    Holds,
    Did,
    Looked,
    Already,
    PutBack,
    OneThing,
    StillBad,
    Alternative,
    Impatient,
    Content,
    HandedOver,
    GivesUp,
    Greets,
    Volunteers,
    Tells,
    TellsName,
    TellsMeans,
    Again,
    Lacks,
    AsksAmount,
    DoubtsAmount,
    DoubtsMeans,
    Declines,
    Insists,
    Accepts,
    Next,
    OnlyThat,
}

type Book = BTreeMap<Saying, Vec<String>>;

/// By where the user is, and by persona.
static BOOKS: LazyLock<BTreeMap<String, BTreeMap<String, Book>>> =
    LazyLock::new(|| toml::from_str(include_str!("phrases.toml")).unwrap_or_default());
static NOTHING: Book = Book::new();

/// A persona's words in the mouth of one user.
#[derive(Clone)]
pub(crate) struct Phrasebook {
    book: &'static Book,
    /// What settles the wordings.
    pub(crate) name: String,
    /// How often each thing was said, by the wordings' first.
    uses: BTreeMap<&'static str, u64>,
}

impl Phrasebook {
    /// The words of a user `of` the section `phone` or `desk`.
    pub(crate) fn new(of: &str, persona: Persona, name: String) -> Phrasebook {
        let book = BOOKS.get(of).and_then(|books| books.get(persona.name())).unwrap_or(&NOTHING);
        Phrasebook { book, name, uses: BTreeMap::new() }
    }

    pub(crate) fn has(&self, saying: Saying) -> bool {
        self.book.contains_key(&saying)
    }

    /// The wording that comes next: the first by the user's name, then in turn.
    pub(crate) fn wording(&mut self, saying: Saying) -> &'static str {
        let wordings = self.book.get(&saying).map(Vec::as_slice).unwrap_or_default();
        let Some(first) = wordings.first() else { return "" };
        let uses = self.uses.entry(first).or_default();
        let count = wordings.len() as u64;
        let start = Stream::new(0, "wording", &format!("{}\0{first}", self.name)).below(count);
        let at = (start + *uses) % count;
        *uses += 1;
        usize::try_from(at).ok().and_then(|at| wordings.get(at)).unwrap_or(first)
    }

    pub(crate) fn with(&mut self, saying: Saying, value: &str) -> String {
        self.wording(saying).replace("{}", value)
    }
}

/// What a step is about, and two ways to tell it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lesson {
    pub(crate) noun: String,
    pub(crate) short: String,
    pub(crate) guided: String,
}

static LESSONS: LazyLock<BTreeMap<String, Lesson>> =
    LazyLock::new(|| toml::from_str(include_str!("lessons.toml")).unwrap_or_default());
static NONE: Lesson = Lesson { noun: String::new(), short: String::new(), guided: String::new() };

pub(crate) fn lesson(step: DeviceStep) -> &'static Lesson {
    let tool = if step == DeviceStep::EnterApn { DeviceStep::ResetApn.tool() } else { step.tool() };
    let name = match step {
        DeviceStep::Switch(_, Some(SwitchPosition::Off)) => format!("{tool} off"),
        DeviceStep::Switch(_, Some(SwitchPosition::On) | None) => format!("{tool} on"),
        DeviceStep::Grant(_, AppPermission::Storage) => format!("{tool} storage"),
        DeviceStep::Grant(..) => format!("{tool} sms"),
        _ => tool.to_owned(),
    };
    LESSONS.get(&name).unwrap_or(&NONE)
}

/// How a line begins, and how it is retold; the parts of the status bar, and how each is.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    lines: Vec<(String, String)>,
    bar: Vec<(String, String)>,
}

static ROWS: LazyLock<Rows> = LazyLock::new(|| toml::from_str(include_str!("retelling.toml")).unwrap_or_default());

/// What the phone showed, as a sentence. `wants_bar` says whether the status bar is told where other lines are shown too.
pub(crate) fn retelling(shown: &str, wants_bar: bool) -> String {
    let lines: Vec<&str> = shown.lines().collect();
    let told = lines.iter().filter_map(|line| match line.strip_prefix("Status Bar: ") {
        Some(bar) if wants_bar || lines.len() == 1 => Some(format!("at the top {}", listed(&bar_parts(bar)))),
        Some(_) => None,
        None => line_in_words(line),
    });
    let told: Vec<String> = told.collect();
    sentence(&listed(&told))
}

fn line_in_words(line: &str) -> Option<String> {
    let row = ROWS.lines.iter().find_map(|(start, words)| line.strip_prefix(start.as_str()).map(|rest| (words, rest)));
    let told = match row {
        Some((words, rest)) => words.replace("{}", plain(rest).as_str()),
        None => format!("it says \"{}\"", line.trim()),
    };
    (!told.is_empty() && !line.trim().is_empty()).then_some(told)
}

/// A value without the advice behind it, positions and answers in lower case.
fn plain(rest: &str) -> String {
    let rest = rest.trim_end_matches('.');
    let short = rest.split_once(") ").map_or(rest, |(short, _)| short).trim_end_matches('.');
    let short = short.split_once("). ").map_or(short, |(short, _)| short);
    match short {
        "ON" | "OFF" | "Yes" | "No" => short.to_lowercase(),
        "no_service" => "no service".to_owned(),
        "locked_pin" => "locked with a PIN".to_owned(),
        "locked_puk" => "locked with a PUK".to_owned(),
        other => other.trim_end_matches(')').replace(" (", ", ").replace('_', " "),
    }
}

fn bar_parts(bar: &str) -> Vec<String> {
    let told = bar.split(" | ").map(|part| {
        let row = ROWS.bar.iter().find(|(sign, _)| part.contains(sign));
        row.map_or_else(|| part.to_owned(), |(_, words)| words.clone())
    });
    told.filter(|part| !part.is_empty()).collect()
}

fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// With a capital and a full stop.
fn sentence(words: &str) -> String {
    let mut signs = words.chars();
    match signs.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), signs.as_str().trim_end_matches('.')),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::hold;
    use crate::measures::{FieldKind, canonical};
    use crate::people::understanding::{DeviceLook, DeviceSwitch, NetworkMode, PhoneApp, understand};

    #[test]
    fn every_persona_has_words_for_everything() {
        let personas: Vec<&str> = Persona::ALL.iter().map(|persona| persona.name()).collect();
        for (of, only) in [("phone", None), ("desk", Some(Saying::Volunteers))] {
            assert_eq!(BOOKS[of].keys().collect::<Vec<_>>().len(), personas.len());
            let sayings = |persona: &&str| {
                let all = BOOKS[of][*persona].iter().filter(|(saying, _)| Some(**saying) != only);
                all.map(|(saying, words)| (*saying, words.is_empty())).collect::<Vec<_>>()
            };
            let all: Vec<_> = personas.iter().map(sayings).collect();
            assert!(all.iter().all(|sayings| *sayings == all[0] && sayings.iter().all(|(_, is_empty)| !is_empty)));
        }
        let known = BOOKS.values().flat_map(|books| books.values()).flat_map(BTreeMap::keys);
        assert_eq!(known.collect::<std::collections::BTreeSet<_>>().len(), Saying::OnlyThat as usize + 1);
    }

    #[test]
    fn what_goes_with_a_number_has_no_digit_of_its_own() {
        use Saying::{Mms, Name, Number, NumberAgain, Puzzled, Right, Wrong};
        for book in BOOKS["phone"].values() {
            for wording in
                [Number, NumberAgain, Name, Right, Wrong, Puzzled, Mms].iter().flat_map(|saying| &book[saying])
            {
                assert_eq!(canonical(FieldKind::Digits, wording), "", "{wording}");
            }
        }
    }

    #[test]
    fn every_lesson_tells_its_step_and_the_guided_one_where() {
        let mut steps: Vec<DeviceStep> = DeviceLook::ALL.iter().map(|look| DeviceStep::Look(*look)).collect();
        for position in [SwitchPosition::On, SwitchPosition::Off] {
            steps.extend(DeviceSwitch::ALL.iter().map(|switch| DeviceStep::Switch(*switch, Some(position))));
        }
        steps.extend([
            DeviceStep::LookAtPermissions(PhoneApp::Messaging),
            DeviceStep::Prefer(NetworkMode::FiveAndFour),
            DeviceStep::Grant(PhoneApp::Messaging, AppPermission::Sms),
            DeviceStep::Grant(PhoneApp::Messaging, AppPermission::Storage),
            DeviceStep::ResetApn,
            DeviceStep::ReseatSim,
            DeviceStep::Restart,
            DeviceStep::ConnectVpn,
            DeviceStep::DisconnectVpn,
            DeviceStep::Pay,
        ]);
        assert_eq!(steps.len(), LESSONS.len());
        for step in steps {
            let Lesson { short, guided, .. } = lesson(step);
            assert_eq!(understand(short).steps().collect::<Vec<_>>(), [step], "{short}");
            let heard = understand(guided);
            assert_eq!(heard.steps().collect::<Vec<_>>(), [step], "{guided}");
            assert!(heard.has_directions && heard.acts.len() == 1, "{guided}: {:?}", heard.acts);
        }
    }

    #[test]
    fn facts_stay() {
        hold(include_str!("retelling_cases.txt"), &[("retold", |text| retelling(text, false))]);
        assert_eq!(retelling("", false), "");
    }
}
