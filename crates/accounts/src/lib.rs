#![doc = include_str!("../README.md")]

mod api_key;
mod base62;
mod customer;
mod customer_id;
mod email;
mod key_digest;
mod key_record;
mod key_selector;
mod label;
mod masked_key;
mod plan;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use api_key::{ApiKey, NotAKey};
pub use customer::Customer;
pub use customer_id::{CustomerId, NotACustomerId};
pub use email::{Email, NotAnEmail};
pub use key_digest::{KeyDigest, NotADigest};
pub use key_record::{KeyRecord, MAX_ACTIVE_KEYS};
pub use key_selector::{KeySelector, NotASelector, NotSelected, select};
pub use label::{CustomerName, KeyName, NotACustomerName, NotAKeyName};
pub use masked_key::{MaskedKey, NotAMask};
pub use plan::{Plan, SubscriptionStatus, Tier, UnknownPlan};
