//! `as_text!`: types that stand in files as the text that they are read from and shown as.

/// Reads and writes types as texts: by `FromStr`, whose error is told, and by `Display`.
#[doc(hidden)]
#[macro_export]
macro_rules! as_text {
    ($($Type:ty),+) => {$(
        impl ::serde::Serialize for $Type {
            fn serialize<S: ::serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(&self.to_string())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $Type {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text: String = ::serde::Deserialize::deserialize(from)?;
                text.parse().map_err(<D::Error as ::serde::de::Error>::custom)
            }
        }
    )+};
}
