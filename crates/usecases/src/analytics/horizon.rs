use chrono::TimeDelta;

/// The instant of the live forecasts that are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Horizon {
    /// The first forecast of each model.
    First,
    /// A day before the start.
    Day,
    /// Six hours before the start.
    SixHours,
    /// An hour before the start.
    Hour,
    /// The forecast that holds for the record.
    Standing,
}

impl Horizon {
    /// Every horizon, the earliest first.
    pub const ALL: [Self; 5] = [Self::First, Self::Day, Self::SixHours, Self::Hour, Self::Standing];

    /// Returns the word served as `horizon`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Day => "24h",
            Self::SixHours => "6h",
            Self::Hour => "1h",
            Self::Standing => "standing",
        }
    }

    /// Returns the horizon with this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|horizon| horizon.word() == word)
    }

    /// Returns the time before the start; `None` for a horizon that is a forecast.
    pub(super) const fn before_start(self) -> Option<TimeDelta> {
        match self {
            Self::Day => Some(TimeDelta::hours(24)),
            Self::SixHours => Some(TimeDelta::hours(6)),
            Self::Hour => Some(TimeDelta::hours(1)),
            Self::First | Self::Standing => None,
        }
    }
}
