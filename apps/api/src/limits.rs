//! How much of a request is read: what is larger is refused before any operation has it.

/// The most bytes a body may have.
pub const BODY: usize = 64 * 1024;

/// The most bytes that the address and the headers of a request may have together: no caller has paid for reading them.
pub const HEAD: usize = 16 * 1024;
