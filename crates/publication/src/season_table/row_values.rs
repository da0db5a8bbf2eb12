use std::borrow::Cow;

use sports_domain::{FinalScore, GameKey, TeamSlug};

use super::column::ConversionError;
use super::named::COUNT;
use super::{
    AWAY_SCORE, AWAY_TEAM, DATE, FORECAST_PUBLISHED_AT, FORECAST_RUN, FORECAST_SOURCE, GAME_NUMBER, HOME_SCORE,
    HOME_TEAM, SEASON_COLUMNS, SETTLEMENT_STATUS, SeasonColumn, TIME,
};
use crate::{ArchivedGame, ForecastOrigin, ForecastRecord, GameFacts, ReportedEnding, Value};

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
        Ok(ReportedEnding { score, status })
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
