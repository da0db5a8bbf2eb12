use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;

/// An amount of memory, written as a whole number and a unit: `512MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(u64);

const NOT_A_BYTE_SIZE: FormError = FormError::fixed("a size is a whole number and one of B, KiB, MiB, GiB");

impl ByteSize {
    const UNITS: [(&str, u64); 4] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

    /// Creates a size of this many mebibytes.
    pub const fn mib(mebibytes: u32) -> Self {
        Self((mebibytes as u64) << 20)
    }

    /// Returns the size in bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for ByteSize {
    type Err = FormError;

    /// Parses a number with a unit in any letter case, with or without a space between them; a number alone is in
    /// bytes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let unit = match unit.trim_start() {
            "" => 1,
            unit => Self::UNITS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).ok_or(NOT_A_BYTE_SIZE)?.1,
        };
        let number: u64 = number.parse().map_err(|_| NOT_A_BYTE_SIZE)?;
        number.checked_mul(unit).map(Self).ok_or(NOT_A_BYTE_SIZE)
    }
}

impl fmt::Display for ByteSize {
    /// Formats the size in the largest unit that needs no fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |(_, unit): &(&str, u64)| self.0 >= *unit && self.0.is_multiple_of(*unit);
        let (name, unit) = Self::UNITS.into_iter().find(whole).unwrap_or(("B", 1));
        write!(f, "{}{name}", self.0 / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_unit_and_written_in_the_largest_whole_one() {
        let table = [
            ("0", 0, "0B"),
            ("512", 512, "512B"),
            ("1024", 1024, "1KiB"),
            ("1536KiB", 1536 * 1024, "1536KiB"),
            ("64MiB", 64 << 20, "64MiB"),
            ("64 mib", 64 << 20, "64MiB"),
            ("1024MiB", 1 << 30, "1GiB"),
        ];
        for (text, bytes, written) in table {
            let size: ByteSize = text.parse().expect(text);
            assert_eq!((size.bytes(), size.to_string().as_str()), (bytes, written), "{text}");
            assert_eq!(size.to_string().parse(), Ok(size));
        }
    }

    #[test]
    fn anything_else_is_no_size() {
        for text in ["", "MiB", "1.5GiB", "-1", "64MB ", "64 parsecs", "99999999999GiB"] {
            assert_eq!(text.parse::<ByteSize>(), Err(NOT_A_BYTE_SIZE), "{text}");
        }
    }
}
