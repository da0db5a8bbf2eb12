use serde_json::Value;
use sports_domain::{AmericanPrice, Probability, TwoWayPrices, expected_value, rounded};

use crate::python;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn price(value: &Value) -> AmericanPrice {
    let raw = value.as_i64().and_then(|raw| i32::try_from(raw).ok()).expect("a whole number");
    AmericanPrice::new(raw).expect("a price")
}

fn alike(ours: f64, theirs: &Value) -> bool {
    (ours - number(theirs)).abs() <= 1e-9 * number(theirs).abs().max(1.0)
}

#[test]
fn odds_equal_those_of_odds_tools() {
    let Some(opinion) = python::answer("odds.py", "odds_tools", &[]) else { return };
    let rows = |name: &str| opinion[name].as_array().expect("rows").clone();
    for row in rows("break_even") {
        assert!(alike(price(&row[0]).break_even(), &row[1]), "{row}");
    }
    for row in rows("no_vig") {
        let prices = TwoWayPrices { positive: Some(price(&row[0])), negative: Some(price(&row[1])) };
        assert!(alike(prices.no_vig().expect("both are priced").get(), &row[2]), "{row}");
    }
    for row in rows("expected_value") {
        let probability = Probability::new(number(&row[0])).expect("a probability");
        assert!(alike(expected_value(probability, price(&row[1])), &row[2]), "{row}");
    }
    assert_eq!(rows("no_vig").len(), 26 * 26);
}

/// 110 risked to win 100 breaks even at 110 wins in 210.
#[test]
fn minus_110_breaks_even_at_0_523810() {
    let price = AmericanPrice::new(-110).expect("a price");
    assert!((rounded(price.break_even(), 6) - 0.523_810).abs() < f64::EPSILON);
    assert!((price.break_even() - 110.0 / 210.0).abs() < 1e-15);
}
