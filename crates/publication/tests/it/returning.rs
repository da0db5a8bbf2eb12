//! Games that go back to an earlier start by a stated reschedule.

use chrono::{DateTime, Utc};
use sports_domain::{FinalScore, Market, ModelColumn, ModelType, Probability, Sport, Total};
use sports_publication::slate_update::{AtStart, Returns, SlateReport, Warning};
use sports_publication::testing::{a_game, place, season};
use sports_publication::{
    ArchivedGame, Catalog, LeagueRecord, Located, PredictedGame, Release, Reschedule, SeasonArchive,
};

use crate::catalogs::a_catalog;
use crate::releases_and_records::{
    GAME_ID, MARKET, after, at, ended, listing, morning, on, publish, publish_onto, won,
};

/// Returns an instant after a start at 13:00 and before a start at 19:00.
fn afternoon() -> DateTime<Utc> {
    "2024-11-24T18:30:00Z".parse().expect("an instant")
}

/// Returns an instant after both starts.
fn night() -> DateTime<Utc> {
    "2024-11-25T02:00:00Z".parse().expect("an instant")
}

fn made(from: &str, to: &str) -> Reschedule {
    Reschedule { from: at(from), to: at(to) }
}

fn stated(made: &Reschedule) -> Release {
    Release { moved: vec![Located { place: place(1), value: made.clone().into() }], ..listing(&[]) }
}

/// Returns a release of one game with this blend.
fn forecasting(time: &str, blend: f64) -> Release {
    let mut release = listing(&[(time, None)]);
    let game = &mut release.predictions.get_mut(&MARKET).expect("listed").rows[0].value.game;
    game.forecasts = game.forecasts.with(ModelColumn::Blend, Probability::new(blend).expect("a probability"));
    release
}

fn row(record: &LeagueRecord) -> ArchivedGame {
    record.archives[&(MARKET, season(Sport::Mlb, "2024"))].games()[0].clone()
}

fn served(record: &LeagueRecord) -> Vec<PredictedGame> {
    record.predictions[&MARKET].games().to_vec()
}

fn blend(record: &LeagueRecord) -> Option<f64> {
    row(record).forecast.forecasts.get(ModelColumn::Blend).map(Probability::get)
}

/// Returns the record at the first start, and after the game was rescheduled to the evening.
fn moved_to_the_evening() -> (AtStart, LeagueRecord) {
    let known = after(&[("13:00:00", None)]);
    let rows = [(MARKET, row(&known))].into();
    let predictions = [(MARKET, served(&known)[0].clone())].into();
    let then = AtStart { rows, predictions, ..AtStart::default() };
    let (moved, _) = publish(&stated(&made("13:00:00", "19:00:00")), known, morning()).expect("reschedules");
    (then, moved)
}

/// Returns the same, with the blend of 0.6 changed to 0.7 at the evening start.
fn forecast_anew_in_the_evening() -> (AtStart, LeagueRecord) {
    let (then, moved) = moved_to_the_evening();
    (then, publish(&forecasting("19:00:00", 0.7), moved, morning()).expect("forecast").0)
}

fn back(
    then: &AtStart,
    record: LeagueRecord,
    catalog: Option<&Catalog>,
    now: DateTime<Utc>,
) -> Result<(LeagueRecord, SlateReport), String> {
    let returned = made("19:00:00", "13:00:00");
    let returns = Returns::from([(GAME_ID.to_owned(), then.clone())]);
    publish_onto(catalog, &returns, &stated(&returned), record, now)
}

#[test]
fn a_game_that_goes_back_to_a_passed_start_has_the_forecast_of_that_start() {
    let (then, record) = forecast_anew_in_the_evening();
    assert_eq!(blend(&record), Some(0.7));
    let (record, report) = back(&then, record, None, afternoon()).expect("goes back");
    assert_eq!(report.restored, [made("19:00:00", "13:00:00")]);
    assert!(report.warnings.contains(&Warning::Restored(made("19:00:00", "13:00:00"))), "{:?}", report.warnings);
    let mut restored = then.rows[&MARKET].clone();
    restored.facts.former_starts = Some("2024-11-24 19:00:00".to_owned());
    assert_eq!((row(&record), served(&record)), (restored, vec![then.predictions[&MARKET].clone()]));
    let (then, record) = moved_to_the_evening();
    let (_, report) = back(&then, record, None, afternoon()).expect("goes back");
    assert_eq!((report.moved.len(), report.restored), (1, vec![]), "nothing was forecast since");
}

#[test]
fn other_prices_since_are_taken_back_too_and_finals_stay() {
    let (mut then, record) = moved_to_the_evening();
    let total = Total::new(47.5).ok();
    let rows = then.rows.get_mut(&MARKET).expect("a row");
    (rows.facts.lines.total, rows.facts.quote_source) = (total, Some("a book".to_owned()));
    let record = ended(&record, &at("19:00:00"), won(), night());
    let catalog = Catalog { frozen_games: [].into(), ..a_catalog() };
    let (record, report) = back(&then, record, Some(&catalog), afternoon()).expect("goes back");
    assert_eq!(report.restored.len(), 1);
    let facts = row(&record).facts;
    assert_eq!((facts.lines.total, facts.quote_source.as_deref()), (total, Some("a book")));
    assert_eq!(facts.score(), Some(FinalScore { away: 20, home: 24 }));
}

#[test]
fn a_game_without_a_forecast_at_its_start_has_none_afterwards() {
    let (_, record) = forecast_anew_in_the_evening();
    let (record, report) = back(&AtStart::default(), record, None, afternoon()).expect("goes back");
    assert_eq!((blend(&record), report.restored.len()), (None, 1));
    assert_eq!(served(&record), []);
}

#[test]
fn a_backtest_is_of_no_start_and_stays() {
    let label = season(Sport::Mlb, "2024");
    let game = a_game().unplayed().with(|game| game.facts.key = at("19:00:00")).build();
    let archive = SeasonArchive::new(Market::new(Sport::Mlb, MARKET), label, vec![game.clone()]).expect("one game");
    let record = LeagueRecord { archives: [((MARKET, label), archive)].into(), ..LeagueRecord::default() };
    let (record, report) = back(&AtStart::default(), record, None, afternoon()).expect("goes back");
    assert_eq!((row(&record).forecast, report.restored), (game.forecast, vec![]));
}

#[test]
fn a_forecast_is_not_chosen_once_both_starts_have_passed() {
    let (then, record) = forecast_anew_in_the_evening();
    let refused = back(&then, record.clone(), None, night()).expect_err("0.6 or 0.7?");
    assert!(refused.contains("a game that was not forecast anew between these two starts"), "{refused}");
    assert!(refused.contains("`2024-11-24 19:00:00 away_team at home_team to 2024-11-24 13:00:00"), "{refused}");
    let frozen = Catalog { frozen_games: [at("19:00:00")].into(), ..a_catalog() };
    assert!(back(&then, record.clone(), Some(&frozen), afternoon()).is_err(), "a start of it passed before");
    let other = Catalog { frozen_games: [at("21:00:00")].into(), ..a_catalog() };
    assert!(back(&then, record, Some(&other), afternoon()).is_ok(), "another game's");
    let (then, record) = moved_to_the_evening();
    assert!(back(&then, record.clone(), None, night()).is_ok(), "both are one forecast");
    let mut repriced = then;
    repriced.rows.get_mut(&MARKET).expect("a row").facts.lines.total = Total::new(47.5).ok();
    assert!(back(&repriced, record.clone(), None, night()).is_err(), "at other prices");
    // A game that was never forecast live leaves no choice of forecasts.
    let (_, unforecast) = back(&AtStart::default(), record, None, afternoon()).expect("goes back");
    assert_eq!(unforecast.restored.len(), 1);
}

#[test]
fn a_game_whose_start_has_passed_once_keeps_its_forecast_wherever_it_goes() {
    let later = made("13:00:00", "19:00:00");
    let returns = Returns::new();
    let (record, report) =
        publish_onto(None, &returns, &stated(&later), after(&[("13:00:00", None)]), afternoon()).expect("goes back");
    assert_eq!(report.frozen, [at("19:00:00")].into());
    let catalog = Catalog { frozen_games: report.frozen, ..a_catalog() };
    let onto = |release: &Release, now| publish_onto(Some(&catalog), &Returns::new(), release, record.clone(), now);
    let (again, report) = onto(&forecasting("19:00:00", 0.7), afternoon()).expect("publishes");
    assert_eq!(report.markets[&MARKET].frozen, [at("19:00:00")]);
    assert_eq!((blend(&again), report.frozen), (Some(0.6), [at("19:00:00")].into()));
    let (_, report) = onto(&stated(&made("19:00:00", "20:00:00")), afternoon()).expect("is rescheduled again");
    assert_eq!(report.frozen, [at("20:00:00")].into(), "it is the same game");
    let (_, report) = onto(&on("2024-11-26", listing(&[("13:00:00", None)])), night()).expect("publishes");
    assert_eq!(report.frozen, [].into(), "it has begun by itself");
    let (_, report) =
        publish(&stated(&made("13:00:00", "19:00:00")), after(&[("13:00:00", None)]), morning()).expect("reschedules");
    assert_eq!(report.frozen, [].into(), "no start had passed");
}

#[test]
fn a_return_is_of_the_season_of_the_slate() {
    let (then, mut record) = forecast_anew_in_the_evening();
    let kept = record.archives[&(MARKET, season(Sport::Mlb, "2024"))].clone();
    let games: Vec<_> = kept
        .games()
        .iter()
        .cloned()
        .map(|mut game| {
            game.facts.key = at("13:00:00");
            game.facts.game_id = Some("another".to_owned());
            game
        })
        .collect();
    let earlier = season(Sport::Mlb, "2023");
    let archive = SeasonArchive::new(kept.market(), earlier, games).expect("one game");
    record.archives.insert((ModelType::OverUnder, earlier), archive.clone());
    let (record, _) = back(&then, record, None, afternoon()).expect("goes back");
    assert_eq!(record.archives[&(MARKET, earlier)], archive);
    assert_eq!(blend(&record), Some(0.6));
}
