use std::collections::BTreeSet;

use chrono::{DateTime, Timelike, Utc};
use sports_domain::{
    AmericanPrice, GameKey, GameLines, HomeSpread, Sport, Total, eastern_reading, escaped_for_spreadsheets,
};

use crate::convert::the_odds_api::events::{Account, League, Reason};
use crate::convert::the_odds_api::feed::{Bookmaker, Event, Market, Moment, same};
use crate::convert::the_odds_api::quote::Quote;
use crate::convert::the_odds_api::{Feed, FeedError, KnownStarts, TeamTable, csv_file};

/// A request to convert a feed.
#[derive(Debug, Clone)]
pub struct FeedRequest<'a> {
    pub sport: Sport,
    /// The bookmaker by key or title, in any letter case.
    pub bookmaker: &'a str,
    /// The present instant. For a snapshot, the time at which it was taken applies instead.
    pub now: DateTime<Utc>,
    pub teams: &'a TeamTable,
    /// The starts of games from earlier conversions.
    pub known_starts: &'a KnownStarts,
}

/// A converted feed.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion {
    /// The games that have not started, ordered by key.
    pub games: Vec<OddsFileGame>,
    pub account: Account,
    /// The starts of games, for the next conversion.
    pub starts: KnownStarts,
}

/// Converts the league's events of a feed to one bookmaker's odds. A feed without events is valid: the API returns it
/// between seasons.
///
/// # Errors
///
/// [`FeedError`] if the feed has only events of other leagues, does not have this bookmaker, or has prices that are not
/// American. It is also an error if there are games to come, and each has an unknown team.
pub fn convert(feed: &Feed, request: &FeedRequest<'_>) -> Result<Conversion, FeedError> {
    let mut account = Account::default();
    let updated =
        |event: &Event| event.bookmakers.iter().filter(|one| is(one, request.bookmaker)).map(updated).max()?;
    let league = League { sport: request.sport, names: request.teams, updated };
    let events = league.events(feed, &mut account)?;
    check_bookmaker(&events, request.bookmaker)?;
    let now = feed.taken_at.unwrap_or(request.now);
    let mut conversion = Conversion { games: Vec::new(), account, starts: request.known_starts.clone() };
    conversion.starts.forget_before(now);
    for event in events {
        conversion.add(event, now, request)?;
    }
    conversion.account.finish(conversion.games.len())?;
    conversion.games.sort_by(|one, other| one.key.cmp(&other.key));
    Ok(conversion)
}

/// Returns the newest update of a bookmaker's prices, in the markets that are converted.
fn updated(bookmaker: &Bookmaker) -> Option<DateTime<Utc>> {
    let is_read = |market: &&Market| ["h2h", "spreads", "totals"].iter().any(|key| same(key, &market.key));
    let markets = bookmaker.markets.iter().filter(is_read).map(|market| market.last_update);
    markets.chain([bookmaker.last_update]).flatten().map(Moment::instant).max()
}

fn check_bookmaker(events: &[&Event], wanted: &str) -> Result<(), FeedError> {
    let mut all = events.iter().flat_map(|event| &event.bookmakers);
    if events.is_empty() || all.clone().any(|bookmaker| is(bookmaker, wanted)) {
        return Ok(());
    }
    let known: BTreeSet<_> = all.by_ref().map(|bookmaker| bookmaker.key.clone()).collect();
    let known = if known.is_empty() { vec!["none".to_owned()] } else { Vec::from_iter(known) };
    Err(FeedError::UnknownBookmaker { wanted: wanted.to_owned(), known })
}

fn is(bookmaker: &Bookmaker, wanted: &str) -> bool {
    bookmaker.key.eq_ignore_ascii_case(wanted) || bookmaker.title.eq_ignore_ascii_case(wanted)
}

/// Finds an event's bookmaker by its key, else by its title. Several bookmakers may share a title.
fn bookmaker<'a>(event: &'a Event, wanted: &str) -> Result<Option<&'a Bookmaker>, FeedError> {
    let mut found: Vec<_> = event.bookmakers.iter().filter(|one| one.key.eq_ignore_ascii_case(wanted)).collect();
    if found.is_empty() {
        found = event.bookmakers.iter().filter(|one| is(one, wanted)).collect();
    }
    if found.len() > 1 {
        let found = found.into_iter().map(|one| one.key.clone()).collect();
        return Err(FeedError::RepeatedBookmaker { event: event.id.clone(), wanted: wanted.to_owned(), found });
    }
    Ok(found.pop())
}

impl Conversion {
    fn add(&mut self, event: &Event, now: DateTime<Utc>, request: &FeedRequest<'_>) -> Result<(), FeedError> {
        let begun = begun(event, now, request.known_starts);
        self.starts.record(&event.id, begun.unwrap_or_else(|| event.commence_time.instant()));
        if begun.is_some() {
            self.account.leave_out(event, Reason::Started);
            return Ok(());
        }
        let Some((away, home)) = self.account.teams(event, request.teams)? else { return Ok(()) };
        let Some(bookmaker) = bookmaker(event, request.bookmaker)? else {
            self.account.leave_out(event, Reason::NoPrices);
            return Ok(());
        };
        let quote = Quote::read(event, bookmaker)?;
        let place = format!("{away} at {home} (event {}), {}", event.id, bookmaker.key);
        self.account.warnings.extend(quote.losses.iter().map(|loss| format!("{place}, {loss}")));
        if quote.is_empty() {
            self.account.leave_out(event, Reason::NoPrices);
            return Ok(());
        }
        let start = eastern_reading(event.commence_time.instant());
        self.games.push(OddsFileGame {
            match_id: event.id.clone(),
            key: GameKey { date: start.date(), time: Some(start.time()), away, home, game_number: None },
            lines: quote.lines,
            quote_source: bookmaker.key.clone(),
            last_updated: quote.updated,
        });
        Ok(())
    }
}

/// Returns the start of a game that has begun: the known start, or the feed's start. The feed moves the start of a
/// game in play to an odd second, so such a start counts as past, at the latest now.
fn begun(event: &Event, now: DateTime<Utc>, known: &KnownStarts) -> Option<DateTime<Utc>> {
    let start = event.commence_time.instant();
    let by_feed = (start <= now || start.second() != 0).then(|| start.min(now));
    known.passed(&event.id, start, now).or(by_feed)
}

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
    csv_file(COLUMNS, games.iter().map(row))
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
