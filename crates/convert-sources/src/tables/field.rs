use serde::Deserialize;
use sports_domain::LineColumn;
use sports_releases_folder::did_you_mean;

/// A value of a game that a map can find in a file: a key of `[columns]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Field {
    Season,
    Start,
    Date,
    Time,
    AwayTeam,
    HomeTeam,
    Side,
    Favourite,
    GameNumber,
    GameType,
    Score,
    AwayScore,
    HomeScore,
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
    const PLAIN: [(Self, &'static str); 14] = [
        (Self::Season, "season"),
        (Self::Start, "start"),
        (Self::Date, "date"),
        (Self::Time, "time_est"),
        (Self::AwayTeam, "away_team"),
        (Self::HomeTeam, "home_team"),
        (Self::Side, "side"),
        (Self::Favourite, "favourite"),
        (Self::GameNumber, "game_number"),
        (Self::GameType, "game_type"),
        (Self::Score, "score"),
        (Self::AwayScore, "away_score"),
        (Self::HomeScore, "home_score"),
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
