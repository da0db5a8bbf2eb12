//! Smoke tests at every place of a site: on one machine, and on PostgreSQL, Redis and S3 (see [`crate::places`]), whose adapters
//! keep the same contracts. What is answered is tested in [`crate::application`].

mod access;
mod accounts;
mod day;
mod lengths;
mod limits;
mod public;
mod record;
