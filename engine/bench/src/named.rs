//! `named!`: a closed enum whose values have a name. The name stands once, and is what is shown and serialised.

/// A closed enum whose values have a name: `pub enum Side { Agent = "agent", User = "user" }`.
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* pub enum $Type:ident { $($(#[$doc:meta])* $Value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $Type { $($(#[$doc])* $Value,)+ }

        #[allow(dead_code, reason = "not everybody asks for a value by its name")]
        impl $Type {
            /// Every value, in order of declaration.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Value),+];

            /// Its name in JSON, flags and tables.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Value => $name,)+ }
            }

            /// The value of this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl ::std::fmt::Display for $Type {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                out.write_str(self.name())
            }
        }

        impl ::serde::Serialize for $Type {
            fn serialize<S: ::serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.name())
            }
        }
    };
}
