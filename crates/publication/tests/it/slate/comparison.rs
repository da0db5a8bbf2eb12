//! Tests of the market comparison, with values calculated by hand.

use chrono::{DateTime, Utc};
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, ModelColumn, OwnForecasts, Probability, TeamSlug, TwoWayPrices,
};
use sports_publication::slate::{
    MarketComparison, OddsGame, QuotedGame, QuotedPrice, QuotedTeam, SlateGame, compare_markets,
};

const DAY: &str = "2026-11-22";

fn team(name: &str) -> TeamSlug {
    TeamSlug::normalise(name).expect("a team")
}

fn probability(raw: f64) -> Option<Probability> {
    Probability::new(raw).ok()
}

fn middle(raw: f64) -> Option<QuotedPrice> {
    probability(raw).map(QuotedPrice::Middle)
}

fn key(time: Option<&str>) -> GameKey {
    GameKey {
        date: DAY.parse().expect("a date"),
        time: time.map(|time| time.parse().expect("a time")),
        away: team("kansas_city_chiefs"),
        home: team("denver_broncos"),
        game_number: None,
    }
}

fn money(home: i32, away: i32) -> TwoWayPrices {
    TwoWayPrices { positive: AmericanPrice::new(home).ok(), negative: AmericanPrice::new(away).ok() }
}

/// Creates a game at 16:25 with a blend of 0.58 and money lines of -150 and +130.
fn a_game() -> SlateGame {
    let forecasts = Forecasts::default().with(ModelColumn::Blend, Probability::new(0.58).expect("valid"));
    let lines = GameLines { money: money(-150, 130), ..GameLines::default() };
    SlateGame {
        key: key(Some("16:25:00")),
        game_id: None,
        match_id: None,
        lines,
        forecasts,
        own: OwnForecasts::default(),
    }
}

fn game_at(time: &str) -> SlateGame {
    SlateGame { key: key(Some(time)), ..a_game() }
}

fn a_quote(time: Option<&str>, game_number: Option<u8>, away: f64, home: f64) -> QuotedGame {
    let quoted = |name, price| QuotedTeam { team: team(name), price: middle(price) };
    QuotedGame {
        date: DAY.parse().expect("a date"),
        time: time.map(|time| time.parse().expect("a time")),
        game_number,
        teams: [quoted("kansas_city_chiefs", away), quoted("denver_broncos", home)],
    }
}

fn posted(time: &str, match_id: Option<String>, money: TwoWayPrices) -> OddsGame {
    let lines = GameLines { money, ..GameLines::default() };
    OddsGame {
        key: key(Some(time)),
        game_id: None,
        listed_start: None,
        match_id,
        lines,
        quote_source: None,
        last_updated: None,
    }
}

fn noon() -> DateTime<Utc> {
    "2026-11-22T12:00:00Z".parse().expect("an instant")
}

fn compared(game: SlateGame, odds: &[OddsGame], quotes: &[QuotedGame]) -> MarketComparison {
    compare_markets(ModelColumn::Blend.into(), &[game], odds, quotes, noon()).remove(0)
}

/// Returns the home prices of several games of one day, in their order.
fn home_prices(games: &[SlateGame], quotes: &[QuotedGame]) -> Vec<Option<f64>> {
    let rows = compare_markets(ModelColumn::Blend.into(), games, &[], quotes, noon());
    rows.iter().map(home_price).collect()
}

fn home_price(row: &MarketComparison) -> Option<f64> {
    row.exchange_home.map(|price| price.probability().get())
}

fn close(value: Option<f64>, expected: Option<f64>) -> bool {
    match (value, expected) {
        (Some(value), Some(expected)) => (value - expected).abs() < 1e-6,
        (None, None) => true,
        _ => false,
    }
}

#[test]
fn an_edge_is_the_model_less_the_cheaper_market() {
    // The book by hand: -150 breaks even at 0.6, +130 at 1/2.3 = 0.434783; 0.6 / 1.034783 = 0.579832.
    // Even prices are 0.5, whatever they are: -110 on both sides.
    let last = |raw| probability(raw).map(QuotedPrice::LastTrade);
    let table = [
        ("the market is cheaper", money(-150, 130), middle(0.54), Some(0.04)),
        ("the book is cheaper", money(-110, -110), middle(0.54), Some(0.08)),
        ("no market", money(-150, 130), None, Some(0.000_168)),
        ("a last trade is no offer", money(-150, 130), last(0.3), Some(0.000_168)),
        ("no book", money(0, 0), middle(0.61), Some(-0.03)),
        ("a book on one side only is none", money(-150, 0), middle(0.61), Some(-0.03)),
        ("a last trade alone", money(0, 0), last(0.3), None),
        ("neither", money(0, 130), None, None),
    ];
    for (why, prices, exchange, expected) in table {
        let game = SlateGame { lines: GameLines { money: prices, ..GameLines::default() }, ..a_game() };
        let mut quote = a_quote(None, None, 0.5, 0.5);
        quote.teams[1].price = exchange;
        let edge = compared(game, &[], &[quote]).edge_home();
        assert!(close(edge, expected), "{why}: {edge:?}");
    }
}

#[test]
fn without_a_blend_there_is_no_edge() {
    let game = SlateGame { forecasts: Forecasts::default(), ..a_game() };
    let row = compared(game, &[], &[a_quote(None, None, 0.46, 0.54)]);
    assert_eq!((row.model_home, row.edge_home()), (None, None));
    assert_eq!(row.exchange_home, middle(0.54));
}

#[test]
fn each_team_has_its_own_market() {
    let row = compared(a_game(), &[], &[a_quote(None, None, 0.465, 0.54)]);
    assert_eq!((row.exchange_away, row.exchange_home), (middle(0.465), middle(0.54)));
    let mut one_sided = a_quote(None, None, 0.465, 0.54);
    one_sided.teams[0].price = None;
    let row = compared(a_game(), &[], &[one_sided]);
    assert_eq!((row.exchange_away, row.exchange_home), (None, middle(0.54)));
}

#[test]
fn prices_follow_the_team_where_the_market_names_them_the_other_way_round() {
    let mut reversed = a_quote(None, None, 0.465, 0.54);
    reversed.teams.reverse();
    let row = compared(a_game(), &[], &[reversed]);
    assert_eq!((row.exchange_away, row.exchange_home), (middle(0.465), middle(0.54)));
}

#[test]
fn another_day_or_another_opponent_is_another_game() {
    let quote = |change: fn(&mut QuotedGame)| {
        let mut quote = a_quote(None, None, 0.46, 0.54);
        change(&mut quote);
        compared(a_game(), &[], &[quote]).exchange_home
    };
    assert_eq!(quote(|_| {}), middle(0.54));
    assert_eq!(quote(|tomorrow| tomorrow.date = "2026-11-23".parse().expect("a date")), None);
    assert_eq!(quote(|other| other.teams[0].team = team("las_vegas_raiders")), None);
    assert_eq!(quote(|other| other.teams[1].team = team("las_vegas_raiders")), None);
}

#[test]
fn games_of_other_days_and_other_teams_are_no_doubleheader() {
    let on = |date: &str, away: &str| {
        let key = GameKey { date: date.parse().expect("a date"), away: team(away), ..key(Some("16:25:00")) };
        (SlateGame { key: key.clone(), ..a_game() }, key)
    };
    let days = [(DAY, "kansas_city_chiefs"), (DAY, "las_vegas_raiders"), ("2026-11-23", "kansas_city_chiefs")];
    let (games, keys): (Vec<_>, Vec<_>) = days.map(|(date, away)| on(date, away)).into_iter().unzip();
    let quotes = keys.iter().zip([0.61, 0.62, 0.63]).map(|(key, home)| {
        let mut quote = a_quote(None, None, 0.3, home);
        (quote.date, quote.teams[0].team) = (key.date, key.away.clone());
        quote
    });
    assert_eq!(home_prices(&games, &quotes.collect::<Vec<_>>()), [Some(0.61), Some(0.62), Some(0.63)]);
}

#[test]
fn two_games_of_the_same_teams_are_a_doubleheader_though_they_change_places() {
    let mut second = game_at("20:15:00");
    std::mem::swap(&mut second.key.away, &mut second.key.home);
    let untimed = a_quote(None, None, 0.4, 0.6);
    assert_eq!(home_prices(&[game_at("13:00:00"), second], &[untimed]), [None, None], "whose price is it?");
}

#[test]
fn a_teams_only_game_of_a_day_may_be_rescheduled_within_it() {
    assert_eq!(home_prices(&[game_at("20:15:00")], &[a_quote(Some("13:00:00"), None, 0.4, 0.6)]), [Some(0.6)]);
}

#[test]
fn a_started_game_has_no_market_price_and_keeps_its_book() {
    // 16:25 Eastern is 21:25 UTC.
    let at = |instant: &str| {
        let now = instant.parse().expect("an instant");
        compare_markets(ModelColumn::Blend.into(), &[a_game()], &[], &[a_quote(None, None, 0.46, 0.54)], now).remove(0)
    };
    assert_eq!(at("2026-11-22T21:24:59Z").exchange_home, middle(0.54));
    let started = at("2026-11-22T21:25:00Z");
    assert_eq!((started.exchange_home, started.exchange_away), (None, None));
    assert!(close(started.book_home.map(Probability::get), Some(0.579_832)));
    assert!(close(started.edge_home(), Some(0.000_168)));
}

#[test]
fn a_started_game_has_the_prices_of_its_forecast_whatever_is_posted() {
    let in_play = [posted("16:25:00", None, money(-400, 300))];
    let book = |game: SlateGame, now: &str| {
        compare_markets(ModelColumn::Blend.into(), &[game], &in_play, &[], now.parse().expect("an instant"))[0]
            .book_home
            .map(Probability::get)
    };
    assert!(close(book(a_game(), "2026-11-22T21:24:59Z"), Some(0.761_905)));
    assert!(close(book(a_game(), "2026-11-22T21:25:00Z"), Some(0.579_832)));
    let unpriced = SlateGame { lines: GameLines::default(), ..a_game() };
    assert_eq!(book(unpriced, "2026-11-22T21:25:00Z"), None, "in-play prices take the place of none");
}

#[test]
fn a_game_without_a_time_counts_as_started_on_its_day() {
    let game = SlateGame { key: key(None), ..a_game() };
    let quote = [a_quote(None, None, 0.46, 0.54)];
    assert_eq!(home_prices(std::slice::from_ref(&game), &quote), [None]);
    let eve = "2026-11-22T04:59:59Z".parse().expect("an instant");
    assert_eq!(compare_markets(ModelColumn::Blend.into(), &[game], &[], &quote, eve)[0].exchange_home, middle(0.54));
}

/// A case: its name, our games, the market's games, and the expected home price of each of our games.
type Row = (&'static str, Vec<SlateGame>, Vec<QuotedGame>, Vec<Option<f64>>);

#[test]
fn games_of_a_doubleheader_are_matched_by_a_start_within_an_hour() {
    let q = |time, number, home| a_quote(time, number, 0.5, home);
    let (one, two) = (game_at("13:10:00"), game_at("18:15:00"));
    let same = || game_at("13:10:00");
    let numbered = |number| SlateGame { key: GameKey { game_number: Some(number), ..key(None) }, ..a_game() };
    let eve: DateTime<Utc> = "2026-11-22T04:00:00Z".parse().expect("an instant");
    let table: [Row; 15] = [
        (
            "by start, whatever the order of the listing",
            vec![one.clone(), two.clone()],
            vec![q(Some("18:10:00"), Some(2), 0.62), q(Some("13:10:00"), Some(1), 0.61)],
            vec![Some(0.61), Some(0.62)],
        ),
        (
            "a start beats a number",
            vec![one.clone(), two.clone()],
            vec![q(Some("18:15:00"), Some(1), 0.62), q(Some("13:10:00"), Some(2), 0.61)],
            vec![Some(0.61), Some(0.62)],
        ),
        (
            "an hour is within reach",
            vec![one.clone(), two.clone()],
            vec![q(Some("13:10:00"), None, 0.61), q(Some("19:15:00"), None, 0.62)],
            vec![Some(0.61), Some(0.62)],
        ),
        (
            "61 minutes are not",
            vec![one.clone(), two.clone()],
            vec![q(Some("13:10:00"), None, 0.61), q(Some("19:16:00"), None, 0.62)],
            vec![Some(0.61), None],
        ),
        (
            "only one is quoted",
            vec![one.clone(), two.clone()],
            vec![q(Some("13:10:00"), None, 0.61)],
            vec![Some(0.61), None],
        ),
        (
            "only one is on the slate",
            vec![two.clone()],
            vec![q(Some("13:10:00"), None, 0.61), q(Some("18:15:00"), None, 0.62)],
            vec![Some(0.62)],
        ),
        (
            "the second is on the slate, and the first is quoted",
            vec![two.clone()],
            vec![q(Some("13:10:00"), Some(1), 0.61)],
            vec![None],
        ),
        (
            "the second is on the slate, and quoted",
            vec![two.clone()],
            vec![q(Some("18:10:00"), Some(2), 0.62)],
            vec![Some(0.62)],
        ),
        (
            "a start between two quotes",
            vec![game_at("15:00:00")],
            vec![q(Some("14:00:00"), None, 0.61), q(Some("16:00:00"), None, 0.62)],
            vec![None],
        ),
        (
            "a quote between two games",
            vec![game_at("14:00:00"), game_at("16:00:00")],
            vec![q(Some("15:00:00"), None, 0.61)],
            vec![None, None],
        ),
        (
            "no start is quoted, whatever the numbers",
            vec![one.clone(), two.clone()],
            vec![q(None, Some(2), 0.62), q(None, Some(1), 0.61)],
            vec![None, None],
        ),
        (
            "equal starts are quoted",
            vec![game_at("12:00:00"), two.clone()],
            vec![q(Some("12:00:00"), Some(2), 0.62), q(Some("12:00:00"), Some(1), 0.61)],
            vec![None, None],
        ),
        ("neither start nor number", vec![one, two], vec![q(None, None, 0.61), q(None, None, 0.62)], vec![None, None]),
        (
            "our own starts are equal",
            vec![same(), same()],
            vec![q(Some("13:10:00"), Some(1), 0.61), q(Some("18:15:00"), Some(2), 0.62)],
            vec![None, None],
        ),
        (
            "our own games are only numbered",
            vec![numbered(1), numbered(2)],
            vec![q(Some("18:15:00"), Some(2), 0.62), q(Some("13:10:00"), Some(1), 0.61)],
            vec![None, None],
        ),
    ];
    for (why, games, quotes, expected) in table {
        let rows = compare_markets(ModelColumn::Blend.into(), &games, &[], &quotes, eve);
        let prices: Vec<_> = rows.iter().map(home_price).collect();
        assert_eq!(prices, expected, "{why}");
    }
}

#[test]
fn current_odds_go_before_the_prices_of_the_prediction() {
    let book = |money| posted("16:25:00", None, money);
    let home = |odds: &[OddsGame]| compared(a_game(), odds, &[]).book_home.map(Probability::get);
    // +100 and -120: 0.5 and 0.545455; 0.5 / 1.045455 = 0.478261.
    assert!(close(home(&[book(money(100, -120))]), Some(0.478_261)));
    assert!(close(home(&[book(money(0, 0))]), Some(0.579_832)), "odds without a moneyline say nothing of it");
    assert_eq!(home(&[book(money(100, 0))]), None, "a side taken off the board is off the board");
    assert!(close(home(&[]), Some(0.579_832)));
}

#[test]
fn odds_find_a_game_by_its_id_when_its_start_has_changed() {
    let id = |id: &str| Some(id.to_owned());
    let game = SlateGame { match_id: id("a1"), ..a_game() };
    let book = |match_id, time| posted(time, match_id, money(-110, -110));
    let home = |odds: OddsGame| compared(game.clone(), &[odds], &[]).book_home.map(Probability::get);
    assert!(close(home(book(id("a1"), "16:05:00")), Some(0.5)));
    assert!(close(home(book(id("b2"), "16:05:00")), Some(0.579_832)));
    assert!(close(home(book(None, "16:25:00")), Some(0.5)));
}

#[test]
fn an_id_that_the_odds_give_to_other_teams_prices_nothing() {
    let game = SlateGame { match_id: Some("a".to_owned()), lines: GameLines::default(), ..a_game() };
    let mut odds = posted("20:20:00", Some("a".to_owned()), money(-110, -110));
    assert_eq!(compared(game.clone(), &[odds.clone()], &[]).book_home, probability(0.5), "whatever time the book has");
    odds.key.home = team("another_team");
    assert_eq!(compared(game, &[odds], &[]).book_home, None);
}
