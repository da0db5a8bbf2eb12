use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};
use sports_domain::{Probability, Sport, TeamSlug, eastern_instant};
use sports_prices_kalshi::{MONTHS, club_code, series_ticker};

/// A game that the stand-in lists, with one market for each team.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedGame {
    /// The Eastern date.
    pub date: NaiveDate,
    /// The Eastern start.
    pub time: Option<NaiveTime>,
    /// The number of the game within a doubleheader.
    pub game_number: Option<u8>,
    /// The visiting team.
    pub away: TeamSlug,
    pub home: TeamSlug,
    /// The probability of a home win. Prices stay near it.
    pub home_probability: Probability,
}

/// The time between changes of prices, in seconds.
const STEP: i64 = 15;

impl ListedGame {
    /// Returns both teams' markets with their prices at `now`; empty if the exchange does not list such a game.
    pub(crate) fn markets(&self, sport: Sport, now: DateTime<Utc>) -> Vec<Value> {
        let codes = club_code(sport, &self.away).zip(club_code(sport, &self.home));
        let Some((series, (away, home))) = series_ticker(sport).zip(codes) else { return Vec::new() };
        let event = format!("{series}-{}{away}{home}{}", self.start(sport), self.number());
        let home_cents = in_cents(self.home_probability) + price_offset(&event, now);
        vec![self.market(&event, home, home_cents), self.market(&event, away, 100 - home_cents)]
    }

    /// Formats the start: `26NOV22`, and in baseball the time as well.
    fn start(&self, sport: Sport) -> String {
        let month = MONTHS[self.date.month0() as usize];
        let time = self.time.filter(|_| sport == Sport::Mlb).map(|time| time.format("%H%M").to_string());
        format!("{:02}{month}{:02}{}", self.date.year() % 100, self.date.day(), time.unwrap_or_default())
    }

    fn number(&self) -> String {
        self.game_number.map_or_else(String::new, |number| format!("G{number}"))
    }

    fn market(&self, event: &str, team: &str, cents: i64) -> Value {
        let cents = cents.clamp(2, 98);
        let (bid, ask) = (cents - noise(team, 2), cents + noise(event, 2));
        let start = eastern_instant(self.date, self.time.unwrap_or_default());
        let instant = |hours| (start + TimeDelta::hours(hours)).to_rfc3339_opts(SecondsFormat::Secs, true);
        json!({
            "ticker": format!("{event}-{team}"),
            "event_ticker": event,
            "market_type": "binary",
            "strike_type": "structured",
            "title": format!("{team} wins"),
            "yes_sub_title": team,
            "no_sub_title": team,
            "status": "active",
            "result": "",
            "yes_bid_dollars": dollars(bid),
            "yes_ask_dollars": dollars(ask),
            "no_bid_dollars": dollars(100 - ask),
            "no_ask_dollars": dollars(100 - bid),
            "last_price_dollars": dollars(cents),
            "volume_fp": format!("{}.00", 1_000 + noise(event, 50_000)),
            "open_time": instant(-24 * 12),
            "occurrence_datetime": instant(3),
            "expected_expiration_time": instant(3),
            "close_time": instant(48),
            "price_level_structure": "linear_cent",
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a probability is at most one")]
fn in_cents(probability: Probability) -> i64 {
    (probability.get() * 100.0).round() as i64
}

/// Returns an offset of up to two cents, which changes every few seconds.
fn price_offset(event: &str, now: DateTime<Utc>) -> i64 {
    noise(&format!("{event}{}", now.timestamp().div_euclid(STEP)), 5) - 2
}

/// Returns a number below `limit` that depends on the text alone.
fn noise(text: &str, limit: u64) -> i64 {
    let mixed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |mix, byte| (mix ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    i64::try_from((mixed >> 20) % limit).unwrap_or_default()
}

fn dollars(cents: i64) -> String {
    format!("{}.{:02}00", cents / 100, cents % 100)
}
