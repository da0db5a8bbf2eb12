//! The source of prices against a server that speaks the exchange's format, well or badly.

mod breaker;
mod faults;
mod format;
mod paging;
mod stand_in;
mod support;
