use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;

/// The unique id of a process that counts calls: 64 random bits, written as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId(u64);

fn not_a_process_id(text: &str) -> FormError {
    FormError::new(format!("`{text}` is not the id of a process: it is 16 lower-case hexadecimal digits"))
}

impl ProcessId {
    /// Creates the id from random bytes.
    pub const fn from_random(random: [u8; 8]) -> Self {
        Self(u64::from_be_bytes(random))
    }

    /// Returns one of the ids of a process that needs several.
    pub const fn numbered(self, number: u64) -> Self {
        Self(self.0.wrapping_add(number))
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for ProcessId {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = u64::from_str_radix(text, 16).map(Self).ok();
        id.filter(|id| id.to_string() == text).ok_or_else(|| not_a_process_id(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_back_and_other_texts_are_refused() {
        let id = ProcessId::from_random([0, 0, 0, 0, 0, 0, 0xab, 1]);
        assert_eq!(id.to_string(), "000000000000ab01");
        assert_eq!("000000000000ab01".parse(), Ok(id));
        for text in ["", "ab01", "000000000000AB01", "+00000000000ab01", "000000000000ab011", "000000000000ab0g"] {
            assert_eq!(text.parse::<ProcessId>(), Err(not_a_process_id(text)));
        }
    }
}
