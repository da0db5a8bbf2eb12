use sports_domain::Sport;
use sports_publisher_files::convert::tables::Reason;

use super::support::{Trial, column, file};

/// A map of one game in one row, to which tests add what they are about.
const PLAIN: &str =
    "[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\ngame_type = { constant = \"regular\" }\n";

/// Converts a file of the columns `d`, `a` and `h`, and others, by a map of these others.
fn games(map: &str, header: &str, rows: &[&str]) -> String {
    let (general, columns) = map.split_once("[columns]\n").expect("columns");
    let map = format!("{general}{PLAIN}{columns}");
    let row = |(index, row): (usize, &&str)| format!("2021-09-{:02},Bills,Jets,{row}", index + 1);
    let text = rows.iter().enumerate().map(row).collect::<Vec<_>>().join("\n");
    let conversion = Trial::of(Sport::Nfl).season("2021-22").map(&map).converted(&format!("d,a,h,{header}\n{text}\n"));
    file(&conversion, "games/2021-22.csv").to_owned()
}

#[test]
fn spreads_of_every_form_become_points_of_the_home_team() {
    for (form, values, home) in [
        ("home-points", ["-3.5", "2", "0", "pk"], ["-3.5", "2", "0", "0"]),
        ("away-points", ["-3.5", "2", "0", "PK"], ["3.5", "-2", "0", "0"]),
        ("expected-margin", ["-3.5", "2", "0.0", "pick"], ["3.5", "-2", "0", "0"]),
    ] {
        let text =
            games(&format!("[columns]\nhome_point_spread = {{ column = \"s\", is = \"{form}\" }}"), "s", &values);
        assert_eq!(column(&text, "home_point_spread"), home, "{form}");
        let away = home.iter().map(|points| {
            if *points == "0" { "0".to_owned() } else { format!("{}", -points.parse::<f64>().expect("points")) }
        });
        assert_eq!(column(&text, "away_point_spread"), away.collect::<Vec<_>>(), "{form}");
    }
}

#[test]
fn points_of_the_favourite_need_a_column_that_names_it() {
    let map = "[columns]\nfavourite = \"f\"\nhome_point_spread = { column = \"s\", is = \"favourite-points\" }";
    let rows = ["NYJ,-3.5", "Buffalo Bills,3", "PICK,0", "home,7", "away,-1", ",2.5"];
    let text = games(map, "f,s", &rows);
    assert_eq!(column(&text, "home_point_spread"), ["-3.5", "3", "0", "-7", "1", ""]);
}

#[test]
fn prices_of_every_form_become_american() {
    let map = "odds = \"decimal\"\n[columns]\nhome_money_line = \"x\"\naway_money_line = { column = \"y\", is = \"fractional\" }\n\
               over_line = { column = \"z\", is = \"probability\" }\nunder_line = { column = \"w\", is = \"american\" }";
    let text = games(map, "x,y,z,w", &["1.91,10/11,0.5,-110", "2.5,evens,0.25,EVEN", ",,,0"]);
    let cells = |name| column(&text, name);
    assert_eq!(cells("home_money_line"), ["-110", "150", ""]);
    assert_eq!(cells("away_money_line"), ["-110", "100", ""]);
    assert_eq!(cells("over_line"), ["100", "300", ""]);
    assert_eq!(cells("under_line"), ["-110", "100", ""]);
}

#[test]
fn a_final_is_in_one_column_or_in_two() {
    let text = games("[columns]\nscore = { column = \"s\", is = \"home-away\" }", "s", &["24-17", "10 : 13", ""]);
    assert_eq!(
        (column(&text, "away_score"), column(&text, "home_score")),
        (vec!["17".into(), "13".into(), String::new()], vec!["24".into(), "10".into(), String::new()])
    );
    let text = games("[columns]\naway_score = \"x\"\nhome_score = \"y\"", "x,y", &["17.0,24", ","]);
    assert_eq!((column(&text, "away_score")[0].as_str(), column(&text, "home_score")[0].as_str()), ("17", "24"));
}

#[test]
fn words_of_a_status_have_their_meaning_in_the_map() {
    let map = "[columns]\nsettlement_status = { column = \"s\", words = { Final = \"settled\", PPD = \"postponed\", \"\" = \"\" } }";
    assert_eq!(
        column(&games(map, "s", &["Final", "PPD", "", "cancelled"]), "settlement_status"),
        ["settled", "postponed", "", "cancelled"]
    );
}

#[test]
fn words_beside_scores_are_those_of_all_files() {
    let map = format!("{PLAIN}score = \"x\"\nsettlement_status = \"s\"\n");
    let trial = || Trial::of(Sport::Nfl).season("2021-22").map(&map);
    let rows = "2021-09-01,Bills,Jets,17-24,F/OT\n2021-09-02,Bills,Jets,0-0,PPD\n2021-09-03,Bills,Jets,,Top 5th\n";
    let conversion = trial().converted(&format!("d,a,h,x,s\n{rows}"));
    let text = file(&conversion, "games/2021-22.csv");
    assert_eq!(
        (column(text, "away_score"), column(text, "settlement_status")),
        (vec!["17".into(), String::new(), String::new()], vec!["settled".into(), "postponed".into(), String::new()],)
    );
    assert_eq!(conversion.unread, [("s".to_owned(), "0-0 beside a game that was called off is no final", 1)]);
    let refused = trial().refused("d,a,h,x,s\n2021-09-01,Bills,Jets,45-50,in progress\n");
    let expected = "file.csv, row 2, column s: `in progress`: expected a final: beside the score 45-50 (away-home), \
                    `in progress` says that the game is not over";
    assert_eq!(refused, [expected]);
}

#[test]
fn starts_of_any_zone_become_eastern() {
    let trial = |map: &str| Trial::of(Sport::Nfl).season("2021-22").postseason_from("none").map(map);
    let teams = "away_team = \"a\"\nhome_team = \"h\"\n";
    let zones = "[zones]\n\"Lambeau Field\" = \"America/Chicago\"\nAllegiant = \"Pacific\"\n";
    for (entries, header, row, date, time) in [
        ("start = { column = \"t\", zone = \"utc\" }", "t", "2021-09-10T00:20:00", "2021-09-09", "20:20:00"),
        ("start = \"t\"", "t", "2021-09-10T00:20:00Z", "2021-09-09", "20:20:00"),
        (
            "start = { column = \"t\", pattern = \"%m/%d/%Y %I:%M %p\", zone = \"eastern\" }",
            "t",
            "9/9/2021 8:20 PM",
            "2021-09-09",
            "20:20:00",
        ),
        (
            "date = \"d\"\ntime_est = { column = \"t\", zone = { column = \"z\" } }",
            "d,t,z",
            "2021-09-09,17:20,PT",
            "2021-09-09",
            "20:20:00",
        ),
        (
            "date = \"d\"\ntime_est = { column = \"t\", zone = { column = \"z\" } }",
            "d,t,z",
            "2021-09-09,19:20,Lambeau Field",
            "2021-09-09",
            "20:20:00",
        ),
        (
            "date = \"d\"\ntime_est = { column = \"t\", zone = { column = \"z\" } }",
            "d,t,z",
            "2021-12-05,21:25,Allegiant",
            "2021-12-06",
            "00:25:00",
        ),
        (
            "date = { column = \"d\", pattern = \"%d.%m.%Y\" }\ntime_est = { column = \"t\", zone = \"Europe/London\" }",
            "d,t",
            "10.10.2021,14:30",
            "2021-10-10",
            "09:30:00",
        ),
    ] {
        let map = format!("[columns]\n{teams}{entries}\n{zones}");
        let conversion = trial(&map).converted(&format!("a,h,{header}\nBills,Jets,{row}\n"));
        let text = file(&conversion, "games/2021-22.csv");
        assert_eq!(
            (column(text, "date"), column(text, "time_est")),
            (vec![date.to_owned()], vec![time.to_owned()]),
            "{row}"
        );
    }
}

#[test]
fn probabilities_of_any_side_become_those_of_the_positive_one() {
    let map = format!(
        "probabilities = \"percent\"\n{PLAIN}home_point_spread = \"s\"\n\
         [models.won_on_points]\nBLEND = {{ column = \"p\", of = \"favourite\" }}\nELO = {{ column = \"q\", is = \"fraction\", of = \"away\" }}\n\
         [models.over_under]\nRF = {{ column = \"u\", of = \"under\" }}\n"
    );
    let rows = "2021-09-01,Bills,Jets,-3,48.13,0.4813,40%\n2021-09-02,Bills,Jets,3,60,0.5,\n2021-09-03,Bills,Jets,0,55,,12.5\n";
    let conversion = Trial::of(Sport::Nfl).season("2021-22").map(&map).converted(&format!("d,a,h,s,p,q,u\n{rows}"));
    let points = file(&conversion, "probabilities/won_on_points/2021-22.csv");
    assert_eq!(
        (column(points, "BLEND"), column(points, "ELO")),
        (vec!["0.4813".into(), "0.4".into()], vec!["0.5187".into(), "0.5".into()])
    );
    assert_eq!(column(file(&conversion, "probabilities/over_under/2021-22.csv"), "RF"), ["0.6", "0.875"]);
    assert_eq!(conversion.unread, [("p".to_owned(), "the game has no favourite", 1)]);
    let manifest = file(&conversion, "release.json").parse::<serde_json::Value>().expect("JSON");
    let declared = serde_json::json!({ "ELO": {} });
    assert_eq!((&manifest["models"], serde_json::Value::from(conversion.own_models)), (&declared, declared.clone()));
}

#[test]
fn a_table_of_own_models_alone_has_probabilities_and_declarations() {
    let map = format!("{PLAIN}[models.won_on_points]\nELO = \"p\"\nnn_v2 = \"q\"\n[models.over_under]\nELO = \"o\"\n");
    let rows = "2021-09-01,Bills,Jets,0.6,0.7,\n2021-09-02,Bills,Jets,,0.2,0.5\n";
    let conversion = Trial::of(Sport::Nfl).season("2021-22").map(&map).converted(&format!("d,a,h,p,q,o\n{rows}"));
    let points = file(&conversion, "probabilities/won_on_points/2021-22.csv");
    assert_eq!(
        (column(points, "ELO"), column(points, "nn_v2")),
        (vec!["0.6".into(), String::new()], vec!["0.7".into(), "0.2".into()])
    );
    let manifest = file(&conversion, "release.json").parse::<serde_json::Value>().expect("JSON");
    assert_eq!(manifest["models"], serde_json::json!({ "ELO": {}, "nn_v2": {} }));
    let standard = Trial::of(Sport::Nfl).season("2021-22").map(&map.replace("ELO", "RF").replace("nn_v2", "XT"));
    let standard = standard.converted(&format!("d,a,h,p,q,o\n{rows}"));
    assert!(!file(&standard, "release.json").contains("models"));
}

#[test]
fn seasons_have_a_label_or_a_year() {
    for (form, value, sport, label) in [
        ("first-year", "2021", Sport::Nfl, "2021-22"),
        ("last-year", "2022.0", Sport::Ncaab, "2021-22"),
        ("label", "2021-2022", Sport::Ncaab, "2021-22"),
        ("label", "2021/22", Sport::Ncaab, "2021-22"),
        ("label", "2021", Sport::Mlb, "2021"),
        ("last-year", "2021", Sport::Mlb, "2021"),
    ] {
        let map = format!("{PLAIN}season = {{ column = \"s\", is = \"{form}\" }}");
        let teams = if sport == Sport::Mlb { "Cubs,Mets" } else { "Bills,Jets" };
        let conversion = Trial::of(sport).map(&map).converted(&format!("s,d,a,h\n{value},2021-09-09,{teams}\n"));
        assert_eq!(column(file(&conversion, &format!("games/{label}.csv")), "date"), ["2021-09-09"], "{value}");
    }
}

#[test]
fn two_rows_a_game_follow_each_other_or_share_columns() {
    let map = "rows = \"team\"\n[columns]\ndate = \"d\"\naway_team = \"t\"\nhome_team = \"t\"\naway_score = \"p\"\nhome_score = \"p\"\n\
               side = { column = \"s\", words = { \"@\" = \"away\", vs = \"home\" } }\nhome_point_spread = \"l\"\n";
    let trial =
        |pair: &str| Trial::of(Sport::Nfl).season("2021-22").postseason_from("none").map(&format!("{pair}{map}"));
    let conversion = trial("").converted("d,t,s,p,l\n2021-09-09,Jets,vs,10,-3\n2021-09-09,Bills,@,20,3\n");
    let text = "date,away_team,home_team,game_type,away_score,home_score,home_point_spread,away_point_spread\n\
                2021-09-09,buffalo_bills,new_york_jets,regular,20,10,-3,3\n";
    assert_eq!(file(&conversion, "games/2021-22.csv"), text);
    let rows = "id,d,t,s,p,l\n1,2021-09-09,Jets,vs,10,-3\n2,2021-09-09,Rams,@,3,1\n1,2021-09-09,Bills,@,20,3\n2,2021-09-09,Bears,vs,9,-1\n";
    let conversion = trial("pair-by = \"id\"\n").converted(rows);
    assert_eq!(column(file(&conversion, "games/2021-22.csv"), "away_team"), ["buffalo_bills", "los_angeles_rams"]);
}

#[test]
fn a_sheet_of_two_rows_has_the_points_in_the_row_of_the_favourite() {
    let sheet = "Date,Rot,VH,Team,1st,2nd,3rd,4th,Final,Open,Close,ML,2H\n\
                 909,451,V,Dallas,7,9,7,6,29,51.5,52.5,340,1\n909,452,H,TampaBay,7,14,7,3,31,7,9.5,-420,25\n\
                 912,453,V,KansasCity,7,9,7,6,29,2.5,pk,-105,1\n912,454,H,Cleveland,7,14,7,3,31,54,54½,-115,25\n\
                 101,455,N,NYGiants,7,9,7,6,29,40,NL,EVEN,1\n101,456,N,LAChargers,7,14,7,3,31,3,NL,NL,25\n\
                 102,457,V,NYJets,7,9,7,6,29,,41,120,1\n102,458,H,St.Louis,7,14,7,3,31,3,2,-140,25\n";
    let trial = Trial::of(Sport::Nfl).preset("sportsbookreviewsonline").season("2012-13").postseason_from("2013-01-02");
    let conversion = trial.converted(sheet);
    let text = file(&conversion, "games/2012-13.csv");
    let cells = |name| column(text, name);
    assert_eq!(cells("date"), ["2012-09-09", "2012-09-12", "2013-01-01", "2013-01-02"]);
    assert_eq!(cells("game_type"), ["regular", "regular", "regular", "postseason"]);
    assert_eq!(cells("home_team")[2..], ["san_diego_chargers", "st_louis_rams"]);
    assert_eq!(cells("home_point_spread"), ["-9.5", "0", "", "-2"]);
    assert_eq!(cells("open_home_point_spread"), ["-7", "2.5", "-3", ""]);
    assert_eq!(cells("over_under"), ["52.5", "54.5", "", "41"]);
    assert_eq!(cells("away_money_line"), ["340", "-105", "100", "120"]);
    let reason = "only one of the two rows has a number, or both have the same: it may be the spread or the total";
    assert_eq!(conversion.unread, [("Open".to_owned(), reason, 1)]);
}

#[test]
fn a_spreadsheet_with_decimal_commas_is_converted() {
    let text = "\u{feff}d;a;h;s;x\r\n2021-09-09;Bills;Jets;-3,5;1,91\r\n";
    let map = format!("{PLAIN}home_point_spread = \"s\"\nhome_money_line = {{ column = \"x\", is = \"decimal\" }}");
    let conversion = Trial::of(Sport::Nfl).season("2021-22").map(&map).converted(text);
    let text = file(&conversion, "games/2021-22.csv");
    assert_eq!(
        (column(text, "home_point_spread"), column(text, "home_money_line")),
        (vec!["-3.5".into()], vec!["-110".into()])
    );
}

#[test]
fn games_ahead_become_a_slate() {
    let map = format!(
        "{PLAIN}time_est = {{ column = \"t\", zone = \"eastern\" }}\nover_under = \"o\"\n[models.over_under]\nBLEND = \"p\"\n"
    );
    let rows = "d,a,h,t,o,p\n2021-09-09,Bills,Jets,20:20,44,0.5\n2021-09-12,Rams,Bears,13:00,45.5,0.61\n2021-09-12,Colts,Browns,13:00,,\n2021-09-12,Lions,Packers,,44,\n";
    let trial = Trial::of(Sport::Nfl).season("2021-22").map(&map);
    let conversion = trial.slate("2021-09-10T12:00:00Z").converted(rows);
    let paths: Vec<_> = conversion.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["odds.csv", "predictions/over_under.csv", "release.json"]);
    assert_eq!(
        file(&conversion, "odds.csv"),
        "date,time,away_team,home_team,over_under\n2021-09-12,13:00:00,los_angeles_rams,chicago_bears,45.5\n"
    );
    assert_eq!(column(file(&conversion, "predictions/over_under.csv"), "BLEND"), ["0.61"]);
    assert_eq!(
        conversion.left_out.clone().into_iter().collect::<Vec<_>>(),
        [(Reason::Started, 1), (Reason::NoTime, 1)]
    );
    let release = "{\n  \"season\": \"2021-22\",\n  \"slate_date\": \"2021-09-10\",\n  \"sport\": \"nfl\"\n}\n";
    assert_eq!(file(&conversion, "release.json"), release);
}

#[test]
fn games_of_today_whose_start_is_not_known_become_a_slate() {
    let map = format!(
        "{PLAIN}time_est = {{ column = \"t\", zone = \"eastern\" }}\nover_under = \"o\"\ngame_number = {{ is = \"order-in-file\" }}\n"
    );
    let rows = "d,a,h,t,o\n2021-09-11,Cubs,Reds,00:00,8\n2021-09-12,Cubs,Reds,23:33,8\n2021-09-12,Cubs,Reds,00:00,9\n\
                2021-09-12,Astros,Angels,08:05,9\n";
    let conversion = Trial::of(Sport::Mlb).season("2021").map(&map).slate("2021-09-12T14:00:00Z").converted(rows);
    let odds = file(&conversion, "odds.csv");
    assert_eq!(column(odds, "time"), ["00:00:00", "23:33:00"]);
    assert_eq!(
        (column(odds, "over_under"), column(odds, "game_number")),
        (vec!["9".into(), "8".into()], vec!["2".into(), "1".into()])
    );
    assert_eq!(conversion.left_out.into_iter().collect::<Vec<_>>(), [(Reason::Started, 2)]);
}

#[test]
fn texts_and_extra_columns_are_taken_over_and_escaped() {
    let map = format!(
        "extras = [\"stadium\"]\n{PLAIN}match_id = \"id\"\nquote_source = {{ constant = \"a \\\"book\\\"\" }}\n"
    );
    let conversion = Trial::of(Sport::Nfl)
        .season("2021-22")
        .map(&map)
        .converted("d,a,h,id,stadium\n2021-09-09,Bills,Jets,=1,\"Field, The\"\n");
    let text = "date,away_team,home_team,game_type,match_id,quote_source,stadium\n\
                2021-09-09,buffalo_bills,new_york_jets,regular,'=1,\"a \"\"book\"\"\",\"Field, The\"\n";
    assert_eq!(file(&conversion, "games/2021-22.csv"), text);
}
