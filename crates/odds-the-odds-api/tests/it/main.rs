//! Feeds made by hand, and what becomes of them.

mod conversion;
mod refusals;
mod support;
