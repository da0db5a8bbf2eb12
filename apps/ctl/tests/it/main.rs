//! `sportsctl` as publishers and operators run it: the real program, its exit codes, its output and the files it
//! leaves.

mod accounts_copy;
mod at_once;
#[cfg(unix)]
mod backups;
mod broken;
mod convert;
mod convert_daily;
mod convert_tables;
mod customers;
mod datasets;
mod disturbances;
#[cfg(unix)]
mod door;
mod dry_run;
mod exit_codes;
mod games;
mod hostile;
mod identity;
#[cfg(unix)]
mod inbox;
#[cfg(unix)]
mod init;
mod interruption;
mod judged;
mod keys;
mod league;
mod leaves;
mod mending;
#[cfg(unix)]
mod operating;
mod output;
mod outside;
mod own_models;
#[cfg(unix)]
mod owners;
mod postgres_tls;
mod proofs;
mod publishing;
mod raw_sources;
mod real_leagues;
#[cfg(unix)]
mod record_recovery;
mod record_time;
mod remote_records;
mod rescheduling;
mod scores;
mod settings;
mod shell_files;
mod signing;
mod slates;
mod starts;
mod static_site;
mod store_copy;
mod support;
mod tampering;
mod teams;
mod template;
mod unused;
mod warnings;
#[cfg(unix)]
mod watch;
