//! Releases as a whole, and the seasons of their slates.

use chrono::{DateTime, Utc};
use sports_domain::{
    AmericanPrice, FinalScore, GameKey, HomeSpread, LineColumn, ModelColumn, ModelType, Probability, Side, Sport,
};
use sports_grading::{Outcome, Verdict};
use sports_publication::slate_update::a_date_of;
use sports_publication::testing::{a_game, a_release, place, season};
use sports_publication::{LeagueRecord, Located, Release, Reschedule, Run, SlateActivity, SourceTimes};

use crate::releases_and_records::{MARKET, at, listing, morning, on, publish, quoting};

#[test]
fn a_slate_is_active_or_none() {
    assert_eq!(SlateActivity::ALL.map(SlateActivity::word), ["active", "none"]);
}

#[test]
fn sources_speak_for_themselves_or_at_the_end_of_the_run() {
    let [odds, predictions, completed]: [DateTime<Utc>; 3] =
        ["2024-11-24T13:00:00Z", "2024-11-24T14:00:00Z", "2024-11-24T14:30:00Z"]
            .map(|text| text.parse().expect("an instant"));
    let run = Run { id: "r".to_owned(), started_at: odds, completed_at: Some(completed), slate: SlateActivity::Active };
    let as_of = |source_as_of, run: Option<&Run>| {
        let release = Release { source_as_of, run: run.cloned(), ..a_release(Sport::Mlb, "2024", Vec::new()) };
        (release.odds_as_of(), release.predictions_as_of())
    };
    let stated = SourceTimes { odds: Some(odds), predictions: Some(predictions) };
    assert_eq!(as_of(stated, Some(&run)), (Some(odds), Some(predictions)));
    assert_eq!(as_of(SourceTimes::default(), Some(&run)), (Some(completed), Some(completed)));
    assert_eq!(as_of(SourceTimes::default(), Some(&Run { completed_at: None, ..run })), (None, None));
    assert_eq!(as_of(SourceTimes::default(), None), (None, None));
}

#[test]
fn a_market_takes_lines_it_has_no_column_for_from_the_files_of_the_others() {
    let mut release = listing(&[("13:00:00", None)]);
    let mut spreads = release.predictions[&MARKET].clone();
    spreads.given = vec![LineColumn::HomePointSpread];
    spreads.rows[0].value.game.lines.spread = HomeSpread::new(-3.0).ok();
    // A total in a column that the file does not have is ignored.
    spreads.rows[0].value.game.lines.total = None;
    release.predictions.insert(ModelType::WonOnSpread, spreads);
    let (record, _) = publish(&release, LeagueRecord::default(), morning()).expect("publishes");
    let total = release.predictions[&MARKET].rows[0].value.game.lines.total;
    for predictions in record.predictions.values() {
        let lines = predictions.games()[0].game.lines;
        assert_eq!((lines.total, lines.spread), (total, HomeSpread::new(-3.0).ok()), "{}", predictions.model_type());
    }
}

#[test]
fn a_slate_has_dates_of_its_season() {
    let two = "a date of the season 2024, in 2024";
    assert_eq!(a_date_of(season(Sport::Nfl, "2024-25")), "a date of the season 2024-25, in 2024 or 2025");
    assert_eq!(a_date_of(season(Sport::Mlb, "2024")), two);
    let refused = |release: &Release| publish(release, LeagueRecord::default(), morning()).expect_err("another year");
    let listed = on("2023-11-24", listing(&[("13:00:00", None)]));
    assert_eq!(refused(&listed), format!("games/test.csv, row 2, column date: `2023-11-24`: expected {two}"));
    // The season derived from a slate date is a guess, which the publisher can correct.
    let mut quoted = quoting(&[("13:00:00", "a", 41.5)]);
    (quoted.season, quoted.odds.as_mut().expect("odds")[0].value.key.date) =
        (None, "2026-01-04".parse().expect("a date"));
    let hint = "; a slate of another season names it as `season` in release.json";
    assert_eq!(refused(&quoted), format!("games/test.csv, row 3, column date: `2026-01-04`: expected {two}{hint}"));
    let mut moved = listing(&[]);
    let to = GameKey { date: "2026-01-04".parse().expect("a date"), ..at("13:00:00") };
    moved.moved = vec![Located { place: place(1), value: Reschedule { from: at("13:00:00"), to }.into() }];
    assert!(refused(&moved).contains("column moved: `2026-01-04`"), "{}", refused(&moved));
}

/// Tests of helpers that other tests rely on.
#[test]
fn the_builders_game_is_won_by_its_home_team_in_every_market() {
    let game = a_game().build();
    assert_eq!(game.facts.score(), Some(FinalScore { away: 20, home: 24 }));
    assert_eq!(game.facts.lines.spread, HomeSpread::new(-2.5).ok());
    for model_type in ModelType::ALL {
        let market = game.market_game(model_type);
        assert_eq!(market.probability(ModelColumn::Implied), Some(Probability::HALF), "{model_type}");
        assert_eq!(market.prices().positive.map(AmericanPrice::get), Some(-110), "{model_type}");
        assert_eq!(market.outcome(), Some(Outcome::Decided(Side::Positive)), "{model_type}");
        assert!(matches!(market.verdict(), Verdict::Graded(graded) if graded.won(ModelColumn::Blend) == Some(true)));
    }
}
