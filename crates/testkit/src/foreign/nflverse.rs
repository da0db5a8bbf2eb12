use std::path::Path;

use sports_domain::{Season, Sport};

use super::real::{
    ForeignFile, KEY, MARKETS, RealRow, add_direct, club, game_of, games, negated, percent, probabilities, table,
};

/// The columns that nflverse's file can hold.
const OF_NFLVERSE: [&str; 18] = [
    "date",
    "time_est",
    "game_type",
    "match_id",
    "away_team",
    "home_team",
    "away_score",
    "home_score",
    "home_money_line",
    "away_money_line",
    "home_point_spread",
    "away_point_spread",
    "home_point_spread_line",
    "away_point_spread_line",
    "over_under",
    "over_line",
    "under_line",
    "season",
];

/// Writes seasons of the nfl as nflverse does, all in one file. BLEND is added, of another side in each market.
///
/// # Panics
///
/// Panics if the real data cannot be read.
pub fn nflverse(data: &Path, seasons: &[Season]) -> ForeignFile {
    let map = "[models.won_on_points]\nBLEND = \"p_home\"\n[models.won_on_spread]\nBLEND = { column = \"pct_away_cover\", is = \"percent\", \
               of = \"away\" }\n[models.over_under]\nBLEND = { column = \"pct_under\", is = \"percent\", of = \"under\" }\n";
    let mut file = ForeignFile { map: map.to_owned(), ..ForeignFile::default() };
    file.text += "game_id,season,game_type,week,gameday,weekday,gametime,away_team,away_score,home_team,home_score,location,result,total,\
                 away_moneyline,home_moneyline,spread_line,away_spread_odds,home_spread_odds,total_line,under_odds,over_odds,roof,\
                 p_home,pct_away_cover,pct_under\n";
    for season in seasons {
        let mut rows = games(data, Sport::Nfl, *season);
        let known = MARKETS.map(|market| probabilities(data, Sport::Nfl, market, *season));
        let finals = rows.len();
        for (index, row) in rows.iter_mut().enumerate() {
            let blend =
                |market: usize| known[market].get(&game_of(row)).map_or("", |row| row["BLEND"].as_str()).to_owned();
            let blends = [blend(0), percent(&blend(1), true), percent(&blend(2), true)];
            let id = format!("{}_{index:03}", season.first_year());
            file.text += &nflverse_row(row, *season, &id, index + 1 == finals, &blends);
            row.insert("match_id".to_owned(), id);
        }
        add_direct(&mut file, data, Sport::Nfl, *season, &rows, &OF_NFLVERSE, &[]);
        for market in MARKETS {
            let known = probabilities(data, Sport::Nfl, market, *season);
            if !known.is_empty() {
                let rows: Vec<_> = rows.iter().filter_map(|row| known.get(&game_of(row))).collect();
                let columns: Vec<_> = KEY.into_iter().chain(["BLEND"]).collect();
                file.direct.insert(format!("probabilities/{market}/{season}.csv"), table(rows, &columns));
            }
        }
    }
    file
}

fn nflverse_row(row: &RealRow, season: Season, id: &str, is_last: bool, blends: &[String; 3]) -> String {
    let cell = |name: &str| row[name].as_str();
    let or_na = |name: &str| if cell(name).is_empty() { "NA" } else { cell(name) }.to_owned();
    let team = |name: &str| match club(Sport::Nfl, cell(name)).expect("a club").abbreviation() {
        "LAR" => "LA",
        other => other,
    };
    let points = |name: &str| cell(name).parse::<i32>().expect("a final");
    let (away, home) = (points("away_score"), points("home_score"));
    let time = cell("time_est").strip_suffix(":00").unwrap_or_default();
    let cells = [
        id.to_owned(),
        season.first_year().to_string(),
        round_of(row, is_last).to_owned(),
        "1".to_owned(),
        cell("date").to_owned(),
        "Sunday".to_owned(),
        time.to_owned(),
        team("away_team").to_owned(),
        away.to_string(),
        team("home_team").to_owned(),
        home.to_string(),
        "Home".to_owned(),
        (home - away).to_string(),
        (home + away).to_string(),
        or_na("away_money_line"),
        or_na("home_money_line"),
        negated(cell("home_point_spread")),
        or_na("away_point_spread_line"),
        or_na("home_point_spread_line"),
        cell("over_under").to_owned(),
        or_na("under_line"),
        or_na("over_line"),
        "dome".to_owned(),
    ];
    cells.into_iter().chain(blends.iter().cloned()).collect::<Vec<_>>().join(",") + "\n"
}

/// Returns nflverse's code of the round of a game.
fn round_of(row: &RealRow, is_last: bool) -> &'static str {
    match row["game_type"].as_str() {
        "regular" => "REG",
        _ if is_last => "SB",
        _ => ["WC", "DIV", "CON"][row["date"].bytes().last().map_or(0, usize::from) % 3],
    }
}
