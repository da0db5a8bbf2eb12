//! Tables without a header or with repeated names, and teams that are not in a column for each side.

use sports_domain::Sport;

use super::support::{Trial, column, file};

fn trial(sport: Sport, season: &str, columns: &str) -> Trial {
    let map = format!("{columns}\ngame_type = {{ constant = \"regular\" }}\n");
    Trial::of(sport).season(season).map(&map)
}

/// Returns the away team, the home team and the final of each game.
fn sides(text: &str) -> Vec<String> {
    let cells = ["away_team", "home_team", "away_score", "home_score"].map(|name| column(text, name));
    (0..cells[0].len()).map(|row| cells.each_ref().map(|cells| cells[row].as_str()).join(" ")).collect()
}

#[test]
fn columns_without_a_name_are_called_by_their_position() {
    let map = "header = false\n[filters]\n\"#6\" = { drop = \"x\" }\n[columns]\ndate = \"#1\"\naway_team = \"#2\"\nhome_team = \"#4\"\n\
               away_score = \"#3\"\nhome_score = \"#5\"";
    let nfl = trial(Sport::Nfl, "2021-22", map);
    let conversion = nfl.converted("2021-09-09,Bills,17,Jets,24,\n2021-09-10,Rams,3,Bears,0,x\n");
    let games = file(&conversion, "games/2021-22.csv");
    assert_eq!((sides(games), conversion.read[0].rows), (vec!["buffalo_bills new_york_jets 17 24".to_owned()], 2));
    assert_eq!(
        nfl.refused("2021-09-09,Bills,17,Jets,x,\n"),
        ["file.csv, row 1, column #5: `x`: expected a score: a whole number, 0 or more"]
    );
    let repeated =
        "[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\naway_score = \"PTS\"\nhome_score = \"#5\"";
    let text = "d,a,PTS,h,PTS\n2021-09-09,Bills,17,Jets,24\n";
    assert_eq!(
        trial(Sport::Nfl, "2021-22", repeated).refused(text),
        [
            "file.csv, column PTS: expected one column of this name, which `columns.away_score` of the map names, or its \
          position, such as `#4`, in the map"
        ]
    );
    let conversion = trial(Sport::Nfl, "2021-22", &repeated.replace("\"PTS\"", "\"#3\"")).converted(text);
    assert_eq!(sides(file(&conversion, "games/2021-22.csv")), ["buffalo_bills new_york_jets 17 24"]);
}

#[test]
fn a_matchup_has_both_teams() {
    let map = "[columns]\ndate = \"d\"\nmatchup = \"m\"\naway_score = \"a\"\nhome_score = \"h\"";
    let nba = trial(Sport::Nba, "2023-24", map);
    let conversion = nba.converted("d,m,a,h\n2023-10-24,LAL @ DEN,107,119\n2023-10-25,BOS vs. NYK,104,108\n");
    let games = sides(file(&conversion, "games/2023-24.csv"));
    assert_eq!(games, ["los_angeles_lakers denver_nuggets 107 119", "new_york_knicks boston_celtics 104 108"]);
    assert_eq!(
        nba.refused("d,m,a,h\n2023-10-24,LAL-DEN,1,2\n"),
        ["file.csv, row 2, column m: `LAL-DEN`: expected two teams, such as `LAL @ BOS` or `BOS vs. LAL`"]
    );
    // A row for each team, as the league's own logs have it.
    let logs = "rows = \"team\"\npair-by = \"g\"\n[columns]\ndate = \"d\"\nside = \"m\"\naway_team = \"t\"\nhome_team = \"t\"\n\
                away_score = \"PTS\"\nhome_score = \"PTS\"";
    let rows = "g,d,t,m,PTS\n1,2023-10-24,DEN,DEN vs. LAL,119\n2,2023-10-24,PHX,PHX @ GSW,108\n\
                1,2023-10-24,LAL,LAL @ DEN,107\n2,2023-10-24,GSW,GSW vs. PHX,104\n";
    let conversion = trial(Sport::Nba, "2023-24", logs).converted(rows);
    let games = sides(file(&conversion, "games/2023-24.csv"));
    assert_eq!(games, ["los_angeles_lakers denver_nuggets 107 119", "phoenix_suns golden_state_warriors 108 104"]);
}

#[test]
fn the_place_of_a_game_says_which_team_is_at_home() {
    let map = "[columns]\ndate = \"Date\"\nteam = \"Winner/tie\"\nopponent = \"Loser/tie\"\nteam_score = \"PtsW\"\nopponent_score = \"PtsL\"\n\
               place = { after = \"Winner/tie\" }";
    let text = "Date,Winner/tie,,Loser/tie,PtsW,PtsL\n2021-09-09,Bills,@,Jets,24,17\n2021-09-10,Rams,,Bears,13,6\n";
    let conversion = trial(Sport::Nfl, "2021-22", map).converted(text);
    assert_eq!(
        sides(file(&conversion, "games/2021-22.csv")),
        ["buffalo_bills new_york_jets 24 17", "chicago_bears los_angeles_rams 6 13"]
    );
    // At a neutral site the map has to say it.
    let neutral = text.replace('@', "N");
    let refused = trial(Sport::Nfl, "2021-22", map).refused(&neutral);
    assert!(refused[0].ends_with("other words have their meaning in `words` of columns.place"), "{refused:?}");
    let map = map.replace(" }", ", words = { N = \"away\" } }");
    let conversion = trial(Sport::Nfl, "2021-22", &map).converted(&neutral);
    assert_eq!(sides(file(&conversion, "games/2021-22.csv"))[0], "buffalo_bills new_york_jets 24 17");
}

#[test]
fn game_number_zero_is_that_of_a_single_game() {
    let map = "[columns]\ndate = \"d\"\naway_team = \"a\"\nhome_team = \"h\"\ngame_number = \"n\"";
    let conversion = trial(Sport::Mlb, "2018", map).converted("d,a,h,n\n2018-05-01,NYA,BOS,0\n2018-05-02,NYA,BOS,2\n");
    assert_eq!(column(file(&conversion, "games/2018.csv"), "game_number"), ["", "2"]);
}
