//! Files and maps that cannot be converted: each message names the remedy.

use sports_domain::Sport;
use sports_publisher_files::convert::tables::{ConvertError, Reason};

use super::support::Trial;

const PLAIN: &str =
    "[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\ngame_type = { constant = \"regular\" }\n";

fn nfl(map: &str) -> Trial {
    Trial::of(Sport::Nfl).season("2021-22").map(map)
}

#[test]
fn a_value_that_nothing_supplies_is_requested_by_name() {
    let teams = "[columns]\naway_team = \"a\"\nhome_team = \"h\"\n";
    for (trial, text, message) in [
        (
            Trial::of(Sport::Nfl).map(PLAIN),
            "d,a,h\n",
            "file.csv: expected a value for season, which nothing supplies: --season LABEL names the season of the whole file, \
             or `season` under [columns] of a map its column",
        ),
        (
            nfl("[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\""),
            "d,a,h\n",
            "file.csv: expected a value for game_type, which nothing supplies: --postseason-from DATE names the first date of the \
             postseason (or `none`), or `game_type` under [columns] of a map its column",
        ),
        (
            nfl(&format!("{teams}game_type = {{ constant = \"regular\" }}")),
            "d,a,h\n",
            "file.csv: expected a value for date, which nothing supplies: `date`, or `start` for date and time, under [columns] of \
             a map names its column",
        ),
        (
            nfl("[columns]\ndate = \"d\"\naway_team = \"a\"\ngame_type = { constant = \"regular\" }"),
            "d,a,home_tem\n",
            "file.csv: expected a value for home_team, which nothing supplies: `home_team` under [columns] of a map names its \
             column (did you mean `home_tem`?)",
        ),
        (
            nfl(&format!("{PLAIN}time_est = \"t\"")),
            "d,a,h,t\n",
            "file.csv: expected a value for time_est, which nothing supplies: `zone` in its entry of the map: the clock of these \
             times, such as eastern or utc",
        ),
        (
            nfl(&format!("{PLAIN}over_under = \"total_line\"")),
            "d,a,h,total_lines\n",
            "file.csv: expected a column for over_under: `total_line` (did you mean `total_lines`?), as `columns.over_under` of the \
             map names it, or `optional = true` in the entry",
        ),
    ] {
        assert_eq!(trial.refused(text), [message]);
    }
}

#[test]
fn a_wrong_cell_is_refused_with_its_remedy() {
    for (entry, value, message) in [
        (
            "",
            "1/7/2022,Bills,Jets,",
            "column d: `1/7/2022`: expected a date as YYYY-MM-DD (2022-01-07, with pattern = \"%m/%d/%Y\"; or 2022-07-01, with pattern = \"%d/%m/%Y\")",
        ),
        (
            "",
            "2021-09-13T00:20:00Z,Bills,Jets,",
            "column d: `2021-09-13T00:20:00Z`: expected a date as YYYY-MM-DD (20:20 Eastern on 2021-09-12, with the column as `start` in place of `date`)",
        ),
        (
            "time_est = { column = \"x\", zone = \"eastern\" }",
            "2021-09-09,Bills,Jets,8:20 PM",
            "column x: `8:20 PM`: expected a time as HH:MM (20:20, with pattern = \"%I:%M %p\")",
        ),
        (
            "time_est = { column = \"x\", zone = \"utc\" }",
            "2021-09-09,Bills,Jets,",
            "column x: expected a time beside the date: without it the Eastern date of a game in another zone is unknown",
        ),
        (
            "",
            "2021-09-09,Bils,Jets,",
            "column a: `Bils`: expected a team of nfl, or its name under [teams] in a map (did you mean `Buffalo Bills`?)",
        ),
        (
            "",
            "2021-09-09,Bil\u{200b}ls,Jets,",
            "column a: `Bil\u{200b}ls`: expected a team name without U+200B at character 4, which is invisible or changes how text is shown",
        ),
        (
            "match_id = \"x\"",
            "2021-09-09,Bills,Jets,g\u{202e}1",
            "column x: `g\u{202e}1`: expected a text without U+202E at character 2, which is invisible or changes how text is shown",
        ),
        ("", "2021-09-09,Jets,New York Jets,", "column h: `New York Jets`: expected another team than the away team"),
        ("", "2023-09-09,Bills,Jets,", "`2023-09-09`: expected a date of 2021-22, in the years 2021 to 2022"),
        (
            "home_money_line = \"x\"",
            "2021-09-09,Bills,Jets,2.65",
            "column x: `2.65`: expected an American price: a whole number, -100 or less or 100 or more, at most 1000000 either way; 0 or empty for none (decimal odds? +165, with is = \"decimal\")",
        ),
        (
            "home_point_spread = \"x\"",
            "2021-09-09,Bills,Jets,three",
            "column x: `three`: expected a spread in points from -2000 to 2000, such as -2.5, or pk",
        ),
        (
            "over_under = \"x\"",
            "2021-09-09,Bills,Jets,-4",
            "column x: `-4`: expected a total of at most 2000 points, such as 41.5",
        ),
        (
            "score = \"x\"",
            "2021-09-09,Bills,Jets,17",
            "column x: `17`: expected a final of two whole numbers, such as 17-24",
        ),
        (
            "settlement_status = { column = \"x\", words = { Final = \"settled\" } }",
            "2021-09-09,Bills,Jets,Finl",
            "column x: `Finl`: expected one of Final, settled, cancelled, postponed; other words have their meaning in `words` of the map's entry (did you mean `Final`?)",
        ),
        (
            "[models.won_on_points]\nBLEND = \"x\"",
            "2021-09-09,Bills,Jets,48.2",
            "column x: `48.2`: expected a probability from 0 to 1 (percent? 0.482, with is = \"percent\")",
        ),
        (
            "match_id = \"x\"",
            "2021-09-09,Bills,Jets,4.02E+08",
            "column x: `4.02E+08`: expected an id with all its digits, which spreadsheets keep in columns that are formatted as text",
        ),
        (
            "game_number = \"x\"",
            "2021-09-09,Bills,Jets,10",
            "column x: `10`: expected a game number from 1 to 9, or 0 for a single game",
        ),
    ] {
        let refused = nfl(&format!("{PLAIN}{entry}")).refused(&format!("d,a,h,x\n{value}\n"));
        assert_eq!(
            refused,
            [format!("file.csv, row 2{}{message}", if message.starts_with('`') { ": " } else { ", " })]
        );
    }
}

#[test]
fn every_value_of_a_problem_is_listed() {
    let rows = ["Baltimore Colts", "Phoenix Cardinals", "Boston Patriots", "Phoenix Cardinals"];
    let row = |(day, team): (usize, &&str)| format!("2021-09-{:02},Bills,{team}\n", day + 1);
    let text: String = rows.iter().enumerate().map(row).collect();
    assert_eq!(
        nfl(PLAIN).refused(&format!("d,a,h\n{text}")),
        [
            "file.csv, rows 2–5, 4 times, column h: `Baltimore Colts`, `Phoenix Cardinals` (2 times), `Boston Patriots`: expected \
          a team of nfl, or its name under [teams] in a map"
        ]
    );
    let decimal = format!("odds = \"decimal\"\n{PLAIN}home_money_line = \"x\"");
    let text = "d,a,h,x\n2021-09-09,Bills,Jets,4/5\n2021-09-10,Rams,Bears,EvensF\n2021-09-11,Lions,Packers,-110\n";
    assert_eq!(
        nfl(&decimal).refused(text),
        [
            "file.csv, rows 2–4, 3 times, column x: `4/5` (fractional odds? -125, with is = \"fractional\"), `EvensF` (+100? the \
          F marks a favourite), `-110` (American odds? is = \"american\"): expected decimal odds above 1, such as 1.91"
        ]
    );
}

#[test]
fn values_that_contradict_the_scale_of_the_map_are_refused() {
    let percent = format!("{PLAIN}[models.won_on_points]\nBLEND = {{ column = \"p\", is = \"percent\" }}");
    let rows = "d,a,h,p\n2021-09-09,Bills,Jets,0.55\n2021-09-10,Rams,Bears,0.61\n";
    let expected = "file.csv, column p: expected percentages of a probability, of which one exceeds 1; fractions have \
                    `probabilities = \"fraction\"` in the map, or is = \"fraction\" in the entry";
    assert_eq!(nfl(&percent).refused(rows), [expected]);
    for taken in [rows.replace("0.61", "61"), rows.replace("0.61", ""), rows.replace("0.61", "0.61%")] {
        assert_eq!(nfl(&percent).converted(&taken).read[0].games, 2, "{taken}");
    }
    let decimal = format!("odds = \"decimal\"\n{PLAIN}home_money_line = \"x\"\naway_money_line = \"y\"");
    let refused = nfl(&decimal).refused("d,a,h,x,y\n2021-09-09,Bills,Jets,105,102\n2021-09-10,Rams,Bears,1.01,34\n");
    let expected = ["x: `105`", "y: `102`"].map(|cell| {
        let remedy = "decimal odds that exceed 20 on one side at most (American odds? is = \"american\")";
        format!("file.csv, row 2, column {cell}: expected {remedy}")
    });
    assert_eq!(refused, expected);
}

#[test]
fn a_game_on_two_dates_with_its_final_on_one_is_named() {
    let map = format!("{PLAIN}score = \"s\"");
    let conversion = nfl(&map).converted("d,a,h,s\n2021-09-09,Bills,Jets,\n2021-09-10,Bills,Jets,3-0\n");
    assert_eq!(
        conversion.warnings,
        [
            "2021-22: 2021-09-09 buffalo_bills at new_york_jets has no final, and 2021-09-10 buffalo_bills at new_york_jets \
          has one: if this is one game, leave the former out, or state that it is `postponed`"
        ]
    );
}

#[test]
fn wrong_dates_of_a_whole_season_are_one_line() {
    let row = |row| format!("{}/{}/2021,Bills,Jets", 9 + row % 4, 1 + row % 28);
    let rows = (0..1389).map(row).collect::<Vec<_>>().join("\n");
    let refused = nfl(PLAIN).refused(&format!("d,a,h\n{rows}"));
    assert_eq!(refused.len(), 1);
    assert!(refused[0].starts_with("file.csv, rows 2–1390, 1,389 times, column d: `9/1/2021` ("), "{refused:?}");
}

#[test]
fn words_and_forms_that_do_not_fit_are_refused() {
    for (map, message) in [
        (
            format!("{PLAIN}home_money_line = {{ column = \"x\", is = \"percent\" }}"),
            "`is` of columns.home_money_line in the map as one of american, decimal, fractional, probability; `percent` is none",
        ),
        (
            format!("{PLAIN}[models.over_under]\nBLEND = {{ column = \"x\", of = \"home\" }}"),
            "`of` of models.over_under.BLEND in the map as a side of this market",
        ),
        (
            format!("{PLAIN}time_est = {{ column = \"x\", zone = \"Chicago\" }}"),
            "a time zone in the map: `Chicago` is none; zones are `eastern`, `utc`, a name such as America/Chicago, or { column = \"…\" } for a zone or a venue in each row",
        ),
        (
            format!("{PLAIN}[zones]\nArena = \"Chicago\""),
            "time zones under [zones] of the map; `Chicago` of Arena is none",
        ),
        (
            PLAIN.replace("\"d\"", "{ column = \"d\", pattern = \"%Q\" }"),
            "a pattern such as %m/%d/%Y in columns.date; `%Q` is none",
        ),
        (
            format!("{PLAIN}[filters]\nseason_type = {{ keep = \"REG\" }}"),
            "a column of this name, which `filters` of the map names",
        ),
        (
            format!("rows = \"team\"\n{PLAIN}"),
            "a value for side, which nothing supplies: files with two rows a game have a column with the side of each team",
        ),
    ] {
        let refused = nfl(&map).refused("d,a,h,x\n2021-09-09,Bills,Jets,1\n");
        assert!(refused.len() == 1 && refused[0].ends_with(message), "{refused:?}");
    }
    let refused = Trial::of(Sport::Nba).preset("nflverse").run(&[]).expect_err("for nfl");
    assert_eq!(refused.to_string(), "the preset nflverse is not for nba");
    let refused = Trial::of(Sport::Nba).map("sports = [\"nfl\"]").run(&[]).expect_err("for nfl");
    assert_eq!(refused.to_string(), "the map is for nfl, not for nba");
    let refused = nfl(&format!("{PLAIN}[teams]\n\"--\" = \"x\"")).refused("d,a,h\n");
    assert_eq!(refused, ["teams: `--` is not a team name: it has no letter or digit"]);
}

#[test]
fn games_that_a_file_has_twice_are_refused() {
    let game = "2021-09-09,Bills,Jets";
    let refused = nfl(PLAIN).refused(&format!("d,a,h\n{game}\n{game}\n"));
    let expected = "file.csv, row 3, column game_number: expected a start time or a game number that tells games of the same teams \
                    and date apart; { is = \"order-in-file\" } as columns.game_number counts them (2021-09-09 buffalo_bills at \
                    new_york_jets, as in row 2 of file.csv)";
    assert_eq!(refused, [expected]);
    let conversion = nfl(&format!("{PLAIN}game_number = {{ is = \"order-in-file\" }}"))
        .converted(&format!("d,a,h\n{game}\n{game}\n"));
    assert_eq!(conversion.seasons[0].counts[0], ("games", 2));
    let refused = nfl(&format!("{PLAIN}game_number = {{ is = \"order-in-file\" }}"))
        .refused(&format!("d,a,h\n{}", format!("{game}\n").repeat(10)));
    assert_eq!(refused, ["file.csv, row 11: expected at most 9 games of the same teams and date"]);
}

#[test]
fn a_slate_has_games_of_one_season() {
    let map = format!(
        "{PLAIN}season = {{ column = \"s\", is = \"first-year\" }}\ntime_est = {{ column = \"t\", zone = \"eastern\" }}"
    );
    let trial = Trial::of(Sport::Nfl).map(&map).slate("2021-08-01T00:00:00Z");
    let refused = trial.refused("d,t,a,h,s\n2021-09-09,20:20,Bills,Jets,2021\n2022-09-09,20:20,Bills,Jets,2022\n");
    assert_eq!(refused, ["file.csv, row 3: `2022-23`: expected games of one season in a slate; --season names it"]);
}

#[test]
fn rows_of_another_length_and_lone_rows_of_a_sheet_are_refused() {
    let refused = nfl(PLAIN).refused("d,a,h\n2021-09-09,Bills\n2021-09-09,Bills,Jets,1\n2021-09-09,Bills,Jets,\n");
    assert_eq!(
        refused,
        ["file.csv, rows 2–3, 2 times: this row has 2, this row has 4: expected 3 cells, as many as the header has"]
    );
    let map = "rows = \"team\"\n[columns]\ndate = \"d\"\naway_team = \"t\"\nhome_team = \"t\"\nside = \"s\"\ngame_type = { constant = \"regular\" }";
    let refused = nfl(map)
        .refused("d,t,s\n2021-09-09,Bills,away\n2021-09-09,Jets,away\n2021-09-09,Rams,home\n2021-09-09,Bears,X\n");
    assert_eq!(
        refused,
        [
            "file.csv, row 3, column s: `away`: expected the away row and the home row of one game, or two neutral rows",
            "file.csv, row 5: expected a second row of the same game",
        ]
    );
}

#[test]
fn a_file_of_which_nothing_is_kept_is_refused_with_the_reasons() {
    let header = "d,a,h,g\n2021-09-09,Bills,Jets,REG\n2021-09-10,Bills,Jets,WC\n";
    let by_word = nfl(&PLAIN.replace("{ constant = \"regular\" }", "\"g\""));
    let by_filter = nfl(&format!("{PLAIN}[filters]\ng = {{ keep = [\"regular\"], drop = \"WC\" }}"));
    let reasons = |trial: &Trial| match trial.run(&[("file.csv", header.as_bytes())]) {
        Err(ConvertError::NothingKept { rows: 2, left_out }) => left_out.into_iter().collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(reasons(&by_word), [(Reason::GameType("REG".into()), 1), (Reason::GameType("WC".into()), 1)]);
    let filtered = |word: &str, keep: &[&str]| {
        let keep = keep.iter().map(|word| (*word).to_owned()).collect();
        (Reason::Filtered { column: "g".into(), word: word.into(), keep }, 1)
    };
    assert_eq!(reasons(&by_filter), [filtered("REG", &["regular"]), filtered("WC", &[])]);
    let season = Trial::of(Sport::Nfl).season("2020-21").map(&format!("{PLAIN}season = {{ constant = \"2021-22\" }}"));
    assert_eq!(reasons(&season), [(Reason::OtherSeason("2021-22".into()), 2)]);
}
