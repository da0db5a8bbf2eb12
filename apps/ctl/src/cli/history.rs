//! Arguments about the history of a game.

use std::str::FromStr;

use chrono::{NaiveDate, NaiveTime};
use sports_domain::{ModelType, TeamSlug};
use sports_usecases::game_histories::GameName;

/// The subject of a history: the odds, or the forecasts of one market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The lines of the odds.
    Odds,
    /// The forecasts of a market.
    Forecasts(ModelType),
}

impl FromStr for Subject {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("odds") {
            return Ok(Self::Odds);
        }
        let market = text.parse().map(Self::Forecasts);
        let markets = ModelType::ALL.map(ModelType::code).join(", ");
        market.map_err(|_| format!("expected odds, or one of the model types {markets}"))
    }
}

/// A game on the command line: its `game_id`, the publisher's id, or `DATE TIME AWAY at HOME`. The names that it can have, to be
/// searched in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game(pub Vec<GameName>);

impl FromStr for Game {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected a game_id, a match_id, or a game such as \
                        \"2024-01-06 16:30 pittsburgh_steelers at baltimore_ravens\"";
        let Some((before, home)) = text.split_once(" at ") else {
            return if text.is_empty() { Err(expected) } else { Ok(Self::by_id(text)) };
        };
        let (date, rest) = before.split_once(' ').ok_or(expected)?;
        let date: NaiveDate = date.parse().map_err(|_| expected)?;
        let timed = rest.split_once(' ').and_then(|(first, away)| Some((Some(time(first)?), away)));
        let (time, away) = timed.unwrap_or((None, rest));
        let team = |name: &str| TeamSlug::normalise(name).map_err(|_| expected);
        Ok(Self(vec![GameName::Listed { date, time, away: team(away)?, home: team(home)? }]))
    }
}

impl Game {
    /// Returns the game with an identity, else the one with that id of the publisher.
    fn by_id(id: &str) -> Self {
        Self(vec![GameName::Id(id.to_owned()), GameName::MatchId(id.to_owned())])
    }
}

fn time(text: &str) -> Option<NaiveTime> {
    let forms = ["%H:%M", "%H:%M:%S"];
    forms.iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_an_id_or_a_start_with_teams() {
        assert_eq!("week18-PIT-BAL".parse(), Ok(Game::by_id("week18-PIT-BAL")));
        let team = |slug| TeamSlug::normalise(slug).expect("a team");
        for (text, at) in [
            ("2024-01-06 16:30 pittsburgh_steelers at baltimore_ravens", Some("16:30:00")),
            ("2024-01-06 16:30:00 Pittsburgh Steelers at Baltimore Ravens", Some("16:30:00")),
            ("2024-01-06 Pittsburgh Steelers at baltimore_ravens", None),
        ] {
            let expected = GameName::Listed {
                date: "2024-01-06".parse().expect("a date"),
                time: at.and_then(|at| at.parse().ok()),
                away: team("pittsburgh_steelers"),
                home: team("baltimore_ravens"),
            };
            assert_eq!(text.parse(), Ok(Game(vec![expected])), "{text}");
        }
        for text in ["", "pittsburgh_steelers at baltimore_ravens", "today 16:30 a at b"] {
            assert!(text.parse::<Game>().is_err(), "{text}");
        }
    }
}
