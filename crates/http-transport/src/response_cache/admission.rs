use std::net::IpAddr;
use std::sync::Arc;

use actix_web::dev::RequestHead;
use actix_web::http::StatusCode;
use sports_accounts::{CustomerId, QuotaStatus};
use sports_telemetry::metrics::Route;

use crate::connection::Connection;

/// The application's admission of the callers of cached responses.
pub trait Admission: 'static {
    /// The rule by which callers of an operation are admitted. Operations have it in their application data.
    type Rule: Copy + 'static;

    /// Begins the admission of a caller, which counts and settles the call. Returns `None`, or a future of `None`, if the
    /// application has to refuse the caller; then it receives the request itself.
    fn admit(
        &self,
        rule: Self::Rule,
        call: &CachedCall<'_>,
    ) -> Option<impl Future<Output = Option<Admitted>> + use<Self>>;
}

/// A request for a cached response.
#[derive(Debug)]
pub struct CachedCall<'c> {
    /// The head of the request.
    pub head: &'c RequestHead,
    pub connection: Option<&'c Arc<Connection>>,
    /// The status of the response.
    pub status: StatusCode,
    /// The route of the response.
    pub route: &'c Route,
}

/// An admitted caller.
#[derive(Debug, Default)]
pub struct Admitted {
    /// The customer whose key the request has.
    pub customer: Option<CustomerId>,
    /// The address of the client.
    pub client: Option<IpAddr>,
    /// The quota of the customer after this call.
    pub quota: Option<QuotaStatus>,
}
