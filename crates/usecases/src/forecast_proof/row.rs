//! A row with a forecast, found by the name of its game.

use chrono::{DateTime, Utc};
use sports_publication::identity::Start;
use sports_publication::{ArchivedGame, ForecastOrigin, SeasonArchive};

use crate::game_histories::{GameName, SeveralGames, is_team, only_game};

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
    let is_it = |start: &Start| start.date == date && (time.is_none() || time == start.time);
    let is_of_pair = |place: usize| {
        let key = &games[place].facts.key;
        is_team(sport, season, away, &key.away) && is_team(sport, season, home, &key.home)
    };
    // Starts are compared first, because names take longer.
    let present = games.iter().map(|game| Some(Start::of(&game.facts.key)).filter(is_it));
    let of_pair = |(place, start): (usize, Option<Start>)| Some((place, start?)).filter(|_| is_of_pair(place));
    if let Some(place) = only_game(present.enumerate().filter_map(of_pair))? {
        return Ok(Some(place));
    }
    let former = |game: &ArchivedGame| Start::list(game.facts.former_starts.as_deref()).filter(is_it).last();
    only_game(games.iter().map(former).enumerate().filter_map(of_pair))
}

#[cfg(test)]
mod tests {
    use sports_domain::{Market, ModelType, Sport};
    use sports_publication::testing::{a_game, key, season};

    use super::*;

    /// Returns an archive of two games of a date that were moved from the date before.
    fn moved() -> SeasonArchive {
        let game = |time: &str, former: &str| {
            let game = a_game().with(|game| {
                game.facts.key = key("2025-06-11", time, "new_york_yankees", "boston_red_sox");
                game.facts.former_starts = Some(former.to_owned());
            });
            game.build()
        };
        let games =
            vec![game("13:05:00", "2025-06-10 12:00:00; 2025-06-10 13:05:00"), game("19:10:00", "2025-06-10 19:10:00")];
        let market = Market::new(Sport::Mlb, ModelType::WonOnPoints);
        SeasonArchive::new(market, season(Sport::Mlb, "2025"), games).expect("two games")
    }

    #[test]
    fn a_pair_that_was_to_play_twice_is_named_by_a_former_time() {
        let archive = moved();
        let teams = key("2025-06-10", "13:05:00", "new_york_yankees", "boston_red_sox");
        let found = |date: &str, time: Option<&str>| {
            let time = time.map(|time| time.parse().expect("a time"));
            let (away, home) = (teams.away.clone(), teams.home.clone());
            find_row(&archive, &GameName::Listed { date: date.parse().expect("a date"), time, away, home })
        };
        for date in ["2025-06-10", "2025-06-11"] {
            let refused = found(date, None).expect_err("two games");
            assert_eq!(refused.written(), "13:05:00 and 19:10:00", "{date}");
            assert_eq!(found(date, Some("13:05:00")), Ok(Some(0)), "{date}");
            assert_eq!(found(date, Some("19:10:00")), Ok(Some(1)), "{date}");
        }
        assert_eq!(found("2025-06-10", Some("12:00:00")), Ok(Some(0)), "a start before that");
        assert_eq!(found("2025-06-09", None), Ok(None));
    }
}
