//! Key files, witnesses and timestamp servers.

mod key_files;
mod timestamps;
mod tokens;
mod witnesses;
