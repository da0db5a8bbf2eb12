#![doc = include_str!("../README.md")]

mod byte_size;
mod connection_timeouts;
mod connection_url;
mod contact;
mod display;
mod entry;
mod error;
mod left_out;
mod secret;
mod service_links;
mod service_url;
#[macro_use]
mod table;
mod settings;
mod shown;
mod sources;
mod warnings;
mod witnesses;

pub use byte_size::{ByteSize, NotAByteSize};
pub use connection_timeouts::ConnectionTimeouts;
pub use connection_url::{ConnectionUrl, NotAnAddress, masked};
pub use contact::{Contact, NotASecurityContact, SecurityContact};
pub use error::SettingsError;
pub use secret::{NotASecret, Secret};
pub use service_url::{NotABaseAddress, ServiceUrl};
pub use settings::{Clock, Database, Downloads, Http, Limits, Log, Memory, Prices, Record, Settings, Store};
pub use sources::{Flag, Sources};
pub use witnesses::{ServiceUrls, WitnessAddress, Witnesses};
