use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Value, json};
use sports_domain::{Season, Sport, eastern_date};
use sports_publication::GameFacts;
use sports_usecases::live_season::{live_season, season_games};
use sports_usecases::unsettled::awaits_settlement;

use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Lists the games of a season, by default of the season that a league's predictions are recorded in: all, or those
/// awaiting settlement.
pub async fn run(
    places: &Places<'_>,
    sport: Sport,
    season: Option<&str>,
    only_awaiting: bool,
) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let live = match season {
        Some(label) => {
            let season = Season::parse(sport, label).map_err(Failure::bad_input)?;
            let found = season_games(&*store.log, &store.archives, season, sport).await.map_err(Failure::other)?;
            Some(found.ok_or_else(|| Failure::bad_input(format!("{sport} {season} is not on record")))?)
        }
        None => live_season(&*store.log, &store.archives, sport).await.map_err(Failure::other)?,
    };
    let Some(live) = live else {
        let nothing = json!({ "sport": sport.code(), "season": null, "games": [] });
        return Ok(Report::new(vec![format!("{sport}: no predictions were published yet")], nothing));
    };
    let now = places.clock.now();
    let today = eastern_date(now);
    let listed = || live.games.iter().filter(|facts| !only_awaiting || awaits_settlement(facts, today));
    let what = if only_awaiting { "awaiting settlement" } else { "on record" };
    let count = listed().count();
    let noun = if count == 1 { "game" } else { "games" };
    let first = format!("{sport} {}: {count} {noun} {what}", live.season);
    let id = |facts: &GameFacts| facts.game_id.clone().unwrap_or_default();
    let lines = listed().map(|facts| format!("  {}  {}  {}", facts.key, id(facts), state(facts, now)));
    let games: Vec<_> = listed().map(|facts| game(facts, today)).collect();
    let json = json!({ "sport": sport.code(), "season": live.season.to_string(), "games": games });
    Ok(Report::new([first].into_iter().chain(lines).collect(), json))
}

/// Returns the outcome of a game, or its state before that.
fn state(facts: &GameFacts, now: DateTime<Utc>) -> String {
    match &facts.ending {
        Some(ending) => ending.to_string(),
        None if awaits_settlement(facts, eastern_date(now)) => "awaiting settlement".to_owned(),
        None if facts.key.has_started(now) => "started".to_owned(),
        None => "to come".to_owned(),
    }
}

fn game(facts: &GameFacts, today: NaiveDate) -> Value {
    let key = &facts.key;
    json!({
        "date": key.date.to_string(),
        "time_est": key.time.map(|time| time.to_string()),
        "away_team": key.away.as_str(),
        "home_team": key.home.as_str(),
        "game_number": key.game_number,
        "game_id": facts.game_id,
        "match_id": facts.match_id,
        "away_score": facts.score().map(|score| score.away),
        "home_score": facts.score().map(|score| score.home),
        "settlement_status": facts.settlement_status(),
        "awaiting": awaits_settlement(facts, today),
    })
}
