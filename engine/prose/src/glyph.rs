//! What characters look like: digits and letters of other scripts that people read as ours, and those nobody sees.

/// The character that readers take `c` for; `None` for one that they do not see.
///
/// `１` and `١` are 1, the Cyrillic `с` is c, and a soft hyphen or a zero-width blank is nothing.
pub fn seen(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c);
    }
    match c {
        '\u{ad}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{300}'..='\u{36f}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => None,
        _ => Some(digit(c).or_else(|| wide(c)).or_else(|| letter(c)).unwrap_or(c)),
    }
}

/// The characters of a text as they are seen, each with its place in the text.
pub fn seen_in(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.chars().enumerate().filter_map(|(at, c)| Some((at, seen(c)?)))
}

/// The zeros of scripts that write ten decimal digits in a row.
const ZEROS: [u32; 37] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
    0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
    0xa900, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
];

fn digit(c: char) -> Option<char> {
    let value = ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|value| *value < 10))?;
    char::from_digit(value, 10)
}

/// Full-width letters and signs: `Ａ`, `：`; the marks that stand between Arabic digits; hyphens and minus signs.
fn wide(c: char) -> Option<char> {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{3000}' => Some(' '),
        '\u{66b}' => Some('.'),
        '\u{66c}' => Some(','),
        '\u{66a}' => Some('%'),
        '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{fe63}' => Some('-'),
        _ => None,
    }
}

/// Cyrillic and Greek letters that look like Latin ones.
const LIKE_LATIN: [(&str, &str); 5] = [
    ("АВЕКМНОРСТУХІЈЅԌԚԜҮӀ", "ABEKMHOPCTYXIJSGQWYI"),
    ("аеорсухіјѕһԁԛԝүкмнтвӏ", "aeopcyxijshdqwykmhtbl"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("αικνορυχϲϳετωη", "aikvopuxcjetwn"),
    ("ɑɡıȷʀɴɪʟᴀʙᴄᴅᴇғɢʜᴊᴋᴍᴏᴘᴛᴜᴠᴡʏᴢℓℎℯℴℊ", "agijrnilabcdefghjkmoptuvwyzlheog"),
];

/// Letters of mathematics, in circles and in brackets, which go through the alphabet: the first, and how many alphabets
/// of capitals and small letters follow.
const ALPHABETS: [(u32, u32); 4] = [(0x1d400, 26), (0x24b6, 2), (0x249c, 1), (0x1f130, 1)];

/// The letter of our alphabet that a character stands for by its place in another.
fn of_alphabet(c: char) -> Option<char> {
    let place = |(first, alphabets): &(u32, u32)| {
        let place = u32::from(c).checked_sub(*first).filter(|place| *place < 26 * alphabets)?;
        let is_small = *first == 0x249c || (*first != 0x1f130 && place / 26 % 2 == 1);
        char::from_u32(u32::from(if is_small { 'a' } else { 'A' }) + place % 26)
    };
    ALPHABETS.iter().find_map(place)
}

fn letter(c: char) -> Option<char> {
    if let Some(letter) = of_alphabet(c) {
        return Some(letter);
    }
    let read = |(like, latin): &(&str, &str)| like.chars().zip(latin.chars()).find(|(like, _)| *like == c);
    LIKE_LATIN.iter().find_map(read).map(|(_, latin)| latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_looks_like_one() {
        for (like, latin) in LIKE_LATIN {
            assert_eq!(like.chars().count(), latin.chars().count(), "{like}");
        }
    }
}
