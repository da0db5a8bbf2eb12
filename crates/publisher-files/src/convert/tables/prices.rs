use std::cmp::Ordering;
use std::fmt;

use sports_domain::AmericanPrice;

use super::field::{Misread, OddsForm, Reading};
use crate::american_price;
use crate::cells::LARGEST_PRICE;
use crate::remedy;

/// The largest number that is rather decimal odds than a mistyped American price.
const LARGEST_DECIMAL: i128 = 50;

/// Converts odds to an American price.
pub(crate) fn price(text: &str, form: OddsForm, mark: DecimalMark) -> Reading<i32> {
    let price = converted(text, form, mark);
    price.map(|price| Some(price).filter(|price| *price != 0)).ok_or_else(|| {
        let hint = if form == OddsForm::American { other_form(text, mark) } else { american_hint(text, mark) };
        let hint = hint.or_else(|| of_favourite(text, form, mark)).or_else(|| remedy::number(text));
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
    let is_price = AmericanPrice::new(price).is_ok() && price.unsigned_abs() <= LARGEST_PRICE;
    (price == 0 || is_price).then_some(price)
}

/// Returns the form in which a text that is no American price would be odds, with the price; or that it may be a line.
fn other_form(text: &str, mark: DecimalMark) -> Option<String> {
    let number = Decimal::parse(text, mark);
    let (form, name, word) = match number {
        None => (OddsForm::Fractional, "fractional odds", "fractional"),
        Some(number) if number.is_within(0, 1) => (OddsForm::Probability, "a probability", "probability"),
        Some(_) => (OddsForm::Decimal, "decimal odds", "decimal"),
    };
    let is_plausible = number.is_none_or(|number| number.is_within(0, LARGEST_DECIMAL));
    let price = converted(text, form, mark).filter(|_| is_plausible);
    let odds = price.map(|price| format!("{name}? {price:+}, with is = \"{word}\""));
    let line = number.filter(|number| remedy::may_be_line(number.approximate()));
    let line = line.map(|_| "a line? prices are 100 or more in size".to_owned());
    match (odds, line) {
        (Some(odds), Some(line)) => Some(format!("{odds}; or {line}")),
        (odds, line) => odds.or(line),
    }
}

/// Returns a hint if a text that is not odds of the form is an American price or a fractional one.
fn american_hint(text: &str, mark: DecimalMark) -> Option<String> {
    let is_price = text.starts_with(['+', '-']) && american(text, mark).is_some_and(|price| price != 0);
    if is_price {
        return Some("American odds? is = \"american\"".to_owned());
    }
    Some(format!("fractional odds? {:+}, with is = \"fractional\"", american_price(fraction(text, mark)?)?))
}

/// Returns a hint if a text is odds with the letter that marks a favourite, such as `EvensF` and `4/5F`.
fn of_favourite(text: &str, form: OddsForm, mark: DecimalMark) -> Option<String> {
    let odds = text.strip_suffix(['F', 'f'])?;
    let price = converted(odds, form, mark).or_else(|| american_price(fraction(odds, mark)?))?;
    Some(format!("{price:+}? the F marks a favourite"))
}

/// Returns the profit of a stake of one at fractional odds.
fn fraction(text: &str, mark: DecimalMark) -> Option<f64> {
    let (won, staked) = text.split_once('/')?;
    let number =
        |text: &str| Decimal::parse(text.trim(), mark).map(Decimal::approximate).filter(|number| *number > 0.0);
    Some(number(won)? / number(staked)?)
}

/// The largest number of significant digits: enough for every number of a spreadsheet, and far from an overflow.
const MOST_DIGITS: u32 = 30;

/// The largest number of decimal places.
const MOST_PLACES: i32 = 30;

/// A decimal number without rounding: `digits` divided by ten to the power of `places`.
///
/// Signs, complements and percentages are computed on the written digits, so that 48.13 % is 0.4813 and not a binary
/// neighbour of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal {
    digits: i128,
    places: u32,
}

/// The character between whole number and fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum DecimalMark {
    #[default]
    Point,
    /// A comma or a point: spreadsheets that separate cells by semicolons write `1,91`.
    Comma,
}

impl Decimal {
    /// Parses a number such as `-3.5`, `+110`, `3½` or `5e-05`.
    pub(crate) fn parse(text: &str, mark: DecimalMark) -> Option<Self> {
        let (text, is_negative) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (rest, true),
            None => (text.strip_prefix('+').unwrap_or(text), false),
        };
        let (text, has_half) = text.strip_suffix('½').map_or((text, false), |rest| (rest, true));
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = match mantissa.split_once(|c| c == '.' || (c == ',' && mark == DecimalMark::Comma)) {
            Some((whole, fraction)) => (whole, fraction),
            None => (mantissa, if has_half { "5" } else { "" }),
        };
        if (whole.is_empty() && fraction.is_empty()) || (has_half && mantissa.len() != whole.len()) {
            return None;
        }
        let digits = whole.bytes().chain(fraction.bytes()).try_fold(0_i128, |digits, byte| {
            let fits = byte.is_ascii_digit() && digits < 10_i128.pow(MOST_DIGITS);
            fits.then(|| digits * 10 + i128::from(byte - b'0'))
        })?;
        let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        Self::scaled(if is_negative { -digits } else { digits }, places)
    }

    fn scaled(digits: i128, places: i32) -> Option<Self> {
        if digits == 0 {
            return Some(Self { digits, places: 0 });
        }
        match u32::try_from(places) {
            Ok(places) => (places <= MOST_PLACES.unsigned_abs()).then_some(Self { digits, places }),
            Err(_) if places < -MOST_PLACES => None,
            Err(_) => Some(Self { digits: digits.checked_mul(10_i128.pow(places.unsigned_abs()))?, places: 0 }),
        }
    }

    pub(crate) const ZERO: Self = Self { digits: 0, places: 0 };

    pub(crate) const fn is_zero(self) -> bool {
        self.digits == 0
    }

    pub(crate) const fn negated(self) -> Self {
        Self { digits: -self.digits, ..self }
    }

    pub(crate) const fn absolute(self) -> Self {
        Self { digits: self.digits.abs(), ..self }
    }

    /// Returns the number divided by 100.
    pub(crate) const fn of_percent(self) -> Self {
        Self { places: self.places + 2, ..self }
    }

    /// Returns one minus the number.
    pub(crate) const fn complement(self) -> Self {
        Self { digits: 10_i128.pow(self.places) - self.digits, ..self }
    }

    /// Returns the number if it has no fraction.
    pub(crate) fn whole(self) -> Option<i64> {
        let unit = 10_i128.pow(self.places);
        (self.digits % unit == 0).then(|| i64::try_from(self.digits / unit).ok())?
    }

    /// Returns the nearest binary number.
    pub(crate) fn approximate(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Compares with a whole number.
    pub(crate) const fn is_within(self, low: i128, high: i128) -> bool {
        let unit = 10_i128.pow(self.places);
        low * unit <= self.digits && self.digits <= high * unit
    }

    pub(crate) fn compared(self, other: Self) -> Ordering {
        let places = self.places.max(other.places);
        let aligned = |number: Self| number.digits.checked_mul(10_i128.pow(places - number.places));
        match (aligned(self), aligned(other)) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => self.approximate().total_cmp(&other.approximate()),
        }
    }
}

impl fmt::Display for Decimal {
    /// Formats the number without trailing zeros after the point.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut digits, mut places) = (self.digits.unsigned_abs(), self.places);
        while places > 0 && digits.is_multiple_of(10) {
            (digits, places) = (digits / 10, places - 1);
        }
        let sign = if self.digits < 0 { "-" } else { "" };
        let unit = 10_u128.pow(places);
        match places {
            0 => write!(f, "{sign}{digits}"),
            _ => write!(f, "{sign}{}.{:0width$}", digits / unit, digits % unit, width = places as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
            ("4/5", OddsForm::Decimal, Some("fractional odds? -125, with is = \"fractional\"")),
            ("EvensF", OddsForm::Decimal, Some("+100? the F marks a favourite")),
            ("4/5F", OddsForm::Decimal, Some("-125? the F marks a favourite")),
            (
                "7.5",
                OddsForm::American,
                Some("decimal odds? +650, with is = \"decimal\"; or a line? prices are 100 or more in size"),
            ),
            ("-3.5", OddsForm::American, Some("a line? prices are 100 or more in size")),
            ("-1,100", OddsForm::American, Some("-1100; a thousands separator is not read")),
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

    fn parsed(text: &str) -> Option<String> {
        Decimal::parse(text, DecimalMark::Point).map(|number| number.to_string())
    }

    #[test]
    fn numbers_of_spreadsheets_are_read_without_rounding() {
        for (text, expected) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("907.0", "907"),
            ("+110", "110"),
            ("\u{2212}3.50", "-3.5"),
            ("3½", "3.5"),
            ("½", "0.5"),
            (".5", "0.5"),
            ("7.", "7"),
            ("5e-05", "0.00005"),
            ("1.5E3", "1500"),
            ("0.48130000000000006", "0.48130000000000006"),
        ] {
            assert_eq!(parsed(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "-", ".", "1,5", "1.2.3", "pk", "NaN", "inf", "1e99", "1e", "3.5½", "0x1", "1_000"] {
            assert_eq!(parsed(text), None, "{text}");
        }
        assert_eq!(
            Decimal::parse("-1,91", DecimalMark::Comma).map(|number| number.to_string()).as_deref(),
            Some("-1.91")
        );
    }

    #[test]
    fn a_number_longer_than_any_spreadsheet_has_is_refused() {
        assert_eq!(parsed(&"9".repeat(60)), None);
        assert_eq!(parsed(&format!("0.{}1", "0".repeat(40))), None);
    }

    proptest! {
        /// A number is written as it was read, and percentages and complements keep every digit.
        #[test]
        fn arithmetic_is_exact(digits in -9_999_999_i64..9_999_999, places in 0_u32..7) {
            let number = Decimal { digits: digits.into(), places };
            let again = Decimal::parse(&number.to_string(), DecimalMark::Point).expect("a number");
            prop_assert_eq!(again.compared(number), Ordering::Equal);
            prop_assert_eq!(number.complement().complement().compared(number), Ordering::Equal);
            prop_assert_eq!(number.negated().negated().compared(number), Ordering::Equal);
            let percent = number.of_percent().approximate();
            prop_assert!((percent * 100.0 - number.approximate()).abs() < 1e-6);
        }
    }
}
