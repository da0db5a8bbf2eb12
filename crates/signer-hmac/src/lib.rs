#![doc = include_str!("../README.md")]

mod link;
mod secret;
mod signer;

pub use link::{DownloadLink, NotALink};
pub use secret::{LinkSecret, TooShort};
pub use signer::{HmacSigner, LinkError};
