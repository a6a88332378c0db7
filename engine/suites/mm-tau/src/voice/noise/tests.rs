//! Properties of the noise channel.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[expect(clippy::cast_precision_loss, reason = "counts of a test are far below 2^53")]
fn share_of(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

const LEVELS: [NoiseLevel; 3] = [NoiseLevel::Off, NoiseLevel::Mild, NoiseLevel::Strong];

const SAID: &str = "My name is Mei Hernandez, zip 77034, order #W5500918, my mail is noah.brown7922@example.com \
                    and I said the SIM line is not in airplane mode.";

fn hear(seed: u64, level: NoiseLevel, turn: u64, said: &str) -> Hearing {
    NoiseChannel::new(seed, level).hear("telecom-3", turn, said)
}

/// Texts with something of every class in them, and anything else.
fn any_text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "555-123-2002",
        "#W5918442",
        "noah.brown7922@example.com",
        "mei_patel_55",
        "Mei",
        "Ortiz",
        "A P N",
        "zip",
        "not",
        "mode",
        "yes,",
        "I",
        "cancel",
        "one",
        "24.50",
        "at example dot com",
        "dot",
        "?",
    ]);
    prop_oneof![
        4 => prop::collection::vec(parts, 0..12).prop_map(|parts| parts.join(" ")),
        1 => "(?s).{0,60}",
    ]
}

/// How many of many utterances suffer each class of edits, and how many tokens there are.
fn tally(level: NoiseLevel) -> BTreeMap<TokenClass, usize> {
    let mut tally = BTreeMap::new();
    for turn in 0..400 {
        for edit in hear(11, level, turn, SAID).mishearings {
            *tally.entry(edit.class).or_default() += 1;
        }
    }
    tally
}

/// A change of this text changes every recorded conversation: it needs a new `NOISE_VERSION`.
#[test]
fn golden_utterance() {
    let heard: Vec<String> = LEVELS.map(|level| hear(7, level, 2, SAID).heard).into();
    assert_eq!(heard, GOLDEN);
}

const GOLDEN: [&str; 3] = [
    SAID,
    "my name is may hernandes zip seven zero three four order w five five zero zero nine one eight my mail is no a dot \
     brown seven nine two two at example dot com and i said the sim line is not in airplane mode",
    "my name is may hernandes zip seven zero three four order novel five five zero nine one eight my mail is no a dot \
     brown seven nine two two at example dotcom and i said the sim light is not in airplane remote",
];

#[test]
fn rates_are_those_of_the_table() {
    let (mild, strong) = (tally(NoiseLevel::Mild), tally(NoiseLevel::Strong));
    let tokens = speak(SAID, &BTreeSet::new());
    for class in [TokenClass::Digit, TokenClass::Letter, TokenClass::Symbol, TokenClass::Name, TokenClass::Word] {
        let exposed = tokens.iter().filter(|t| t.class == class && !sounds(class, &t.text, false).is_empty()).count();
        for (level, tally) in [(NoiseLevel::Mild, &mild), (NoiseLevel::Strong, &strong)] {
            let share = share_of(tally[&class], 400 * exposed);
            let want = rate(class, level).fraction();
            assert!((share - want).abs() < 0.05, "{class:?} {level}: {share} instead of {want}");
        }
    }
}

#[test]
fn confidence_is_low_where_edits_could_have_happened_and_tells_nothing_for_sure() {
    for level in [NoiseLevel::Mild, NoiseLevel::Strong] {
        let mut changed: BTreeMap<TokenClass, Vec<u16>> = BTreeMap::new();
        let mut intact = changed.clone();
        let channel = NoiseChannel::new(5, level);
        for (turn, token) in
            (0..2000).flat_map(|turn| speak(SAID, &BTreeSet::new()).into_iter().map(move |t| (turn, t)))
        {
            let draws = Draws::new(5, &token.text, turn, 0);
            let is_struck = channel.strike(&token, false, &draws).is_some();
            let confidence = channel.confidence(&token, false, is_struck, &draws).thousandths();
            let group = if is_struck { &mut changed } else { &mut intact };
            group.entry(token.class).or_default().push(confidence);
        }
        let mean = |values: &[u16]| share_of(values.iter().copied().map(usize::from).sum(), values.len());
        for (class, changed) in &changed {
            let intact = &intact[class];
            assert!(changed.iter().max() > intact.iter().min() && intact.iter().max() > changed.iter().min());
            assert!(mean(changed) < mean(intact), "{class:?} {level}");
        }
        let low = |class| mean(&intact[&class]);
        assert!(low(TokenClass::Name) < low(TokenClass::Letter) && low(TokenClass::Letter) < low(TokenClass::Digit));
    }
}

#[test]
fn known_names_are_names_in_lower_case_too() {
    let plain = NoiseChannel::new(1, NoiseLevel::Strong);
    let knowing = plain.clone().with_names(["Ada Lovelace"]);
    let edits =
        |channel: &NoiseChannel| (0..50).map(|turn| channel.hear("c", turn, "ada lovelace").mishearings.len()).sum();
    let (none, some): (usize, usize) = (edits(&plain), edits(&knowing));
    assert!(none == 0 && some > 60, "{none} {some}");
}

#[test]
fn nothing_said_is_nothing_heard() {
    for level in LEVELS {
        let hearing = hear(1, level, 1, "");
        assert_eq!((hearing.heard.as_str(), hearing.words.len(), hearing.confidence), ("", 0, Permille::ALL));
        assert_eq!(hearing.replay().as_deref(), Some(""));
    }
}

proptest! {
    #[test]
    fn off_is_identity(seed: u64, turn: u64, said in any_text()) {
        let hearing = hear(seed, NoiseLevel::Off, turn, &said);
        prop_assert_eq!(&hearing.heard, &said);
        prop_assert!(hearing.mishearings.is_empty() && hearing.confidence == Permille::ALL);
    }

    #[test]
    fn same_seed_same_result(seed: u64, turn: u64, said in any_text()) {
        for level in LEVELS {
            prop_assert_eq!(hear(seed, level, turn, &said), hear(seed, level, turn, &said));
        }
    }

    #[test]
    fn every_edit_is_recorded(seed: u64, turn: u64, said in any_text()) {
        for level in LEVELS {
            let hearing = hear(seed, level, turn, &said);
            prop_assert_eq!(hearing.replay(), Some(hearing.heard.clone()));
            prop_assert!(hearing.mishearings.iter().all(|edit| edit.is_joined || edit.heard != edit.said));
            let record = serde_json::to_string(&hearing).unwrap();
            prop_assert_eq!(serde_json::from_str::<Hearing>(&record).unwrap(), hearing);
        }
    }

    #[test]
    fn mild_edits_are_among_the_strong_ones(seed: u64, turn: u64, said in any_text()) {
        let [mild, strong] = [NoiseLevel::Mild, NoiseLevel::Strong].map(|level| hear(seed, level, turn, &said));
        prop_assert!(mild.mishearings.iter().all(|edit| strong.mishearings.contains(edit)));
        prop_assert!(mild.confidence >= strong.confidence);
    }

    /// A line without edits only changes the form: the words are those of the spoken form.
    #[test]
    fn without_edits_the_spoken_form_is_heard(seed: u64, turn: u64, said in any_text()) {
        let hearing = hear(seed, NoiseLevel::Mild, turn, &said);
        prop_assert_eq!(&hearing.spoken, &super::super::spoken::spoken(&said));
        if hearing.mishearings.is_empty() {
            prop_assert_eq!(hearing.heard, hearing.spoken);
        }
    }

    /// An edit of one token leaves the draws of the others alone: what is said later cannot change what was heard.
    #[test]
    fn earlier_words_do_not_depend_on_later_ones(seed: u64, tail in "[a-z]{1,8} [a-z]{1,8}") {
        let head = "my zip is 77034 thanks a lot";
        let whole = format!("{head} {tail}");
        let [short, long] = [head, whole.as_str()].map(|said| hear(seed, NoiseLevel::Strong, 1, said).mishearings);
        prop_assert!(short.iter().zip(&long).all(|(one, other)| one == other));
    }
}

/// A change of any of these numbers changes every recorded conversation: it needs a new `NOISE_VERSION`.
#[test]
fn golden_draws() {
    let draws = Draws::new(7, "telecom-3", 2, 5);
    let numbers = draws.chances.map(|chance| (chance.when, chance.which % 1000));
    assert_eq!((numbers, draws.doubts), DRAWN);
}

const DRAWN: ([(u16, u64); 2], [u16; 2]) = ([(448, 403), (544, 865)], [810, 86]);

#[test]
fn each_part_of_the_key_counts() {
    let draw = |seed, conversation, turn, token| Draws::new(seed, conversation, turn, token).chances[0].which;
    let all = [draw(1, "a", 1, 1), draw(2, "a", 1, 1), draw(1, "b", 1, 1), draw(1, "a", 2, 1), draw(1, "a", 1, 2)];
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
}

#[test]
fn weights_share_the_room() {
    let items = [("a", 1), ("b", 3)];
    assert_eq!(weighted(items, 0), Some("a"));
    assert_eq!(weighted(items, u64::MAX / 4 + 1), Some("b"));
    assert_eq!(weighted(items, u64::MAX), Some("b"));
    assert_eq!(weighted::<&str>([], 0), None);
}
