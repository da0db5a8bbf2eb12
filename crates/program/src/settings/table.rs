//! The macro that defines all settings from one table.

/// Generates [`Settings`](crate::settings::Settings) from one line per setting: documentation, name, type, default, and parser.
///
/// The structs, the defaults, the list of keys, the parsing of each setting and the printing of all settings derive
/// from the same line.
macro_rules! settings {
    ($(
        $(#[$about:meta])*
        $section:ident = $path:literal: $Section:ident {
            $( $(#[$meaning:meta])* $name:ident: $kind:ty = $default:expr, $read:expr; )*
        }
    )*) => {
        /// All settings of an operator. Two values are equal if all settings are equal, whatever their sources.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $( $(#[$about])* pub $section: $Section, )*
            /// The required locations that a named configuration file leaves out.
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
            /// The keys of all settings: section and name.
            pub const KEYS: &'static [&'static str] =
                &[$( $( concat!($path, ".", stringify!($name)), )* )*];

            fn apply(&mut self, entry: &Entry) -> Result<(), SettingsError> {
                $( $(
                    if entry.key == concat!($path, ".", stringify!($name)) {
                        let read: fn(&Entry) -> Result<$kind, SettingsError> = $read;
                        self.$section.$name = read(entry)?;
                        return Ok(());
                    }
                )* )*
                Err(Self::unknown(entry))
            }

            /// Returns every section by name, with the name and value of each of its settings.
            pub(crate) fn sections(&self) -> Vec<(&'static str, Vec<(&'static str, Shown)>)> {
                vec![$( (
                    $path,
                    vec![$( (stringify!($name), self.$section.$name.shown()), )*],
                ), )*]
            }
        }
    };
}
