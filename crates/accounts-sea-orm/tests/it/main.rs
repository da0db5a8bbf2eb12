//! The database on SQLite and PostgreSQL.

mod contract;
mod faults;
mod postgres;
mod sharing;
mod storage;
mod transfer;
