/// The number of games below which there is no p-value.
pub const MIN_GAMES: u32 = 30;

/// The number of games below which a sample is small.
pub const SMALL: u32 = 200;

/// A size class of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SampleSize {
    /// Fewer than [`MIN_GAMES`].
    TooFew,
    /// Fewer than [`SMALL`].
    Small,
    /// [`SMALL`] or more.
    Large,
}

impl SampleSize {
    /// Every size, the smallest first.
    pub const ALL: [Self; 3] = [Self::TooFew, Self::Small, Self::Large];

    /// Returns the class of a number of games.
    pub const fn from_games(games: u32) -> Self {
        match games {
            ..MIN_GAMES => Self::TooFew,
            MIN_GAMES..SMALL => Self::Small,
            SMALL.. => Self::Large,
        }
    }

    /// Returns the word served as `sample`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::TooFew => "too_few",
            Self::Small => "small",
            Self::Large => "large",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_sizes_change_at_thirty_and_at_two_hundred_games() {
        let words = [0, 29, 30, 199, 200, u32::MAX].map(|games| SampleSize::from_games(games).word());
        assert_eq!(words, ["too_few", "too_few", "small", "small", "large", "large"]);
    }
}
