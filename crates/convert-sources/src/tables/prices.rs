use sports_domain::AmericanPrice;
use sports_releases_folder::american_price;

use crate::tables::decimal::{Decimal, DecimalMark};
use crate::tables::forms::OddsForm;
use crate::tables::misread::{Misread, Reading};

/// The largest distance of a price from zero, as in a release.
const LARGEST: u32 = 1_000_000;
/// The largest number that is rather decimal odds than a mistyped American price.
const LARGEST_DECIMAL: i128 = 50;

/// Converts odds to an American price.
pub(crate) fn price(text: &str, form: OddsForm, mark: DecimalMark) -> Reading<i32> {
    let price = converted(text, form, mark);
    price.map(|price| Some(price).filter(|price| *price != 0)).ok_or_else(|| {
        let hint = if form == OddsForm::American { other_form(text, mark) } else { american_hint(text, mark) };
        Misread::new(expected(form)).with_hint(hint)
    })
}

/// Returns the American price, zero for none; `None` if the text is not odds of the form.
fn converted(text: &str, form: OddsForm, mark: DecimalMark) -> Option<i32> {
    if ["even", "evens", "evs", "ev"].iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Some(100);
    }
    let is_signed = text.starts_with(['+', '-']);
    let profit = match form {
        OddsForm::American => return american(text, mark),
        OddsForm::Decimal => Decimal::parse(text, mark).filter(|_| !is_signed).map(|odds| odds.approximate() - 1.0),
        OddsForm::Fractional => fraction(text, mark),
        OddsForm::Probability => Decimal::parse(text, mark).map(|odds| 1.0 / odds.approximate() - 1.0),
    };
    profit.and_then(american_price)
}

const fn expected(form: OddsForm) -> &'static str {
    match form {
        OddsForm::American => {
            "an American price: a whole number, -100 or less or 100 or more, at most 1000000 either way; 0 or empty for none"
        }
        OddsForm::Decimal => "decimal odds above 1, such as 1.91",
        OddsForm::Fractional => "fractional odds, such as 10/11 or evens",
        OddsForm::Probability => "odds as a probability between 0 and 1, such as 0.524",
    }
}

/// Parses an American price; zero is no price.
fn american(text: &str, mark: DecimalMark) -> Option<i32> {
    let price = i32::try_from(Decimal::parse(text, mark)?.whole()?).ok()?;
    let is_price = AmericanPrice::new(price).is_ok() && price.unsigned_abs() <= LARGEST;
    (price == 0 || is_price).then_some(price)
}

/// Returns the form in which a text that is no American price would be odds, with the price.
fn other_form(text: &str, mark: DecimalMark) -> Option<String> {
    let (form, name, word) = match Decimal::parse(text, mark) {
        None => (OddsForm::Fractional, "fractional odds", "fractional"),
        Some(number) if number.is_within(0, 1) => (OddsForm::Probability, "a probability", "probability"),
        Some(number) if number.is_within(1, LARGEST_DECIMAL) => (OddsForm::Decimal, "decimal odds", "decimal"),
        Some(_) => return None,
    };
    let price = converted(text, form, mark)?;
    Some(format!("{name}? {price:+}, with is = \"{word}\""))
}

/// Returns a hint if a text that is not odds of another form is an American price.
fn american_hint(text: &str, mark: DecimalMark) -> Option<String> {
    let is_price = text.starts_with(['+', '-']) && american(text, mark).is_some_and(|price| price != 0);
    is_price.then(|| "American odds? is = \"american\"".to_owned())
}

/// Returns the profit of a stake of one at fractional odds.
fn fraction(text: &str, mark: DecimalMark) -> Option<f64> {
    let (won, staked) = text.split_once('/')?;
    let number =
        |text: &str| Decimal::parse(text.trim(), mark).map(Decimal::approximate).filter(|number| *number > 0.0);
    Some(number(won)? / number(staked)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, form: OddsForm) -> Option<i32> {
        price(text, form, DecimalMark::Point).expect(text)
    }

    fn refused(text: &str, form: OddsForm) -> Option<String> {
        price(text, form, DecimalMark::Point).expect_err(text).hint
    }

    #[test]
    fn odds_of_every_form_become_american_prices() {
        for (text, form, expected) in [
            ("-110", OddsForm::American, Some(-110)),
            ("+105.0", OddsForm::American, Some(105)),
            ("EVEN", OddsForm::American, Some(100)),
            ("0", OddsForm::American, None),
            ("1.91", OddsForm::Decimal, Some(-110)),
            ("2", OddsForm::Decimal, Some(100)),
            ("1.99999", OddsForm::Decimal, Some(100)),
            ("2.65", OddsForm::Decimal, Some(165)),
            ("10/11", OddsForm::Fractional, Some(-110)),
            ("33/20", OddsForm::Fractional, Some(165)),
            ("evens", OddsForm::Fractional, Some(100)),
            ("0.5238095", OddsForm::Probability, Some(-110)),
            ("0.4", OddsForm::Probability, Some(150)),
            (".5", OddsForm::Probability, Some(100)),
        ] {
            assert_eq!(read(text, form), expected, "{text}");
        }
    }

    #[test]
    fn a_price_in_another_form_is_refused_with_the_form() {
        for (text, form, hint) in [
            ("2.65", OddsForm::American, Some("decimal odds? +165, with is = \"decimal\"")),
            ("10/11", OddsForm::American, Some("fractional odds? -110, with is = \"fractional\"")),
            ("0.4", OddsForm::American, Some("a probability? +150, with is = \"probability\"")),
            ("-99", OddsForm::American, None),
            ("n/a", OddsForm::American, None),
            ("-110", OddsForm::Decimal, Some("American odds? is = \"american\"")),
            ("1", OddsForm::Decimal, None),
            ("0.95", OddsForm::Decimal, None),
            ("1.0000001", OddsForm::Decimal, None),
            ("5/0", OddsForm::Fractional, None),
            ("52.4", OddsForm::Probability, None),
            ("0", OddsForm::Probability, None),
        ] {
            assert_eq!(refused(text, form).as_deref(), hint, "{text}");
        }
    }

    #[test]
    fn every_american_price_survives_decimal_odds_and_probabilities() {
        for american in (-90_000..=-101).chain(100..=90_000) {
            let profit = AmericanPrice::new(american).expect("a price").profit_per_unit();
            assert_eq!(read(&(1.0 + profit).to_string(), OddsForm::Decimal), Some(american));
            assert_eq!(read(&(1.0 / (1.0 + profit)).to_string(), OddsForm::Probability), Some(american));
        }
    }
}
