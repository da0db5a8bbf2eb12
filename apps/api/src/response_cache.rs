//! The application's part in the response cache: the admission of callers, and the revision of published content.

use std::sync::Arc;

use actix_web::http::header::HeaderValue;
use chrono::{DateTime, Utc};
use sports_domain::{Sport, eastern_date};
use sports_http_transport::{Admission, Admitted, CachePolicy, CachedCall, Encoding, Revision, Variant};
use sports_usecases::record::CurrentGenerations;

use crate::auth::{AdmissionRule, CallAdmission, Credentials, Gate};
use crate::format::Format;

pub(crate) use sports_http_transport::Repeatable;

/// The response cache of a worker.
pub(crate) type ResponseCache = sports_http_transport::ResponseCache<CachedAdmission>;

/// The admission of the callers of cached responses.
pub(crate) struct CachedAdmission(pub(crate) Gate);

impl Admission for CachedAdmission {
    type Rule = AdmissionRule;

    fn admit(
        &self,
        rule: AdmissionRule,
        call: &CachedCall<'_>,
    ) -> Option<impl Future<Output = Option<Admitted>> + use<>> {
        let gate = self.0.clone();
        let credentials = Credentials::of_head(rule, call.head, &gate.0.callers.proxies)?;
        let (connection, status, client) = (call.connection.cloned(), call.status, Some(credentials.address()));
        let operation = call.route.pattern().to_owned();
        Some(async move {
            let CallAdmission { holder, quota, decision, outcome } =
                gate.admit(credentials, &operation, connection.as_deref()).await;
            let counted = outcome.ok()?;
            gate.count(decision);
            let quota = gate.settle(quota, counted, status).await;
            Some(Admitted { customer: holder.map(|holder| holder.customer.id), client, quota })
        })
    }
}

/// The policy of the cache: formats, encodings, current generations and the Eastern day.
pub(crate) struct PublishedContent(pub(crate) Arc<CurrentGenerations>);

impl CachePolicy for PublishedContent {
    fn variant(&self, accept: Option<&[u8]>, accept_encoding: Option<&[u8]>) -> Option<Variant> {
        let (format, encoding) = negotiated(accept, accept_encoding)?;
        Some(Variant([format as u8, encoding as u8]))
    }

    fn revision(&self, league: Option<Sport>, now: DateTime<Utc>) -> Revision {
        Revision { day: eastern_date(now), changes: self.0.changes(league) }
    }
}

/// Negotiates format and encoding; `None` if no encoding suits. A route without tables ignores the format.
fn negotiated(accept: Option<&[u8]>, accept_encoding: Option<&[u8]>) -> Option<(Format, Encoding)> {
    let format = match accept {
        None | Some(b"*/*" | b"application/json") => Format::Json,
        Some(accept) => Format::preferred([&HeaderValue::from_bytes(accept).ok()?].into_iter()),
    };
    Some((format, Encoding::preferred(accept_encoding.into_iter())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_the_result_of_negotiation_and_not_its_bytes() {
        use Encoding::{Brotli, Gzip, Identity};
        use Format::{Csv, Json};
        let table = [
            (None, None, Some((Json, Identity))),
            (Some("*/*"), Some("gzip"), Some((Json, Gzip))),
            (Some("text/csv , */*;q=0.1"), Some("deflate, gzip;q=0.5, br"), Some((Csv, Brotli))),
            (Some("text/html, application/xhtml+xml;q=0.9, */*;q=0.8"), None, Some((Json, Identity))),
            (Some("not a type"), None, Some((Json, Identity))),
            (None, Some("identity;q=0"), None),
        ];
        for (accept, accept_encoding, expected) in table {
            let found = negotiated(accept.map(str::as_bytes), accept_encoding.map(str::as_bytes));
            assert_eq!(found, expected, "{accept:?} {accept_encoding:?}");
        }
    }
}
