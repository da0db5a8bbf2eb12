//! Limits on the size of a request. A larger one is refused before any operation receives it.

/// The largest size of a body in bytes.
pub const BODY: usize = 64 * 1024;

/// The largest size in bytes of a request line and its headers together, the blank line included.
pub const HEAD: usize = 16 * 1024;

/// The largest number of headers of a request.
pub const HEADERS: usize = 64;
