#![doc = include_str!("../README.md")]

mod api_key;
mod base62;
mod calendar_month;
mod caller_network;
mod customer;
mod customer_id;
mod dataset;
mod download;
mod email;
mod entitlement;
mod hidden_keys;
mod key_digest;
mod key_record;
mod key_selector;
mod label;
mod limits;
mod masked_key;
mod plan;
mod process_id;
mod quota_status;
mod refresh_allowance;
mod sliding_second;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use api_key::{ApiKey, NotAKey};
pub use calendar_month::{CalendarMonth, NotAMonth};
pub use caller_network::CallerNetwork;
pub use customer::Customer;
pub use customer_id::{CustomerId, NotACustomerId};
pub use dataset::{Dataset, FileName, NotAFileName, NotAProduct, Product};
pub use download::{Download, LINK_LIFETIME};
pub use email::{Email, NotAnEmail};
pub use entitlement::{Entitlement, Ownership};
pub use hidden_keys::hide_keys;
pub use key_digest::{KeyDigest, NotADigest};
pub use key_record::{KeyRecord, MAX_ACTIVE_KEYS};
pub use key_selector::{KeySelector, NotASelector, NotSelected, select};
pub use label::{CustomerName, KeyName};
pub use limits::Limits;
pub use masked_key::{MaskedKey, NotAMask};
pub use plan::{Plan, SubscriptionStatus, Tier, UnknownPlan};
pub use process_id::{NotAProcessId, ProcessId};
pub use quota_status::QuotaStatus;
pub use refresh_allowance::{REFRESHES_A_MONTH, RefreshAllowance};
pub use sliding_second::{SlidingSecond, TakenSlot};
