//! Season coverage and unsettled games.

use chrono::NaiveDate;
use sports_domain::{FinalScore, Market, ModelType, Sport, Total};
use sports_publication::testing::{GameBuilder, a_game, called_off, season};
use sports_publication::{CalledOffStatus, Ending, SeasonArchive, SeasonCoverage};

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

/// Returns a game without a final, with this status.
fn unplayed(date: &str, status: Option<&str>) -> GameBuilder {
    let game = a_game().on(date).unplayed();
    status.into_iter().fold(game, GameBuilder::called_off)
}

/// Returns an archive of the season's totals; each played game ends 20-24.
fn archive() -> SeasonArchive {
    let against = |date, total| a_game().on(date).with(|game| game.facts.lines.total = Total::new(total).ok());
    let games = [
        unplayed("2024-09-08", Some("cancelled")),
        against("2024-09-15", 43.5),
        unplayed("2024-09-18", Some("suspended")),
        against("2024-09-22", 44.0),
        against("2024-10-06", 45.5),
        against("2024-10-13", 44.0),
        // A total of zero is not a total: no line was posted.
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
}

#[test]
fn only_games_that_may_still_get_a_final_are_unsettled() {
    let archive = archive();
    let dates: Vec<_> = archive.unsettled().map(|key| key.date).collect();
    assert_eq!(dates, [date("2024-10-27"), date("2024-11-03")]);
}

#[test]
fn a_game_is_settled_once_its_publisher_says_so() {
    let score = FinalScore { away: 20, home: 24 };
    let ended = |status: &str| Some(Ending::Final { score, status: status.to_owned() });
    let table = [
        (ended("settled"), [true, true, false], Some(score), Some("settled")),
        (ended("unverified"), [false, true, false], Some(score), Some("unverified")),
        (Some(called_off("cancelled")), [false, true, true], None, Some("cancelled")),
        (None, [false, false, false], None, None),
    ];
    for (ending, [settled, over, off], score, status) in table {
        let facts = a_game().build().facts.with_ending(ending.clone());
        assert_eq!((facts.is_settled(), facts.is_over(), facts.is_called_off()), (settled, over, off), "{ending:?}");
        assert_eq!((facts.score(), facts.settlement_status()), (score, status), "{ending:?}");
    }
}

#[test]
fn a_game_without_a_final_cannot_be_settled() {
    assert!(CalledOffStatus::new("settled").is_err());
    assert_eq!(CalledOffStatus::new("abandoned").as_ref().map(CalledOffStatus::word), Ok("abandoned"));
}
