//! The table of settings, and everything that follows from it.

/// Makes [`Settings`](crate::Settings) from one line a setting: documentation, name, type, default, and how its text is read.
///
/// The structs, the defaults, the list of keys, what sets a setting from a text and what prints all of them come from the
/// same line.
macro_rules! settings {
    ($(
        $(#[$about:meta])*
        $section:ident: $Section:ident {
            $( $(#[$meaning:meta])* $name:ident: $kind:ty = $default:expr, $read:expr; )*
        }
    )*) => {
        /// Everything an operator can set. Two are equal if every setting is, wherever its value comes from.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $( $(#[$about])* pub $section: $Section, )*
            /// The places that a named configuration file leaves out.
            pub(crate) left_out: Option<LeftOut>,
        }

        $(
            $(#[$about])*
            #[derive(Debug, Clone, PartialEq, Eq)]
            pub struct $Section {
                $( $(#[$meaning])* pub $name: $kind, )*
            }
        )*

        impl PartialEq for Settings {
            fn eq(&self, other: &Self) -> bool {
                $( self.$section == other.$section )&&*
            }
        }

        impl Eq for Settings {}

        impl Default for Settings {
            fn default() -> Self {
                Self { $( $section: $Section { $( $name: $default, )* }, )* left_out: None }
            }
        }

        impl Settings {
            /// The key of every setting: section and name.
            pub const KEYS: &'static [&'static str] =
                &[$( $( concat!(stringify!($section), ".", stringify!($name)), )* )*];

            fn apply(&mut self, entry: &Entry) -> Result<(), SettingsError> {
                $( $(
                    if entry.key == concat!(stringify!($section), ".", stringify!($name)) {
                        let read: fn(&Entry) -> Result<$kind, SettingsError> = $read;
                        self.$section.$name = read(entry)?;
                        return Ok(());
                    }
                )* )*
                Err(Self::unknown(entry))
            }

            /// Every section by name, with the name and value of each of its settings.
            pub(crate) fn sections(&self) -> Vec<(&'static str, Vec<(&'static str, Shown)>)> {
                vec![$( (
                    stringify!($section),
                    vec![$( (stringify!($name), self.$section.$name.shown()), )*],
                ), )*]
            }
        }
    };
}
