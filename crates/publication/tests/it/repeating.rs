//! Releases that repeat published content.

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{Forecasts, ModelColumn, ModelName, Probability, Sport};
use sports_publication::slate::TeamName;
use sports_publication::slate_update::{MarketReport, Returns};
use sports_publication::testing::{place, season};
use sports_publication::{ArtifactRef, Catalog, LeagueRecord, Located, PredictionsEntry, Release, SourceTimes};

use crate::catalogs::{a_catalog, artifact, predicting};
use crate::releases_and_records::{MARKET, at, listing, morning, publish, publish_onto, quoting};

/// Returns the source time of the published content.
fn noon() -> DateTime<Utc> {
    "2024-11-24T12:00:00Z".parse().expect("an instant")
}

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn published() -> ArtifactRef {
    ArtifactRef { source_as_of: noon(), slate_date: date("2024-11-24"), ..artifact("published") }
}

fn spoken(at: Option<DateTime<Utc>>) -> SourceTimes {
    SourceTimes { odds: at, predictions: at }
}

/// Returns a release of two games, the second held if `held` is true.
fn slate(held: bool) -> Release {
    let mut release = listing(&[("13:00:00", None), ("19:00:00", None)]);
    if held {
        release.held_games = [(MARKET, vec![Located { place: place(1), value: at("19:00:00") }])].into();
    }
    release
}

fn market(release: &Release, held_before: bool) -> MarketReport {
    let known = publish(&slate(false), LeagueRecord::default(), morning()).expect("publishes").0;
    let held_games = if held_before { vec![at("19:00:00")] } else { Vec::new() };
    let entry = PredictionsEntry { artifact: published(), held_games, ..predicting(season(Sport::Mlb, "2024")) };
    let catalog = Catalog { predictions: [(MARKET, entry)].into(), ..a_catalog() };
    let (_, report) = publish_onto(Some(&catalog), &Returns::new(), release, known, morning()).expect("publishes");
    report.markets[&MARKET].clone()
}

#[test]
fn equal_predictions_are_repeated_unless_slate_source_or_held_games_differ() {
    let asked_again = |at| Release { source_as_of: spoken(Some(at)), ..slate(false) };
    let tomorrow = Release { slate_date: date("2024-11-25"), ..slate(false) };
    let table = [
        ("the same", slate(false), false, true),
        ("of the same time", asked_again(noon()), false, true),
        ("of a later time", asked_again(morning()), false, false),
        ("of another slate", tomorrow, false, false),
        ("with the same game held", slate(true), true, true),
        ("with a game held now", slate(true), false, false),
        ("with a game held no more", slate(false), true, false),
    ];
    for (why, release, held_before, repeated) in table {
        assert_eq!(market(&release, held_before).repeated, repeated, "{why}");
    }
}

#[test]
fn another_probability_is_no_repetition_and_another_name_of_a_team_is() {
    let mut renamed = slate(false);
    let names = &mut renamed.predictions.get_mut(&MARKET).expect("listed").names;
    names.add(at("13:00:00").away, TeamName::new("The Away Team").expect("a name"));
    assert!(market(&renamed, false).repeated);
    let mut changed = slate(false);
    let game = &mut changed.predictions.get_mut(&MARKET).expect("listed").rows[1].value.game;
    game.forecasts = game.forecasts.with(ModelColumn::Blend, Probability::new(0.7).expect("a probability"));
    let report = market(&changed, false);
    assert!(!report.repeated);
    assert_eq!((report.new, report.changed), (vec![], vec![at("19:00:00")]));
    let (_, first) = publish(&slate(false), LeagueRecord::default(), morning()).expect("publishes");
    let first = &first.markets[&MARKET];
    assert_eq!((first.new.clone(), first.changed.clone()), (vec![at("13:00:00"), at("19:00:00")], vec![]));
    assert!(!first.repeated, "nothing was published");
}

#[test]
fn the_same_odds_are_repeated_unless_their_slate_or_time_is_another() {
    let odds = |total| quoting(&[("13:00:00", "a", total)]);
    let known = || publish(&odds(41.5), LeagueRecord::default(), morning()).expect("quoted").0;
    let asked_again = |at| Release { source_as_of: spoken(Some(at)), ..odds(41.5) };
    let tomorrow = Release { slate_date: date("2024-11-25"), ..odds(41.5) };
    let catalog = || Catalog { odds: Some(published()), ..a_catalog() };
    let table = [
        ("the same", odds(41.5), Some(catalog()), true),
        ("of the same time", asked_again(noon()), Some(catalog()), true),
        ("of a later time", asked_again(morning()), Some(catalog()), false),
        ("of another slate", tomorrow, Some(catalog()), false),
        ("with another total", odds(42.0), Some(catalog()), false),
        ("with none published", odds(41.5), Some(a_catalog()), false),
        ("as the first of all", odds(41.5), None, false),
    ];
    for (why, release, catalog, repeated) in table {
        let published = publish_onto(catalog.as_ref(), &Returns::new(), &release, known(), morning());
        assert_eq!(published.expect(why).1.odds_repeated, repeated, "{why}");
    }
}

#[test]
fn odds_are_not_the_same_once_a_game_is_rescheduled() {
    let known = publish(&quoting(&[("13:00:00", "a", 41.5)]), LeagueRecord::default(), morning()).expect("quoted").0;
    let catalog = Catalog { odds: Some(published()), ..a_catalog() };
    let later = quoting(&[("14:00:00", "a", 41.5)]);
    let (_, report) =
        publish_onto(Some(&catalog), &Returns::new(), &later, known, morning()).expect("the quote follows its id");
    assert_eq!((report.moved.len(), report.odds_repeated), (1, false));
}

#[test]
fn a_model_that_had_a_probability_and_has_none_in_the_file_is_named() {
    let mut other = slate(false);
    for row in &mut other.predictions.get_mut(&MARKET).expect("listed").rows {
        let half = Probability::new(0.5).expect("a probability");
        row.value.game.forecasts = Forecasts::default().with(ModelColumn::Rf, half);
    }
    assert_eq!(market(&other, false).unforecast, [ModelName::of(ModelColumn::Blend)]);
    assert_eq!(market(&slate(false), false).unforecast, []);
}
