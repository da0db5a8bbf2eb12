//! Settings: their sources, and the table for operators.

mod page;
mod sources;
