//! A row with a forecast, found by the name of its game.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_publication::identity::Start;
use sports_publication::{ArchivedGame, ForecastOrigin, SeasonArchive};

use crate::game_histories::{GameName, SeveralGames, is_team};

/// A row of an archive with a forecast.
pub(super) struct ForecastRow<'a> {
    pub(super) archive: &'a SeasonArchive,
    pub(super) game: &'a ArchivedGame,
    origin: &'a ForecastOrigin,
}

impl<'a> ForecastRow<'a> {
    /// Returns the row at a place of an archive; `None` if it has no forecast.
    pub(super) fn at(archive: &'a SeasonArchive, place: usize) -> Option<Self> {
        let game = archive.games().get(place)?;
        Some(Self { archive, game, origin: game.forecast.origin.as_ref()? })
    }

    /// Returns the release that made the forecast and its time, as the row states them; `None` for a forecast that no
    /// release made.
    pub(super) fn release(&self) -> Option<(&'a str, DateTime<Utc>)> {
        self.origin.run().zip(self.origin.published_at())
    }
}

/// Returns the place of the game with a name in an archive: under its present start, else under an earlier one.
pub(super) fn find_row(archive: &SeasonArchive, name: &GameName) -> Result<Option<usize>, SeveralGames> {
    let games = archive.games();
    let (date, time, away, home) = match name {
        GameName::Id(id) => {
            return Ok(games.iter().position(|game| game.facts.game_id.as_deref() == Some(id)));
        }
        GameName::MatchId(id) => {
            return Ok(games.iter().rposition(|game| game.facts.match_id.as_deref() == Some(id)));
        }
        GameName::Listed { date, time, away, home } => (*date, *time, away, home),
    };
    let (sport, season) = (archive.market().sport, archive.season());
    let is_it = |on: NaiveDate, at: Option<NaiveTime>| on == date && (time.is_none() || time == at);
    let is_of_pair = |game: &ArchivedGame| {
        let key = &game.facts.key;
        is_team(sport, season, away, &key.away) && is_team(sport, season, home, &key.home)
    };
    // Starts are compared first, because names take longer.
    let starts_then = |game: &ArchivedGame| is_it(game.facts.key.date, game.facts.key.time) && is_of_pair(game);
    let present: Vec<_> = games.iter().enumerate().filter(|(_, game)| starts_then(game)).collect();
    match &*present {
        [] => {
            let had_start = |game: &ArchivedGame| {
                Start::list(game.facts.former_starts.as_deref()).any(|start| is_it(start.date, start.time))
            };
            Ok(games.iter().position(|game| had_start(game) && is_of_pair(game)))
        }
        [(place, _)] => Ok(Some(*place)),
        several => Err(SeveralGames(several.iter().map(|(_, game)| game.facts.key.time).collect())),
    }
}
