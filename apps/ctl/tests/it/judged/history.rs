//! Mistakes in a season of history, made of a real one, and real seasons, which have none.

use std::path::Path;

use sports_testkit::programs::{TestFolder, real_data};

use super::mistakes::{LINES, Mistake, OF_SLATES};
use super::slates::PRICES;
use super::tables::{Table, manifest, negated, plus, silence, write};
use crate::support::{Completed, run};

const COLUMNS: &str = "date,time_est,game_type,away_team,home_team,away_score,home_score,home_money_line,away_money_line,home_point_spread,\
                       home_point_spread_line,away_point_spread_line,over_under,over_line,under_line";

/// Leagues with a season whose lines are known.
const SEASONS: [(&str, &str); 5] =
    [("nfl", "2021-22"), ("nba", "2018-19"), ("mlb", "2016"), ("ncaaf", "2018-19"), ("ncaab", "2019-20")];

fn publish(place: &TestFolder, sport: &str, season: &str, table: &Table) -> Completed {
    let games = format!("games/{season}.csv");
    let files = [("release.json", manifest(sport, "2026-06-01", None, None)), (&*games, table.text(&[]))];
    let folder = write(place, "history", &files);
    run(place, ["publish", folder.to_str().expect("text"), "--dry-run", "--as-of", "2026-06-01T12:00:00Z"])
}

const FINALS: &[&str] = &["finals-against-spread: column home_point_spread"];

fn without_moneylines(table: &mut Table) {
    table.change(&["home_money_line", "away_money_line"], |_, _| String::new());
}

/// Mistakes that the finals of a season show.
const OF_FINALS: [Mistake; 7] = [
    Mistake {
        name: "scores of home and away exchanged",
        leagues: "nfl nba mlb ncaaf ncaab",
        fewest: 1,
        named: &["column home_point_spread", "columns home_money_line and"],
        make: |it| it.exchange(["home_score", "away_score"]),
    },
    Mistake {
        name: "ten added to totals",
        leagues: "nfl nba mlb ncaaf ncaab",
        fewest: 1,
        named: &["column over_under"],
        make: |it| it.change(&["over_under"], |_, cell| plus(cell, 10.0)),
    },
    Mistake {
        name: "spreads of the other sign, without moneylines",
        leagues: "nfl nba ncaaf ncaab",
        fewest: 1,
        named: FINALS,
        make: |it| {
            it.change(&["home_point_spread"], |_, cell| negated(cell));
            without_moneylines(it);
        },
    },
    Mistake {
        name: "half of the spreads of the other sign, without moneylines",
        leagues: "nba ncaaf ncaab",
        fewest: 1,
        named: FINALS,
        make: |it| {
            it.change(&["home_point_spread"], |row, cell| if row % 2 == 0 { negated(cell) } else { cell.to_owned() });
            without_moneylines(it);
        },
    },
    Mistake {
        name: "ten taken from spreads",
        leagues: "nfl nba ncaaf ncaab",
        fewest: 1,
        named: FINALS,
        make: |it| it.change(&["home_point_spread"], |_, cell| plus(cell, -10.0)),
    },
    Mistake {
        name: "ten added to spreads, without moneylines",
        leagues: "nfl nba ncaaf ncaab",
        fewest: 1,
        named: &["a number may have been added to the spreads"],
        make: |it| {
            it.change(&["home_point_spread"], |_, cell| plus(cell, 10.0));
            without_moneylines(it);
        },
    },
    Mistake {
        name: "ten taken from spreads, without moneylines",
        leagues: "nfl nba ncaaf ncaab",
        fewest: 1,
        named: &["a number may have been added to the spreads"],
        make: |it| {
            it.change(&["home_point_spread"], |_, cell| plus(cell, -10.0));
            without_moneylines(it);
        },
    },
];

/// Returns the mistakes that a season passes over in silence.
fn silent(data: &Path, mistakes: &[Mistake]) -> Vec<String> {
    let mut silent = Vec::new();
    let place = TestFolder::fresh();
    for (sport, season) in SEASONS {
        let mut real = Table::real(data, &format!("games/{sport}/{season}.csv"), COLUMNS);
        real.fill(&PRICES, "-110");
        let right = publish(&place, sport, season, &real);
        assert_eq!(right.code, Some(0), "{sport}: {right:?}");
        for mistake in mistakes.iter().filter(|it| it.leagues.split(' ').any(|code| code == sport)) {
            let mut table = real.clone();
            (mistake.make)(&mut table);
            let complaint = silence(&right, &publish(&place, sport, season, &table), mistake.named);
            silent.extend(complaint.map(|it| format!("{sport}: {}: {it}", mistake.name)));
        }
    }
    silent
}

#[test]
fn no_mistake_in_the_lines_or_finals_of_a_season_is_silent() {
    let Some(data) = real_data() else { return };
    let silent: Vec<_> = [&LINES[..], &OF_SLATES, &OF_FINALS].iter().flat_map(|of| silent(&data, of)).collect();
    assert!(silent.is_empty(), "{}: {silent:#?}", silent.len());
}
