use sports_domain::{ModelType, Sport};
use sports_publisher_files::convert::tables::Reason;

use super::support::Trial;

const MAP: &str = "[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\ngame_type = \"g\"\n\
                   over_under = { column = \"line\", optional = true }\naway_score = \"x\"\nhome_score = \"y\"\n\
                   [models.won_on_points]\nBLEND = \"p\"\n[filters]\nsite = { drop = \"Neutral\" }\n";

#[test]
fn a_conversion_accounts_for_every_row() {
    let text = "d,a,h,g,x,y,p,site,ml_home,total,note\n\
                2021-09-09,Bills,Jets,regular,1,2,0.5,,,3,\n\
                2022-01-16,Bills,Jets,postseason,,,0.6,,,,\n\
                d,a,h,g,x,y,p,site,ml_home,total,note\n,,,,,,,,,,\n\
                2021-09-10,Bills,Rams,regular,,,,Neutral,,,\n\
                2021-09-11,Bills,Bears,pro bowl,,,,,,,\n\
                2026-12-24,Bills,Bears,regular,,,,,,,\n\
                2021-08-11,Bills,Bears,preseason,0,0,,,,,\n";
    let refused = Trial::of(Sport::Nfl).season("2021-22").map(MAP).refused(text);
    assert_eq!(refused, ["file.csv, row 8: `2026-12-24`: expected a date of 2021-22, in the years 2021 to 2022"]);
    let conversion =
        Trial::of(Sport::Nfl).season("2021-22").map(MAP).converted(&text.replace("2026-12-24", "2021-12-24"));
    assert_eq!((conversion.read[0].rows, conversion.read[0].games), (7, 4));
    let season = &conversion.seasons[0];
    let counts: Vec<_> = season.counts.iter().filter(|(_, count)| *count > 0).copied().collect();
    assert_eq!(counts, [("games", 4), ("postseason", 1), ("finals", 2)]);
    assert_eq!(season.models, [(ModelType::WonOnPoints, "BLEND".to_owned(), 2)]);
    let left_out: Vec<_> = conversion.left_out.into_iter().collect();
    let filtered = Reason::Filtered { column: "site".into(), word: "Neutral".into(), keep: Vec::new() };
    assert_eq!(left_out, [(filtered, 1), (Reason::GameType("pro bowl".into()), 1), (Reason::RepeatedHeader, 1)]);
    assert_eq!(conversion.absent, ["file.csv: over_under (`line`)"]);
    let looks =
        "file.csv: column ml_home is not read; it looks like `home_money_line`, which the map takes from nowhere";
    assert_eq!(conversion.warnings, [looks]);
}

#[test]
fn dates_outside_the_usual_months_are_a_warning() {
    let map = "[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\ngame_type = { constant = \"regular\" }";
    let conversion = Trial::of(Sport::Nfl)
        .season("2021-22")
        .map(map)
        .converted("d,a,h\n2021-05-09,Bills,Jets\n2021-09-09,Bills,Jets\n");
    assert_eq!(conversion.warnings, ["dates outside the usual months of nfl 2021-22: 1, the first is 2021-05-09"]);
}

#[test]
fn a_college_that_probably_has_two_names_is_a_warning() {
    let map = "[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\ngame_type = { constant = \"regular\" }";
    let row = |day: u32, home: &str| format!("2021-09-{day:02},Rice,{home}\n");
    let rows: String = (1..=5).map(|day| row(day, if day == 3 { "Boise St" } else { "Boise State" })).collect();
    let conversion = Trial::of(Sport::Ncaaf).season("2021-22").map(map).converted(&format!("d,a,h\n{rows}"));
    assert_eq!(
        conversion.warnings,
        [
            "ncaaf 2021-22: `boise_st` has 1 game beside `boise_state` with 4: under two names a team has two records; [teams] \
          of a map gives one team one name"
        ]
    );
}

#[test]
fn games_ahead_are_left_out_of_a_history_until_they_have_a_final() {
    let map = "[columns]\nseason = { column = \"s\", is = \"first-year\" }\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\n\
               game_type = { constant = \"regular\" }\n";
    let rows = "s,d,a,h\n2026,2026-11-22,Bills,Jets\n2026,2026-11-24,Rams,Bears\n2025,2025-11-24,Rams,Bears\n";
    let conversion = Trial::of(Sport::Nfl).map(map).converted(rows);
    assert_eq!(conversion.left_out.into_iter().collect::<Vec<_>>(), [(Reason::Ahead, 1)]);
    let seasons: Vec<_> = conversion.seasons.iter().map(|season| season.season.to_string()).collect();
    assert_eq!(seasons, ["2025-26", "2026-27"]);
}
