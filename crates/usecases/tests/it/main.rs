//! Tests of the use cases over fakes that keep the ports' contracts.

mod accounts;
mod analytics;
mod datasets;
mod declared;
mod declaring_at_once;
mod declaring_laws;
mod following;
mod history;
mod identity_laws;
mod markets;
mod models;
mod moments;
mod moved_back;
mod own_models;
mod publishing;
mod recent_releases;
mod record;
mod season_walk;
mod slow_walks;
mod stored_identities;
mod strays;
mod trees;
mod verifying;
mod world;
