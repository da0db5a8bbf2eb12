use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_domain::Sport;

/// A file of historical data that customers buy: one file of a product for one league.
///
/// Product, league and file name identify it; the object is its current content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// The product it belongs to.
    pub product: Product,
    /// The league it is about.
    pub sport: Sport,
    /// The name under which it is saved.
    pub file_name: FileName,
    /// The hash of its content, which names it in the store.
    pub object: ObjectHash,
    /// The size of the content, in bytes.
    pub bytes: u64,
    /// The time at which this content was added.
    pub added_at: DateTime<Utc>,
}

impl Dataset {
    /// Returns `true` if both datasets have the same product, league and file name, so that one replaces the other.
    pub fn has_place_of(&self, other: &Self) -> bool {
        (&self.product, self.sport, &self.file_name) == (&other.product, other.sport, &other.file_name)
    }
}

/// The name under which a set of datasets is sold: 1 to 64 lower-case letters, digits, `-` and `_`, a letter or digit first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Product(String);

/// A text that is not a valid product name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a product: it is 1 to {longest} lower-case letters, digits, - and _, a letter or digit first",
    longest = Product::LONGEST
)]
pub struct NotAProduct(pub String);

/// The name of a downloaded file: 1 to 128 letters, digits, `.`, `-` and `_`, no `.` in front.
///
/// A file name is written into links and headers unchanged: it needs no quoting there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileName(String);

/// A text that is not a valid name of a downloaded file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be the name of a dataset's file: it is 1 to {longest} letters, digits, . - and _, no . in front",
    longest = FileName::LONGEST
)]
pub struct NotAFileName(pub String);

impl Product {
    /// The maximum length of a product name, in characters.
    pub const LONGEST: usize = 64;

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Product {
    type Err = NotAProduct;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let symbol = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let starts = text.bytes().next().is_some_and(symbol);
        let fits =
            starts && text.len() <= Self::LONGEST && text.bytes().all(|byte| symbol(byte) || b"-_".contains(&byte));
        if fits { Ok(Self(text.to_owned())) } else { Err(NotAProduct(text.to_owned())) }
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FileName {
    /// The maximum length of a file name, in characters.
    pub const LONGEST: usize = 128;

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FileName {
    type Err = NotAFileName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let symbol = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        let fits = (1..=Self::LONGEST).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(symbol);
        if fits { Ok(Self(text.to_owned())) } else { Err(NotAFileName(text.to_owned())) }
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_a_lower_case_word() {
        for good in ["historical-odds", "a", "2024_archive", &"x".repeat(64)] {
            let product: Product = good.parse().expect(good);
            assert_eq!((product.as_str(), product.to_string().as_str()), (good, good));
        }
        for bad in ["", "Odds", "-odds", "_odds", "odds history", "odds/nfl", "ödds", &"x".repeat(65)] {
            assert_eq!(bad.parse::<Product>(), Err(NotAProduct(bad.to_owned())));
        }
    }

    #[test]
    fn a_file_name_stays_in_its_folder_and_needs_no_quoting() {
        for good in ["nfl.csv", "NFL-odds_2023-24.csv.gz", "a", &"x".repeat(128)] {
            let name: FileName = good.parse().expect(good);
            assert_eq!((name.as_str(), name.to_string().as_str()), (good, good));
        }
        for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "a b.csv", "a\"b", "é.csv", "a\nb", &"x".repeat(129)] {
            assert_eq!(bad.parse::<FileName>(), Err(NotAFileName(bad.to_owned())));
        }
    }
}
