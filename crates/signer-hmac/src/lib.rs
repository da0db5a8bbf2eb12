#![doc = include_str!("../README.md")]

mod link;
mod signer;

pub use link::{DownloadLink, NotALink};
pub use signer::{HmacSigner, LinkError};
