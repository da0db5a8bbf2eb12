//! Rows as the tables hold them, and the way from and to the domain.

pub(crate) mod api_key;
pub(crate) mod audit_entry;
pub(crate) mod customer;
pub(crate) mod daily_calls;
pub(crate) mod dataset;
pub(crate) mod dataset_refresh;
pub(crate) mod entitlement;
pub(crate) mod lease;
pub(crate) mod process_count;
pub(crate) mod refresh_answer;
pub(crate) mod secret;
pub(crate) mod usage_count;
pub(crate) mod webhook;
pub(crate) mod webhook_cursor;
pub(crate) mod webhook_delivery;

/// The error of a row with a column that no longer reads as its type.
pub(crate) type Unreadable = Box<dyn std::error::Error + Send + Sync>;
