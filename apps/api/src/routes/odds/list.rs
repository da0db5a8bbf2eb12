use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde::Serializer;
use sports_domain::{AmericanPrice, GameLines, HomeSpread, Sport, Total, eastern_reading};
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_publication::slate::OddsGame as PostedGame;
use sports_usecases::slate_changes::SlateChanges;
use sports_usecases::today;
use sports_usecases::today::{CurrentOdds, NamedOdds};

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ChangedQuery, FormatQuery, MomentQuery, Params};
use crate::paths::{Path, SportPath};
use crate::routes::moves::{Earlier, earlier_slate};
use crate::wire::{TableOf, Tabular, wire, with_fields};

/// List odds
///
/// The current odds for every game of the league's slate: spread, money lines and total with their prices. With `changed_after`
/// only the games that changed since that generation, and the `game_id` of those that are gone.
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
    params: Params<(FormatQuery, ChangedQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((FormatQuery { format }, since, moment))) = (path, params);
    let at = moments.at_after(sport, &moment, "changed_after", since.changed_after).await?;
    let named = today::odds(at.moment()).map_err(|error| at.failure(error))?;
    let earlier = earlier_slate(&moments, sport, since).await?.map(|earlier| earlier.odds());
    let artifact_then = earlier.as_ref().map(|Earlier(odds)| odds.as_ref().map(NamedOdds::artifact).cloned());
    let key = (sport, named.artifact().clone(), artifact_then);
    let page = async move {
        let current = named.read().await?;
        let changes = match earlier {
            Some(earlier) => Some(changes_of_odds(&current, earlier).await?),
            None => None,
        };
        Ok(Rows(OddsResponse::new(sport, &current, changes.as_ref())))
    };
    answer.in_format(format).at(&at).respond(&key, page).await
}

/// Returns the changes of odds since earlier ones.
pub async fn changes_of_odds(
    current: &CurrentOdds,
    Earlier(earlier): Earlier<NamedOdds>,
) -> Result<SlateChanges, PortError> {
    let Some(earlier) = earlier else { return Ok(current.changes_since(None)) };
    Ok(current.changes_since(Some(earlier.read().await?.odds())))
}

wire! {
    /// The current odds of a league's slate.
    #[schema(as = OddsPage)]
    pub struct OddsResponse(sport: Sport, current: &CurrentOdds, changes: Option<&SlateChanges>) {
        let artifact = current.artifact();
        let source_read = eastern_reading(artifact.source_as_of);
        let is_listed = |game: &&PostedGame| changes.is_none_or(|changes| changes.has(game.game_id.as_deref()));

        /// The league.
        sport: SportCode = Code(sport),
        /// The Eastern date of the slate.
        date: NaiveDate = artifact.slate_date,
        /// The games, by date, then Eastern time.
        games: Vec<OddsItem> =
            current.odds().games().iter().filter(is_listed).map(|game| OddsItem::new(game, source_read)).collect(),
        /// The time at which these odds were published, UTC.
        last_updated: DateTime<Utc> = artifact.published_at,
        /// With `changed_after`: the `game_id` of each game that the odds had then and no longer have.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        gone: Option<Vec<String>> = changes.map(SlateChanges::gone),
    }
}

wire! {
    /// The current lines and prices of one game. Prices are American odds.
    #[schema(as = OddsGame)]
    pub row OddsItem(game: &PostedGame, source_read: NaiveDateTime) {
        let (key, lines) = (&game.key, &game.lines);

        /// The identity of the game in its league: assigned once, and kept when the start changes.
        #[schema(example = "nfl-2025-01-15-buffalo_bills-miami_dolphins")]
        game_id: String = game.game_id.clone().unwrap_or_default(),
        /// The publisher's id of the game; null if the publisher gives no id.
        #[schema(required, example = "nfl-2025-0115-buf-mia")]
        match_id: Option<String> = game.match_id.clone(),
        /// The Eastern date of the start.
        date: NaiveDate = key.date,
        /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
        #[schema(required, value_type = Option<String>, example = "13:00:00")]
        time: Option<NaiveTime> = key.time,
        /// The visiting team's slug.
        #[schema(example = "buffalo_bills")]
        away_team: String = key.away.to_string(),
        /// The home team's slug.
        #[schema(example = "miami_dolphins")]
        home_team: String = key.home.to_string(),
        /// The points the away team is given: the opposite of the home spread.
        #[schema(required, example = 2.5)]
        away_point_spread: Option<f64> = lines.spread.map(HomeSpread::away),
        /// The price of the away spread.
        #[schema(required, example = -105)]
        away_point_spread_line: Option<i32> = lines.spread_prices.negative.map(AmericanPrice::get),
        /// The points the home team is given; negative when it is the favourite.
        #[schema(required, example = -2.5)]
        home_point_spread: Option<f64> = lines.spread.map(HomeSpread::home),
        /// The price of the home spread.
        #[schema(required, example = -115)]
        home_point_spread_line: Option<i32> = lines.spread_prices.positive.map(AmericanPrice::get),
        /// The away team's money line.
        #[schema(required, example = 105)]
        away_money_line: Option<i32> = lines.money.negative.map(AmericanPrice::get),
        /// The home team's money line.
        #[schema(required, example = -125)]
        home_money_line: Option<i32> = lines.money.positive.map(AmericanPrice::get),
        /// The total, in points.
        #[schema(required, example = 43.5)]
        over_under: Option<f64> = lines.total.map(Total::get),
        /// The price of the over.
        #[schema(required, example = -110)]
        over_line: Option<i32> = lines.total_prices.positive.map(AmericanPrice::get),
        /// The price of the under.
        #[schema(required, example = -110)]
        under_line: Option<i32> = lines.total_prices.negative.map(AmericanPrice::get),
        /// The Eastern time at which the sportsbook's prices of this game were last read, `YYYY-MM-DD HH:MM:SS`; the
        /// source time of the odds if the publisher gives none.
        #[serde(serialize_with = "as_wall_clock")]
        #[schema(value_type = String, example = "2025-01-15 09:45:00")]
        last_updated: NaiveDateTime = game.last_updated.unwrap_or(source_read),
    }
}

/// Writes the time of a reading.
pub fn as_wall_clock<S: Serializer>(reading: &NaiveDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&reading.format("%Y-%m-%d %H:%M:%S"))
}

/// Writes the time of a reading, or null.
#[expect(clippy::ref_option, reason = "this is what serde calls")]
pub fn as_wall_clock_or_null<S: Serializer>(reading: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    match reading {
        Some(reading) => as_wall_clock(reading, serializer),
        None => serializer.serialize_none(),
    }
}

/// Rows are games.
impl Tabular for OddsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        with_fields(TableOf::rows(&self.games).constant("sport", self.sport)).columns()
    }
}

// The nine lines and prices of a game in the odds.

/// Defines the nine fields of posted lines under names that begin alike.
macro_rules! posted_lines {
    ($(#[$doc:meta])+ $name:ident, $prefix:literal) => { ::pastey::paste! { wire! {
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq)]
        pub row $name(lines: &GameLines) {
            /// The points the away team is given: the opposite of the home spread.
            #[schema(required, example = 2.5)]
            [<$prefix away_point_spread>]: Option<f64> = lines.spread.map(HomeSpread::away),
            /// The price of the away spread, American odds.
            #[schema(required, example = -105)]
            [<$prefix away_point_spread_line>]: Option<i32> = lines.spread_prices.negative.map(AmericanPrice::get),
            /// The points the home team is given; negative when it is the favourite.
            #[schema(required, example = -2.5)]
            [<$prefix home_point_spread>]: Option<f64> = lines.spread.map(HomeSpread::home),
            /// The price of the home spread.
            #[schema(required, example = -115)]
            [<$prefix home_point_spread_line>]: Option<i32> = lines.spread_prices.positive.map(AmericanPrice::get),
            /// The away team's money line.
            #[schema(required, example = 105)]
            [<$prefix away_money_line>]: Option<i32> = lines.money.negative.map(AmericanPrice::get),
            /// The home team's money line.
            #[schema(required, example = -125)]
            [<$prefix home_money_line>]: Option<i32> = lines.money.positive.map(AmericanPrice::get),
            /// The total, in points.
            #[schema(required, example = 43.5)]
            [<$prefix over_under>]: Option<f64> = lines.total.map(Total::get),
            /// The price of the over.
            #[schema(required, example = -110)]
            [<$prefix over_line>]: Option<i32> = lines.total_prices.positive.map(AmericanPrice::get),
            /// The price of the under.
            #[schema(required, example = -110)]
            [<$prefix under_line>]: Option<i32> = lines.total_prices.negative.map(AmericanPrice::get),
        }
    }}};
}

posted_lines! {
    /// The lines and prices of a game in the odds; all are null if the odds did not quote it.
    PostedLines, ""
}

posted_lines! {
    /// The first lines and prices that this log published for a game.
    FirstLines, "first_"
}

posted_lines! {
    /// The close: the last lines with a price that were published before the start.
    ClosingLines, "close_"
}

wire! {
    /// The openers of a game, as its results have them.
    #[derive(Clone, Copy, PartialEq)]
    #[expect(clippy::struct_field_names, reason = "these are the names in JSON")]
    pub row OpeningLines(lines: &GameLines) {
        /// The opening away spread; null without an opener.
        #[schema(required, example = 3.0)]
        open_away_point_spread: Option<f64> = lines.open_spread.map(HomeSpread::away),
        /// The opening home spread; null without an opener.
        #[schema(required, example = -3.0)]
        open_home_point_spread: Option<f64> = lines.open_spread.map(HomeSpread::home),
        /// The away team's opening money line; null without an opener.
        #[schema(required, example = 110)]
        open_away_money_line: Option<i32> = lines.open_money.negative.map(AmericanPrice::get),
        /// The home team's opening money line; null without an opener.
        #[schema(required, example = -130)]
        open_home_money_line: Option<i32> = lines.open_money.positive.map(AmericanPrice::get),
        /// The opening total; null without an opener.
        #[schema(required, example = 44.5)]
        open_over_under: Option<f64> = lines.open_total.map(Total::get),
    }
}
