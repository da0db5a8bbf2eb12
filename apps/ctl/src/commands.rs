//! One module for each command: it calls a use case and reports the result.

pub mod accounts;
pub mod backup;
pub mod convert;
pub mod customer;
pub mod dataset;
pub mod entitlement;
mod examination;
pub mod exceptions;
pub mod games;
pub mod history;
pub mod key;
pub mod known;
pub mod migrate;
pub mod models;
mod outcome;
pub mod publish;
pub mod record;
pub mod releases;
pub mod restore;
pub mod settle;
mod slate;
pub mod status;
pub mod store;
pub mod template;
pub mod unused;
pub mod verify;
pub mod watch;
