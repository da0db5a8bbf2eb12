//! Helpers: releases to publish, and the record after them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{
    FinalScore, Forecasts, GameKey, GameLines, LineColumn, ModelColumn, ModelType, OwnForecasts, Probability, Sport,
    Total,
};
use sports_publication::identity::{OnRecord, Resolution, in_terms_of_record};
use sports_publication::settle::{Permissions, settle};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::slate_update::{Publishing, Returns, SlateReport, publish_slate, slate_season};
use sports_publication::testing::{a_release, called_off, identify, key, place, season};
use sports_publication::{
    Catalog, Ending, Extras, FinalRow, LeagueRecord, Located, PredictedGame, PredictionsFile, Problem, Release,
    ReleaseId,
};

/// The identity of the first game of the teams on the date.
pub(crate) const GAME_ID: &str = "mlb-2024-11-24-away_team-home_team";

pub(crate) const MARKET: ModelType = ModelType::OverUnder;

pub(crate) fn morning() -> DateTime<Utc> {
    "2024-11-24T14:50:00Z".parse().expect("an instant")
}

pub(crate) fn at(time: &str) -> GameKey {
    key("2024-11-24", time, "away_team", "home_team")
}

/// Creates a release of predictions for games, each with its start and an optional id.
pub(crate) fn listing(games: &[(&str, Option<&str>)]) -> Release {
    let row = |(time, id): &(&str, Option<&str>)| {
        let mut game = SlateGame {
            key: at(time),
            game_id: None,
            match_id: id.map(str::to_owned),
            lines: GameLines::default(),
            forecasts: Forecasts::default().with(ModelColumn::Blend, Probability::new(0.6).expect("a probability")),
            own: OwnForecasts::default(),
        };
        game.lines.total = Total::new(43.5).ok();
        let value = PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() };
        Located { place: place(2), value }
    };
    let file = PredictionsFile {
        given: vec![LineColumn::OverUnder],
        rows: games.iter().map(row).collect(),
        ..PredictionsFile::default()
    };
    let season = Some(season(Sport::Mlb, "2024"));
    let bare = a_release(Sport::Mlb, "2024", Vec::new());
    let predictions = if games.is_empty() { BTreeMap::new() } else { BTreeMap::from([(MARKET, file)]) };
    Release { season, predictions, history: Vec::new(), ..bare }
}

/// Creates a release of odds only.
pub(crate) fn quoting(games: &[(&str, &str, f64)]) -> Release {
    let row = |(time, id, total): &(&str, &str, f64)| {
        let lines = GameLines { total: Total::new(*total).ok(), ..GameLines::default() };
        let match_id = Some((*id).to_owned());
        let value = OddsGame {
            key: at(time),
            game_id: None,
            listed_start: None,
            match_id,
            lines,
            quote_source: None,
            last_updated: None,
        };
        Located { place: place(3), value }
    };
    Release { odds: Some(games.iter().map(row).collect()), predictions: BTreeMap::new(), ..listing(&[]) }
}

pub(crate) fn publish(
    release: &Release,
    record: LeagueRecord,
    now: DateTime<Utc>,
) -> Result<(LeagueRecord, SlateReport), String> {
    publish_onto(None, &Returns::new(), release, record, now)
}

/// Publishes after an entry of the log; `returns` has the games that go back to a start in the past.
pub(crate) fn publish_onto(
    catalog: Option<&Catalog>,
    returns: &Returns,
    release: &Release,
    record: LeagueRecord,
    now: DateTime<Utc>,
) -> Result<(LeagueRecord, SlateReport), String> {
    let release_id = &ReleaseId::new(release.slate_date, now, &release.content);
    let mut before = record;
    identify(release.sport, &mut before);
    let live = slate_season(release, catalog);
    let on_record = OnRecord::of(&before, Some(live));
    let resolution = &Resolution::of(release, &on_record, live, now);
    let slate = &in_terms_of_record(release, resolution, live);
    let problems = |problems: &[Problem]| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let record = before.clone().following(release.sport, resolution).map_err(|found| problems(&found))?;
    let before = &before;
    let publishing = Publishing { release, resolution, slate, catalog, release_id, before, returns, now };
    match publish_slate(&publishing, record) {
        Ok(done) if resolution.problems().is_empty() => Ok(done),
        Ok(_) => Err(problems(resolution.problems())),
        Err(found) => Err(problems(&[resolution.problems(), &found].concat())),
    }
}

/// Returns the release with every game of its predictions on another date.
pub(crate) fn on(date: &str, mut release: Release) -> Release {
    for row in release.predictions.values_mut().flat_map(|file| &mut file.rows) {
        row.value.game.key.date = date.parse().expect("a date");
    }
    release
}

/// Returns the record with one of its games ended.
pub(crate) fn ended(record: &LeagueRecord, key: &GameKey, ending: Ending, now: DateTime<Utc>) -> LeagueRecord {
    let row = Located {
        place: place(2),
        value: FinalRow { key: key.clone(), game_id: None, match_id: None, ending, void: None, remarks: Vec::new() },
    };
    let permissions = Permissions { correct: true, allow_unknown: false };
    let mut record = record.clone();
    identify(Sport::Mlb, &mut record);
    let (archives, _) = settle(record.archives, &[row], permissions, now).expect("it is on record");
    LeagueRecord { archives, ..record }
}

pub(crate) fn won() -> Ending {
    Ending::settled(FinalScore { away: 20, home: 24 })
}

pub(crate) fn postponed() -> Ending {
    called_off("postponed")
}

/// Returns the starts on record, in order.
pub(crate) fn starts(record: &LeagueRecord) -> Vec<String> {
    let archive = record.archives.values().next().expect("an archive");
    archive.games().iter().map(|game| game.facts.key.time.expect("timed").to_string()).collect()
}

pub(crate) fn after(first: &[(&str, Option<&str>)]) -> LeagueRecord {
    publish(&listing(first), LeagueRecord::default(), morning()).expect("publishes").0
}

/// Returns the starts and ids on record, in order.
pub(crate) fn named(record: &LeagueRecord) -> Vec<(String, String)> {
    let archive = record.archives.values().next().expect("an archive");
    let named = archive.games().iter().map(|game| {
        let id = game.facts.match_id.clone().unwrap_or_default();
        (game.facts.key.time.expect("timed").to_string(), id)
    });
    named.collect()
}

pub(crate) fn pair(first: (&str, &str), second: (&str, &str)) -> Vec<(String, String)> {
    [first, second].map(|(time, id)| (time.to_owned(), id.to_owned())).to_vec()
}
