//! The settings of the programs, parsed once at startup into typed values.
//!
//! Settings come from one TOML file, then from the environment, then from flags; a later source overrides an earlier one. The
//! name of a variable is `SPORTS_`, the section, two underscores and the key: `SPORTS_HTTP__BIND` sets `http.bind`. Variables
//! without two underscores belong to other programs and are ignored.
//!
//! Every setting is one line in `src/settings/list.rs`: documentation, name, type, default, and parser. The table for operators, with
//! the flags, is in `docs/serving.md`.
//!
//! `http.public_url` and `prices.kalshi_url` are base addresses: a host and optionally a path, to which further paths are appended.
//! They are kept without a slash at the end, and refused if they have a user, a query, a fragment or a blank.
//!
//! A setting that is unknown or invalid stops the program with its name, its source and the expected form. `Settings`
//! displays as a TOML file with the same settings, with credentials in addresses masked and secrets left out.

mod about;
mod accent;
mod bind;
mod byte_size;
mod connection_url;
mod contact;
mod display;
mod domains;
mod entry;
mod error;
mod logo;
mod origins;
mod public_records;
mod secret;
#[macro_use]
mod table;
mod list;
mod sources;
mod warnings;
mod witnesses;

pub use about::About;
pub use accent::Accent;
pub use bind::Bind;
pub use byte_size::ByteSize;
pub use connection_url::{ConnectionUrl, ServiceUrl, masked};
pub use contact::{Contact, SecurityContact, SiteName};
pub use domains::Domains;
pub use error::SettingsError;
pub use list::{
    Acme, Clock, ConnectionTimeouts, Database, Downloads, Http, Limits, Log, Memory, Prices, Record, Settings, Site,
    Store, Tls, WebhookNetworks,
};
pub use logo::Logo;
pub use origins::Origins;
pub use public_records::{PublicRecord, PublicRecords};
pub use secret::Secret;
pub use sources::{Flag, Sources};
pub use witnesses::{ServiceUrls, WitnessAddress, Witnesses};
