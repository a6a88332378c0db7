//! `named!`: a closed enum whose values have a name. The name stands once, and is what is shown, read and serialised.

/// Declares an enum with `ALL`, `name`, `from_name`, `Display` and `Serialize`.
macro_rules! named {
    ($(#[$about:meta])* pub enum $Type:ident { $($(#[$doc:meta])* $Value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $Type { $($(#[$doc])* $Value,)+ }

        impl $Type {
            /// Every value, in order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$Value),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$Value => $name,)+ }
            }

            /// The value of this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl std::fmt::Display for $Type {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.name())
            }
        }

        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.name())
            }
        }
    };
}

pub(crate) use named;
