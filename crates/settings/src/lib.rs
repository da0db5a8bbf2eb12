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

pub use bind::{Bind, NotABind};
pub use byte_size::{ByteSize, NotAByteSize};
pub use connection_url::{ConnectionUrl, NotABaseAddress, NotAnAddress, ServiceUrl, masked};
pub use contact::{Contact, NotASecurityContact, SecurityContact};
pub use domains::{Domains, NotDomains};
pub use error::SettingsError;
pub use secret::{NotASecret, Secret};
pub use settings::{
    Acme, Clock, ConnectionTimeouts, Database, Downloads, Http, Limits, Log, Memory, Prices, Record, Settings, Store,
    Tls,
};
pub use sources::{Flag, Sources};
pub use witnesses::{ServiceUrls, WitnessAddress, Witnesses};
