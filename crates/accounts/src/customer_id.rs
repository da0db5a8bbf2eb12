use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;

const PREFIX: &str = "cus_";

/// Crockford's base 32 in lower case, without the letters that look like `1` or `0`, and without `u`.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The unique id of a customer: `cus_` and 16 characters that encode 80 random bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CustomerId([u8; 10]);

fn not_a_customer_id(text: &str) -> FormError {
    FormError::new(format!(
        "`{text}` is not a customer id: it is {PREFIX} and 16 lower-case letters or digits, without i, l, o and u"
    ))
}

impl CustomerId {
    /// Returns the id made from these random bytes.
    pub const fn from_random(random: [u8; 10]) -> Self {
        Self(random)
    }

    /// Returns the id as text, without an allocation.
    pub fn text(self) -> CustomerIdText {
        let mut text = [0; CustomerIdText::LENGTH];
        text[..PREFIX.len()].copy_from_slice(PREFIX.as_bytes());
        // Five bytes have forty bits, which are eight characters of five bits.
        for (group, text) in self.0.chunks_exact(5).zip(text[PREFIX.len()..].chunks_exact_mut(8)) {
            let bits = group.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            for (place, symbol) in text.iter_mut().rev().enumerate() {
                *symbol = ALPHABET[(bits >> (5 * place) & 0x1f) as usize];
            }
        }
        CustomerIdText(text)
    }
}

/// The text of a [`CustomerId`].
#[derive(Debug, Clone, Copy)]
pub struct CustomerIdText([u8; CustomerIdText::LENGTH]);

impl CustomerIdText {
    const LENGTH: usize = PREFIX.len() + 16;

    pub fn as_str(&self) -> &str {
        // All bytes are in the alphabet, so they are UTF-8.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for CustomerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl FromStr for CustomerId {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.strip_prefix(PREFIX).and_then(decode).map(Self).ok_or_else(|| not_a_customer_id(text))
    }
}

fn decode(text: &str) -> Option<[u8; 10]> {
    let mut values = Vec::with_capacity(16);
    for symbol in text.bytes() {
        values.push(ALPHABET.iter().position(|known| *known == symbol)?);
    }
    if values.len() != 16 {
        return None;
    }
    let mut bytes = [0; 10];
    for (values, bytes) in values.chunks_exact(8).zip(bytes.chunks_exact_mut(5)) {
        let bits = values.iter().try_fold(0_u64, |bits, value| Some((bits << 5) + u64::try_from(*value).ok()?))?;
        bytes.copy_from_slice(&bits.to_be_bytes()[3..]);
    }
    Some(bytes)
}

impl fmt::Debug for CustomerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CustomerId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_as_by_hand_and_read_back() {
        let table = [
            ([0; 10], "cus_0000000000000000"),
            ([0xff; 10], "cus_zzzzzzzzzzzzzzzz"),
            ([0, 0, 0, 0, 1, 0x08, 0, 0, 0, 0], "cus_0000000110000000"),
        ];
        for (random, text) in table {
            let id = CustomerId::from_random(random);
            assert_eq!(id.to_string(), text);
            assert_eq!(text.parse(), Ok(id));
            assert_eq!(format!("{id:?}"), format!("CustomerId({text})"));
        }
    }

    #[test]
    fn anything_else_is_no_id() {
        let table = [
            "",
            "cus_",
            "0000000000000000",
            "cus_000000000000000",
            "cus_00000000000000000",
            "cus_000000000000000o",
            "cus_000000000000000A",
            "cus_00000000000000é",
            "CUS_0000000000000000",
        ];
        for text in table {
            assert_eq!(text.parse::<CustomerId>(), Err(not_a_customer_id(text)));
        }
    }
}
