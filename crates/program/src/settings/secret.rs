use std::collections::HashSet;
use std::fmt;

use sports_domain::FormError;

/// A secret of at least 32 bytes that is hard to guess. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The minimum length in bytes.
    pub const SHORTEST: usize = 32;

    /// The minimum of the estimated entropy, in bits.
    pub const BITS: u32 = 128;

    /// Creates a secret from a text.
    ///
    /// # Errors
    ///
    /// [`FormError`], the expected form, if the text has fewer than [`SHORTEST`](Self::SHORTEST) bytes, or repeats itself so much, or has so few
    /// different characters, that its entropy is estimated below [`BITS`](Self::BITS).
    pub fn new(text: &str) -> Result<Self, FormError> {
        let bits = estimated_bits(text);
        match text.len() {
            ..Self::SHORTEST => Err(FormError::new(format!(
                "at least {} characters that cannot be guessed, such as those of `openssl rand -hex 32`",
                Self::SHORTEST
            ))),
            _ if bits < Self::BITS => Err(FormError::new(format!(
                "characters that cannot be guessed, such as those of `openssl rand -hex 32`; this text is worth about {bits} of {} bits",
                Self::BITS
            ))),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// Returns the secret, for signing.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Estimates the entropy of a text. Characters that continue a run (`aaa`, `456`, `cba`) or repeat four characters of the
/// text count nothing. Each other one is drawn from the letters, digits or signs of which the text has some, but from at
/// most twice as many characters as the text has different ones: a random text shows over half of a small alphabet.
fn estimated_bits(text: &str) -> u32 {
    let symbols: Vec<u32> = text.chars().map(u32::from).collect();
    let mut seen = HashSet::new();
    let is_new = |end: &usize| {
        let window = &symbols[end.saturating_sub(3)..=*end];
        let repeats = window.len() == 4 && !seen.insert(window);
        let continues = matches!(window, [.., first, second, third]
            if third.wrapping_sub(*second) == second.wrapping_sub(*first)
                && second.wrapping_sub(*first).wrapping_add(1) <= 2);
        !(repeats || continues)
    };
    let new = (0..symbols.len()).filter(is_new).count();
    let classes: HashSet<_> = text.chars().map(class).collect();
    let alphabet: u32 = classes.iter().map(|(_, size)| size).sum();
    let different = symbols.iter().collect::<HashSet<_>>().len();
    let choices = f64::from(alphabet).min(2.0 * f64::from(u32::try_from(different).unwrap_or(u32::MAX)));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "above zero, and saturating")]
    let bits = (f64::from(u32::try_from(new).unwrap_or(u32::MAX)) * choices.max(1.0).log2()) as u32;
    bits
}

/// Returns one of a character's kind, and the number of characters of that kind.
const fn class(symbol: char) -> (char, u32) {
    match symbol {
        '0'..='9' => ('0', 10),
        'a'..='z' => ('a', 26),
        'A'..='Z' => ('A', 26),
        '\0'..='\u{7f}' => ('!', 33),
        _ => ('é', 100),
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(*****)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_texts_of_128_bits_are_secrets() {
        for text in [
            "9f86d081884c7d659a2feaa0c55ad015",
            "0b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfe",
            "kR7vQ2mX9pL4tY8wZ1cB5nD3hF6jG0sA",
            "MDEyZm9yIHRoZSByZWNvcmQsIGEgcmFuZG9t",
            "thirty-two characters or more, all of them secret",
        ] {
            assert!(Secret::new(text).is_ok(), "{text}: {}", estimated_bits(text));
        }
    }

    #[test]
    fn texts_that_repeat_or_count_are_no_secrets() {
        for text in [
            &"a".repeat(500),
            &"ab".repeat(40),
            &"changeme".repeat(4),
            &"secret-".repeat(6),
            &"0123456789".repeat(4),
            "abcdefghijklmnopqrstuvwxyz012345",
            "zyxwvutsrqponmlkjihgfedcba987654",
            "0110100101011010111010001011001010100111",
            // 32 random digits have 106 bits.
            "52709318446120975530817264953018",
            "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbcccccccc",
            &"\u{1f512}".repeat(40),
        ] {
            let refused = Secret::new(text).map(drop).expect_err(text).to_string();
            assert!(refused.contains("this text is worth about"), "{refused}");
        }
        let refused = Secret::new("hunter2").map(drop).expect_err("short").to_string();
        assert!(refused.starts_with("at least 32 characters"), "{refused}");
    }
}
