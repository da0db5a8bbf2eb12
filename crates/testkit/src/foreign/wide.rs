use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use sports_domain::{ClubName, Season, Sport, eastern_instant};

use super::real::{ForeignFile, MARKETS, MODELS, RealRow, add_direct, club, game_of, games, percent, probabilities};

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
