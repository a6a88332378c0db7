//! How long a WAV file sounds. Reads the headers of a file that may be anything.

/// The length of the sound in a WAV file, in milliseconds, or what is wrong with the file. A writer to a pipe cannot
/// know the lengths in the headers, so the sound ends where the file does, whatever they say.
pub(crate) fn milliseconds(bytes: &[u8]) -> Result<u64, &'static str> {
    if bytes.is_empty() {
        return Err("it is empty");
    }
    let rest = bytes.strip_prefix(b"RIFF").and_then(|rest| rest.get(4..)?.strip_prefix(b"WAVE"));
    let mut rest = rest.ok_or("it does not begin like a WAV file")?;
    let mut bytes_per_second = None;
    while let Some((name, length, body)) = chunk(rest) {
        let end = length.min(body.len());
        match name {
            b"fmt " => bytes_per_second = rate(body),
            b"data" => {
                let rate =
                    bytes_per_second.filter(|rate| *rate > 0).ok_or("its format is missing or makes no sense")?;
                return if end == 0 { Err("it holds no sound") } else { Ok((end as u64).saturating_mul(1000) / rate) };
            }
            _ => {}
        }
        // Chunks begin at even places.
        rest = body.get(end + end % 2..).unwrap_or_default();
    }
    Err("it holds no sound")
}

/// The first chunk: its name, the length it claims, and everything after its header.
fn chunk(bytes: &[u8]) -> Option<(&[u8], usize, &[u8])> {
    let (name, rest) = bytes.split_at_checked(4)?;
    let (length, body) = rest.split_first_chunk::<4>()?;
    Some((name, usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX), body))
}

/// Bytes per second, worked out from channels, sampling rate and bits per sample; the field that states it is not
/// trusted.
fn rate(format: &[u8]) -> Option<u64> {
    let (_, rest) = format.split_first_chunk::<2>()?;
    let (channels, rest) = rest.split_first_chunk::<2>()?;
    let (samples, rest) = rest.split_first_chunk::<4>()?;
    let (_, rest) = rest.split_first_chunk::<6>()?;
    let (bits, _) = rest.split_first_chunk::<2>()?;
    let bits = u64::from(u16::from_le_bytes(*channels)) * u64::from(u16::from_le_bytes(*bits));
    Some(bits.saturating_mul(u64::from(u32::from_le_bytes(*samples))) / 8)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A WAV file, 1000 samples of one byte a second, that claims a length of its own.
    pub(crate) fn wav(samples: usize, claimed: u32) -> Vec<u8> {
        let mut file = b"RIFF\0\0\0\0WAVElist\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x01\0".to_vec();
        file.extend([1000_u32.to_le_bytes(), 0_u32.to_le_bytes()].concat());
        file.extend([1, 0, 8, 0]);
        file.extend(b"data");
        file.extend(claimed.to_le_bytes());
        file.extend(std::iter::repeat_n(128, samples));
        file
    }

    #[test]
    fn sound_is_measured_whatever_the_header_claims() {
        assert_eq!(milliseconds(&wav(250, 250)), Ok(250));
        assert_eq!(milliseconds(&wav(250, 100)), Ok(100));
        assert_eq!(milliseconds(&wav(250, u32::MAX)), Ok(250));
    }

    #[test]
    fn what_is_no_sound_is_refused() {
        let mut silent = wav(4, 4);
        silent[34] = 0; // no channels
        let table: [(&[u8], &str); 6] = [
            (b"", "it is empty"),
            (b"ID3 and more", "it does not begin like a WAV file"),
            (b"RIFF\0\0\0\0WAVE", "it holds no sound"),
            (&wav(0, 0), "it holds no sound"),
            (b"RIFF\0\0\0\0WAVEdata\x01\0\0\0a", "its format is missing or makes no sense"),
            (&silent, "its format is missing or makes no sense"),
        ];
        for (file, reason) in table {
            assert_eq!(milliseconds(file), Err(reason));
        }
    }

    proptest! {
        #[test]
        fn no_file_is_a_surprise(samples in 0_usize..9, claimed: u32, at in 0_usize..60, byte: u8, cut in 0_usize..60) {
            let mut file = wav(samples, claimed);
            if let Some(place) = file.get_mut(at) {
                *place = byte;
            }
            let _ = milliseconds(&file);
            file.truncate(cut);
            let _ = milliseconds(&file);
        }
    }
}
