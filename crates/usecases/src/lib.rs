#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod analytics;
pub mod archives;
pub mod chain;
pub mod data_status;
pub mod datasets;
pub mod generations;
pub mod markets;
mod past_archives;
pub mod publish;
pub mod releases;
pub mod results;
pub mod slates;
pub mod threads;
pub mod today;
pub mod unsettled;
pub mod unused;
pub mod verify;
