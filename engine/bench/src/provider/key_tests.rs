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

const WAYS: [&str; 19] = [
    "plain",
    "base64",
    "base64_of_header",
    "base64_after_one",
    "base64_after_two",
    "base64url",
    "hex",
    "upper_hex",
    "percent",
    "reversed",
    "upper",
    "lower",
    "swapped",
    "entities",
    "hex_entities",
    "spaces",
    "zero_width",
    "utf16",
    "json",
];

fn said(key: &str, way: &str) -> String {
    let each = |form: &dyn Fn(char) -> String| key.chars().map(form).collect::<String>();
    let split = |by: &str| each(&|c| format!("{c}{by}")).trim_end_matches(by).to_owned();
    match way {
        "plain" => key.to_owned(),
        "base64" => STANDARD.encode(key),
        "base64_of_header" => STANDARD.encode(format!("Bearer {key}")),
        "base64_after_one" => STANDARD.encode(format!("é{key}!")),
        "base64_after_two" => STANDARD.encode(format!("a{key}zz")),
        "base64url" => URL_SAFE_NO_PAD.encode(key),
        "hex" => each(&|c| format!("{:02x}", u32::from(c))),
        "upper_hex" => each(&|c| format!("{:02X}", u32::from(c))),
        "percent" => each(&|c| format!("%{:02X}", u32::from(c))),
        "reversed" => key.chars().rev().collect(),
        "upper" => key.to_uppercase(),
        "lower" => key.to_lowercase(),
        "swapped" => each(&|c| {
            let lower = c.to_ascii_lowercase();
            (if c == lower { c.to_ascii_uppercase() } else { lower }).to_string()
        }),
        "entities" => each(&|c| format!("&#{};", u32::from(c))),
        "hex_entities" => each(&|c| format!("&#x{:X};", u32::from(c))),
        "spaces" => split(" "),
        "zero_width" => split("\u{200b}"),
        "utf16" => split("\0"),
        _ => each(&|c| format!("\\u{:04x}", u32::from(c))),
    }
}

#[test]
fn the_first_characters_are_as_good_as_the_key() {
    let text = "sk-live-Zx91bQ7wTr55Lm20PaVd83";
    let key = ApiKey::new(text).unwrap();
    for way in WAYS {
        let part = said(&text[..20], way);
        assert_eq!(key.blot(&format!("<{part}>")).find(&part), None, "{way}");
    }
    assert_eq!(key.blot("it is sk-live-Zx91bQ7wTr55, or so"), "it is [key], or so");
    assert_eq!(key.blot("sk-live-Zx91"), "sk-live-Zx91");
}

/// `\b` is an escape and `\B` is none: in capitals a key loses another character to whoever undoes escapes.
#[test]
fn a_key_with_escapes_is_known_in_other_letters() {
    let text = r"!aA!aA!!!!aAA0\bA!0!";
    let key = ApiKey::new(text).unwrap();
    for way in WAYS {
        for outer in ["plain", "spaces"] {
            let inner = said(text, way);
            let form = if inner.is_ascii() { said(&inner, outer) } else { inner };
            assert!(key.blot(&format!("<{form}>")).contains(BLOT), "{way} {outer}");
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
        let inner = said(&text, WAYS[way]);
        let form = if inner.is_ascii() { said(&inner, outer) } else { inner };
        let blotted = key.blot(&format!("{before}{form}{after}"));
        prop_assert!(blotted.contains(BLOT), "{form} is in {blotted}");
        // Of base64 the characters at either end may also be of what stands beside the key.
        let core: String = form.chars().skip(24).collect();
        let core: String = core.chars().rev().skip(24).collect::<Vec<_>>().into_iter().rev().collect();
        prop_assert!(core.len() < 16 || !blotted.contains(&core), "{form} is in {blotted}");
        prop_assert!(blotted.ends_with(&after));
    }
}
