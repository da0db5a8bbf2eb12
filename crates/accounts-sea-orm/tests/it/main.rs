//! The database on SQLite and PostgreSQL.

mod contract;
mod faults;
mod meter;
mod postgres;
mod sharing;
mod storage;
mod transfer;
