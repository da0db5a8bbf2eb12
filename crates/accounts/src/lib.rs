#![doc = include_str!("../README.md")]

mod api_key;
mod calendar_month;
mod customer;
mod customer_id;
mod dataset;
mod hidden_keys;
mod key_record;
mod key_selector;
mod networks;
mod plan;
mod process_id;
mod sliding_second;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod upload_token;
mod webhook;

pub use api_key::{ApiKey, KeyDigest, MaskedKey};
pub use calendar_month::CalendarMonth;
pub use customer::{Customer, Email};
pub use customer_id::CustomerId;
pub use dataset::{Dataset, Download, Entitlement, FileName, IdempotencyKey, LINK_LIFETIME, Ownership, Product};
pub use hidden_keys::{expect_no_key, has_key, hide_keys};
pub use key_record::{Actor, AuditEntry, CustomerName, KeyName, KeyRecord, KeyScope, KeyUse, MAX_ACTIVE_KEYS};
pub use key_selector::{KeySelector, NotSelected, select};
pub use networks::{CallerNetwork, ClientNetwork, Networks};
pub use plan::{Limits, Plan, QuotaStatus, REFRESHES_A_MONTH, RefreshAllowance, SubscriptionStatus, Tier};
pub use process_id::ProcessId;
pub use sliding_second::{SlidingSecond, TakenSlot};
pub use upload_token::{UploadRight, UploadToken, UploadTokenRecord};
pub use webhook::{
    Attempt, Delivery, Failing, MAX_WEBHOOKS, Webhook, WebhookEvent, WebhookId, WebhookSecret, WebhookUrl,
};
