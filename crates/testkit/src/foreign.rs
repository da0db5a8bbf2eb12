//! Real games as other sources write them, for tests of the converter: their columns, names and forms, written without any
//! code of the converter.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sports_domain::{Club, ClubName, Season, Sport, TeamSlug, eastern_instant};

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
const MARKETS: [&str; 3] = ["won_on_points", "won_on_spread", "over_under"];

const MODELS: [&str; 7] = ["BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];

const KEY: [&str; 4] = ["date", "time_est", "away_team", "home_team"];

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

fn games(data: &Path, sport: Sport, season: Season) -> Vec<RealRow> {
    real_rows(&data.join(format!("games/{sport}/{season}.csv")))
}

/// Returns the probabilities of a market by game; empty if the real data has none.
fn probabilities(data: &Path, sport: Sport, market: &str, season: Season) -> BTreeMap<String, RealRow> {
    let path = data.join(format!("probabilities/{sport}/{market}/{season}.csv"));
    let rows = if path.exists() { real_rows(&path) } else { Vec::new() };
    rows.into_iter().map(|row| (game_of(&row), row)).collect()
}

fn game_of(row: &RealRow) -> String {
    let number = row.get("game_number").map_or("", String::as_str);
    format!("{} {number}", KEY.map(|column| row[column].as_str()).join(" "))
}

/// Writes some columns of some rows.
fn table<'r>(rows: impl IntoIterator<Item = &'r RealRow>, columns: &[&str]) -> String {
    let cells = |row: &RealRow| {
        columns.iter().map(|column| row.get(*column).map_or("", String::as_str)).collect::<Vec<_>>().join(",")
    };
    let mut text = columns.join(",") + "\n";
    rows.into_iter().for_each(|row| writeln!(text, "{}", cells(row)).expect("written"));
    text
}

/// Adds the tables of a season to the direct release.
fn add_direct(
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
fn percent(probability: &str, is_other: bool) -> String {
    if probability.is_empty() {
        return String::new();
    }
    let digits = probability.replace('.', "");
    let (decimals, digits) = (probability.len() - probability.find('.').map_or(probability.len(), |at| at + 1), digits);
    let share = digits.parse::<u32>().expect("digits") * 10_u32.pow(4 - u32::try_from(decimals).expect("few"));
    let share = if is_other { 10_000 - share } else { share };
    format!("{}.{:02}", share / 100, share % 100)
}

fn negated(points: &str) -> String {
    match points.strip_prefix('-') {
        _ if points.is_empty() => String::new(),
        Some(points) => points.to_owned(),
        None => format!("-{points}"),
    }
}

fn club(sport: Sport, slug: &str) -> Option<&'static ClubName> {
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

/// Writes a season as a sheet of sportsbookreviewsonline; returns the sheet and the first date of the postseason.
///
/// A closing or opening pair of which the real data has only the spread or only the total is left out of both sides: the sheet
/// does not distinguish them.
///
/// # Panics
///
/// Panics if the real data cannot be read.
pub fn sheet(data: &Path, sport: Sport, season: Season) -> (ForeignFile, Option<String>) {
    let mut rows = games(data, sport, season);
    let is_baseball = sport == Sport::Mlb;
    if !is_baseball {
        for [spread, away, total] in [
            ["home_point_spread", "away_point_spread", "over_under"],
            ["open_home_point_spread", "open_away_point_spread", "open_over_under"],
        ] {
            rows.iter_mut().filter(|row| row[spread].is_empty() != row[total].is_empty()).for_each(|row| {
                for column in [spread, away, total] {
                    row.insert(column.to_owned(), String::new());
                }
            });
        }
    }
    let header = if is_baseball {
        "Date,Rot,VH,Team,Pitcher,1st,9th,Final,Open,Close,RunLine,,OpenOU,,CloseOU,\n"
    } else {
        "Date,Rot,VH,Team,1st,2nd,3rd,4th,Final,Open,Close,ML,2H\n"
    };
    let mut file = ForeignFile { text: header.to_owned(), ..ForeignFile::default() };
    let mut own_names = BTreeMap::new();
    for row in &rows {
        for side in ["away", "home"] {
            let name = sheet_name(&row[&format!("{side}_team")], &mut own_names);
            let cells = if is_baseball { baseball_cells(row, side) } else { sheet_cells(row, side) };
            let day: u32 = row["date"][5..].replace('-', "").parse().expect("a date");
            let vh = if side == "away" { "V" } else { "H" };
            writeln!(file.text, "{day},901,{vh},{name},{cells}").expect("written");
        }
    }
    file.map =
        own_names.iter().fold("[teams]\n".to_owned(), |text, (name, slug)| format!("{text}\"{name}\" = \"{slug}\"\n"));
    let columns: &[&str] = if is_baseball { &OF_BASEBALL_SHEETS } else { &OF_SHEETS };
    add_direct(&mut file, data, sport, season, &rows, columns, &[]);
    let first = rows.iter().find(|row| row["game_type"] == "postseason").map(|row| row["date"].clone());
    (file, first)
}

const OF_SHEETS: [&str; 13] = [
    "date",
    "game_type",
    "away_team",
    "home_team",
    "away_score",
    "home_score",
    "home_money_line",
    "away_money_line",
    "home_point_spread",
    "away_point_spread",
    "open_home_point_spread",
    "over_under",
    "open_over_under",
];

const OF_BASEBALL_SHEETS: [&str; 18] = [
    "date",
    "game_type",
    "game_number",
    "away_team",
    "home_team",
    "away_score",
    "home_score",
    "home_money_line",
    "away_money_line",
    "open_home_money_line",
    "open_away_money_line",
    "home_point_spread",
    "home_point_spread_line",
    "away_point_spread_line",
    "over_under",
    "over_line",
    "under_line",
    "open_over_under",
];

/// Joins the words of a name. A college's name with letters as words has to be in a table of its own.
fn sheet_name(slug: &str, own: &mut BTreeMap<String, String>) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let name: String = slug.split('_').map(capital).collect();
    if slug.split('_').any(|word| word.len() == 1) {
        own.insert(name.clone(), slug.to_owned());
    }
    name
}

fn or_no_line(price: &str) -> &str {
    if price.is_empty() { "NL" } else { price }
}

/// Returns Final, Open, Close, ML of one team: the row of the favourite has the points that it gives, the other the total.
fn sheet_cells(row: &RealRow, side: &str) -> String {
    let pair = |spread: &str, total: &str| {
        let (points, total) = (row[spread].as_str(), row[total].as_str());
        if points.is_empty() {
            return String::new();
        }
        let home_gives = points.parse::<f64>().expect("points") <= 0.0;
        if home_gives != (side == "home") {
            return total.to_owned();
        }
        match points.trim_start_matches('-') {
            "0" | "0.0" => "pk".to_owned(),
            points => points.to_owned(),
        }
    };
    let (open, close) = (pair("open_home_point_spread", "open_over_under"), pair("home_point_spread", "over_under"));
    let (score, money) = (&row[&format!("{side}_score")], &row[&format!("{side}_money_line")]);
    format!("1,2,3,4,{score},{open},{close},{},0", or_no_line(money))
}

/// Returns the cells of a team in a sheet of baseball, whose prices have no heading.
fn baseball_cells(row: &RealRow, side: &str) -> String {
    let of = |column: &str| row.get(&column.replace("SIDE", side)).map_or("", String::as_str);
    let total_price = if side == "away" { of("over_line") } else { of("under_line") };
    format!(
        "A-PITCHER-R,0,1,{},{},{},{},{},{},-110,{},{total_price}",
        of("SIDE_score"),
        or_no_line(of("open_SIDE_money_line")),
        or_no_line(of("SIDE_money_line")),
        of("SIDE_point_spread"),
        of("SIDE_point_spread_line"),
        of("open_over_under"),
        of("over_under"),
    )
}

/// Writes a season as wide tables of data sites are: decimal odds, percent, starts in UTC. Games without a time are left out.
///
/// # Panics
///
/// Panics if the real data cannot be read.
pub fn wide(data: &Path, sport: Sport, season: Season) -> ForeignFile {
    let mut rows = games(data, sport, season);
    rows.retain(|row| !row["time_est"].is_empty());
    // Decimal odds do not tell -100 from +100.
    rows.iter_mut()
        .flat_map(BTreeMap::values_mut)
        .filter(|cell| *cell == "-100")
        .for_each(|cell| "100".clone_into(cell));
    let mut file = ForeignFile { map: "missing = [\"?\"]\n".to_owned(), ..ForeignFile::default() };
    let known = MARKETS.map(|market| probabilities(data, sport, market, season));
    let of_models: Vec<_> =
        MARKETS.iter().flat_map(|market| MODELS.iter().map(move |model| (*market, *model))).collect();
    let name = |market: &str, model: &str| match (market, model) {
        ("won_on_points", "BLEND") => "home_win_probability".to_owned(),
        ("won_on_spread", "BLEND") => "home_cover_prob".to_owned(),
        ("over_under", "BLEND") => "over_prob".to_owned(),
        _ => format!("{model}_{market}"),
    };
    for market in MARKETS {
        writeln!(file.map, "[models.{market}]").expect("written");
        for model in &MODELS[1..] {
            writeln!(file.map, "{model} = \"{}\"", name(market, model)).expect("written");
        }
    }
    let models: Vec<_> = of_models.iter().map(|(market, model)| name(market, model)).collect();
    file.text = format!("{},{}\n", WIDE.map(|(name, _)| name).join(","), models.join(","));
    for row in &rows {
        let lines = WIDE.map(|(name, column)| wide_cell(row, sport, season, name, column));
        let probability = |(market, model): &(&str, &str)| {
            let market = MARKETS.iter().position(|known| known == market).expect("a market");
            percent(known[market].get(&game_of(row)).map_or("", |row| row[*model].as_str()), false)
        };
        let models: Vec<_> = of_models.iter().map(probability).collect();
        writeln!(file.text, "{},{}", lines.join(","), models.join(",")).expect("written");
    }
    let columns: Vec<_> =
        ["date", "time_est"].into_iter().chain(WIDE.iter().skip(2).map(|(_, column)| *column)).collect();
    add_direct(&mut file, data, sport, season, &rows, &columns, &MARKETS);
    file
}

/// The columns of a wide table, and those of the release.
const WIDE: [(&str, &str); 20] = [
    ("season", "season"),
    ("commence_time", "time_est"),
    ("away_team", "away_team"),
    ("home_team", "home_team"),
    ("season_type", "game_type"),
    ("away_score", "away_score"),
    ("home_score", "home_score"),
    ("home_odds", "home_money_line"),
    ("away_odds", "away_money_line"),
    ("home_odds_open", "open_home_money_line"),
    ("away_odds_open", "open_away_money_line"),
    ("home_spread", "home_point_spread"),
    ("home_spread_odds", "home_point_spread_line"),
    ("away_spread_odds", "away_point_spread_line"),
    ("home_spread_open", "open_home_point_spread"),
    ("total_line", "over_under"),
    ("over_odds", "over_line"),
    ("under_odds", "under_line"),
    ("total_line_open", "open_over_under"),
    ("note", "note"),
];

fn wide_cell(row: &RealRow, sport: Sport, season: Season, name: &str, column: &str) -> String {
    let cell = row.get(column).map_or("", String::as_str);
    match name {
        "season" => season.to_string(),
        "commence_time" => {
            let (date, time) = (row["date"].parse().expect("a date"), cell.parse().expect("a time"));
            eastern_instant(date, time).format("%Y-%m-%dT%H:%M:%SZ").to_string()
        }
        "away_team" | "home_team" => club(sport, cell).map_or(cell, ClubName::display).to_owned(),
        "season_type" => match cell {
            "regular" => "Regular Season",
            "postseason" => "Playoffs",
            _ => "Preseason",
        }
        .to_owned(),
        _ if cell.is_empty() => "?".to_owned(),
        _ if name.contains("odds") => decimal_odds(cell),
        _ => cell.to_owned(),
    }
}

fn decimal_odds(american: &str) -> String {
    let price: f64 = american.parse().expect("a price");
    let profit = if price > 0.0 { price / 100.0 } else { -100.0 / price };
    (1.0 + profit).to_string()
}
