use chrono::{DateTime, TimeDelta, Utc};
use sports_content::ObjectHash;
use sports_domain::Sport;

use crate::{CustomerId, Dataset, FileName, Product};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{a_customer, a_dataset, second};

    #[test]
    fn a_link_lives_for_fifteen_minutes_in_whole_seconds() {
        let end = |now| Download::for_customer(&a_dataset().build(), a_customer().build().id, now).expires_at;
        assert_eq!(end(second(0)), second(900));
        assert_eq!(end(second(0) + TimeDelta::microseconds(1)), second(901));
    }
}
