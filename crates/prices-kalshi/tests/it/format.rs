//! The documented format of the exchange, and observed deviations from it.

use serde_json::{Value, json};
use sports_domain::Sport;

use crate::support::{game_line, games, market};

/// Returns a market with all fields of a live market.
fn in_full() -> Value {
    json!({
        "can_close_early": true,
        "close_time": "2026-11-24T21:25:00Z",
        "created_time": "2026-11-10T05:01:07.17746Z",
        "custom_strike": { "football_team": "6f0a2c1e-0000-4000-8000-0000000000a1" },
        "event_ticker": "KXNFLGAME-26NOV22KCDEN",
        "exchange_index": 0,
        "expected_expiration_time": "2026-11-23T00:25:00Z",
        "last_price_dollars": "0.5100",
        "market_type": "binary",
        "no_ask_dollars": "0.4800",
        "no_bid_dollars": "0.4600",
        "no_sub_title": "Denver",
        "occurrence_datetime": "2026-11-23T00:25:00Z",
        "open_interest_fp": "18250.40",
        "price_level_structure": "linear_cent",
        "price_ranges": [{ "start": "0.0000", "end": "1.0000", "step": "0.0100" }],
        "result": "",
        "status": "active",
        "strike_type": "structured",
        "ticker": "KXNFLGAME-26NOV22KCDEN-DEN",
        "title": "Denver wins",
        "volume_fp": "40211.75",
        "yes_ask_dollars": "0.5400",
        "yes_bid_dollars": "0.5200",
        "yes_sub_title": "Denver",
    })
}

#[tokio::test]
async fn a_game_is_two_markets_each_priced_by_its_own_book() {
    let away = market("KXNFLGAME-26NOV22KCDEN-KC", "0.4700", "0.4800", "0.4600");
    let read = games(Sport::Nfl, json!([in_full(), away])).await;
    assert_eq!(
        read.iter().map(game_line).collect::<Vec<_>>(),
        ["2026-11-22 - - kansas_city_chiefs 0.475 denver_broncos 0.53"]
    );
}

#[tokio::test]
async fn a_doubleheader_is_two_games_and_an_empty_book_no_price() {
    let one = "KXMLBGAME-27MAY081310BOSSTLG1";
    let two = "KXMLBGAME-27MAY081815BOSSTLG2";
    let markets = json!([
        market(&format!("{two}-STL"), "0.4700", "0.5300", "0.5000"),
        market(&format!("{one}-BOS"), "0.5600", "0.5800", "0.5700"),
        market(&format!("{two}-BOS"), "0.0000", "1.0000", "0.0000"),
        market(&format!("{one}-STL"), "0.0000", "0.4400", "0.4300"),
    ]);
    let read = games(Sport::Mlb, markets).await;
    let expected = [
        "2027-05-08 13:10 1 boston_red_sox 0.57 st_louis_cardinals 0.43",
        "2027-05-08 18:15 2 boston_red_sox - st_louis_cardinals 0.5",
    ];
    assert_eq!(read.iter().map(game_line).collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn cents_replace_missing_dollars_and_numbers_are_parsed_like_texts() {
    let ticker = |team: &str| format!("KXNHLGAME-26SEP19VGKLA-{team}");
    let markets = json!([
        { "ticker": ticker("VGK"), "status": "open", "yes_bid": 41, "yes_ask": 44, "last_price": 40 },
        { "ticker": ticker("LA"), "status": "active", "yes_bid_dollars": 0.565, "yes_ask_dollars": 0.575, "yes_bid": 1, "yes_ask": 2 },
    ]);
    let read = games(Sport::Nhl, markets).await;
    assert_eq!(game_line(&read[0]), "2026-09-19 - - vegas_golden_knights 0.425 los_angeles_kings 0.57");
}

#[tokio::test]
async fn a_market_that_does_not_trade_is_listed_without_a_price() {
    for status in ["initialized", "inactive", "closed", "determined", "disputed", "amended", "finalized", "settled", ""]
    {
        let mut closed = market("KXNBAGAME-26NOV19UTAGSW-GSW", "0.60", "0.62", "0.61");
        closed["status"] = status.into();
        let open = market("KXNBAGAME-26NOV19UTAGSW-UTA", "0.38", "0.40", "0.39");
        let read = games(Sport::Nba, json!([closed, open])).await;
        assert_eq!(game_line(&read[0]), "2026-11-19 - - utah_jazz 0.39 golden_state_warriors -", "{status}");
    }
}

#[tokio::test]
async fn listings_other_than_game_winners_of_the_league_are_left_out() {
    let odd = |ticker: &str| market(ticker, "0.50", "0.52", "0.51");
    let markets = json!([
        odd("KXNFLSPREAD-26OCT08TBDAL-DAL3"),
        odd("KXNFLGAMES-26OCT08TBDAL-DAL"),
        odd("KXMLBGAME-26JUL261335AZWSH-AZ"),
        odd("KXNFLGAME-26OCT08XXDAL-DAL"),
        odd("KXNFLGAME-26OCT08TBDAL-TIE"),
        odd("KXNFLGAME-26OCT08AFCNFC-AFC"),
        odd(""),
        { "status": "active" },
    ]);
    assert_eq!(games(Sport::Nfl, markets).await, []);
}

#[tokio::test]
async fn an_invalid_market_does_not_affect_the_others() {
    let dallas = market("KXNFLGAME-26OCT08TBDAL-DAL", "0.50", "0.52", "0.51");
    let without = |field: &str| {
        let mut market = market("KXNFLGAME-26OCT08TBDAL-TB", "0.50", "0.52", "0.51");
        market[field] = Value::Null;
        market
    };
    for odd in [without("ticker"), without("status"), json!(null), json!("a market"), json!(7)] {
        let read = games(Sport::Nfl, json!([odd, dallas])).await;
        assert_eq!(game_line(&read[0]), "2026-10-08 - - tampa_bay_buccaneers - dallas_cowboys 0.51", "{odd}");
    }
}

#[tokio::test]
async fn an_invalid_amount_does_not_affect_the_others() {
    let game = |team: &str| format!("KXNFLGAME-26OCT08TBDAL-{team}");
    let markets = json!([
        { "ticker": game("TB"), "status": "active", "yes_bid_dollars": null, "yes_ask_dollars": {}, "last_price_dollars": "0.3" },
        { "ticker": game("DAL"), "status": "active", "yes_bid_dollars": "a lot", "last_price_dollars": [1] },
    ]);
    let read = games(Sport::Nfl, markets).await;
    assert_eq!(game_line(&read[0]), "2026-10-08 - - tampa_bay_buccaneers 0.3 dallas_cowboys -");
}
