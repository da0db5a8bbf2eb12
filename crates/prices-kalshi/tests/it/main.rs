//! The source of prices against a server with the exchange's format and its possible faults.

mod breaker;
mod faults;
mod format;
mod paging;
mod stand_in;
mod support;
