use std::net::IpAddr;
use std::sync::Arc;

use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use sports_accounts::CustomerId;

use crate::connection::Connection;
use crate::head::RequestHead;

/// The application's admission of the callers of cached responses.
pub trait Admission: 'static {
    /// The rule by which callers of an operation are admitted. Operations have it in their application data.
    type Rule: Copy + 'static;

    /// Begins the admission of a caller, which counts and settles the call. Returns `None`, or a future of `None`, if the
    /// application has to refuse the caller; then it receives the request itself.
    fn admit(
        &self,
        rule: Self::Rule,
        call: &CachedCall<'_, '_, '_>,
    ) -> Option<impl Future<Output = Option<Admitted>> + 'static>;
}

/// A request for a cached response.
#[derive(Debug)]
pub struct CachedCall<'c, 'h, 'b> {
    /// The head of the request.
    pub head: &'c RequestHead<'h, 'b>,
    /// The address of the peer.
    pub peer: IpAddr,
    pub connection: &'c Arc<Connection>,
    /// The status of the response.
    pub status: StatusCode,
    /// The time of the request.
    pub now: DateTime<Utc>,
}

/// An admitted caller.
#[derive(Debug, Default)]
pub struct Admitted {
    /// The customer whose key the request has.
    pub customer: Option<CustomerId>,
    /// The address of the client.
    pub client: Option<IpAddr>,
    /// The header lines of this call, each with its line end.
    pub headers: Vec<u8>,
}
