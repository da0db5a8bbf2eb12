#![doc = include_str!("../README.md")]

mod bind;
mod byte_size;
mod connection_url;
mod contact;
mod display;
mod domains;
mod entry;
mod error;
mod secret;
#[macro_use]
mod table;
mod settings;
mod sources;
mod warnings;
mod witnesses;

pub use bind::Bind;
pub use byte_size::ByteSize;
pub use connection_url::{ConnectionUrl, ServiceUrl, masked};
pub use contact::{Contact, SecurityContact};
pub use domains::Domains;
pub use error::SettingsError;
pub use secret::Secret;
pub use settings::{
    Acme, Clock, ConnectionTimeouts, Database, Downloads, Http, Limits, Log, Memory, Prices, Record, Settings, Store,
    Tls,
};
pub use sources::{Flag, Sources};
pub use witnesses::{ServiceUrls, WitnessAddress, Witnesses};
