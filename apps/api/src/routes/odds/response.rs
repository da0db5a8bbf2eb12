mod table;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde::{Serialize, Serializer};
use sports_domain::{AmericanPrice, HomeSpread, Sport, Total, eastern_reading};
use sports_slate::OddsGame as PostedGame;
use sports_usecases::today::CurrentOdds;
use utoipa::ToSchema;

use crate::codes::{Code, SportCode};

/// The current odds of a league's slate.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OddsPage)]
pub struct OddsResponse {
    /// The league.
    sport: SportCode,
    /// The Eastern date of the slate.
    date: NaiveDate,
    /// The games, by date, then Eastern time.
    games: Vec<OddsItem>,
    /// The time at which these odds were published, UTC.
    last_updated: DateTime<Utc>,
}

/// The current lines and prices of one game. Prices are American odds.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OddsGame)]
pub struct OddsItem {
    /// The identity of the game in its league: assigned once, and kept when the start changes.
    #[schema(example = "nfl-2025-01-15-buffalo_bills-miami_dolphins")]
    game_id: String,
    /// The publisher's id of the game; null if the publisher gives no id.
    #[schema(required, example = "nfl-2025-0115-buf-mia")]
    match_id: Option<String>,
    /// The Eastern date of the start.
    date: NaiveDate,
    /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
    #[schema(required, value_type = Option<String>, example = "13:00:00")]
    time: Option<NaiveTime>,
    /// The visiting team's slug.
    #[schema(example = "buffalo_bills")]
    away_team: String,
    /// The home team's slug.
    #[schema(example = "miami_dolphins")]
    home_team: String,
    /// The points the away team is given: the opposite of the home spread.
    #[schema(required, example = 2.5)]
    away_point_spread: Option<f64>,
    /// The price of the away spread.
    #[schema(required, example = -105)]
    away_point_spread_line: Option<i32>,
    /// The points the home team is given; negative when it is the favourite.
    #[schema(required, example = -2.5)]
    home_point_spread: Option<f64>,
    /// The price of the home spread.
    #[schema(required, example = -115)]
    home_point_spread_line: Option<i32>,
    /// The away team's money line.
    #[schema(required, example = 105)]
    away_money_line: Option<i32>,
    /// The home team's money line.
    #[schema(required, example = -125)]
    home_money_line: Option<i32>,
    /// The total, in points.
    #[schema(required, example = 43.5)]
    over_under: Option<f64>,
    /// The price of the over.
    #[schema(required, example = -110)]
    over_line: Option<i32>,
    /// The price of the under.
    #[schema(required, example = -110)]
    under_line: Option<i32>,
    /// The Eastern time at which the sportsbook's prices of this game were last read, `YYYY-MM-DD HH:MM:SS`; the
    /// source time of the odds if the publisher gives none.
    #[serde(serialize_with = "as_wall_clock")]
    #[schema(value_type = String, example = "2025-01-15 09:45:00")]
    last_updated: NaiveDateTime,
}

fn as_wall_clock<S: Serializer>(reading: &NaiveDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&reading.format("%Y-%m-%d %H:%M:%S"))
}

impl OddsResponse {
    /// Converts all current odds.
    pub fn from_current(sport: Sport, current: &CurrentOdds<'_>) -> Self {
        let artifact = current.artifact();
        let source_read = eastern_reading(artifact.source_as_of);
        Self {
            sport: Code(sport),
            date: artifact.slate_date,
            games: current.odds().games().iter().map(|game| OddsItem::from_game(game, source_read)).collect(),
            last_updated: artifact.published_at,
        }
    }
}

impl OddsItem {
    /// Converts one game. If it has no reading time of its own, that time is the source time of the odds.
    fn from_game(game: &PostedGame, source_read: NaiveDateTime) -> Self {
        let (key, lines) = (&game.key, &game.lines);
        Self {
            game_id: game.game_id.clone().unwrap_or_default(),
            match_id: game.match_id.clone(),
            date: key.date,
            time: key.time,
            away_team: key.away.to_string(),
            home_team: key.home.to_string(),
            away_point_spread: lines.spread.map(HomeSpread::away),
            away_point_spread_line: lines.spread_prices.negative.map(AmericanPrice::get),
            home_point_spread: lines.spread.map(HomeSpread::home),
            home_point_spread_line: lines.spread_prices.positive.map(AmericanPrice::get),
            away_money_line: lines.money.negative.map(AmericanPrice::get),
            home_money_line: lines.money.positive.map(AmericanPrice::get),
            over_under: lines.total.map(Total::get),
            over_line: lines.total_prices.positive.map(AmericanPrice::get),
            under_line: lines.total_prices.negative.map(AmericanPrice::get),
            last_updated: game.last_updated.unwrap_or(source_read),
        }
    }
}
