//! No key is in any output of a run with every kind of call, except in the answer that creates it.

mod commands;
mod everywhere;
mod operations;
mod recording;
mod statuses;
