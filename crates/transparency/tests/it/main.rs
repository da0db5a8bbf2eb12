//! Tests of the tree against other implementations, and of the texts of the record.

mod audits;
mod commitments;
mod leaves;
mod notes;
mod numbers;
mod proofs;
mod record_format;
mod second_implementation;
mod tiles;
mod timestamps;
mod trees;
