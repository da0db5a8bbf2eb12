//! Limits on the size of a request. A larger one is refused before any operation receives it.

/// The most bytes a body may have.
pub const BODY: usize = 64 * 1024;

/// The most bytes that a request line and its headers may have together, the blank line included.
pub const HEAD: usize = 16 * 1024;

/// The most headers that a request may have.
pub const HEADERS: usize = 64;
