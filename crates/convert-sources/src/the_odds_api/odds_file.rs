use chrono::{DateTime, Utc};
use sports_domain::{AmericanPrice, GameKey, GameLines, HomeSpread, Total, eastern_reading, escaped_for_spreadsheets};

/// One game of an odds file.
#[derive(Debug, Clone, PartialEq)]
pub struct OddsFileGame {
    /// The feed's id of the event.
    pub match_id: String,
    pub key: GameKey,
    /// The current lines. The feed has no opening lines.
    pub lines: GameLines,
    /// The feed's key of the bookmaker, such as `draftkings`.
    pub quote_source: String,
    /// The time of the newest update among the markets in `lines`.
    pub last_updated: Option<DateTime<Utc>>,
}

/// The columns of an odds file, in their order.
pub const COLUMNS: [&str; 16] = [
    "match_id",
    "date",
    "time",
    "away_team",
    "home_team",
    "away_point_spread",
    "away_point_spread_line",
    "home_point_spread",
    "home_point_spread_line",
    "away_money_line",
    "home_money_line",
    "over_under",
    "over_line",
    "under_line",
    "quote_source",
    "last_updated",
];

/// Writes an odds file: dates and times are Eastern, and cells without a posted value are empty.
pub fn odds_file(games: &[OddsFileGame]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = games.iter().map(row).map(Vec::from);
    for record in std::iter::once(COLUMNS.map(str::to_owned).to_vec()).chain(rows) {
        // Writing to memory does not fail.
        writer.write_record(record).unwrap_or_default();
    }
    writer.into_inner().unwrap_or_default()
}

fn row(game: &OddsFileGame) -> [String; COLUMNS.len()] {
    let (key, lines) = (&game.key, &game.lines);
    let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let text = |text: &str| escaped_for_spreadsheets(text).into_owned();
    let price = |price: Option<AmericanPrice>| price.map_or_else(String::new, |price| price.get().to_string());
    let updated = game.last_updated.map(|at| eastern_reading(at).format("%Y-%m-%d %H:%M:%S").to_string());
    [
        text(&game.match_id),
        key.date.to_string(),
        key.time.map_or_else(String::new, |time| time.format("%H:%M:%S").to_string()),
        key.away.to_string(),
        key.home.to_string(),
        number(lines.spread.map(HomeSpread::away)),
        price(lines.spread_prices.negative),
        number(lines.spread.map(HomeSpread::home)),
        price(lines.spread_prices.positive),
        price(lines.money.negative),
        price(lines.money.positive),
        number(lines.total.map(Total::get)),
        price(lines.total_prices.positive),
        price(lines.total_prices.negative),
        text(&game.quote_source),
        updated.unwrap_or_default(),
    ]
}
