#![doc = include_str!("../README.md")]

mod exchange;
mod market;
mod server;

pub use exchange::{Exchange, Fault, Listing};
pub use market::ListedGame;
pub use server::{CutShort, Reply, Request, Server};
