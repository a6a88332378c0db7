//! DEFLATE (RFC 1951) with the fixed codes: episodes repeat each other, and a browser opens a small page sooner.
//! A browser unpacks it by itself (`DecompressionStream`), so nothing here does.

/// How far back a repetition may lie.
const WINDOW: usize = 1 << 15;
const SHORTEST: usize = 4;
const LONGEST: usize = 258;
/// Earlier places that are looked at for each repetition.
const TRIES: usize = 48;
const HASH_BITS: u32 = 15;
/// The code that ends a block.
const END: u32 = 256;
const NOWHERE: usize = usize::MAX;

/// The bytes packed as one block of DEFLATE.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    // The last block, with fixed codes.
    bits.put(0b011, 3);
    let mut places = Places::of(bytes);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let taken = match places.repetition(at) {
            Some((length, distance)) => {
                bits.repetition(length, distance);
                length
            }
            None => {
                bits.symbol(u32::from(*byte));
                1
            }
        };
        (at..at + taken).for_each(|place| places.add(place));
        at += taken;
    }
    bits.symbol(END);
    bits.finish()
}

/// Where four bytes stood before, newest first.
struct Places<'a> {
    bytes: &'a [u8],
    newest: Vec<usize>,
    /// For each place of the window the one before it with the same hash.
    older: Vec<usize>,
}

impl<'a> Places<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Places { bytes, newest: vec![NOWHERE; 1 << HASH_BITS], older: vec![NOWHERE; WINDOW] }
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let four = self.bytes.get(at..)?.first_chunk::<SHORTEST>()?;
        let hash = u32::from_le_bytes(*four).wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS);
        usize::try_from(hash).ok()
    }

    fn add(&mut self, at: usize) {
        let Some(newest) = self.hash(at).and_then(|hash| self.newest.get_mut(hash)) else { return };
        if let Some(older) = self.older.get_mut(at % WINDOW) {
            *older = std::mem::replace(newest, at);
        }
    }

    /// Length and distance of the longest repetition that starts here.
    fn repetition(&self, at: usize) -> Option<(usize, usize)> {
        let rest = self.bytes.get(at..)?;
        let mut place = self.newest.get(self.hash(at)?).copied()?;
        let mut best = (SHORTEST - 1, 0);
        for _ in 0..TRIES {
            if best.0 == LONGEST || place == NOWHERE || at - place > WINDOW {
                break;
            }
            let there = self.bytes.get(place..)?;
            let length = rest.iter().zip(there).take(LONGEST).take_while(|(here, there)| here == there).count();
            if length > best.0 {
                best = (length, at - place);
            }
            let older = self.older.get(place % WINDOW).copied()?;
            // A place that has left the window holds a newer one.
            place = if older < place { older } else { NOWHERE };
        }
        (best.1 > 0).then_some(best)
    }
}

/// Bits in the order of DEFLATE: the lowest of each byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u32, length: u32) {
        self.held |= u64::from(value) << self.count;
        self.count += length;
        while self.count >= 8 {
            self.bytes.push((self.held & 0xff) as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// A Huffman code, which starts with its highest bit.
    fn code(&mut self, code: u32, length: u32) {
        self.put(code.reverse_bits() >> (32 - length), length);
    }

    fn symbol(&mut self, symbol: u32) {
        match symbol {
            0..=143 => self.code(0x30 + symbol, 8),
            144..=255 => self.code(0x190 + symbol - 144, 9),
            256..=279 => self.code(symbol - 256, 7),
            _ => self.code(0xc0 + symbol - 280, 8),
        }
    }

    fn repetition(&mut self, length: usize, distance: usize) {
        let [length, distance] = [length - 3, distance - 1].map(|value| u32::try_from(value).unwrap_or_default());
        if length == 255 {
            self.symbol(285);
        } else {
            let (place, extra) = rank(length, 2);
            self.symbol(257 + place);
            self.put(length & ((1 << extra) - 1), extra);
        }
        let (place, extra) = rank(distance, 1);
        self.code(place, 5);
        self.put(distance & ((1 << extra) - 1), extra);
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
        self.bytes
    }
}

/// In which class a value is when each power of two has `1 << split` classes, and how many bits tell its members apart.
fn rank(value: u32, split: u32) -> (u32, u32) {
    let power = value.checked_ilog2().unwrap_or_default();
    if power <= split {
        return (value, 0);
    }
    let extra = power - split;
    ((extra << split) + (value >> extra), extra)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Unpacks one block with fixed codes, as RFC 1951 says, by tables that it prints.
    pub(in crate::report) fn inflate(packed: &[u8]) -> Vec<u8> {
        const LENGTHS: [usize; 29] = [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
            227, 258,
        ];
        const DISTANCES: [usize; 30] = [
            1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
            4097, 6145, 8193, 12289, 16385, 24577,
        ];
        let mut at = 0;
        let mut bit = || {
            at += 1;
            usize::from(packed[(at - 1) / 8] >> ((at - 1) % 8) & 1)
        };
        assert_eq!([bit(), bit(), bit()], [1, 1, 0]);
        let mut bytes = Vec::new();
        loop {
            let mut code = (0..7).fold(0, |code, _| code << 1 | bit());
            let symbol = if code < 24 {
                256 + code
            } else {
                code = code << 1 | bit();
                match code {
                    0x30..=0xbf => code - 0x30,
                    0xc0..=0xc7 => code - 0xc0 + 280,
                    _ => (code << 1 | bit()) - 0x190 + 144,
                }
            };
            match symbol {
                0..=255 => bytes.push(u8::try_from(symbol).unwrap()),
                256 => return bytes,
                _ => {
                    let place = symbol - 257;
                    let extra = if place < 8 || place == 28 { 0 } else { place / 4 - 1 };
                    let length = LENGTHS[place] + (0..extra).fold(0, |value, place| value | bit() << place);
                    let place = (0..5).fold(0, |code, _| code << 1 | bit());
                    let extra = if place < 2 { 0 } else { place / 2 - 1 };
                    let distance = DISTANCES[place] + (0..extra).fold(0, |value, place| value | bit() << place);
                    for _ in 0..length {
                        bytes.push(bytes[bytes.len() - distance]);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let noise = (0..70_000_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 21) as u8).collect::<Vec<_>>();
        let far = [noise.as_slice(), b"the same", &noise[..40_000], b"the same", &[0xff; 700]].concat();
        for bytes in [&b""[..], b"a", b"abcabcabcabcabcabc", &[7; 300], &noise, &far, "\u{0}é\u{2028}".as_bytes()] {
            assert_eq!(inflate(&deflate(bytes)), bytes);
        }
    }

    #[test]
    fn every_length_and_distance_has_its_code() {
        for length in SHORTEST..=LONGEST {
            let mut bits = Bits::default();
            bits.put(0b011, 3);
            (0..WINDOW).for_each(|place| bits.symbol((place % 251) as u32));
            let distance = WINDOW * length / LONGEST;
            bits.repetition(length, distance);
            bits.symbol(END);
            let bytes = inflate(&bits.finish());
            assert_eq!(bytes.len(), WINDOW + length);
            assert!((WINDOW..bytes.len()).all(|at| bytes[at] == bytes[at - distance]), "{length} {distance}");
        }
    }

    #[test]
    fn repeated_text_becomes_small() {
        let text = "{\"tool\":\"seek_rooms\",\"arguments\":{\"kind\":\"double\"}}\n".repeat(1000);
        assert!(deflate(text.as_bytes()).len() * 50 < text.len());
    }
}
