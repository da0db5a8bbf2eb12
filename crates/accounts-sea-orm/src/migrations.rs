//! The tables, one step after another. A step that has been released is never edited: add another.

mod columns;
mod m0001_customers_and_keys;
mod m0002_usage_and_datasets;
mod m0003_process_counts;
mod m0004_node_settings;
mod m0005_key_scopes_and_audit_log;
mod step;

pub(crate) use step::Step;

/// The number of steps, which identifies the form of the tables.
pub const STEPS: usize = 5;

/// Every step, oldest first.
pub(crate) const ALL: [Step; STEPS] = [
    m0001_customers_and_keys::STEP,
    m0002_usage_and_datasets::STEP,
    m0003_process_counts::STEP,
    m0004_node_settings::STEP,
    m0005_key_scopes_and_audit_log::STEP,
];
