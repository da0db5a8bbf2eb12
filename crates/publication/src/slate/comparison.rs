use chrono::{DateTime, Utc};
use sports_domain::{AmericanPrice, GameKey, ModelName, ModelType, Probability, TwoWayPrices};

use crate::slate::odds::quoted;
use crate::slate::pick::handicap;
use crate::slate::{Names, OddsGame, QuotedGame, QuotedPrice, SlateGame};

/// A game's moneyline by the model, the sportsbook and the exchange of a prediction market.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketComparison {
    pub key: GameKey,
    /// The identity of the game in its league.
    pub game_id: Option<String>,
    /// The model's probability of a home win, if it has one.
    pub model_home: Option<Probability>,
    /// The book's no-vig probability of a home win; `None` unless both sides are priced.
    pub book_home: Option<Probability>,
    /// The price of the home team's own market on the exchange; `None` without a market or a price, or once the game
    /// has started.
    pub exchange_home: Option<QuotedPrice>,
    /// The price of the away team's own market; `None` in the same cases. It need not be the complement: a tie can pay
    /// both.
    pub exchange_away: Option<QuotedPrice>,
}

impl MarketComparison {
    /// Returns the model's edge on a home win: its probability minus the lower of the book's share and the middle of the
    /// exchange's bid and ask. A last trade is no offer, so it does not count. `None` without a probability, or if no
    /// market is left.
    pub fn edge_home(&self) -> Option<f64> {
        let exchange = self.exchange_home.and_then(QuotedPrice::middle);
        let markets = [self.book_home, exchange].into_iter().flatten().map(Probability::get);
        Some(self.model_home?.get() - markets.reduce(f64::min)?)
    }
}

/// Compares the moneylines of a slate by a model with the markets' at `now`, in the slate's order.
///
/// Book prices are the current odds if they price the game on either side, else the prices of its prediction. A game
/// that may have started by `now` has the prices of its prediction, since current odds may be in-play prices. Such a
/// game has no exchange price.
pub fn compare_markets(
    model: ModelName,
    games: &[SlateGame],
    odds: &[OddsGame],
    quotes: &[QuotedGame],
    now: DateTime<Utc>,
) -> Vec<MarketComparison> {
    let slate: Vec<_> = games.iter().map(|game| &game.key).collect();
    let compared = games.iter().map(|game| {
        let waiting = (!game.key.may_have_started(now)).then_some(&game.key);
        let quote = waiting.and_then(|key| quoted(key, &slate, quotes));
        let book = waiting.and_then(|_| current_money_lines(game, odds)).filter(|prices| prices.any());
        MarketComparison {
            key: game.key.clone(),
            game_id: game.game_id.clone(),
            model_home: game.probability(ModelType::WonOnPoints, model),
            book_home: book.unwrap_or(game.lines.money).no_vig(),
            exchange_home: quote.and_then(|quote| quote.price_of(&game.key.home)),
            exchange_away: quote.and_then(|quote| quote.price_of(&game.key.away)),
        }
    });
    compared.collect()
}

/// Returns the game's current money lines: by its id and teams if both sides have an id, else by its key.
fn current_money_lines(game: &SlateGame, odds: &[OddsGame]) -> Option<TwoWayPrices> {
    let (key, id) = (&game.key, game.match_id.as_deref());
    let by_id = odds.iter().find(|book| book.is_of_id(key, id));
    let found = by_id.or_else(|| odds.iter().find(|book| book.is_of(key, id)));
    found.map(|book| book.lines.money)
}

/// Formats a market's current line: `BOS -120 / NYY +105`, `Total 8.5`, `BOS -1.5 (+140)`, or `No line`. The home team
/// comes first.
pub fn market_line(names: Names<'_>, model_type: ModelType, game: &SlateGame) -> String {
    let lines = &game.lines;
    let line = match model_type {
        ModelType::WonOnPoints => {
            let side = |team, price: Option<AmericanPrice>| Some(format!("{} {:+}", names.short(team), price?.get()));
            let sides = [side(&game.key.home, lines.money.positive), side(&game.key.away, lines.money.negative)];
            let posted: Vec<_> = sides.into_iter().flatten().collect();
            (!posted.is_empty()).then(|| posted.join(" / "))
        }
        ModelType::WonOnSpread => lines.spread.map(|spread| {
            let home = format!("{} {}", names.short(&game.key.home), handicap(spread.home()));
            lines.spread_prices.positive.map_or_else(|| home.clone(), |price| format!("{home} ({:+})", price.get()))
        }),
        ModelType::OverUnder => lines.total.map(|total| format!("Total {}", total.get())),
    };
    line.unwrap_or_else(|| "No line".to_owned())
}

#[cfg(test)]
mod tests {
    use sports_domain::{
        Forecasts, GameKey, GameLines, HomeSpread, OwnForecasts, Sport, TeamSlug, Total, TwoWayPrices,
    };

    use super::*;
    use crate::slate::TeamNames;

    fn game(lines: GameLines) -> SlateGame {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-07-05".parse().expect("a date");
        let (away, home) = (team("new_york_yankees"), team("boston_red_sox"));
        let key = GameKey { date, time: None, away, home, game_number: None };
        SlateGame {
            key,
            game_id: None,
            match_id: None,
            lines,
            forecasts: Forecasts::default(),
            own: OwnForecasts::default(),
        }
    }

    #[test]
    fn a_line_is_said_in_a_few_words() {
        let prices = |positive, negative| TwoWayPrices {
            positive: AmericanPrice::new(positive).ok(),
            negative: AmericanPrice::new(negative).ok(),
        };
        let spread = HomeSpread::new(-1.5).ok();
        let table = [
            (
                ModelType::WonOnPoints,
                GameLines { money: prices(-120, 105), ..GameLines::default() },
                "BOS -120 / NYY +105",
            ),
            (ModelType::WonOnPoints, GameLines { money: prices(0, 105), ..GameLines::default() }, "NYY +105"),
            (ModelType::WonOnPoints, GameLines::default(), "No line"),
            (
                ModelType::WonOnSpread,
                GameLines { spread, spread_prices: prices(140, -160), ..GameLines::default() },
                "BOS -1.5 (+140)",
            ),
            (ModelType::WonOnSpread, GameLines { spread, ..GameLines::default() }, "BOS -1.5"),
            (ModelType::WonOnSpread, GameLines { spread: HomeSpread::new(0.0).ok(), ..GameLines::default() }, "BOS PK"),
            (ModelType::OverUnder, GameLines { total: Total::new(8.5).ok(), ..GameLines::default() }, "Total 8.5"),
            (ModelType::OverUnder, GameLines::default(), "No line"),
        ];
        let names = Names { sport: Sport::Mlb, published: &TeamNames::default() };
        for (model_type, lines, expected) in table {
            assert_eq!(market_line(names, model_type, &game(lines)), expected);
        }
    }
}
