//! Tests of whole folders, read from disk.

mod any_bytes;
mod bounds;
mod broken_folders;
mod finals;
mod folder;
mod good_folders;
mod held_and_rescheduled;
#[cfg(unix)]
mod links;
mod models;
mod parquet_files;
mod real_data;
mod real_identities;
mod rules;
mod slate_findings;
mod slates;
mod teams;
mod words;
