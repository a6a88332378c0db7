//! How a text is said aloud, and what its tokens are, as `cases.txt` says.

use super::{TokenClass, speak, spoken};
use crate::case::{Reader, hold, pair, row};

/// One letter for each token of a text, behind which a known name may stand.
fn signs(text: &str) -> String {
    let sign = |class| match class {
        TokenClass::Digit => 'd',
        TokenClass::Run => 'R',
        TokenClass::Letter => 'l',
        TokenClass::Symbol => 's',
        TokenClass::Name => 'N',
        TokenClass::Word => 'w',
    };
    let (text, name) = pair(text);
    let names = [name.to_owned()].into_iter().filter(|name| !name.is_empty()).collect();
    speak(text, &names).iter().map(|token| sign(token.class)).collect()
}

const READERS: [(&str, Reader); 2] =
    [("spoken", |text| row(Some(spoken(text)).filter(|said| !said.is_empty()), "")), ("signs", signs)];

#[test]
fn texts_are_said_as_the_cases_say() {
    hold(include_str!("cases.txt"), &READERS);
}
