//! Limits on the size of a request. A larger request is refused before any operation receives it.

/// The most bytes of a body.
pub const BODY: usize = 64 * 1024;

/// The most bytes of a request line and its headers together, the blank line included.
pub const HEAD: usize = 16 * 1024;

/// The most headers of a request.
pub const HEADERS: usize = 64;
