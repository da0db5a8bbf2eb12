/// The origin of the instant of a log entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ClockSource {
    /// The clock of the machine that published; the default for entries without a source.
    #[default]
    System,
    /// An instant that the publisher chose, to replay a day or to simulate one.
    Set,
}

impl ClockSource {
    /// Returns the word in the log: `system` or `set`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Set => "set",
        }
    }

    /// Returns the source with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::System, Self::Set].into_iter().find(|source| source.word() == word)
    }
}
