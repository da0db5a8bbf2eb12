use chrono::{NaiveDate, NaiveTime};
use sports_domain::{Season, TeamSlug};
use sports_usecases::game_histories::{DEFAULT_DAYS, GameName, MOST_DAYS};

use super::Given;
use crate::error::ApiError;
use crate::query_params;

query_params! {
    /// The game of a history: one of `game_id` and `match_id`, or date and teams.
    #[derive(Debug, Clone)]
    pub struct GameQuery {
        /// The game's identity as every answer has it, such as `nfl-2025-01-15-buffalo_bills-miami_dolphins`.
        game_id: Option<String> = |given| given.text("the `game_id` of a game"),
        /// The publisher's own id of the game.
        match_id: Option<String> = |given| given.text("the `match_id` of a game"),
        /// The Eastern date of the game's start. Together with both teams it names a game.
        date: Option<NaiveDate> = Given::date,
        /// The Eastern time of the start, `HH:MM` or `HH:MM:SS`. It can be left out if the teams meet once that day.
        #[param(value_type = Option<String>)]
        time: Option<NaiveTime> = |given| given.parse("a time, HH:MM or HH:MM:SS", time),
        /// The visiting team: its slug, or any other name that identifies one club of the league.
        #[param(value_type = Option<String>)]
        away_team: Option<TeamSlug> = Given::team,
        /// The home team: its slug, or any other name that identifies one club of the league.
        #[param(value_type = Option<String>)]
        home_team: Option<TeamSlug> = Given::team,
    }
}

/// The refusal of a request that names no game.
const WITHOUT_GAME: &str = "A game is named by `game_id`, by `match_id`, or by `date`, `away_team` and `home_team`, with `time` if they meet twice";

impl GameQuery {
    /// Returns the name of the game.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for no name, half a name, or several.
    pub fn name(self) -> Result<GameName, ApiError> {
        let Self { game_id, match_id, date, time, away_team, home_team } = self;
        let is_listed = date.is_some() || time.is_some() || away_team.is_some() || home_team.is_some();
        match (game_id, match_id, (date, away_team, home_team)) {
            (Some(id), None, _) if !is_listed => Ok(GameName::Id(id)),
            (None, Some(id), _) if !is_listed => Ok(GameName::MatchId(id)),
            (None, None, (Some(date), Some(away), Some(home))) => Ok(GameName::Listed { date, time, away, home }),
            (None, None, _) => Err(ApiError::BadRequest(WITHOUT_GAME.to_owned())),
            (Some(_), _, _) => Err(alone("game_id")),
            (None, Some(_), _) => Err(alone("match_id")),
        }
    }
}

fn alone(name: &str) -> ApiError {
    ApiError::BadRequest(format!("`{name}` names the game alone: leave out the other names"))
}

fn time(text: &str) -> Option<NaiveTime> {
    let form = match text.len() {
        5 => "%H:%M",
        8 => "%H:%M:%S",
        _ => return None,
    };
    NaiveTime::parse_from_str(text, form).ok()
}

query_params! {
    /// The length of a history.
    #[derive(Debug, Clone, Copy)]
    pub struct DaysQuery {
        /// The days before the start from which releases are read.
        #[param(minimum = 1, maximum = 60, default = 14, value_type = Option<u16>)]
        days: Option<u16> = days,
    }
}

fn days(given: Given<'_>) -> Result<Option<u16>, ApiError> {
    let days = given.whole_number(1..=usize::from(MOST_DAYS))?;
    Ok(days.and_then(|days| u16::try_from(days).ok()))
}

impl DaysQuery {
    /// Returns the days.
    pub fn days(self) -> u16 {
        self.days.unwrap_or(DEFAULT_DAYS)
    }
}

query_params! {
    /// The season of a request, with a label in the form of the league in its path.
    #[derive(Debug, Clone, Copy)]
    pub struct SeasonQuery {
        /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others.
        #[param(value_type = Option<String>)]
        pub season: Option<Season> = Given::season,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::params::{FromParams, RawQuery};
    use crate::paths::Segments;

    fn name(query: &str) -> Result<GameName, String> {
        let request = TestRequest::default().to_http_request();
        let read = GameQuery::read(&RawQuery::parse(query), Segments::of(&request)).and_then(GameQuery::name);
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn a_game_has_one_name() {
        assert_eq!(name("game_id=a"), Ok(GameName::Id("a".to_owned())));
        assert_eq!(name("match_id=b"), Ok(GameName::MatchId("b".to_owned())));
        let pair = "date=2024-01-06&away_team=Pittsburgh%20Steelers&home_team=baltimore_ravens";
        for (query, at) in [("", None), ("&time=16:30", Some("16:30:00")), ("&time=16:30:05", Some("16:30:05"))] {
            let team = |slug| TeamSlug::normalise(slug).expect("a team");
            let listed = GameName::Listed {
                date: "2024-01-06".parse().expect("a date"),
                time: at.and_then(|at| at.parse().ok()),
                away: team("pittsburgh_steelers"),
                home: team("baltimore_ravens"),
            };
            assert_eq!(name(&format!("{pair}{query}")), Ok(listed), "{query}");
        }
        for query in ["", "date=2024-01-06", "date=2024-01-06&away_team=a", "time=16:30", "away_team=a&home_team=b"] {
            assert_eq!(name(query), Err(WITHOUT_GAME.to_owned()), "{query}");
        }
        for (query, first) in [
            ("game_id=a&match_id=b", "game_id"),
            ("game_id=a&date=2024-01-06", "game_id"),
            ("match_id=b&time=16:30", "match_id"),
        ] {
            let alone = format!("`{first}` names the game alone: leave out the other names");
            assert_eq!(name(query), Err(alone), "{query}");
        }
    }

    #[test]
    fn a_time_has_hours_and_minutes() {
        for time in ["4pm", "16", "16:3", "25:00", "16:30:", "16:30:61"] {
            let refused = Err("`time` must be a time, HH:MM or HH:MM:SS".to_owned());
            assert_eq!(name(&format!("time={time}")), refused, "{time}");
        }
    }
}
