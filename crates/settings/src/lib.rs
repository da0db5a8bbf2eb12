#![doc = include_str!("../README.md")]

mod byte_size;
mod connection_url;
mod contact;
mod display;
mod entry;
mod error;
mod secret;
#[macro_use]
mod table;
mod settings;
mod sources;
mod warnings;
mod witnesses;

pub use byte_size::ByteSize;
pub use connection_url::{ConnectionUrl, ServiceUrl, masked};
pub use contact::{Contact, SecurityContact};
pub use error::SettingsError;
pub use secret::Secret;
pub use settings::{
    Clock, ConnectionTimeouts, Database, Downloads, Http, Limits, Log, Memory, Prices, Record, Settings, Store,
};
pub use sources::{Flag, Sources};
pub use witnesses::{ServiceUrls, WitnessAddress, Witnesses};
