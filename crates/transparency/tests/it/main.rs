//! Tests of the tree against other implementations, and of the texts of the record.

mod commitments;
mod leaves;
mod numbers;
mod second_implementation;
mod tiles;
mod trees;
