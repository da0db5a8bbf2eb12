use actix_web::{HttpMessage, HttpRequest};

use super::admission::Requirement;

/// By which scope a caller was let in. Left in the extensions of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entrance {
    /// By a key.
    Key(Requirement),
    /// By the address.
    Address,
}

impl Entrance {
    /// Notes that a request came in here.
    pub(super) fn mark(self, request: &HttpRequest) {
        request.extensions_mut().insert(self);
    }
}
