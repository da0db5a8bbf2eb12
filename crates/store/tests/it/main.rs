//! The store in a folder and in a bucket.

mod contract;
mod s3;
mod signed_links;
