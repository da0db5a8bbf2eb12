//! A server for this machine that speaks the exchange's format.
//!
//! [`Exchange`] invents plausible markets for games with given chances, whose prices wander a little as
//! time goes by: the demo shows it where there is no network. [`Server`] sends any replies at all, well
//! formed or not: that is what a source of prices is tested against.

mod exchange;
mod market;
mod server;

pub use exchange::{Exchange, Fault, Listing};
pub use market::StubGame;
pub use server::{BreaksOff, Reply, Request, Server};
