use actix_web::{HttpMessage, HttpRequest};

use super::admission::Requirement;

/// The scope that admitted a caller. It is kept in the extensions of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entrance {
    /// Admitted by a key.
    Key(Requirement),
    /// Admitted by the address.
    Address,
}

impl Entrance {
    /// Records in a request that this scope admitted it.
    pub(super) fn mark(self, request: &HttpRequest) {
        request.extensions_mut().insert(self);
    }
}
