//! What a season's archive covers, and which of its games may still get a final.

use chrono::NaiveDate;
use sports_domain::{Market, ModelType, Sport, Total};
use sports_publication::testing::{GameBuilder, a_game, season};
use sports_publication::{Ending, GameFacts, SeasonArchive, SeasonCoverage};

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

/// A game that is not played, for this reason.
fn unplayed(date: &str, status: Option<&str>) -> GameBuilder {
    a_game().on(date).unplayed().with(|game| game.facts.settlement_status = status.map(str::to_owned))
}

/// The season's totals; each game ends 20-24.
fn archive() -> SeasonArchive {
    let against = |date, total| a_game().on(date).with(|game| game.facts.lines.total = Total::new(total).ok());
    let games = [
        unplayed("2024-09-08", Some("cancelled")),
        against("2024-09-15", 43.5),
        unplayed("2024-09-18", Some("suspended")),
        against("2024-09-22", 44.0),
        against("2024-10-06", 45.5),
        against("2024-10-13", 44.0),
        // A total of zero is none: nothing was posted.
        against("2024-10-20", 0.0),
        unplayed("2024-10-27", None),
        unplayed("2024-11-03", None),
    ];
    let market = Market::new(Sport::Nfl, ModelType::OverUnder);
    SeasonArchive::new(market, season(Sport::Nfl, "2024-25"), games.map(GameBuilder::build).to_vec())
        .expect("no key repeats")
}

#[test]
fn a_season_covers_its_dates_and_its_decided_games() {
    let coverage = SeasonCoverage {
        rows: 9,
        decided: 2,
        first_date: Some(date("2024-09-08")),
        last_date: Some(date("2024-11-03")),
        last_decided_date: Some(date("2024-10-06")),
        last_played_with_line_date: Some(date("2024-10-13")),
        oldest_unsettled_date: Some(date("2024-10-27")),
    };
    assert_eq!(SeasonCoverage::from_archive(&archive()), coverage);
    let once = SeasonCoverage { oldest_unsettled_date: Some(date("2024-09-18")), ..coverage };
    assert_eq!(SeasonCoverage::as_once_counted(&archive()), once, "a publisher's own word once called nothing off");
}

#[test]
fn only_games_that_may_still_get_a_final_are_unsettled() {
    let archive = archive();
    let dates: Vec<_> = archive.unsettled().map(|key| key.date).collect();
    assert_eq!(dates, [date("2024-10-27"), date("2024-11-03")]);
}

#[test]
fn a_game_is_settled_once_its_publisher_says_so() {
    let facts = |status: Option<&str>, played: bool| {
        let game = if played { a_game() } else { a_game().unplayed() };
        game.with(|game| game.facts.settlement_status = status.map(str::to_owned)).build().facts
    };
    let score = facts(None, true).score.expect("played");
    let ended = |status: &str| Some(Ending::Final { score, status: status.to_owned() });
    let called_off = Some(Ending::CalledOff { status: "cancelled".to_owned() });
    // A game with a final and without a word about it ended; whether it is settled is not said.
    assert!(!facts(Some("settled"), false).is_settled(), "there is no final to settle");
    let table: [(GameFacts, [bool; 3], Option<Ending>); 5] = [
        (facts(Some("settled"), true), [true, true, false], ended("settled")),
        (facts(Some("unverified"), true), [false, true, false], ended("unverified")),
        (facts(None, true), [false, true, false], ended("settled")),
        (facts(Some("cancelled"), false), [false, true, true], called_off),
        (facts(None, false), [false, false, false], None),
    ];
    for (facts, [settled, over, off], ending) in table {
        assert_eq!((facts.is_settled(), facts.is_over(), facts.is_called_off()), (settled, over, off), "{ending:?}");
        assert_eq!(facts.ending(), ending);
    }
}
