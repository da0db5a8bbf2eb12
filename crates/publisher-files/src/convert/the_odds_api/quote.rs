use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Timelike, Utc};
use serde_json::Number;
use sports_domain::{
    AmericanPrice, FormError, GameLines, HomeSpread, Total, TwoWayPrices, eastern_instant, eastern_reading,
    escaped_for_spreadsheets, within_reach, without_spreadsheet_escape,
};

use crate::convert::the_odds_api::FeedError;
use crate::convert::the_odds_api::feed::{Bookmaker, Event, Market, Moment, Price, PricedOutcome, same};
use crate::convert::the_odds_api::{csv_file, not_csv};

/// The lines and prices of one bookmaker for one event.
#[derive(Debug, Default)]
pub(crate) struct Quote {
    pub(crate) lines: GameLines,
    /// The newest update among the markets that are used.
    pub(crate) updated: Option<DateTime<Utc>>,
    /// Descriptions of values in the three markets that are not in the lines, with reasons.
    pub(crate) losses: Vec<String>,
}

/// A market of a bookmaker, with its outcomes found by name.
struct Posted<'a> {
    market: &'a Market,
    positive: Option<&'a PricedOutcome>,
    negative: Option<&'a PricedOutcome>,
}

/// The names of a draw as an outcome.
const DRAWS: [&str; 3] = ["draw", "the draw", "tie"];

/// A value that is not an American price, with its market and outcome.
struct NotAmerican {
    market: String,
    outcome: String,
    price: Number,
}

impl Quote {
    /// Reads a bookmaker's three markets.
    pub(crate) fn read(event: &Event, bookmaker: &Bookmaker) -> Result<Self, FeedError> {
        let mut quote = Self::default();
        let teams = [&event.home_team, &event.away_team].map(|team| team.as_deref().unwrap_or_default());
        quote.read_markets(bookmaker, teams).map_err(|NotAmerican { market, outcome, price }| {
            let (event, bookmaker) = (event.id.clone(), bookmaker.key.clone());
            FeedError::NotAmerican { event, bookmaker, market, outcome, price }
        })?;
        if quote.lines != GameLines::default() {
            quote.updated = quote.updated.or(bookmaker.last_update.map(Moment::instant));
        }
        Ok(quote)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines == GameLines::default()
    }

    fn read_markets(&mut self, bookmaker: &Bookmaker, teams: [&str; 2]) -> Result<(), NotAmerican> {
        if let Some(posted) = self.posted(bookmaker, "h2h", teams) {
            self.lines.money = self.prices(&posted)?;
            self.used(posted.market, self.lines.money.any());
        }
        if let Some(posted) = self.posted(bookmaker, "spreads", teams) {
            self.spread(&posted)?;
        }
        if let Some(posted) = self.posted(bookmaker, "totals", ["Over", "Under"]) {
            self.total(&posted)?;
        }
        Ok(())
    }

    /// Returns the bookmaker's market with this key. Its outcomes are found by the names of the two sides, in any
    /// letter case. A market of three outcomes, such as a draw, has other prices than the one of two.
    fn posted<'a>(&mut self, bookmaker: &'a Bookmaker, key: &str, sides: [&str; 2]) -> Option<Posted<'a>> {
        let mut markets = bookmaker.markets.iter().filter(|market| same(&market.key, key));
        let market = markets.next()?;
        if markets.next().is_some() {
            self.lose(market, "it is there more than once, so it is left empty");
            return None;
        }
        let (mut found, mut others) = ([None, None], Vec::new());
        for outcome in &market.outcomes {
            match sides.iter().position(|side| same(side, &outcome.name)) {
                Some(side) if found[side].is_some() => {
                    self.lose(market, &format!("`{}` is there more than once, so it is left empty", outcome.name));
                    return None;
                }
                Some(side) => found[side] = Some(outcome),
                None => others.push(&outcome.name),
            }
        }
        let is_draw = |name: &&&String| DRAWS.iter().any(|draw| same(draw, name));
        if let Some(third) = others.iter().find(|name| is_draw(name) || found.iter().all(Option::is_some)) {
            self.lose(market, &format!("`{third}` is a third outcome of a market of two, so it is left empty"));
            return None;
        }
        for name in others {
            let [one, other] = sides;
            self.lose(market, &format!("`{name}` is neither {one} nor {other} and left out"));
        }
        let [positive, negative] = found;
        Some(Posted { market, positive, negative })
    }

    fn spread(&mut self, posted: &Posted<'_>) -> Result<(), NotAmerican> {
        let prices = self.prices(posted)?;
        // Adding zero turns the negation of a pick'em into a pick'em; JSON may write it as -0.0.
        let away = posted.negative.and_then(|outcome| outcome.point).map(|points| 0.0 - points);
        if let Some(spread) = self.line(posted, away, |points| HomeSpread::new(points).ok()) {
            (self.lines.spread, self.lines.spread_prices) = (Some(spread), prices);
        }
        Ok(())
    }

    fn total(&mut self, posted: &Posted<'_>) -> Result<(), NotAmerican> {
        let prices = self.prices(posted)?;
        let under = posted.negative.and_then(|outcome| outcome.point);
        if let Some(total) = self.line(posted, under, |points| Total::new(points).ok()) {
            (self.lines.total, self.lines.total_prices) = (Some(total), prices);
        }
        Ok(())
    }

    /// Returns the line of a market; `None` if both sides have different lines, or neither has one.
    #[expect(clippy::float_cmp, reason = "lines are halves and quarters, which floats hold exactly")]
    fn line<T>(&mut self, posted: &Posted<'_>, negative: Option<f64>, read: fn(f64) -> Option<T>) -> Option<T> {
        let positive = posted.positive.and_then(|outcome| outcome.point);
        let lost = match (positive, negative) {
            (None, None) if posted.positive.or(posted.negative).is_none() => return None,
            (None, None) => "it has no `point`, so it is left empty".to_owned(),
            (Some(one), Some(other)) if one != other => {
                format!("it is {one} on one side and {other} on the other, so it is left empty")
            }
            (one, other) => {
                let points = one.or(other)?;
                if let Some(line) = read(points) {
                    self.used(posted.market, true);
                    return Some(line);
                }
                format!("a `point` of {points} is no line, so it is left empty")
            }
        };
        self.lose(posted.market, &lost);
        None
    }

    fn prices(&mut self, posted: &Posted<'_>) -> Result<TwoWayPrices, NotAmerican> {
        let mut price =
            |side: Option<&PricedOutcome>| side.map_or(Ok(None), |outcome| self.price(posted.market, outcome));
        Ok(TwoWayPrices { positive: price(posted.positive)?, negative: price(posted.negative)? })
    }

    /// Returns an American price; `None` for zero. Decimal odds fail, because they have fractions or are less than
    /// 100 away from zero.
    fn price(&mut self, market: &Market, outcome: &PricedOutcome) -> Result<Option<AmericanPrice>, NotAmerican> {
        let Price(written) = &outcome.price;
        let number = written.as_f64().unwrap_or(f64::NAN);
        if number == 0.0 {
            self.lose(market, &format!("`{}` has a price of 0, which is none, so it is left empty", outcome.name));
            return Ok(None);
        }
        let price = whole(number).and_then(|whole| AmericanPrice::new(whole).ok());
        price.map(Some).ok_or_else(|| NotAmerican {
            market: market.key.clone(),
            outcome: outcome.name.clone(),
            price: written.clone(),
        })
    }

    fn lose(&mut self, market: &Market, loss: &str) {
        self.losses.push(format!("{}: {loss}", market.key));
    }

    fn used(&mut self, market: &Market, used: bool) {
        let updated = market.last_update.filter(|_| used).map(Moment::instant);
        self.updated = self.updated.max(updated);
    }
}

/// Converts a whole number that fits. A cast alone would saturate.
fn whole(number: f64) -> Option<i32> {
    let fits = number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, just checked")]
    fits.then_some(number as i32)
}

/// The time after its start during which a game keeps that start. If the start is moved by more, the game was
/// postponed.
const IN_PLAY: TimeDelta = TimeDelta::hours(12);

/// The starts of games in earlier conversions, by the feed's id of the event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownStarts(BTreeMap<String, DateTime<Utc>>);

/// The columns of a file of starts.
const COLUMNS: [&str; 3] = ["match_id", "date", "time"];

impl KnownStarts {
    /// Parses a file that [`KnownStarts::file`] wrote.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the file is not such a file.
    pub fn remembered(file: &[u8]) -> Result<Self, FormError> {
        let header = csv::Reader::from_reader(file).headers().map_err(not_csv)?.clone();
        if header == COLUMNS[..] {
            Self::read(file)
        } else {
            Err(FormError::new(format!("its columns are not {}", COLUMNS.join(", "))))
        }
    }

    /// Parses the starts in an odds file: its columns `match_id`, `date` and `time`. Date and time are Eastern.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the file is not CSV, lacks a column, or has an invalid start.
    pub fn read(file: &[u8]) -> Result<Self, FormError> {
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers().map_err(not_csv)?.clone();
        let column = |name: &str| {
            let place = header.iter().position(|column| column == name);
            place.ok_or_else(|| FormError::new(format!("it has no column `{name}`")))
        };
        let (id, date, time) = (column("match_id")?, column("date")?, column("time")?);
        let mut starts = BTreeMap::new();
        for (row, record) in (2..).zip(reader.records()) {
            let record = record.map_err(not_csv)?;
            let start = start(&record[date], &record[time]).ok_or_else(|| {
                FormError::new(format!("row {row}: `{} {}` is not a date and a time", &record[date], &record[time]))
            })?;
            starts.insert(without_spreadsheet_escape(&record[id]).to_owned(), start);
        }
        Ok(Self(starts))
    }

    /// Writes the starts to a file that [`KnownStarts::remembered`] parses.
    pub fn file(&self) -> Vec<u8> {
        let rows = self.0.iter().map(|(id, start)| {
            let start = eastern_reading(*start);
            [
                escaped_for_spreadsheets(id).into_owned(),
                start.date().to_string(),
                start.time().format("%H:%M:%S").to_string(),
            ]
        });
        csv_file(COLUMNS, rows)
    }

    /// Merges starts; for events in both, the start in `other` applies.
    pub fn with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Returns the known start of an event if it has passed, unless the feed's `start` is so much later that the game
    /// was postponed.
    pub(crate) fn passed(&self, id: &str, start: DateTime<Utc>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.0.get(id).copied().filter(|known| *known <= now && start - *known < IN_PLAY)
    }

    pub(crate) fn record(&mut self, id: &str, start: DateTime<Utc>) {
        self.0.insert(id.to_owned(), start);
    }

    /// Removes starts that are too old to apply again.
    pub(crate) fn forget_before(&mut self, now: DateTime<Utc>) {
        self.0.retain(|_, known| now - *known < IN_PLAY);
    }
}

fn start(date: &str, time: &str) -> Option<DateTime<Utc>> {
    let date: NaiveDate = within_reach(date.parse().ok()?).ok()?;
    let time: NaiveTime = time.parse().ok()?;
    // A start is written in whole seconds.
    Some(eastern_instant(date, time.with_nanosecond(0)?))
}
