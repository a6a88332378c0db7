//! `--level FACTOR=LEVEL`, for all commands alike.

/// `factor=level`.
pub(super) fn level(text: &str) -> Result<(String, String), String> {
    let (factor, level) = text.split_once('=').ok_or("write it as FACTOR=LEVEL")?;
    Ok((factor.to_owned(), level.to_owned()))
}
