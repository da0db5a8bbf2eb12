//! Rows whose game has started, or whose start belongs to another game.

use chrono::{DateTime, Utc};
use sports_domain::{Forecasts, GameKey, Market, ModelType, Sport, TeamSlug};
use sports_publication::testing::{a_game, season};
use sports_publication::{
    ForecastOrigin, ForecastRecord, LeagueRecord, ProbabilitySource, Release, ReleaseId, SeasonArchive,
};

use crate::releases_and_records::{MARKET, after, at, ended, listing, morning, postponed, publish};

/// Returns an instant half an hour after a start at 13:00.
fn afternoon() -> DateTime<Utc> {
    "2024-11-24T18:30:00Z".parse().expect("an instant")
}

/// Returns the new, frozen and unrecorded games of a release.
fn treatments(release: &Release, record: LeagueRecord) -> [Vec<GameKey>; 3] {
    let (_, report) = publish(release, record, afternoon()).expect("publishes");
    let market = &report.markets[&MARKET];
    [market.new.clone(), market.frozen.clone(), market.unrecorded.clone()]
}

#[test]
fn a_lone_listing_is_the_game_that_began_unless_another_id_says_otherwise() {
    let known = || after(&[("13:00:00", Some("a"))]);
    let frozen = [vec![], vec![at("16:00:00")], vec![]];
    assert_eq!(treatments(&listing(&[("16:00:00", Some("a"))]), known()), frozen);
    let new = [vec![at("16:00:00")], vec![], vec![]];
    assert_eq!(treatments(&listing(&[("16:00:00", Some("b"))]), known()), new, "another id");
    assert_eq!(treatments(&listing(&[("16:00:00", None)]), known()), frozen, "no id");
    let off = ended(&known(), &at("13:00:00"), postponed(), afternoon());
    assert_eq!(treatments(&listing(&[("16:00:00", Some("a"))]), off), new, "called off");
    let mut others = listing(&[("16:00:00", Some("a"))]);
    let key = &mut others.predictions.get_mut(&MARKET).expect("listed").rows[0].value.game.key;
    key.away = TeamSlug::normalise("others").expect("a team");
    let refused = publish(&others, known(), afternoon()).expect_err("other teams");
    assert!(refused.contains("an id no other game has"), "{refused}");
}

#[test]
fn a_start_that_another_game_has_on_record_is_no_place_for_a_second() {
    let known = || after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    // The game that started at 13:00 is listed at 14:00, and another game at 13:00.
    let listed = listing(&[("13:00:00", Some("c")), ("14:00:00", Some("a"))]);
    assert_eq!(treatments(&listed, known()), [vec![], vec![at("14:00:00")], vec![at("13:00:00")]]);
    // If the recorded game is listed at no other start, the row is that game under another id.
    for others in [&[][..], &[("19:00:00", Some("b"))]] {
        let listed = listing(&[&[("13:00:00", Some("c"))][..], others].concat());
        let [_, frozen, unrecorded] = treatments(&listed, known());
        assert_eq!((frozen, unrecorded), (vec![at("13:00:00")], vec![]), "{others:?}");
    }
}

#[test]
fn a_game_that_began_before_its_first_forecast_has_none() {
    assert_eq!(
        treatments(&listing(&[("13:00:00", None)]), LeagueRecord::default()),
        [vec![], vec![], vec![at("13:00:00")]]
    );
}

#[test]
fn a_forecast_before_the_start_is_recorded_with_its_release_and_time() {
    let release = listing(&[("13:00:00", None)]);
    let (record, _) = publish(&release, LeagueRecord::default(), morning()).expect("publishes");
    let forecast =
        |record: &LeagueRecord| record.archives.values().next().expect("an archive").games()[0].forecast.clone();
    let recorded = forecast(&record);
    let run = Some(ReleaseId::new(release.slate_date, morning(), &release.content).to_string());
    assert_eq!(recorded.origin, Some(ForecastOrigin::Live { run, published_at: Some(morning()) }));
    assert_eq!(recorded.forecasts, release.predictions[&MARKET].rows[0].value.game.forecasts);
    assert_eq!(recorded.probability_source, Some(ProbabilitySource::Recorded));
    // A forecast withdrawn before the start does not count.
    let mut withdrawn = release;
    withdrawn.predictions.get_mut(&MARKET).expect("listed").rows[0].value.game.forecasts = Forecasts::default();
    let (record, _) = publish(&withdrawn, record, morning()).expect("publishes");
    assert_eq!(forecast(&record), ForecastRecord::default());
    // The forecast of a backtest cannot be withdrawn.
    let backtest = a_game().unplayed().build();
    let market = Market::new(Sport::Mlb, MARKET);
    let archive = SeasonArchive::new(market, season(Sport::Mlb, "2024"), vec![backtest.clone()]);
    let archives = [((MARKET, season(Sport::Mlb, "2024")), archive.expect("one game"))].into();
    let (record, _) =
        publish(&withdrawn, LeagueRecord { archives, ..LeagueRecord::default() }, morning()).expect("publishes");
    let rows: Vec<_> = record.archives.values().next().expect("an archive").games().iter().collect();
    assert_eq!((rows.len(), &rows[0].forecast), (1, &backtest.forecast));
}

#[test]
fn only_a_game_that_is_called_off_is_so_in_another_market() {
    let known = after(&[("13:00:00", None), ("19:00:00", None)]);
    let off = ended(&known, &at("13:00:00"), postponed(), morning());
    let mut listed = listing(&[("13:00:00", None), ("19:00:00", None)]);
    let file = listed.predictions.remove(&MARKET).expect("listed");
    listed.predictions.insert(ModelType::WonOnSpread, file);
    let (record, _) = publish(&listed, LeagueRecord { archives: off.archives, ..LeagueRecord::default() }, morning())
        .expect("listed");
    let archive = &record.archives[&(ModelType::WonOnSpread, season(Sport::Mlb, "2024"))];
    let statuses: Vec<_> = archive.games().iter().map(|game| game.facts.settlement_status()).collect();
    assert_eq!(statuses, [Some("postponed"), None]);
}
