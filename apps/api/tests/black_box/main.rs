//! Tests of the real programs: `sportsctl` publishes real fixtures, `sports-api` serves them, and the tests send HTTP
//! requests.
#![cfg(unix)]

mod agreement;
mod anywhere;
mod application;
mod browser;
mod cards;
mod check_us_page;
#[cfg(target_os = "linux")]
mod clock;
mod cluster;
mod connections;
mod console;
mod datasets;
#[cfg(feature = "demo")]
mod demo;
mod differential;
mod docs_index;
mod docs_page;
#[cfg(target_os = "linux")]
mod drills;
mod durability;
mod encrypted;
mod endpoints_page;
mod examples;
#[cfg(feature = "demo")]
mod explore_page;
mod faults;
mod folder;
mod generations;
mod hard_names;
mod health;
mod invented;
mod leaked_keys;
mod logging;
mod metrics;
mod moving;
mod operations;
mod other_pages;
mod outage;
mod places;
mod proxies;
mod public_record;
mod publishing_page;
#[path = "../second_opinion/python.rs"]
#[expect(dead_code, reason = "some of it is for the scripts beside it")]
mod python;
mod queue;
mod readers;
#[cfg(feature = "demo")]
mod readme_page;
mod real_leagues;
mod registry;
mod response_cache;
mod rows;
mod secrecy;
mod security_page;
mod security_txt;
mod service;
mod serving_page;
mod signed;
mod simulated;
mod stored_bytes;
mod stream;
mod terminal;
mod traces;
#[cfg(feature = "demo")]
mod try_it_out;
mod verify_page;
mod walk;
mod webhooks;
