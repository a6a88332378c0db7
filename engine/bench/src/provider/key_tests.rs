use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::prelude::*;

use super::*;

#[test]
fn a_key_is_never_printed() {
    let key = ApiKey::new(" sk-abcdef \n").unwrap();
    assert_eq!(format!("{key:?}"), "[key]");
    assert_eq!(key.blot("wrong key sk-abcdef!"), "wrong key [key]!");
    assert_eq!(
        (key.header("authorization").as_str(), key.header("x-api-key").as_str()),
        ("Bearer sk-abcdef", "sk-abcdef")
    );
    let key = ApiKey::new("sk/ab+c\\d\"e").unwrap();
    let json = serde_json::json!({"arguments": serde_json::json!({"k": "sk/ab+c\\d\"e"}).to_string()}).to_string();
    for text in [r#"<sk/ab+c\d"e>"#, r#"<sk\/ab+c\\d\"e>"#, r#"<\u0073k\u002Fab\u002bc\\d\u0022e>"#, &json] {
        let blotted = key.blot(text);
        assert!(blotted.contains(BLOT) && !blotted.contains("ab"), "{text}: {blotted}");
    }
    assert!(ApiKey::new("").is_err());
    assert!(ApiKey::new("a\nb").is_err());
    assert!(ApiKey::new(&"k".repeat(LONGEST + 1)).is_err());
}

fn each(key: &str, form: impl Fn(char) -> String) -> String {
    key.chars().map(form).collect()
}

fn split(key: &str, by: &str) -> String {
    each(key, |c| format!("{c}{by}")).trim_end_matches(by).to_owned()
}

fn swapped(c: char) -> String {
    let lower = c.to_ascii_lowercase();
    (if c == lower { c.to_ascii_uppercase() } else { lower }).to_string()
}

/// A way in which a key may be said.
type Way = fn(&str) -> String;

const WAYS: [(&str, Way); 19] = [
    ("plain", str::to_owned),
    ("base64", |key| STANDARD.encode(key)),
    ("base64_of_header", |key| STANDARD.encode(format!("Bearer {key}"))),
    ("base64_after_one", |key| STANDARD.encode(format!("é{key}!"))),
    ("base64_after_two", |key| STANDARD.encode(format!("a{key}zz"))),
    ("base64url", |key| URL_SAFE_NO_PAD.encode(key)),
    ("hex", |key| each(key, |c| format!("{:02x}", u32::from(c)))),
    ("upper_hex", |key| each(key, |c| format!("{:02X}", u32::from(c)))),
    ("percent", |key| each(key, |c| format!("%{:02X}", u32::from(c)))),
    ("reversed", |key| key.chars().rev().collect()),
    ("upper", str::to_uppercase),
    ("lower", str::to_lowercase),
    ("swapped", |key| each(key, swapped)),
    ("entities", |key| each(key, |c| format!("&#{};", u32::from(c)))),
    ("hex_entities", |key| each(key, |c| format!("&#x{:X};", u32::from(c)))),
    ("spaces", |key| split(key, " ")),
    ("zero_width", |key| split(key, "\u{200b}")),
    ("utf16", |key| split(key, "\0")),
    ("json", |key| each(key, |c| format!("\\u{:04x}", u32::from(c)))),
];

/// A key in one way, and that in another where the first leaves ASCII.
fn twice(key: &str, inner: Way, outer: &str) -> String {
    let inner = inner(key);
    let (_, outer) = WAYS.iter().find(|(name, _)| *name == outer).unwrap();
    if inner.is_ascii() { outer(&inner) } else { inner }
}

#[test]
fn the_first_characters_are_as_good_as_the_key() {
    let text = "sk-live-Zx91bQ7wTr55Lm20PaVd83";
    let key = ApiKey::new(text).unwrap();
    for (name, way) in WAYS {
        let part = way(&text[..20]);
        assert_eq!(key.blot(&format!("<{part}>")).find(&part), None, "{name}");
    }
    assert_eq!(key.blot("it is sk-live-Zx91bQ7wTr55, or so"), "it is [key], or so");
    assert_eq!(key.blot("sk-live-Zx91"), "sk-live-Zx91");
}

/// `\b` is an escape and `\B` is none: in capitals a key loses another character to whoever undoes escapes.
#[test]
fn a_key_with_escapes_is_known_in_other_letters() {
    let text = r"!aA!aA!!!!aAA0\bA!0!";
    let key = ApiKey::new(text).unwrap();
    for (name, way) in WAYS {
        for outer in ["plain", "spaces"] {
            assert!(key.blot(&format!("<{}>", twice(text, way, outer))).contains(BLOT), "{name} {outer}");
        }
    }
}

#[test]
fn other_words_stay_as_they_are() {
    let key = ApiKey::new("sk-live-Zx91bQ7wTr55Lm20PaVd83").unwrap();
    for text in
        ["", "Your slot: 10:30 &amp; 50 % off\\n", "é\u{200b}ü \u{1f600}", r#"{"a": "b\u0041\\\"c"}"#, "%%%&&&\\\\\\"]
    {
        assert_eq!(key.blot(text), text);
    }
}

#[test]
fn a_long_text_takes_no_longer_than_it_is() {
    let key = ApiKey::new(&"a1".repeat(100)).unwrap();
    let text = "a1".repeat(200_000);
    assert_eq!(key.blot(&text), BLOT);
    assert_eq!(key.blot(&"\\".repeat(400_000)).len(), 400_000);
}

proptest! {
    #[test]
    fn no_form_of_a_key_stays(
        text in "[!-~]{20,80}",
        way in 0..WAYS.len(),
        outer in prop::sample::select(vec!["plain", "percent", "json", "entities", "spaces"]),
        before in "[a-zA-Z0-9 .,:\"'{}é]{0,30}",
        after in "[ .,:\"'{}é][a-zA-Z0-9 .,:\"'{}é]{0,30}",
    ) {
        let key = ApiKey::new(&text).unwrap();
        let form = twice(&text, WAYS[way].1, outer);
        let blotted = key.blot(&format!("{before}{form}{after}"));
        prop_assert!(blotted.contains(BLOT), "{form} is in {blotted}");
        // Of base64 the characters at either end may also be of what stands beside the key.
        let core: String = form.chars().skip(24).collect();
        let core: String = core.chars().rev().skip(24).collect::<Vec<_>>().into_iter().rev().collect();
        prop_assert!(core.len() < 16 || !blotted.contains(&core), "{form} is in {blotted}");
        prop_assert!(blotted.ends_with(&after));
    }
}
