//! `sportsctl` as publishers and operators run it: the real program, its exit codes, what it prints
//! and what it leaves behind.

mod at_once;
mod broken;
mod convert;
mod customers;
mod datasets;
mod dry_run;
mod exit_codes;
mod interruption;
mod keys;
mod league;
mod output;
mod publishing;
mod real_leagues;
mod settings;
mod support;
mod tampering;
mod template;
mod unused;
