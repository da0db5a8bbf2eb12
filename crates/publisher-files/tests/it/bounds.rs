//! Lines outside what a league can have: refused in a slate, set aside or refused in a history, and always named.

use std::fmt::Write as _;

use proptest::prelude::*;
use sports_domain::{LineBounds, LineColumn, Sport};

use crate::folder::Folder;

const GAMES: &str = "games/2024-25.csv";

/// Returns a season of nfl with these spreads and totals, one game each.
fn season(lines: &[(&str, &str)]) -> Folder {
    let mut text = "date,time,away_team,home_team,home_point_spread,over_under\n".to_owned();
    for (index, (spread, total)) in lines.iter().enumerate() {
        writeln!(text, "2024-09-{:02},{:02}:00,bills,dolphins,{spread},{total}", 5 + index / 10, 12 + index % 10)
            .expect("a text");
    }
    Folder::for_sport("nfl").with(GAMES, text)
}

/// Returns lines of which the first `wrong` have a spread and a total that were exchanged.
fn exchanged(wrong: usize, count: usize) -> Vec<(&'static str, &'static str)> {
    (0..count).map(|index| if index < wrong { ("-45", "1") } else { ("-3", "44.5") }).collect()
}

#[test]
fn a_few_impossible_lines_of_a_history_are_no_line_and_named_in_both_columns() {
    let folder = season(&exchanged(3, 20));
    let read = folder.read().expect("no problem");
    let warning = |column: &str, value: &str| {
        read.warnings.iter().any(|warning| {
            warning.starts_with(&format!("{GAMES}: column {column}: no "))
                && warning.contains("recorded as no line: 3 of 20 values: row 2, 2024-09-05 12:00:00 buffalo_bills at")
                && warning.contains(&format!("miami_dolphins: {value};"))
        })
    };
    assert!(warning("home_point_spread", "-45") && warning("over_under", "1"), "{:?}", read.warnings);
    let lines: Vec<_> = folder.games().iter().map(|game| (game.lines.spread, game.lines.total)).collect();
    assert!(lines[..3].iter().all(|of| *of == (None, None)), "{lines:?}");
    assert!(lines[3..].iter().all(|(spread, total)| spread.is_some() && total.is_some()), "{lines:?}");
}

#[test]
fn more_than_three_that_are_more_than_one_in_a_hundred_are_refused() {
    for (wrong, count, is_refused) in [(3, 20, false), (4, 20, true), (4, 249, true)] {
        let found = season(&exchanged(wrong, count)).problems();
        assert_eq!(found.len(), if is_refused { 2 * wrong } else { 0 }, "{wrong} of {count}");
    }
    let sentences = season(&exchanged(4, 20)).sentences();
    assert_eq!(
        sentences[0],
        "games/2024-25.csv, row 2, column home_point_spread: `-45`: expected a spread of nfl: at most 35 points either way; \
         4 of 20 values are outside"
    );
}

#[test]
fn a_column_with_many_values_may_have_one_in_a_hundred_set_aside() {
    let text = (0..400).fold("date,time,away_team,home_team,over_under\n".to_owned(), |text, index| {
        let total = if index < 4 { "999" } else { "44.5" };
        let time = format!("{:02}:{:02}", 12 + index % 10, index / 40);
        text + &format!("2024-09-{:02},{time},bills,dolphins,{total}\n", 5 + index / 10 % 4)
    });
    assert_eq!(Folder::for_sport("nfl").with(GAMES, text).problems(), []);
}

#[test]
fn impossible_lines_of_odds_predictions_and_results_are_refused() {
    let row = "date,time,away_team,home_team,over_under,BLEND\n2024-09-08,13:00,bills,dolphins,2.5,0.6\n";
    let of = |name: &str| Folder::of_season("nfl", "2024-25", "").with(name, row).sentences();
    for name in ["predictions/over_under.csv", "results/over_under/2024-25.csv"] {
        let expected = format!(
            "{name}, row 2, column over_under: `2.5`: expected a total of nfl: 22 to 80 points; 1 of 1 values are outside"
        );
        assert_eq!(of(name), [expected], "{name}");
    }
    let odds = Folder::for_sport("nfl").with("odds.csv", row.replace(",BLEND", "").replace(",0.6", ""));
    assert!(odds.sentences()[0].starts_with("odds.csv, row 2, column over_under: `2.5`"), "{:?}", odds.sentences());
}

#[test]
fn a_spread_above_the_total_is_outside_although_both_are_lines_of_the_league() {
    let text = "date,time,away_team,home_team,home_point_spread,over_under\n2024-09-08,13:00,akron,toledo,-52,21\n";
    let folder = Folder::for_sport("ncaaf").with("odds.csv", text);
    let sentences = folder.sentences();
    for (sentence, expected) in sentences.iter().zip(["a spread below the total of", "a total above the spread of"]) {
        assert!(sentence.contains(expected), "{sentence}");
    }
    let columns: Vec<_> = folder.problems().into_iter().filter_map(|problem| problem.column).collect();
    assert_eq!(columns, ["home_point_spread", "over_under"]);
}

/// Returns the columns that a file names, refused or set aside, with these cells of one game.
fn named_columns(sport: &str, file: &str, columns: &str, cells: &str) -> Vec<String> {
    let (season, date) = if sport == "mlb" { ("2024", "2024-09-08") } else { ("2024-25", "2024-12-08") };
    let name = file.replace("SEASON", season);
    let model = if file.starts_with("results") { [",BLEND", ",0.5"] } else { [""; 2] };
    let text = format!(
        "date,time,away_team,home_team,{columns}{}\n{date},13:00,one_team,other_team,{cells}{}\n",
        model[0], model[1]
    );
    let folder = Folder::of_season(sport, season, "").with(&name, text);
    let warnings = folder.read().map(|read| read.warnings).unwrap_or_default();
    let set_aside = warnings.into_iter().filter(|it| it.contains("recorded as no line"));
    let column = |sentence: String| sentence.split("column ").nth(1)?.split(':').next().map(str::to_owned);
    set_aside.chain(folder.sentences()).map(|it| column(it).expect("a column")).collect()
}

#[test]
fn of_a_spread_and_a_smaller_total_the_implausible_one_is_named() {
    for file in ["games/SEASON.csv", "results/over_under/SEASON.csv", "odds.csv"] {
        for (sport, lines, named) in [
            ("nfl", "-10,1", &["over_under"][..]),
            ("ncaaf", "-25,21", &["over_under"]),
            ("ncaaf", "-52,40", &["home_point_spread"]),
            ("ncaaf", "-45,40", &["home_point_spread"]),
            ("ncaaf", "-52,21", &["home_point_spread", "over_under"]),
            ("nfl", "-45,1", &["home_point_spread", "over_under"]),
            ("mlb", "-110,8.5", &["home_point_spread"]),
        ] {
            assert_eq!(
                named_columns(sport, file, "home_point_spread,over_under", lines),
                named,
                "{file} {sport} {lines}"
            );
        }
    }
    let folder = season(&[("-10", "1"), ("-3", "44.5")]);
    assert!(folder.games()[0].lines.spread.is_some() && folder.games()[0].lines.total.is_none());
}

#[test]
fn a_line_is_set_aside_with_the_bounds_of_its_own_kind() {
    let of = |columns: &str, cells: &str| {
        let text = format!("date,time,away_team,home_team,{columns}\n2024-09-08,13:00,bills,dolphins,{cells}\n");
        Folder::for_sport("nfl").with(GAMES, text).read().expect("no problem").warnings.concat()
    };
    let moneyline = of("home_money_line,away_money_line", "-16000,9000");
    assert!(
        moneyline.contains("column home_money_line: no moneyline of nfl (at most 15000 either way), and"),
        "{moneyline}"
    );
    let spread = of("home_point_spread,over_under", "-34,30");
    assert!(spread.contains("(at most 35 points either way, and a spread below the total), and recorded"), "{spread}");
    let total = of("home_point_spread,over_under", "-21,20.5");
    assert!(total.contains("column over_under: no total of nfl (22 to 80 points), and"), "{total}");
}

#[test]
fn rare_lines_are_named_and_stay() {
    let folder = season(&[("-22", "62"), ("-21", "61"), ("3", "28")]);
    let warnings = folder.read().expect("no problem").warnings;
    let named = |column: &str, range: &str, value: &str| {
        format!(
            "{GAMES}: column {column}: outside the usual {range}: 1 of 3 values: row 2, 2024-09-05 12:00:00 buffalo_bills at \
             miami_dolphins: {value}"
        )
    };
    assert_eq!(
        warnings,
        [
            named("home_point_spread", "spreads of nfl, at most 21 points either way", "-22"),
            named("over_under", "totals of nfl, 28 to 61 points", "62")
        ]
    );
    assert!(folder.games().iter().all(|game| game.lines.spread.is_some() && game.lines.total.is_some()));
}

#[test]
fn a_quarter_line_is_named_in_a_history_and_refused_in_a_slate() {
    let folder = season(&[("-2.75", "44"), ("-3", "44.51")]);
    let warnings = folder.read().expect("no problem").warnings;
    assert_eq!(warnings.iter().filter(|it| it.contains("no multiple of one half")).count(), 2, "{warnings:?}");
    let odds = "date,time,away_team,home_team,home_point_spread\n2024-09-08,13:00,bills,dolphins,-2.75\n";
    let sentences = Folder::for_sport("nfl").with("odds.csv", odds).sentences();
    assert!(
        sentences[0].contains("`-2.75`: expected a multiple of one half: a quarter line is two bets"),
        "{sentences:?}"
    );
}

#[test]
fn games_that_do_not_count_are_not_judged() {
    let text = "date,time,away_team,home_team,game_type,over_under\n2024-10-08,19:00,celtics,nuggets,preseason,1\n";
    assert_eq!(Folder::for_sport("nba").with(GAMES, text).read().expect("no problem").warnings, [""; 0]);
}

proptest! {
    /// A value of a slate is taken if it is within the bounds of its league, and refused with its column and value if not.
    #[test]
    fn a_slate_takes_what_is_within_the_bounds(
        sport in proptest::sample::select(Sport::ALL.to_vec()),
        column in proptest::sample::select(vec![LineColumn::HomePointSpread, LineColumn::OverUnder]),
        halves in -500_i32..500,
    ) {
        let points = f64::from(halves) / 2.0;
        let is_total = column != LineColumn::HomePointSpread;
        prop_assume!(!is_total || points > 0.0);
        let season = if sport == Sport::Mlb { "2024" } else { "2024-25" };
        let text = format!("date,time,away_team,home_team,{}\n2024-09-20,13:00,one_team,other_team,{points}\n", column.name());
        let problems = Folder::of_season(sport.code(), season, "").with("odds.csv", text).problems();
        let bounds = LineBounds::of(sport, column).expect("bounds");
        prop_assert_eq!(problems.is_empty(), bounds.hard.contains(&points));
        let value = points.to_string();
        for problem in &problems {
            let cell = (problem.column.as_deref(), problem.value.as_deref());
            prop_assert_eq!(cell, (Some(column.name()), Some(value.as_str())));
        }
    }
}
