//! The published lines and forecasts of one game, from the store.

mod body;

use std::str::FromStr;

use chrono::{NaiveDate, NaiveTime};
use sports_domain::{ModelName, ModelType, Sport, TeamSlug};
use sports_movement::{ForecastItem, GameHistory, SeasonMovement, Window};
use sports_ports::publication::LogEntry;
use sports_usecases::game_histories::{GameName, find, place, seasons_of, window};
use sports_usecases::record::{leaves_of, newest_entry, walk_season};

use crate::failure::Failure;
use crate::places::{Places, Store};
use crate::report::Report;

/// The subject of a history: the odds, or the forecasts of one market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The lines of the odds.
    Odds,
    /// The forecasts of a market.
    Forecasts(ModelType),
}

impl std::str::FromStr for Subject {
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

impl Subject {
    /// Returns the message about an unknown game.
    const fn unknown(self) -> &'static str {
        match self {
            Self::Odds => "No odds of that game are on record",
            Self::Forecasts(_) => "No forecast of that game is on record",
        }
    }

    /// Returns true if releases had this of a game.
    fn was_published(self, game: &GameHistory<'_>) -> bool {
        match self {
            Self::Odds => game.was_quoted(),
            Self::Forecasts(model_type) => game.was_predicted(model_type),
        }
    }
}

/// Prints the history of a game in the last days before its start.
pub async fn run(
    places: &Places<'_>,
    (subject, sport): (Subject, Sport),
    game: &Game,
    days: u16,
) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let unknown = || Failure::bad_input(subject.unknown());
    let newest = newest_entry(&*store.log, sport).await.map_err(Failure::other)?.ok_or_else(unknown)?;
    for name in &game.0 {
        let Some((movement, id)) = found(&store, &newest, name).await? else { continue };
        let game = movement.game(&id).filter(|game| subject.was_published(game)).ok_or_else(unknown)?;
        let window = window(&movement, &game, days).ok_or_else(unknown)?;
        return report(&store, (subject, &newest), &movement, (&game, &window)).await;
    }
    Err(unknown())
}

/// Returns the season that has a game, and the game's identity.
async fn found(store: &Store, newest: &LogEntry, name: &GameName) -> Result<Option<(SeasonMovement, String)>, Failure> {
    for season in seasons_of(name, &newest.catalog) {
        let walked = walk_season(&store.log, &store.slates, &store.archives, newest, season).await;
        let movement = walked.map_err(Failure::other)?;
        if let Some(id) = find(&movement, name).map_err(Failure::bad_input)? {
            return Ok(Some((movement, id)));
        }
    }
    Ok(None)
}

async fn report(
    store: &Store,
    (subject, newest): (Subject, &LogEntry),
    movement: &SeasonMovement,
    (game, window): (&GameHistory<'_>, &Window<'_>),
) -> Result<Report, Failure> {
    let (mut json, mut lines) = (body::game(movement.sport(), game), vec![game.key().to_string()]);
    match subject {
        Subject::Odds => {
            let (history, complete) = game.lines_in(window);
            lines.extend(body::odds_lines(&history));
            body::add_odds(&mut json, &history, complete);
        }
        Subject::Forecasts(model_type) => {
            let registry = store.slates.registry(&newest.catalog).await.map_err(Failure::other)?;
            let own: Vec<ModelName> = registry.own().map(|model| model.name).collect();
            let (items, complete) = game.forecasts_in(model_type, window);
            lines.extend(body::forecast_lines(model_type, &items, &own));
            let places = places(store, (movement.sport(), model_type), &items).await?;
            body::add_forecasts(&mut json, movement, (model_type, &own), (&items, &places), complete);
        }
    }
    Ok(Report::new(lines, json))
}

/// Returns the place of each forecast in the league's tree.
async fn places(
    store: &Store,
    (sport, model_type): (Sport, ModelType),
    forecasts: &[ForecastItem<'_>],
) -> Result<Vec<Option<u64>>, Failure> {
    let mut places = Vec::new();
    for forecast in forecasts {
        let leaves = leaves_of(&*store.log, &store.slates, sport, forecast.published.generation).await;
        places.push(place(model_type, forecast, leaves.map_err(Failure::other)?.as_ref()));
    }
    Ok(places)
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
