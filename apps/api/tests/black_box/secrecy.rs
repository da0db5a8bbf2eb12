//! No key is in any output of a run that used every kind of call, but in the answer that creates it.

mod commands;
mod everywhere;
mod operations;
mod overheard;
mod statuses;
