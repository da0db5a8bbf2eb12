//! Tests of publishing and settling.

mod catalogs;
mod corrections;
mod covering;
mod findings;
mod identities;
mod instants;
mod merging;
mod movement;
mod naming;
mod quoting;
mod registering;
mod releases;
mod releases_and_records;
mod repeating;
mod rescheduling;
mod returning;
mod row_changes;
mod runs;
mod season_table;
mod serving;
mod settling;
mod shifting;
mod slate;
mod starting;
mod warning;
mod words;
