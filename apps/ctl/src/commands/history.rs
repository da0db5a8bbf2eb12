//! The published lines and forecasts of one game, from the store.

mod body;

use chrono::{DateTime, Utc};
use sports_domain::{ModelName, ModelType, Sport};
use sports_ports::publication::LogEntry;
use sports_publication::movement::{ForecastItem, GameHistory, SeasonMovement, Window};
use sports_usecases::game_histories::{GameName, find, place, seasons_of, window};
use sports_usecases::record::{leaves_of, newest_entry};
use sports_usecases::season_walk::walk_season;

use crate::cli::{Game, Subject};
use crate::failure::Failure;
use crate::places::{Places, Store};
use crate::report::Report;

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
    subject: Subject,
    sport: Sport,
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
        return report(&store, subject, &newest, &movement, &game, &window, places.clock.now()).await;
    }
    Err(unknown())
}

/// Returns the season that has a game, and the game's identity.
async fn found(store: &Store, newest: &LogEntry, name: &GameName) -> Result<Option<(SeasonMovement, String)>, Failure> {
    for season in seasons_of(name, &newest.catalog) {
        let walked = walk_season(&store.ledgers, &store.slates, &store.archives, newest, season).await;
        let movement = walked.map_err(Failure::other)?;
        if let Some(id) = find(&movement, name).map_err(Failure::bad_input)? {
            return Ok(Some((movement, id)));
        }
    }
    Ok(None)
}

async fn report(
    store: &Store,
    subject: Subject,
    newest: &LogEntry,
    movement: &SeasonMovement,
    game: &GameHistory<'_>,
    window: &Window<'_>,
    now: DateTime<Utc>,
) -> Result<Report, Failure> {
    let (mut json, mut lines) = (body::game(movement.sport(), game), vec![game.key().to_string()]);
    match subject {
        Subject::Odds => {
            let (history, complete) = game.lines_in(window);
            let has_closed = game.has_closed(now);
            lines.extend(body::odds_lines(&history, has_closed, game.starts_at().is_some()));
            body::add_odds(&mut json, &history, complete, has_closed);
        }
        Subject::Forecasts(model_type) => {
            let registry = store.slates.registry(&newest.catalog).await.map_err(Failure::other)?;
            let own: Vec<ModelName> = registry.own().map(|model| model.name).collect();
            let (items, complete) = game.forecasts_in(model_type, window);
            lines.extend(body::forecast_lines(model_type, &items, &own));
            let places = places(store, (movement.sport(), model_type), &items).await?;
            body::add_forecasts(&mut json, movement, model_type, &own, &items, &places, complete);
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
        let leaves = leaves_of(&store.ledgers, &store.slates, sport, forecast.published.generation).await;
        places.push(place(model_type, forecast, leaves.map_err(Failure::other)?.as_ref()));
    }
    Ok(places)
}
