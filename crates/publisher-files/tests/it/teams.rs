//! Valid and invalid team names, by league and kind of file.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringArray};
use sports_domain::{ModelType, Sport};

use crate::folder::Folder;
use crate::parquet_files::file;

const HEADER: &str = "date,time,away_team,home_team";

/// Creates a folder with the predictions of one game.
fn predicted(sport: &str, season: &str, away: &str, home: &str) -> Folder {
    let year = &season[..4];
    let text = format!("{HEADER},BLEND\n{year}-10-08,13:00,\"{away}\",\"{home}\",0.5\n");
    Folder::of_season(sport, season, "").with("predictions/over_under.csv", text)
}

/// Creates a folder with the odds of one game.
fn quoted(sport: &str, away: &str, home: &str) -> Folder {
    Folder::for_sport(sport)
        .with("odds.csv", format!("{HEADER},home_money_line\n2024-10-08,13:00,{away},{home},-110\n"))
}

/// Creates a folder with one game of a season.
fn played(sport: &str, season: &str, away: &str, home: &str) -> Folder {
    let text = format!("{HEADER}\n{}-10-08,13:00,{away},{home}\n", &season[..4]);
    Folder::for_sport(sport).with(&format!("games/{season}.csv"), text)
}

fn teams_of_history(folder: &Folder) -> [String; 2] {
    let key = &folder.games()[0].key;
    [key.away.to_string(), key.home.to_string()]
}

fn predicted_teams(folder: &Folder) -> [String; 2] {
    let file = folder.release().predictions.remove(&ModelType::OverUnder).expect("a file of totals");
    let key = &file.rows[0].value.game.key;
    [key.away.to_string(), key.home.to_string()]
}

fn warnings(folder: &Folder) -> Vec<String> {
    folder.read().expect("no problems").warnings
}

#[test]
fn a_club_is_found_by_each_of_its_names_in_every_kind_of_file() {
    let folder = predicted("nba", "2024-25", "LA Clippers", "Sixers");
    assert_eq!(predicted_teams(&folder), ["los_angeles_clippers", "philadelphia_76ers"]);
    assert_eq!(warnings(&folder), [""; 0]);
    let folder = played("nba", "2024-25", "LA Clippers", "Sixers");
    assert_eq!(teams_of_history(&folder), ["los_angeles_clippers", "philadelphia_76ers"]);
    let odds = quoted("nba", "LA Clippers", "Sixers").release().odds.expect("odds");
    assert_eq!(odds[0].value.key.to_string(), "2024-10-08 13:00:00 los_angeles_clippers at philadelphia_76ers");
    let twice = format!(
        "{HEADER},home_money_line\n2024-10-08,13:00,LA Clippers,Sixers,-110\n2024-10-08,13:00,Clippers,76ers,-115\n"
    );
    assert_eq!(
        Folder::for_sport("nba").with("odds.csv", twice).sentences(),
        ["odds.csv, row 3: expected each game once; row 2 has 2024-10-08 13:00:00 los_angeles_clippers at \
          philadelphia_76ers already"]
    );
}

#[test]
fn clubs_of_the_past_keep_the_names_of_their_seasons() {
    let table = [
        ("2015-16", "Oakland Raiders", "St. Louis Rams", ["oakland_raiders", "st_louis_rams"]),
        ("2015-16", "Raiders", "Rams", ["oakland_raiders", "st_louis_rams"]),
        ("2015-16", "Las Vegas Raiders", "Los Angeles Rams", ["oakland_raiders", "st_louis_rams"]),
        ("2024-25", "Oakland Raiders", "Washington Redskins", ["las_vegas_raiders", "washington_commanders"]),
    ];
    for (season, away, home, expected) in table {
        assert_eq!(teams_of_history(&played("nfl", season, away, home)), expected, "{season} {away}");
    }
}

#[test]
fn a_release_without_a_season_is_of_the_season_of_its_date() {
    let text = format!(
        "{HEADER},over_under\n2025-01-08,13:00,Arizona Coyotes,Boston Bruins,6\n2025-10-08,13:00,Utah Hockey Club,Boston Bruins,6\n"
    );
    let odds = Folder::for_sport("nhl").with("odds.csv", text).release().odds.expect("odds");
    let away: Vec<_> = odds.iter().map(|row| row.value.key.away.as_str()).collect();
    assert_eq!(away, ["utah_hockey_club", "utah_mammoth"]);
}

#[test]
fn a_misspelt_club_is_refused_today_and_warned_of_in_the_past() {
    let hint = "expected a team of nba (did you mean `Boston Celtics`?)";
    assert_eq!(
        predicted("nba", "2024-25", "Bostn Celtics", "Sixers").sentences(),
        [format!("predictions/over_under.csv, row 2, column away_team: `Bostn Celtics`: {hint}")]
    );
    assert_eq!(
        quoted("nba", "Sixers", "Boston Celtic").sentences(),
        [format!("odds.csv, row 2, column home_team: `Boston Celtic`: {hint}")]
    );
    let folder = played("nba", "2024-25", "Bostn Celtics", "Sixers");
    assert_eq!(teams_of_history(&folder)[0], "bostn_celtics");
    assert_eq!(
        warnings(&folder),
        ["games/2024-25.csv: `Bostn Celtics` is no team of nba and is taken as it is (did you mean `Boston Celtics`?)"]
    );
}

#[test]
fn a_guess_is_a_club_of_the_season_and_a_short_word_allows_one_typing_error() {
    let hint_for = |sport, season, team| {
        let folder = predicted(sport, season, team, "Harbor Gulls");
        match folder.read() {
            Ok(read) => read.warnings[0].rsplit_once("taken as it is").expect("a remark").1.to_owned(),
            Err(_) => folder.sentences()[0].split_once("expected a team of ").expect("a sentence").1.to_owned(),
        }
    };
    let table = [
        ("nfl", "2024-25", "Ninrs", ""),
        ("nfl", "2024-25", "Oilors", ""),
        ("nfl", "2024-25", "Oakland Raidrs", "nfl (did you mean `Las Vegas Raiders`?)"),
        ("nfl", "2018-19", "Las Vegas Raidrs", "nfl (did you mean `Oakland Raiders`?)"),
        ("nba", "2024-25", "Celtcs", "nba (did you mean `Boston Celtics`?)"),
        ("nba", "2024-25", "Cltcs", ""),
    ];
    for (sport, season, team, expected) in table {
        assert_eq!(hint_for(sport, season, team), expected, "{team} in {season}");
    }
}

#[test]
fn a_name_close_to_another_leagues_club_is_refused_today_and_warned_of_in_the_past() {
    let table = [
        ("nfl", "Rangers", "; this is short for one of mlb and one of nhl"),
        ("nfl", "Kings", "; this is short for one of nba and one of nhl"),
        ("nba", "Boston Bruin", " (did you mean `Boston Bruins` of nhl?)"),
    ];
    for (sport, team, hint) in table {
        let [sentence] = predicted(sport, "2024-25", team, "Canal Foxes").sentences().try_into().expect("one problem");
        assert!(sentence.ends_with(&format!("`{team}`: expected a team of {sport}{hint}")), "{sentence}");
        let remark = format!("games/2024-25.csv: `{team}` is no team of {sport} and is taken as it is{hint}");
        assert_eq!(warnings(&played(sport, "2024-25", team, "Canal Foxes"))[0], remark);
    }
}

#[test]
fn a_name_of_several_clubs_is_refused_today_and_warned_of_in_the_past() {
    let table = [
        ("nba", "Los Angeles", "Los Angeles Clippers` or `Los Angeles Lakers"),
        ("mlb", "Sox", "Boston Red Sox` or `Chicago White Sox"),
    ];
    for (sport, team, clubs) in table {
        let season = if sport == "mlb" { "2024" } else { "2024-25" };
        let hint = format!("`{team}`: expected a team of {sport} (it may be `{clubs}`)");
        for folder in [predicted(sport, season, team, "Canal Foxes"), quoted(sport, team, "Canal Foxes")] {
            let [sentence] = folder.sentences().try_into().expect("one problem");
            assert!(sentence.ends_with(&hint), "{sentence}");
        }
        let warnings = warnings(&played(sport, season, team, "Canal Foxes"));
        let expected = format!("`{team}` is no team of {sport} and is taken as it is (it may be `{clubs}`)");
        assert!(warnings[0].ends_with(&expected), "{warnings:?}");
    }
}

#[test]
fn held_and_rescheduled_games_name_teams_as_predictions_do() {
    let game = |away: &str, time: &str| {
        format!(r#"{{"date": "2024-10-08", "time": "{time}", "away_team": "{away}", "home_team": "Sixers"}}"#)
    };
    let folder = |away: &str| {
        let (from, to) = (game(away, "13:00"), game("los_angeles_clippers", "14:00"));
        let more = format!(r#", "moved": [{{"from": {from}, "to": {to}}}]"#);
        Folder::of_season("nba", "2024-25", &more)
    };
    let moved = &folder("LA Clippers").release().moved[0].value;
    assert!(moved.to_string().starts_with("2024-10-08 13:00:00 los_angeles_clippers at philadelphia_76ers to "));
    assert_eq!(
        folder("Los Angeles Cliper").sentences(),
        ["release.json, column moved[0].from.away_team: `Los Angeles Cliper`: expected a team of nba (did you mean \
          `Los Angeles Clippers`?)"]
    );
}

#[test]
fn unknown_teams_are_named_once_and_taken() {
    let rows = |columns: &str, cells: &str| {
        format!(
            "{HEADER}{columns}\n2024-10-08,13:00,Canal Foxes,Harbor Gulls{cells}\n2024-10-09,13:00,Canal Foxes,Harbor Gulls{cells}\n"
        )
    };
    let folder = Folder::of_season("nfl", "2024-25", "")
        .with("odds.csv", rows(",home_money_line", ",-110"))
        .with("games/2024-25.csv", rows("", ""))
        .with("predictions/over_under.csv", rows(",BLEND", ",0.5"));
    let warnings: Vec<_> =
        warnings(&folder).into_iter().map(|warning| warning.split_once(": ").expect("a file").1.to_owned()).collect();
    let remark = |team: &str| format!("`{team}` is no team of nfl and is taken as it is");
    assert_eq!(warnings, [remark("Canal Foxes"), remark("Harbor Gulls")]);
}

#[test]
fn a_club_of_another_league_is_refused_everywhere() {
    let expected = "column away_team: `Boston Celtics`: expected a team of mlb; this is one of nba";
    assert_eq!(
        played("mlb", "2024", "Boston Celtics", "Boston Red Sox").sentences(),
        [format!("games/2024.csv, row 2, {expected}")]
    );
    assert_eq!(quoted("mlb", "Boston Celtics", "Boston Red Sox").sentences(), [format!("odds.csv, row 2, {expected}")]);
    for sport in Sport::ALL.into_iter().filter(|sport| !sport.is_professional()) {
        assert_eq!(
            predicted(sport.code(), "2024-25", "Boston Celtics", "Duke").sentences(),
            [format!(
                "predictions/over_under.csv, row 2, column away_team: `Boston Celtics`: expected a team of {sport}; this is one \
                 of nba"
            )]
        );
        let folder = played(sport.code(), "2024-25", "Boston College", "Charlotte 49ers");
        assert_eq!((folder.problems(), warnings(&folder)), (Vec::new(), Vec::new()), "colleges are not checked");
    }
}

#[test]
fn the_publishers_own_names_are_kept_beside_slugs() {
    let names = |folder: &Folder| {
        let file = folder.release().predictions.remove(&ModelType::OverUnder).expect("a file of totals");
        let names = file.names.iter().map(|(team, name)| format!("{team}: {}", name.as_str()));
        names.collect::<Vec<_>>()
    };
    let folder = predicted("ncaab", "2024-25", "Texas A&M-CC", "UConn");
    assert_eq!(names(&folder), ["texas_am_cc: Texas A&M-CC", "uconn: UConn"]);
    assert_eq!(names(&predicted("ncaab", "2024-25", "texas_am_cc", "north carolina")), [""; 0], "no more than slugs");
    assert_eq!(names(&predicted("ncaab", "2024-25", "Boston_College", "duke")), [""; 0]);
    assert_eq!(names(&predicted("nba", "2024-25", "LA Clippers", "Canal FOXES")), ["canal_foxes: Canal FOXES"]);
}

#[test]
fn names_read_alike_in_every_form_of_file() {
    let names = |folder: &Folder| folder.release().predictions.remove(&ModelType::OverUnder).expect("a file").names;
    let csv = predicted("ncaab", "2024-25", "Texas A&M-CC", "St. John's (NY)");
    let [date, time, away, home] = ["2024-10-08", "13:00", "Texas A&M-CC", "St. John's (NY)"];
    let object = format!(
        r#"{{"date": "{date}", "time": "{time}", "away_team": "{away}", "home_team": "{home}", "BLEND": 0.5}}"#
    );
    let json = Folder::of_season("ncaab", "2024-25", "").with("predictions/over_under.json", format!("[{object}]"));
    let text = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
    let columns = vec![
        ("date", text(date)),
        ("time", text(time)),
        ("away_team", text(away)),
        ("home_team", text(home)),
        ("BLEND", Arc::new(Float64Array::from(vec![0.5])) as ArrayRef),
    ];
    let parquet = Folder::of_season("ncaab", "2024-25", "").with("predictions/over_under.parquet", file(columns));
    let written: Vec<_> = names(&csv).iter().map(|(_, name)| name.as_str().to_owned()).collect();
    assert_eq!(written, ["St. John's (NY)", "Texas A&M-CC"]);
    assert_eq!([names(&json), names(&parquet)], [names(&csv), names(&csv)]);
}

#[test]
fn a_name_has_a_limited_length_and_no_hidden_characters() {
    let one = |folder: Folder| {
        let [sentence] = folder.sentences().try_into().expect("one problem");
        sentence
    };
    let long = one(predicted("ncaab", "2024-25", &"A".repeat(101), "UConn"));
    assert!(long.ends_with("expected a team name of at most 100 characters"), "{long}");
    for hidden in ['\u{7}', '\u{ad}', '\u{200b}', '\u{202e}', '\u{2068}', '\u{feff}'] {
        let name = format!("Du{hidden}ke");
        for folder in [
            predicted("ncaab", "2024-25", &name, "UConn"),
            quoted("ncaab", &name, "UConn"),
            played("ncaab", "2024-25", &name, "UConn"),
        ] {
            let sentence = one(folder);
            let expected = format!("expected a team name without U+{:04X} at character 3", u32::from(hidden));
            assert!(sentence.contains(&expected), "{sentence}");
        }
    }
    for name in ["San José State", "Hawai\u{2bb}i", "St. John's", "Ångström Łódź", "東京"] {
        let problems = predicted("ncaab", "2024-25", &format!("X {name}"), "UConn").sentences();
        assert_eq!(problems, [""; 0], "{name}");
    }
    assert_eq!(predicted("ncaab", "2024-25", &"A".repeat(100), "UConn").problems(), []);
}
