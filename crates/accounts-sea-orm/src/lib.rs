#![doc = include_str!("../README.md")]

mod address;
mod customers;
mod database;
mod entities;
mod failure;
mod key_ring;
mod migrations;

pub use database::{AccountsDatabase, ConnectError};
