use sports_domain::ModelType;

use crate::ValueKind;

/// The kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// `YYYY-MM-DD`.
    Date,
    /// `HH:MM:SS` or `HH:MM`.
    Time,
    /// An Eastern date and time, `YYYY-MM-DD HH:MM:SS`.
    WallClock,
    /// A time with its offset from UTC (RFC 3339).
    Instant,
    /// `YYYY` for mlb, else `YYYY-YY`.
    Season,
    /// A display name or slug.
    Team,
    /// A whole number, 1 to 9.
    GameNumber,
    /// A whole number, 0 or more.
    Score,
    /// American odds; 0 for none.
    Price,
    /// A spread in points; 0 is a pick'em.
    Points,
    /// A total in points; 0 for none.
    Total,
    /// From 0 to 1.
    Probability,
    /// 0 or 1.
    Outcome,
    /// True or false.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Anything.
    Text,
}

impl ColumnKind {
    /// Returns the kind of the parsed values.
    pub const fn value_kind(self) -> ValueKind {
        match self {
            Self::Date => ValueKind::Date,
            Self::Time => ValueKind::Time,
            Self::WallClock => ValueKind::WallClock,
            Self::Instant => ValueKind::Instant,
            Self::GameNumber | Self::Score | Self::Price | Self::Outcome => ValueKind::Integer,
            Self::Points | Self::Total | Self::Probability => ValueKind::Number,
            Self::Flag => ValueKind::Flag,
            Self::Season | Self::Team | Self::Word(_) | Self::Text => ValueKind::Text,
        }
    }
}

/// Columns that are side by side in files and archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnGroup {
    /// The start of the game, and the season's label.
    Start,
    /// The part of the season.
    GameType,
    /// The two teams.
    Teams,
    /// The game of a doubleheader.
    GameNumber,
    /// The game's identity and the publisher's id.
    MatchId,
    /// The history of the start.
    History,
    /// The final score.
    Score,
    /// The outcome: true if the positive side won.
    Outcome,
    /// Probabilities.
    Models,
    /// Closing lines and prices.
    Closing,
    /// Opening lines and prices.
    Opening,
    /// The source of prices.
    Quotes,
    /// The settlement of the final.
    Settlement,
    /// The verdict of grading.
    Grading,
    /// The method behind the probabilities.
    Making,
    /// The origin of the forecast, and its time.
    Origin,
}

/// The seasons that have a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InSeasons {
    /// Every season.
    All,
    /// Seasons in which any game has a value there.
    Some,
    /// No season: archives alone have it.
    None,
    /// Every season of one market.
    OfMarket(ModelType),
}

/// The rows that show a column, in a season that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InRows {
    /// Each row has a value.
    Filled,
    /// Each row has a value or a null.
    OrNull,
    /// A JSON row without a value leaves the column out.
    OrLeftOut,
}
