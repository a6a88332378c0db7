//! Decimal digits of all scripts, as the host (Python 3.11, Unicode 14) knows them.

/// The zeros, each followed by its nine digits.
#[rustfmt::skip]
const ZEROS: [u32; 66] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6,
    0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50, 0x0ed0,
    0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80,
    0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900,
    0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x0001_04a0, 0x0001_0d30, 0x0001_1066,
    0x0001_10f0, 0x0001_1136, 0x0001_11d0, 0x0001_12f0, 0x0001_1450, 0x0001_14d0, 0x0001_1650, 0x0001_16c0,
    0x0001_1730, 0x0001_18e0, 0x0001_1950, 0x0001_1c50, 0x0001_1d50, 0x0001_1da0, 0x0001_6a60, 0x0001_6ac0,
    0x0001_6b50, 0x0001_d7ce, 0x0001_d7d8, 0x0001_d7e2, 0x0001_d7ec, 0x0001_d7f6, 0x0001_e140, 0x0001_e2f0,
    0x0001_e950, 0x0001_fbf0,
];

pub fn value(c: char) -> Option<u8> {
    let code = u32::from(c);
    let zero = ZEROS.get(ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?)?;
    u8::try_from(code - zero).ok().filter(|value| *value < 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_their_value_and_nothing_else_has_one() {
        for (c, expected) in [('0', 0), ('9', 9), ('\u{669}', 9), ('\u{ff10}', 0), ('\u{1d7e1}', 9), ('\u{1fbf9}', 9)] {
            assert_eq!(value(c), Some(expected), "{c}");
        }
        for c in ['/', ':', 'a', '\u{b2}', '\u{2460}', '\u{66a}', '\u{11f50}', '\u{1fbfa}'] {
            assert_eq!(value(c), None, "{c}");
        }
        let all = (0..=0x0010_ffff).filter_map(char::from_u32).filter(|c| value(*c).is_some()).count();
        assert_eq!(all, 660, "as many as the host counts");
    }
}
