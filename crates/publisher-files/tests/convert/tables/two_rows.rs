//! Files with two rows a game: rows that are not of one game, and wrong cells of either row.

use sports_domain::Sport;

use super::support::{Trial, column, file};

const SHEET: &str = "Date,Rot,VH,Team,1st,2nd,3rd,4th,Final,Open,Close,ML,2H\n";
const MISSING: &str = "a row is missing or out of order, here or above";
const DIFFERS: &str = "a row is missing or out of order, or `row` in the map's entry names the row that is read";

fn sheet() -> Trial {
    Trial::of(Sport::Nba).preset("sportsbookreviewsonline").season("2020-21").postseason_from("none")
}

/// Returns a conversion by a map of two rows a game, with more entries.
fn own(entries: &str) -> Trial {
    let map = format!(
        "rows = \"team\"\n[columns]\ndate = \"d\"\nside = \"s\"\naway_team = \"t\"\nhome_team = \"t\"\n\
         away_score = \"p\"\nhome_score = \"p\"\n{entries}"
    );
    Trial::of(Sport::Nba).season("2025-26").postseason_from("none").map(&map)
}

#[test]
fn rows_of_two_dates_are_no_game() {
    let away = "1222,501,V,GoldenState,0,0,0,0,99,233,235.5,300,0\n";
    let home = "1223,504,H,Boston,0,0,0,0,111,3.5,4,-170,0\n";
    let problem = |row: u64, date: &str, other: &str| {
        format!(
            "file.csv, row {row}, column Date: `{date}`: expected the value of the other row of the game (row {} has \
             `{other}`: {MISSING})",
            row - 1
        )
    };
    assert_eq!(sheet().refused(&format!("{SHEET}{away}{home}")), [problem(3, "1223", "1222")]);
    // The second row begins the next game, so one lost row is one problem.
    let next = "1223,503,V,Utah,0,0,0,0,90,220,221.5,150,0\n";
    let lost = home.replace("1223,504,H,Boston", "1222,502,H,Brooklyn");
    assert_eq!(sheet().refused(&format!("{SHEET}{lost}{next}{home}")), [problem(3, "1223", "1222")]);
    let conversion = sheet().converted(&format!("{SHEET}{away}{lost}{next}{home}"));
    assert_eq!(column(file(&conversion, "games/2020-21.csv"), "home_team"), ["brooklyn_nets", "boston_celtics"]);
}

#[test]
fn a_sheet_without_years_has_the_same_games_in_either_order() {
    let read = |season: &str, days: &[&str]| {
        let game = |day: &&str| {
            format!("{day},501,V,GoldenState,,,,,99,233,235.5,300,\n{day},502,H,Boston,,,,,111,3.5,4,-170,\n")
        };
        let text = format!("{SHEET}{}", days.iter().map(game).collect::<String>());
        let conversion = sheet().season(season).postseason_from("2020-08-17").converted(&text);
        assert_eq!(conversion.warnings, [""; 0], "{season}");
        let games = file(&conversion, &format!("games/{season}.csv"));
        column(games, "date").into_iter().zip(column(games, "game_type")).collect::<Vec<_>>()
    };
    for (season, days, dates) in [
        ("2018-19", ["1230", "1231", "101", "102"], ["2018-12-30", "2018-12-31", "2019-01-01", "2019-01-02"]),
        ("2019-20", ["1022", "1231", "930", "1011"], ["2019-10-22", "2019-12-31", "2020-09-30", "2020-10-11"]),
    ] {
        let part = |date: &str| if date < "2020-08-17" { "regular" } else { "postseason" };
        let expected: Vec<_> = dates.iter().map(|date| ((*date).to_owned(), part(date).to_owned())).collect();
        let mut newest_first = days;
        newest_first.reverse();
        assert_eq!((read(season, &days), read(season, &newest_first)), (expected.clone(), expected));
    }
}

#[test]
fn a_date_that_may_be_of_both_years_is_refused_with_both() {
    let rows = "1022,501,V,GoldenState,,,,,99,233,235.5,300,\n1022,502,H,Boston,,,,,111,3.5,4,-170,\n";
    let refused = sheet().season("2019-20").refused(&format!("{SHEET}{rows}"));
    let expected = "file.csv, row 2, column Date: `1022`: expected a date with its year, as YYYY-MM-DD: without one it may be in \
                    either year of the season (2019-10-22 or 2020-10-22)";
    assert_eq!(refused, [expected]);
}

#[test]
fn the_season_of_a_date_without_a_year_may_be_a_constant_of_the_map() {
    let map = |season: &str| {
        format!(
            "[columns]\n{season}date = {{ column = \"d\", pattern = \"%m/%d\" }}\naway_team = \"a\"\nhome_team = \"h\"\n\
             away_score = \"x\"\nhome_score = \"y\"\n"
        )
    };
    let table = |date: &str| format!("d,a,h,x,y\n{date},Celtics,Knicks,100,110\n");
    let of = |season: &str| Trial::of(Sport::Nba).postseason_from("none").map(&map(season));
    let conversion = of("season = { constant = \"2018-19\" }\n").converted(&table("12/30"));
    assert_eq!(column(file(&conversion, "games/2018-19.csv"), "date"), ["2018-12-30"]);
    // Another season in each row says no year of the file.
    let refused =
        of("season = \"s\"\n").refused(&table("12/30").replace("d,a", "s,d,a").replace("12/30", "2018-19,12/30"));
    let expected = "a date with its year, or the season, which says the year: --season LABEL or a constant `season`";
    assert!(refused[0].contains(expected), "{refused:?}");
    let other = Trial::of(Sport::Mlb).season("2018").postseason_from("none").map(&map(""));
    let refused = other.refused(&table("12/28").replace("Celtics,Knicks", "Rangers,Astros"));
    assert!(refused[0].contains("without one its league does not usually play then (2018-12-28)"), "{refused:?}");
}

#[test]
fn rows_that_differ_in_a_value_of_the_game_are_refused() {
    let words = "{ column = \"x\", words = { W = \"settled\", L = \"settled\", P = \"postponed\" } }";
    for (entry, values, remedy) in [
        ("time_est = { column = \"x\", zone = \"eastern\" }", ["19:00", "19:30"], MISSING),
        ("season = \"x\"", ["2025-26", "2024-25"], MISSING),
        ("match_id = \"x\"", ["501", "502"], DIFFERS),
        ("game_number = \"x\"", ["1", "2"], DIFFERS),
        ("over_under = \"x\"", ["220", "221"], DIFFERS),
        ("over_line = \"x\"", ["-105", "-115"], DIFFERS),
        ("score = { column = \"x\", is = \"away-home\" }", ["99-100", "100-99"], DIFFERS),
        (&format!("settlement_status = {words}"), ["W", "P"], DIFFERS),
        ("[models.won_on_points]\nELO = { column = \"x\", of = \"home\" }", ["0.4", "0.6"], DIFFERS),
    ] {
        let [first, second] = values;
        let rows = format!("d,s,t,p,x\n2025-12-01,away,Celtics,100,{first}\n2025-12-01,home,Knicks,110,{second}\n");
        let expected = format!(
            "file.csv, row 3, column x: `{second}`: expected the value of the other row of the game \
             (row 2 has `{first}`: {remedy})"
        );
        assert_eq!(own(entry).refused(&rows), [expected], "{entry}");
    }
}

#[test]
fn values_that_mean_the_same_or_stand_in_one_row_are_no_contradiction() {
    let entries = "over_under = \"x\"\nmatch_id = { column = \"z\", row = \"home\" }\n\
                   settlement_status = { column = \"y\", words = { W = \"settled\", L = \"settled\" } }";
    let rows = "d,s,t,p,x,y,z\n2025-12-01,away,Celtics,100,220,L,501\n2025-12-01,home,Knicks,110,220.0,W,502\n\
                2025-12-02,home,Jazz,100,,W,503\n2025-12-02,away,Lakers,90,231,L,504\n";
    let conversion = own(entries).converted(rows);
    let text = file(&conversion, "games/2025-26.csv");
    assert_eq!(column(text, "over_under"), ["220", "231"]);
    assert_eq!(column(text, "settlement_status"), ["settled", "settled"]);
    assert_eq!(column(text, "match_id"), ["502", "503"]);
}

#[test]
fn a_wrong_cell_is_named_by_its_own_row() {
    let rows = format!(
        "{SHEET}1222,501,V,GoldenState,0,0,0,0,99,233,235.5,300,0\n1222,502,H,Brooklyn,0,0,0,0,125,6.5,8,-360,0\n\
         1222,503,V,LAClipers,0,0,0,0,116,225,229.5,-3,0\n1222,504,H,Boston,0,0,0,0,x1,2.5,250,-36,0\n"
    );
    let refused = sheet().refused(&rows);
    let places: Vec<_> = refused.iter().map(|line| line.split(": expected").next().unwrap_or_default()).collect();
    assert_eq!(
        places,
        ["file.csv, row 4, column Team: `LAClipers`", "file.csv, row 5, column Final: `x1`"],
        "{refused:?}"
    );
    let refused =
        sheet().refused(&rows.replace("LAClipers", "LAClippers").replace("x1", "109").replace(",250,", ",2500,"));
    let places: Vec<_> = refused.iter().map(|line| line.split(": expected").next().unwrap_or_default()).collect();
    assert_eq!(
        places,
        [
            "file.csv, rows 4–5, 2 times, column ML: `-3` (a line? prices are 100 or more in size), `-36`",
            "file.csv, row 5, column Close: `2500`"
        ],
        "{refused:?}"
    );
}

/// In 2020 postponed games were made up in the other park, after a game there.
#[test]
fn games_of_a_day_are_counted_in_either_order_of_home_and_away() {
    let row = |rot: u16, side: &str, team: &str, points: u8, close: i32, price: i32| {
        let line = if close < 0 { "-1.5" } else { "1.5" };
        format!("805,{rot},{side},{team},{points},{close},{close},{line},{price},7,-110,7,-110\n")
    };
    let text = "Date,Rot,VH,Team,Final,Open,Close,RunLine,,OpenOU,,CloseOU,\n".to_owned()
        + &row(985, "V", "MIA", 1, 104, -215)
        + &row(986, "H", "BAL", 0, -114, 190)
        + &row(987, "V", "BAL", 1, 100, -240)
        + &row(988, "H", "MIA", 2, -110, 210);
    let trial = Trial::of(Sport::Mlb).preset("sportsbookreviewsonline").season("2020").postseason_from("none");
    let conversion = trial.converted(&text);
    let games = file(&conversion, "games/2020.csv");
    let cells = ["home_team", "game_number", "away_score", "home_score"].map(|name| column(games, name).join(" "));
    assert_eq!(cells, ["miami_marlins baltimore_orioles", "2 1", "1 1", "2 0"]);
}

#[test]
fn a_cell_without_a_number_is_no_missing_line() {
    let row = |close: &str| {
        format!(
            "{SHEET}1222,501,V,GoldenState,0,0,0,0,99,233,{close},300,0\n1222,502,H,Brooklyn,0,0,0,0,125,6.5,8,-360,0\n"
        )
    };
    for close in ["235.5u", "?", "221.5 -110"] {
        let expected = format!(
            "file.csv, row 2, column Close: `{close}`: expected a number such as 41.5, or pk; `missing` of a map lists \
             words for an empty cell"
        );
        assert_eq!(sheet().refused(&row(close)), [expected]);
    }
    for (close, spread, total, unread) in
        [("NL", "", "", 1), ("x", "", "", 1), ("", "", "", 1), ("pk", "0", "8", 0), ("235½", "-8", "235.5", 0)]
    {
        let conversion = sheet().converted(&row(close));
        let text = file(&conversion, "games/2020-21.csv");
        assert_eq!([column(text, "home_point_spread"), column(text, "over_under")], [[spread], [total]], "{close}");
        assert_eq!(conversion.unread.len(), unread, "{close}");
    }
}
