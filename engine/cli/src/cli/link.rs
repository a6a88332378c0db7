//! Addresses that pages and lines lead by.

use std::path::Path;

/// A part of an address: all but letters, digits and four signs as `%` and two digits, so that nothing in a name can
/// be a scheme, a query or a way up.
pub(super) fn encoded(bytes: &[u8]) -> String {
    let sign = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(*byte).to_string(),
        other => format!("%{other:02X}"),
    };
    bytes.iter().map(sign).collect()
}

/// How a page in a folder leads to a file, both where they really are; nothing where no way leads there.
pub(super) fn between(folder: &Path, file: &Path) -> Option<String> {
    let common = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| "..".to_owned());
    let down = file.components().skip(common).map(|part| encoded(part.as_os_str().as_encoded_bytes()));
    (common > 0).then(|| up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_from_where_the_page_is_and_cannot_be_anything_else() {
        let to = |folder: &str, file: &str| between(Path::new(folder), Path::new(file));
        assert_eq!(to("/a/b", "/a/runs/one/report.html").as_deref(), Some("../runs/one/report.html"));
        assert_eq!(to("/a", "/a/javascript:alert(1)/r.html").as_deref(), Some("javascript%3Aalert%281%29/r.html"));
        assert_eq!(to("/a", "/a/x?y#\"<\u{202e}/r.html").as_deref(), Some("x%3Fy%23%22%3C%E2%80%AE/r.html"));
        assert_eq!(to("a", "/b"), None);
    }
}
