use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sports_domain::{Club, ClubName, Season, Sport, TeamSlug};

/// A row of a real file, by column.
pub type RealRow = BTreeMap<String, String>;

/// Files of another source, and the same games as a release has them.
#[derive(Debug, Clone, Default)]
pub struct ForeignFile {
    /// The file of the other source.
    pub text: String,
    /// A map for what the preset does not have, as TOML.
    pub map: String,
    /// The tables of the release by path, with the columns and rows that the source can hold.
    pub direct: BTreeMap<String, String>,
}

/// The markets with the columns that this module gives their probabilities.
pub(super) const MARKETS: [&str; 3] = ["won_on_points", "won_on_spread", "over_under"];

pub(super) const MODELS: [&str; 7] = ["BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];

pub(super) const KEY: [&str; 4] = ["date", "time_est", "away_team", "home_team"];

/// Reads a file of the real data.
///
/// # Panics
///
/// Panics if the file cannot be read.
pub fn real_rows(path: &Path) -> Vec<RealRow> {
    let text = fs::read_to_string(path).expect("a file of the real data");
    let mut lines = text.lines();
    let header: Vec<_> = lines.next().expect("a header").split(',').collect();
    let row = |line: &str| {
        header.iter().zip(line.split(',')).map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect()
    };
    lines.map(row).collect()
}

/// Returns the seasons of a league in the real data, in order.
///
/// # Panics
///
/// Panics if the folder cannot be read.
pub fn real_seasons(data: &Path, sport: Sport) -> Vec<Season> {
    let files = fs::read_dir(data.join("games").join(sport.code())).expect("the real data");
    let label = |path: std::path::PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let labels = files.filter_map(|entry| label(entry.expect("a file").path()));
    let mut seasons: Vec<_> = labels.map(|label| Season::parse(sport, &label).expect("a season")).collect();
    seasons.sort_unstable();
    seasons
}

pub(super) fn games(data: &Path, sport: Sport, season: Season) -> Vec<RealRow> {
    real_rows(&data.join(format!("games/{sport}/{season}.csv")))
}

/// Returns the probabilities of a market by game; empty if the real data has none.
pub(super) fn probabilities(data: &Path, sport: Sport, market: &str, season: Season) -> BTreeMap<String, RealRow> {
    let path = data.join(format!("probabilities/{sport}/{market}/{season}.csv"));
    let rows = if path.exists() { real_rows(&path) } else { Vec::new() };
    rows.into_iter().map(|row| (game_of(&row), row)).collect()
}

pub(super) fn game_of(row: &RealRow) -> String {
    let number = row.get("game_number").map_or("", String::as_str);
    format!("{} {number}", KEY.map(|column| row[column].as_str()).join(" "))
}

/// Writes some columns of some rows.
pub(super) fn table<'r>(rows: impl IntoIterator<Item = &'r RealRow>, columns: &[&str]) -> String {
    let cells = |row: &RealRow| {
        columns.iter().map(|column| row.get(*column).map_or("", String::as_str)).collect::<Vec<_>>().join(",")
    };
    let mut text = columns.join(",") + "\n";
    rows.into_iter().for_each(|row| writeln!(text, "{}", cells(row)).expect("written"));
    text
}

/// Adds the tables of a season to the direct release.
pub(super) fn add_direct(
    file: &mut ForeignFile,
    data: &Path,
    sport: Sport,
    season: Season,
    rows: &[RealRow],
    columns: &[&str],
    markets: &[&str],
) {
    file.direct.insert(format!("games/{season}.csv"), table(rows, columns));
    for market in markets {
        let known = probabilities(data, sport, market, season);
        let rows: Vec<_> = rows.iter().filter_map(|row| known.get(&game_of(row))).collect();
        if !rows.is_empty() {
            let key = KEY.iter().filter(|column| columns.contains(column));
            let columns: Vec<_> =
                key.copied().chain(columns.contains(&"game_number").then_some("game_number")).chain(MODELS).collect();
            file.direct.insert(format!("probabilities/{market}/{season}.csv"), table(rows, &columns));
        }
    }
}

/// Returns a probability with four decimals in percent, of the other side if `is_other`.
pub(super) fn percent(probability: &str, is_other: bool) -> String {
    if probability.is_empty() {
        return String::new();
    }
    let digits = probability.replace('.', "");
    let (decimals, digits) = (probability.len() - probability.find('.').map_or(probability.len(), |at| at + 1), digits);
    let share = digits.parse::<u32>().expect("digits") * 10_u32.pow(4 - u32::try_from(decimals).expect("few"));
    let share = if is_other { 10_000 - share } else { share };
    format!("{}.{:02}", share / 100, share % 100)
}

pub(super) fn negated(points: &str) -> String {
    match points.strip_prefix('-') {
        _ if points.is_empty() => String::new(),
        Some(points) => points.to_owned(),
        None => format!("-{points}"),
    }
}

pub(super) fn club(sport: Sport, slug: &str) -> Option<&'static ClubName> {
    Club::named(sport, &TeamSlug::normalise(slug).expect("a team")).map(|(_, name)| name)
}

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
