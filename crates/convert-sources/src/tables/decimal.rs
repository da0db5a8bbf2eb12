use std::cmp::Ordering;
use std::fmt;

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

    fn read(text: &str) -> Option<String> {
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
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "-", ".", "1,5", "1.2.3", "pk", "NaN", "inf", "1e99", "1e", "3.5½", "0x1", "1_000"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(
            Decimal::parse("-1,91", DecimalMark::Comma).map(|number| number.to_string()).as_deref(),
            Some("-1.91")
        );
    }

    #[test]
    fn a_number_longer_than_any_spreadsheet_has_is_refused() {
        assert_eq!(read(&"9".repeat(60)), None);
        assert_eq!(read(&format!("0.{}1", "0".repeat(40))), None);
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
