use chrono::{DateTime, Utc};
use sports_domain::Sport;

use crate::{CustomerId, Dataset, Product};

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
    use crate::testing::{an_entitlement, second};

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
