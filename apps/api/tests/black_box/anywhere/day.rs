//! A day of the service: predictions served before a game equal its record after the game.

use std::collections::BTreeMap;

use chrono::{DateTime, Days, Utc};
use serde_json::Value;
use sports_demo::simulation::Run;
use sports_domain::{ModelType, Sport};

use crate::service::Service;
use crate::simulated::{SimulatedSite, TODAY, WORLD, eastern, on};

type Key = (String, String, String, String);

/// A game as it was last served before its start, and the answer with it.
struct Served {
    game: Value,
    release_id: String,
    published_at: String,
}

fn key(game: &Value, time: &str) -> Key {
    let text = |name: &str| game[name].as_str().expect("a text").to_owned();
    (text("date"), text(time), text("away_team"), text("home_team"))
}

fn started(key: &Key, now: DateTime<Utc>) -> bool {
    on(key.0.parse().expect("a date"), &key.1) <= now
}

/// Records the served games of one market that have not started.
async fn note(service: &Service, market: &str, now: DateTime<Utc>, notes: &mut BTreeMap<Key, Served>) {
    let answer = service.get(&format!("/api/v1/predictions/{market}")).await.json();
    let (sport, model_type) = market.split_once('/').expect("a market");
    let status = service.get(&format!("/api/v1/data-status/{sport}")).await.json();
    let status = &status["markets"][model_type];
    let held: Vec<_> =
        status["held_games"].as_array().expect("a list").iter().map(|game| key(game, "time_est")).collect();
    for game in answer["games"].as_array().expect("games") {
        let key = key(game, "time");
        if started(&key, now) {
            let before = notes.get(&key).map(|served| &served.game);
            assert_eq!(before, Some(game), "{key:?} has started: it is served as it was");
        } else if held.contains(&key) {
            assert_eq!(notes.get(&key).map(|served| &served.game), Some(game), "{key:?} is held");
        } else {
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let (release_id, published_at) = (text(&status["release_id"]), text(&answer["predictions_date"]));
            notes.insert(key, Served { game: game.clone(), release_id, published_at });
        }
    }
}

async fn note_markets(
    site: &SimulatedSite,
    now: DateTime<Utc>,
    notes: &mut BTreeMap<ModelType, BTreeMap<Key, Served>>,
) {
    let service = site.serve(now).await;
    for model_type in ModelType::ALL {
        let market = format!("{}/{model_type}", site.sport);
        note(&service, &market, now, notes.entry(model_type).or_default()).await;
    }
}

/// Asserts that every number of the prediction is in the row, digit by digit.
fn assert_recorded(served: &Served, row: &Value) {
    for (model, probability) in served.game["predictions"].as_object().expect("an object") {
        assert_eq!(row[model].to_string(), probability.to_string(), "{model} of {row}");
    }
    let not_lines = ["date", "time", "away_team", "home_team", "match_id", "predictions"];
    for (name, value) in served.game.as_object().expect("an object") {
        // Expected values are computed, and an opener of zero is served as null.
        if not_lines.contains(&name.as_str())
            || name.starts_with("ev_")
            || (name.starts_with("open_") && value.is_null())
        {
            continue;
        }
        assert_eq!(row[name].to_string(), value.to_string(), "{name} of {row}");
    }
    let has_forecast =
        served.game["predictions"].as_object().is_some_and(|printed| printed.keys().any(|model| model != "IMPLIED"));
    if has_forecast {
        assert_eq!(row["forecast_source"], "live");
        assert_eq!(row["model_probability_source"], "recorded");
        assert_eq!(row["forecast_run"], served.release_id);
        assert_eq!(row["forecast_published_at"], served.published_at);
        assert_eq!(row["quote_source"], "simulated");
    } else {
        assert_eq!(row.get("forecast_source"), None, "{row}");
    }
}

/// Publishes at 09:50, refreshes odds and rebuilds through the day, settles overnight.
async fn lives_a_day(sport: Sport) {
    let site = SimulatedSite::for_sport(sport);
    let eve = on(TODAY - Days::new(1), "23:59:00");
    site.publish(eve, &WORLD.history_release(sport, eve));
    let first = eastern("09:50:00");
    site.publish(first, &WORLD.day_release(sport, first, Run::First));
    let mut notes: BTreeMap<ModelType, BTreeMap<Key, Served>> = BTreeMap::new();
    note_markets(&site, first, &mut notes).await;
    for time in ["11:50:00", "13:50:00", "15:50:00", "17:50:00", "19:50:00", "21:50:00", "23:50:00"] {
        let now = eastern(time);
        if let Some(odds) = WORLD.odds_refresh(sport, now) {
            site.publish(now, &odds);
        }
        site.publish(now, &WORLD.day_release(sport, now, Run::Rebuild));
        note_markets(&site, now, &mut notes).await;
    }
    let night = on(TODAY + Days::new(1), "05:00:00");
    let printed = site.settle(eve, night);
    assert!(printed.contains("published: "), "{printed}");

    let service = site.serve(night).await;
    let season = WORLD.seasons(sport).next().expect("a season");
    let mut compared = 0;
    for (model_type, served) in notes {
        let page = service.page(&format!("{sport}/{model_type}?season={season}&limit=100000")).await.json();
        let rows = page["results"].as_array().expect("rows");
        let rows: BTreeMap<_, _> = rows.iter().map(|row| (key(row, "time_est"), row)).collect();
        assert_eq!(rows.len(), page["total"].as_u64().and_then(|total| usize::try_from(total).ok()).expect("a count"));
        for (key, served) in served {
            assert_recorded(&served, rows[&key]);
            compared += usize::from(started(&key, eastern("23:50:00")));
        }
        for played in WORLD.finals(sport, eve, night) {
            let time = played.key.time.expect("timed").to_string();
            let key = (played.key.date.to_string(), time, played.key.away.to_string(), played.key.home.to_string());
            let score = played.outcome.score().map(|score| (score.away, score.home));
            let Some(row) = rows.get(&key) else { continue };
            let number = |name: &str| row[name].as_u64().and_then(|score| u16::try_from(score).ok());
            assert_eq!(number("away_score").zip(number("home_score")), score, "{key:?}");
            assert_eq!(row["settlement_status"], played.outcome.word());
        }
    }
    assert!(compared > 0, "games were played that day");
    let verified = site.site.place.ctl(["verify", sport.code()]);
    assert!(verified.contains("objects verified"), "{verified}");
}

#[tokio::test]
async fn predictions_served_before_a_baseball_game_are_its_record_after_it() {
    lives_a_day(Sport::Mlb).await;
}

#[tokio::test]
async fn predictions_served_before_a_football_week_are_its_record_after_its_first_day() {
    lives_a_day(Sport::Nfl).await;
}
