use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde::{Serialize, Serializer};
use sports_domain::{AmericanPrice, GameLines, HomeSpread, Sport, Total, eastern_reading};
use sports_ports::tables::TableColumn;
use sports_slate::OddsGame as PostedGame;
use sports_usecases::today;
use sports_usecases::today::CurrentOdds;
use utoipa::ToSchema;

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, MomentQuery, Params};
use crate::paths::{Path, SportPath};
use crate::tables::{TableOf, Tabular, columns};

/// List odds
///
/// The current odds for every game of the league's slate: spread, money lines and total with their prices.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}",
    tag = "odds",
    params(SportPath),
    responses(
        (status = 200, description = "The games", body = OddsResponse,
            example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_odds(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<(FormatQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((FormatQuery { format }, moment))) = (path, params);
    let at = moments.at(sport, &moment).await?;
    let named = today::odds(at.moment()).map_err(|error| at.failure(error))?;
    let key = (sport, named.artifact().clone());
    let page = async move { Ok(Rows(OddsResponse::from_current(sport, &named.read().await?))) };
    answer.in_format(format).at(&at).respond(&key, page).await
}

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
    pub fn from_current(sport: Sport, current: &CurrentOdds) -> Self {
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

/// Rows are games.
impl Tabular for OddsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let games = TableOf::rows(&self.games).constant("sport", self.sport);
        let games = columns!(games, game_id, match_id, date, time, away_team, home_team);
        let games =
            columns!(games, away_point_spread, away_point_spread_line, home_point_spread, home_point_spread_line);
        let games = columns!(games, away_money_line, home_money_line, over_under, over_line, under_line);
        columns!(games, last_updated).columns()
    }
}

// The nine lines and prices of a game in the odds.

/// Defines the nine fields of posted lines under names that begin alike.
macro_rules! posted_lines {
    ($(#[$doc:meta])+ $name:ident, $prefix:literal) => { ::pastey::paste! {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
        pub struct $name {
            /// The points the away team is given: the opposite of the home spread.
            #[schema(required, example = 2.5)]
            [<$prefix away_point_spread>]: Option<f64>,
            /// The price of the away spread, American odds.
            #[schema(required, example = -105)]
            [<$prefix away_point_spread_line>]: Option<i32>,
            /// The points the home team is given; negative when it is the favourite.
            #[schema(required, example = -2.5)]
            [<$prefix home_point_spread>]: Option<f64>,
            /// The price of the home spread.
            #[schema(required, example = -115)]
            [<$prefix home_point_spread_line>]: Option<i32>,
            /// The away team's money line.
            #[schema(required, example = 105)]
            [<$prefix away_money_line>]: Option<i32>,
            /// The home team's money line.
            #[schema(required, example = -125)]
            [<$prefix home_money_line>]: Option<i32>,
            /// The total, in points.
            #[schema(required, example = 43.5)]
            [<$prefix over_under>]: Option<f64>,
            /// The price of the over.
            #[schema(required, example = -110)]
            [<$prefix over_line>]: Option<i32>,
            /// The price of the under.
            #[schema(required, example = -110)]
            [<$prefix under_line>]: Option<i32>,
        }

        impl From<&GameLines> for $name {
            fn from(lines: &GameLines) -> Self {
                Self {
                    [<$prefix away_point_spread>]: lines.spread.map(HomeSpread::away),
                    [<$prefix away_point_spread_line>]: lines.spread_prices.negative.map(AmericanPrice::get),
                    [<$prefix home_point_spread>]: lines.spread.map(HomeSpread::home),
                    [<$prefix home_point_spread_line>]: lines.spread_prices.positive.map(AmericanPrice::get),
                    [<$prefix away_money_line>]: lines.money.negative.map(AmericanPrice::get),
                    [<$prefix home_money_line>]: lines.money.positive.map(AmericanPrice::get),
                    [<$prefix over_under>]: lines.total.map(Total::get),
                    [<$prefix over_line>]: lines.total_prices.positive.map(AmericanPrice::get),
                    [<$prefix under_line>]: lines.total_prices.negative.map(AmericanPrice::get),
                }
            }
        }

        impl $name {
            /// Adds the columns of these lines to a table.
            pub fn columns<'a>(lines: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
                columns!(
                    lines,
                    [<$prefix away_point_spread>], [<$prefix away_point_spread_line>],
                    [<$prefix home_point_spread>], [<$prefix home_point_spread_line>],
                    [<$prefix away_money_line>], [<$prefix home_money_line>],
                    [<$prefix over_under>], [<$prefix over_line>], [<$prefix under_line>],
                )
            }
        }
    }};
}

posted_lines! {
    /// The lines and prices of a game in the odds; all are null if the odds did not quote it.
    PostedLines, ""
}

posted_lines! {
    /// The opener: the first lines and prices that were published for a game.
    OpeningLines, "open_"
}

posted_lines! {
    /// The close: the last lines with a price that were published before the start.
    ClosingLines, "close_"
}
