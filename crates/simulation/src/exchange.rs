//! A stand-in for the prediction market's exchange: a local server with the same format.

mod market;
mod server;
mod stand_in;

pub use market::ListedGame;
pub use server::{CutShort, Reply, Request, Server};
pub use stand_in::{Exchange, Fault, Listing};
