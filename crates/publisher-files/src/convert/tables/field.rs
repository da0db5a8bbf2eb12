use std::borrow::Cow;

use serde::Deserialize;
use sports_domain::LineColumn;

use crate::did_you_mean;

/// A value of a game that a map can find in a file: a key of `[columns]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Field {
    Season,
    Start,
    Date,
    Time,
    AwayTeam,
    HomeTeam,
    Matchup,
    Team,
    Opponent,
    Place,
    Side,
    Favourite,
    GameNumber,
    GameType,
    Score,
    AwayScore,
    HomeScore,
    TeamScore,
    OpponentScore,
    Text(TextColumn),
    Status,
    Line(LineColumn),
}

/// A column whose text is taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TextColumn {
    MatchId,
    QuoteSource,
    ForecastRun,
}

impl TextColumn {
    pub(crate) const ALL: [Self; 3] = [Self::MatchId, Self::QuoteSource, Self::ForecastRun];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::MatchId => "match_id",
            Self::QuoteSource => "quote_source",
            Self::ForecastRun => "forecast_run",
        }
    }
}

impl Field {
    const PLAIN: [(Self, &'static str); 20] = [
        (Self::Season, "season"),
        (Self::Start, "start"),
        (Self::Date, "date"),
        (Self::Time, "time_est"),
        (Self::AwayTeam, "away_team"),
        (Self::HomeTeam, "home_team"),
        (Self::Matchup, "matchup"),
        (Self::Team, "team"),
        (Self::Opponent, "opponent"),
        (Self::Place, "place"),
        (Self::Side, "side"),
        (Self::Favourite, "favourite"),
        (Self::GameNumber, "game_number"),
        (Self::GameType, "game_type"),
        (Self::Score, "score"),
        (Self::AwayScore, "away_score"),
        (Self::HomeScore, "home_score"),
        (Self::TeamScore, "team_score"),
        (Self::OpponentScore, "opponent_score"),
        (Self::Status, "settlement_status"),
    ];

    /// Returns every field with its name.
    pub(crate) fn all() -> impl Iterator<Item = (Self, &'static str)> {
        let texts = TextColumn::ALL.into_iter().map(|text| (Self::Text(text), text.name()));
        let lines = LineColumn::ALL.into_iter().map(|line| (Self::Line(line), line.name()));
        Self::PLAIN.into_iter().chain(texts).chain(lines)
    }

    /// Returns the key under `[columns]`.
    pub(crate) fn name(self) -> &'static str {
        Self::all().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = match word.as_str() {
            "favorite" => "favourite",
            "time" => "time_est",
            word => word,
        };
        Self::all().find(|(_, name)| *name == known).map(|(field, _)| field).ok_or_else(|| {
            let hint = did_you_mean(&word, Self::all().map(|(_, name)| name));
            let known: Vec<_> = Self::all().map(|(_, name)| name).collect();
            serde::de::Error::custom(format!("`{word}` is no value of a game{hint}; known are {}", known.join(", ")))
        })
    }
}

// The forms in which a file writes values, and the sides that a value may be about.

/// Defines the forms of one kind of value: a closed set of words.
macro_rules! forms {
    ($(#[$about:meta])* $name:ident: $what:literal { $( $(#[$meaning:meta])* $variant:ident = $word:literal, )* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum $name { $( $(#[$meaning])* $variant, )* }

        impl $name {
            pub(crate) const WORDS: &'static [&'static str] = &[$($word),*];

            /// Finds a form by its word.
            pub(crate) fn named(word: &str) -> Option<Self> {
                match word { $( $word => Some(Self::$variant), )* _ => None }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = String::deserialize(deserializer)?;
                Self::named(&word).ok_or_else(|| {
                    let hint = crate::did_you_mean(&word, Self::WORDS.iter().copied());
                    serde::de::Error::custom(format!("`{word}` is no {}: {}{hint}", $what, Self::WORDS.join(", ")))
                })
            }
        }
    };
}

forms! {
    /// The notation of prices.
    OddsForm: "form of odds" {
        American = "american",
        Decimal = "decimal",
        Fractional = "fractional",
        Probability = "probability",
    }
}

forms! {
    /// The notation of probabilities.
    ProbabilityForm: "form of probabilities" {
        Fraction = "fraction",
        Percent = "percent",
    }
}

forms! {
    /// The team and the sign of a spread.
    SpreadForm: "form of spreads" {
        /// The points that the home team receives: negative if it is the favourite.
        HomePoints = "home-points",
        AwayPoints = "away-points",
        /// The points that the favourite gives, with either sign.
        FavouritePoints = "favourite-points",
        /// The expected margin of the home team: positive if it is the favourite.
        ExpectedMargin = "expected-margin",
    }
}

forms! {
    /// The naming of seasons.
    SeasonForm: "form of seasons" {
        /// `2021-22`, `2021-2022` or `2021/22`; the year where a season has one.
        Label = "label",
        FirstYear = "first-year",
        LastYear = "last-year",
    }
}

forms! {
    /// The order of a final in one column.
    FinalForm: "form of finals" {
        AwayHome = "away-home",
        HomeAway = "home-away",
    }
}

forms! {
    /// The side that a probability is of.
    ForecastSide: "side" {
        Home = "home",
        Away = "away",
        Over = "over",
        Under = "under",
        Favourite = "favourite",
        Underdog = "underdog",
    }
}

forms! {
    /// The layout of rows.
    RowLayout: "layout of rows" {
        OneAGame = "game",
        OneATeam = "team",
    }
}

forms! {
    /// The row of a game with two rows from which a value is taken.
    RowOfGame: "row of a game" {
        Away = "away",
        Home = "home",
        /// The row with the smaller number in the column.
        Smaller = "smaller",
        /// The row with the larger number in the column.
        Larger = "larger",
    }
}

forms! {
    /// The writing of team names.
    NameForm: "form of names" {
        Spaced = "spaced",
        /// Without spaces: `KansasCity`, `LAChargers`.
        Joined = "joined",
    }
}

/// The error for a cell that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misread {
    /// The expected form; the same for every cell with this problem.
    pub(crate) expected: Cow<'static, str>,
    /// A remedy that depends on the value.
    pub(crate) hint: Option<String>,
}

/// The value of a cell; `None` if the cell is empty.
pub(crate) type Reading<T> = Result<Option<T>, Misread>;

impl Misread {
    pub(crate) fn new(expected: impl Into<Cow<'static, str>>) -> Self {
        Self { expected: expected.into(), hint: None }
    }

    pub(crate) fn with_hint(self, hint: Option<impl Into<String>>) -> Self {
        Self { hint: hint.map(Into::into), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = Field::all().map(|(_, name)| name).collect();
        assert_eq!(names.len(), Field::all().count());
        assert!(Field::all().all(|(field, name)| field.name() == name));
    }
}
