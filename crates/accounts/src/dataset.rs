use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{FormError, Label, Sport};

use crate::CustomerId;

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

fn not_a_product(text: &str) -> FormError {
    FormError::new(format!(
        "`{text}` is not a product: it is 1 to {} lower-case letters, digits, - and _, a letter or digit first",
        Product::LONGEST
    ))
}

/// The name of a downloaded file: 1 to 128 letters, digits, `.`, `-` and `_`, no `.` in front.
///
/// A file name is written into links and headers unchanged: it needs no quoting there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileName(String);

fn not_a_file_name(text: &str) -> FormError {
    FormError::new(format!(
        "`{text}` cannot be the name of a dataset's file: it is 1 to {} letters, digits, . - and _, no . in front",
        FileName::LONGEST
    ))
}

impl Product {
    /// The maximum length of a product name, in characters.
    pub const LONGEST: usize = 64;

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Product {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let symbol = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let starts = text.bytes().next().is_some_and(symbol);
        let fits =
            starts && text.len() <= Self::LONGEST && text.bytes().all(|byte| symbol(byte) || b"-_".contains(&byte));
        if fits { Ok(Self(text.to_owned())) } else { Err(not_a_product(text)) }
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
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let symbol = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        let fits = (1..=Self::LONGEST).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(symbol);
        if fits { Ok(Self(text.to_owned())) } else { Err(not_a_file_name(text)) }
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name that a customer gives a refresh, so that repeating the request takes no second one.
pub type IdempotencyKey = Label<255>;

/// The time for which a download link is valid.
pub const LINK_LIFETIME: TimeDelta = TimeDelta::minutes(15);

/// The permission that a download link carries: one customer may download one file until it expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    pub customer: CustomerId,
    /// The product of the dataset.
    pub product: Product,
    /// The league of the dataset.
    pub sport: Sport,
    /// The hash of the content.
    pub object: ObjectHash,
    /// The size of the content, in bytes.
    pub bytes: u64,
    /// The name under which the file is saved.
    pub file_name: FileName,
    /// The end of the permission, in whole seconds.
    pub expires_at: DateTime<Utc>,
}

impl Download {
    /// Creates a customer's download of a dataset as it is `now`. It expires [`LINK_LIFETIME`] later, rounded up to a
    /// whole second.
    pub fn for_customer(dataset: &Dataset, customer: CustomerId, now: DateTime<Utc>) -> Self {
        let end = now + LINK_LIFETIME + TimeDelta::nanoseconds(999_999_999);
        Self {
            customer,
            product: dataset.product.clone(),
            sport: dataset.sport,
            object: dataset.object,
            bytes: dataset.bytes,
            file_name: dataset.file_name.clone(),
            expires_at: DateTime::from_timestamp(end.timestamp(), 0).unwrap_or(now),
        }
    }
}

/// A customer's right to one product's datasets of one league.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entitlement {
    /// The customer who holds the entitlement.
    pub customer: CustomerId,
    /// The product of the datasets.
    pub product: Product,
    /// The league of the datasets.
    pub sport: Sport,
    /// The time at which it was granted.
    pub granted_at: DateTime<Utc>,
    /// The instant from which it is not in force; `None` if it does not expire.
    pub expires_at: Option<DateTime<Utc>>,
    /// The time of its revocation, if revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl Entitlement {
    /// Returns `true` if it is in force at `now`: not revoked and not expired.
    pub fn is_in_force(&self, now: DateTime<Utc>) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// Returns `true` if it is for this dataset. Does not check that it is in force.
    pub fn opens(&self, dataset: &Dataset) -> bool {
        (&self.product, self.sport) == (&dataset.product, dataset.sport)
    }
}

/// A customer's entitlements that are in force at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ownership(Vec<Entitlement>);

impl Ownership {
    /// Returns those of a customer's entitlements that are in force at `now`.
    pub fn at(now: DateTime<Utc>, mut entitlements: Vec<Entitlement>) -> Self {
        entitlements.retain(|entitlement| entitlement.is_in_force(now));
        Self(entitlements)
    }

    /// Returns `true` if nothing is owned.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if a product's datasets of a league are owned.
    pub fn covers(&self, product: &Product, sport: Sport) -> bool {
        self.0.iter().any(|held| held.product == *product && held.sport == sport)
    }

    /// Returns the time at which the last entitlement expires; `None` if one never expires, or nothing is owned.
    pub fn expires_at(&self) -> Option<DateTime<Utc>> {
        let ends: Option<Vec<_>> = self.0.iter().map(|held| held.expires_at).collect();
        ends?.into_iter().max()
    }

    /// Returns the products, each once, in alphabetical order.
    pub fn products(&self) -> Vec<&Product> {
        let mut products: Vec<_> = self.0.iter().map(|held| &held.product).collect();
        products.sort();
        products.dedup();
        products
    }

    /// Returns the leagues, each once, in the order of [`Sport::ALL`].
    pub fn sports(&self) -> Vec<Sport> {
        Sport::ALL.into_iter().filter(|sport| self.0.iter().any(|held| held.sport == *sport)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{a_customer, a_dataset, an_entitlement, second};

    #[test]
    fn a_product_is_a_lower_case_word() {
        for good in ["historical-odds", "a", "2024_archive", &"x".repeat(64)] {
            let product: Product = good.parse().expect(good);
            assert_eq!((product.as_str(), product.to_string().as_str()), (good, good));
        }
        for bad in ["", "Odds", "-odds", "_odds", "odds history", "odds/nfl", "ödds", &"x".repeat(65)] {
            assert_eq!(bad.parse::<Product>(), Err(not_a_product(bad)));
        }
    }

    #[test]
    fn a_file_name_stays_in_its_folder_and_needs_no_quoting() {
        for good in ["nfl.csv", "NFL-odds_2023-24.csv.gz", "a", &"x".repeat(128)] {
            let name: FileName = good.parse().expect(good);
            assert_eq!((name.as_str(), name.to_string().as_str()), (good, good));
        }
        for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "a b.csv", "a\"b", "é.csv", "a\nb", &"x".repeat(129)] {
            assert_eq!(bad.parse::<FileName>(), Err(not_a_file_name(bad)));
        }
    }

    #[test]
    fn a_link_lives_for_fifteen_minutes_in_whole_seconds() {
        let end = |now| Download::for_customer(&a_dataset().build(), a_customer().build().id, now).expires_at;
        assert_eq!(end(second(0)), second(900));
        assert_eq!(end(second(0) + TimeDelta::microseconds(1)), second(901));
    }

    #[test]
    fn an_entitlement_is_in_force_before_its_end_and_until_it_is_revoked() {
        let endless = an_entitlement().build();
        let ending = an_entitlement().expiring(second(10)).build();
        let revoked = an_entitlement().revoked(second(5)).build();
        assert!(endless.is_in_force(second(1_000_000)));
        assert!(ending.is_in_force(second(9)) && !ending.is_in_force(second(10)));
        assert!(!revoked.is_in_force(second(4)), "at any time");
    }

    #[test]
    fn ownership_leaves_out_entitlements_that_are_not_in_force() {
        let owned = Ownership::at(
            second(10),
            vec![
                an_entitlement().to("odds", Sport::Nfl).build(),
                an_entitlement().to("odds", Sport::Mlb).expiring(second(20)).build(),
                an_entitlement().to("archive", Sport::Nfl).expiring(second(11)).build(),
                an_entitlement().to("gone", Sport::Nba).expiring(second(10)).build(),
                an_entitlement().to("back", Sport::Nhl).revoked(second(1)).build(),
            ],
        );
        assert_eq!(owned.products().iter().map(|product| product.as_str()).collect::<Vec<_>>(), ["archive", "odds"]);
        assert_eq!(owned.sports(), [Sport::Mlb, Sport::Nfl]);
        let product = |name: &str| name.parse::<Product>().expect("a product");
        assert!(owned.covers(&product("odds"), Sport::Nfl) && owned.covers(&product("archive"), Sport::Nfl));
        assert!(!owned.covers(&product("archive"), Sport::Mlb), "one product's league is not another's");
        assert!(!owned.covers(&product("gone"), Sport::Nba));
    }

    #[test]
    fn ownership_ends_with_its_last_entitlement_unless_one_is_endless() {
        let ending = |at| an_entitlement().expiring(second(at)).build();
        let end = |entitlements| Ownership::at(second(0), entitlements).expires_at();
        assert_eq!(end(vec![ending(5), ending(9), ending(7)]), Some(second(9)));
        assert_eq!(end(vec![ending(5), an_entitlement().build()]), None);
        assert_eq!(end(vec![]), None);
        assert!(Ownership::at(second(9), vec![ending(9)]).is_empty());
        assert!(!Ownership::at(second(8), vec![ending(9)]).is_empty());
    }
}
