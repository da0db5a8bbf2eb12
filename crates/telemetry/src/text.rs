//! Fast writers of short texts: they append pieces without the formatter of the standard library, which takes several times
//! as long.

use chrono::{DateTime, Utc};

/// Appends texts.
pub fn put(text: &mut Vec<u8>, parts: &[&str]) {
    for part in parts {
        text.extend_from_slice(part.as_bytes());
    }
}

/// Appends a number, padded with zeros to `at_least` digits.
pub fn put_digits(text: &mut Vec<u8>, mut number: u64, at_least: usize) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    while number > 0 || digits.len() - first < at_least {
        first -= 1;
        digits[first] = b"0123456789"[(number % 10) as usize];
        number /= 10;
    }
    text.extend_from_slice(&digits[first..]);
}

/// The text of an instant to the second. It is formatted once for all instants of the same second.
#[derive(Debug)]
pub struct SecondText {
    format: &'static str,
    second: i64,
    text: String,
}

impl SecondText {
    /// Creates a text in a format of chrono.
    pub const fn new(format: &'static str) -> Self {
        Self { format, second: i64::MIN, text: String::new() }
    }

    /// Returns the text of an instant.
    pub fn at(&mut self, instant: DateTime<Utc>) -> &str {
        if self.second != instant.timestamp() {
            self.second = instant.timestamp();
            self.text = instant.format(self.format).to_string();
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_at_least_the_requested_digits() {
        for (number, at_least, expected) in
            [(0, 1, "0"), (0, 3, "000"), (42, 1, "42"), (42, 6, "000042"), (u64::MAX, 1, "18446744073709551615")]
        {
            let mut text = b"=".to_vec();
            put_digits(&mut text, number, at_least);
            assert_eq!(text, format!("={expected}").into_bytes());
        }
    }

    #[test]
    fn a_second_text_follows_its_instant() {
        let mut text = SecondText::new("%M:%S");
        let texts = [0, 999, 1000, 61_000, 999]
            .map(|millis| text.at(DateTime::from_timestamp_millis(millis).expect("an instant")).to_owned());
        assert_eq!(texts, ["00:00", "00:00", "00:01", "01:01", "00:00"]);
    }
}
