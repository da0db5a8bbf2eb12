use std::borrow::Cow;
use std::collections::BTreeMap;

use sports_domain::{FinalScore, GameKey, ModelName, TeamSlug};

use super::column::ConversionError;
use super::table::{COUNT, STORED_ORDER};
use super::{
    AWAY_SCORE, AWAY_TEAM, DATE, FORECAST_PUBLISHED_AT, FORECAST_RUN, FORECAST_SOURCE, GAME_NUMBER, GradedGame,
    HOME_SCORE, HOME_TEAM, InSeasons, SEASON_COLUMNS, SETTLEMENT_STATUS, SeasonColumn, TIME,
};
use crate::{ArchivedGame, ForecastOrigin, ForecastRecord, GameFacts, ReportedEnding, SeasonArchive, Value, ValueKind};

/// The values of one row of a file or archive by column, from which a game is built.
#[derive(Debug, Clone, PartialEq)]
pub struct RowValues<'t>([Option<Value<Cow<'t, str>>>; COUNT]);

/// The error for values that do not form a game.
#[derive(Debug, thiserror::Error)]
pub enum NotAGame {
    /// A required column has no value.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A value is not valid in its column.
    #[error("{column} has a value that does not belong there")]
    ConversionError { column: &'static str, source: ConversionError },
}

impl Default for RowValues<'_> {
    fn default() -> Self {
        Self([const { None }; COUNT])
    }
}

impl<'t> RowValues<'t> {
    /// Sets the value of a column, replacing the previous value.
    pub fn put(&mut self, column: &SeasonColumn, value: Value<Cow<'t, str>>) {
        self.0[column.place()] = Some(value);
    }

    /// Returns the value of a column.
    pub fn get(&self, column: &SeasonColumn) -> Option<Value<&str>> {
        self.0[column.place()].as_ref().map(Value::borrowed)
    }

    /// Parses the key of the row's game.
    ///
    /// # Errors
    ///
    /// [`NotAGame`] if the date or a team is missing, or a value is not valid in its column.
    pub fn key(&self) -> Result<GameKey, NotAGame> {
        let date = self.get(DATE).and_then(|value| value.date()).ok_or(NotAGame::Missing(DATE.name))?;
        let time = match self.get(TIME) {
            Some(Value::Time(time)) => Some(time),
            other => other.and_then(Value::text).map(str::parse).transpose().map_err(unfit(TIME))?,
        };
        let team = |column: &SeasonColumn| {
            let written = self.get(column).and_then(Value::text).ok_or(NotAGame::Missing(column.name))?;
            TeamSlug::normalise(written).map_err(unfit(column))
        };
        let game_number = self.get(GAME_NUMBER).and_then(|value| value.integer());
        let game_number = game_number.map(u8::try_from).transpose().map_err(unfit(GAME_NUMBER))?;
        Ok(GameKey { date, time, away: team(AWAY_TEAM)?, home: team(HOME_TEAM)?, game_number })
    }

    /// Builds the game with this key from the row's values, without columns of the publisher's own.
    ///
    /// # Errors
    ///
    /// [`NotAGame::ConversionError`] if a value is not valid in its column.
    pub fn game(&self, key: GameKey) -> Result<ArchivedGame, NotAGame> {
        let mut game = ArchivedGame { facts: GameFacts::unforecast(key), forecast: ForecastRecord::default() };
        for (column, value) in SEASON_COLUMNS.iter().zip(&self.0) {
            if let Some(value) = value {
                column.set(&mut game, value.borrowed()).map_err(unfit(column))?;
            }
        }
        game.facts.ending = self.reported_ending()?.after(None);
        game.forecast.origin = self.origin()?;
        Ok(game)
    }

    /// Returns the ending that the row reports. A single score is not a final.
    ///
    /// # Errors
    ///
    /// [`NotAGame::ConversionError`] if a score is not a valid number of points.
    pub fn reported_ending(&self) -> Result<ReportedEnding, NotAGame> {
        let points = |column: &SeasonColumn| {
            let points = self.get(column).and_then(|value| value.integer());
            points.map(u16::try_from).transpose().map_err(unfit(column))
        };
        let score = points(AWAY_SCORE)?.zip(points(HOME_SCORE)?).map(|(away, home)| FinalScore { away, home });
        let status = self.get(SETTLEMENT_STATUS).and_then(Value::text).map(str::to_owned);
        Ok(ReportedEnding { score, status, void: None })
    }

    fn origin(&self) -> Result<Option<ForecastOrigin>, NotAGame> {
        let run = self.get(FORECAST_RUN).and_then(Value::text).map(str::to_owned);
        let published_at = self.get(FORECAST_PUBLISHED_AT).and_then(|value| value.instant());
        match self.get(FORECAST_SOURCE).and_then(Value::text) {
            Some(ForecastOrigin::LIVE) => Ok(Some(ForecastOrigin::Live { run, published_at })),
            Some(ForecastOrigin::WALK_FORWARD) => Ok(Some(ForecastOrigin::WalkForward { run })),
            Some(other) => Err(unfit(FORECAST_SOURCE)(format!("`{other}` is no source of forecasts"))),
            None => Ok(None),
        }
    }
}

fn unfit<E: Into<ConversionError>>(column: &SeasonColumn) -> impl FnOnce(E) -> NotAGame {
    let column = column.name;
    move |reason| NotAGame::ConversionError { column, source: reason.into() }
}

/// A column of one season: a column of the table, or a model or another column of the publisher's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveColumn {
    /// A column of the table.
    Known(&'static SeasonColumn),
    /// The probabilities of a model of the publisher's own.
    Own(ModelName),
    /// Another column of the publisher's own.
    Extra {
        name: String,
        /// The kind of its values, in each row that has one.
        kind: ValueKind,
    },
}

impl ArchiveColumn {
    /// Returns the columns of a season's archive, in its order.
    pub fn stored(archive: &SeasonArchive) -> Vec<Self> {
        let known = SeasonColumn::in_groups(STORED_ORDER).filter(|column| column.is_stored());
        with_own(known, archive)
    }

    /// Returns the columns of a season's served rows, in their order. The columns are the same for all rows.
    pub fn served(archive: &SeasonArchive) -> Vec<Self> {
        let is_shown = |column: &&SeasonColumn| match column.in_seasons {
            InSeasons::All => true,
            InSeasons::None => false,
            InSeasons::Some => archive.games().iter().any(|game| column.stored(game, "").is_some()),
            InSeasons::OfMarket(model_type) => archive.market().model_type == model_type,
        };
        with_own(SEASON_COLUMNS.iter().filter(is_shown), archive)
    }

    /// Returns the column's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(column) => column.name,
            Self::Own(model) => model.as_str(),
            Self::Extra { name, .. } => name,
        }
    }

    /// Returns the kind of its values, in each row that has one.
    pub const fn value_kind(&self) -> ValueKind {
        match self {
            Self::Known(column) => column.kind.value_kind(),
            Self::Own(_) => ValueKind::Number,
            Self::Extra { kind, .. } => *kind,
        }
    }

    /// Returns a game's value in the archive of the season `season`.
    pub fn stored_value<'a>(&self, game: &'a ArchivedGame, season: &'a str) -> Option<Value<&'a str>> {
        match self {
            Self::Known(column) => column.stored(game, season),
            Self::Own(model) => own_value(game, *model),
            Self::Extra { name, .. } => game.facts.extras.get(name).map(Value::borrowed),
        }
    }

    /// Returns a game's value in a served row.
    pub fn served_value<'a>(&self, game: &GradedGame<'a>) -> Option<Value<&'a str>> {
        match self {
            Self::Known(column) => column.served(game),
            Self::Own(model) => own_value(game.game, *model),
            Self::Extra { name, .. } => game.game.facts.extras.get(name).map(Value::borrowed),
        }
    }
}

fn own_value(game: &ArchivedGame, model: ModelName) -> Option<Value<&'static str>> {
    game.forecast.own.get(model).map(|probability| Value::Number(probability.get()))
}

/// Returns the columns of a season: the publisher's own models behind the last of the specification, other columns of
/// the publisher's own at the end.
fn with_own(known: impl Iterator<Item = &'static SeasonColumn>, archive: &SeasonArchive) -> Vec<ArchiveColumn> {
    let mut columns: Vec<_> = known.map(ArchiveColumn::Known).collect();
    let is_model = |column: &ArchiveColumn| match column {
        ArchiveColumn::Known(known) => known.model_column().is_some(),
        _ => false,
    };
    let behind = columns.iter().rposition(is_model).map_or(columns.len(), |last| last + 1);
    columns.splice(behind..behind, archive.models().own().iter().map(|model| ArchiveColumn::Own(*model)));
    columns.extend(extras(archive));
    columns
}

/// Returns the publisher's own columns by name. An archive has one kind for each column, so the first value decides.
fn extras(archive: &SeasonArchive) -> impl Iterator<Item = ArchiveColumn> {
    let mut kinds = BTreeMap::new();
    for (name, value) in archive.games().iter().flat_map(|game| game.facts.extras.iter()) {
        kinds.entry(name).or_insert_with(|| value.kind());
    }
    kinds.into_iter().map(|(name, kind)| ArchiveColumn::Extra { name: name.to_owned(), kind })
}
