//! The response cache: whole responses, head and body, that are sent without the application.
//!
//! # Contract
//!
//! - A response is cached if its handler marked the request as [`Repeatable`], it has an `ETag`, and its path and query were
//!   requested before. Its key is path, query and negotiated variant.
//! - It is sent while the [`Revision`] of the content that it depends on is current, and while a condition of its handler holds, to
//!   a plain `GET` whose caller the [`Admission`] of the application admits. That call is counted, logged and measured like any
//!   other.
//! - Everything else goes to the application untouched: another method, a body, a range, a repeated header, a refused caller, a
//!   draining server.
//! - So a client cannot distinguish a cached response from the application's, except by its speed.
//! - Each worker has a cache of its own, of at most 8 MiB.

mod admission;
mod entries;
mod entry;
mod repeatable;

use std::rc::Rc;
use std::sync::Arc;

use actix_http::Response;
use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{RequestHead, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue, IF_NONE_MATCH};
use chrono::{DateTime, Utc};
use sports_ports::Clock;
use sports_telemetry::trace::{PARENT, TraceContext, TraceId};
use sports_telemetry::{RequestId, RequestRecorder, RequestSummary, ResponseSummary};
use tokio::time::Instant;

use crate::call_headers::{REQUEST_ID, insert_id_and_date, insert_quota};
use crate::connection::{Connection, Draining};
use entries::{Entries, Reservation};
use entry::{CacheKey, CachedResponse, Reply, single};

pub use admission::{Admission, Admitted, CachedCall};
pub use entry::{CachePolicy, Revision, Variant};
pub use repeatable::{Repeatable, league_of};

/// The header with the trace of a request.
const TRACE_PARENT: HeaderName = HeaderName::from_static(PARENT);

/// The cached responses of one worker.
pub struct ResponseCache<A: Admission>(Rc<Parts<A>>);

struct Parts<A: Admission> {
    entries: Entries<A::Rule>,
    admission: A,
    policy: Box<dyn CachePolicy>,
    clock: Arc<dyn Clock>,
    draining: Arc<Draining>,
    recorder: RequestRecorder,
}

/// A request for a cached response, and its reply.
struct CachedReply<R> {
    response: Rc<CachedResponse<R>>,
    connection: Option<Arc<Connection>>,
    reply: Reply,
    id: RequestId,
    trace: Option<TraceId>,
    started: Instant,
    now: DateTime<Utc>,
}

impl<A: Admission> Clone for ResponseCache<A> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<A: Admission> ResponseCache<A> {
    /// Creates an empty cache.
    pub fn new(
        admission: A,
        policy: Box<dyn CachePolicy>,
        clock: Arc<dyn Clock>,
        draining: Arc<Draining>,
        recorder: RequestRecorder,
    ) -> Self {
        Self(Rc::new(Parts { entries: Entries::new(), admission, policy, clock, draining, recorder }))
    }

    /// Begins the response to a request, or returns `None` if the application has to make it. The future yields `None` if the
    /// caller is not admitted: then the application makes it, too.
    pub(crate) fn respond(
        &self,
        head: &RequestHead,
        connection: Option<&Arc<Connection>>,
    ) -> Option<impl Future<Output = Option<Response<BoxBody>>> + use<A>> {
        let Parts { entries, admission, policy, clock, draining, .. } = &*self.0;
        if draining.has_begun() {
            return None;
        }
        let key = CacheKey::of(head, &**policy)?;
        let now = clock.now();
        let response = entries.get(key, &**policy, now)?;
        let reply = response.reply(single(head, &IF_NONE_MATCH)?)?;
        let id = RequestId::from_header(single(head, &REQUEST_ID)?);
        let parents = head.headers.get_all(TRACE_PARENT).map(HeaderValue::as_bytes);
        let trace = TraceContext::from_headers(parents, []).map(|trace| trace.id());
        let (status, route) = (reply.status(), &response.properties.route);
        let admission = admission.admit(response.properties.rule, &CachedCall { head, connection, status, route })?;
        let (connection, started, cache) = (connection.cloned(), Instant::now(), self.clone());
        let reply = CachedReply { response, connection, reply, id, trace, started, now };
        Some(async move { Some(cache.send(&reply, &admission.await?)) })
    }

    /// Records an admitted call and returns its response.
    fn send(&self, reply: &CachedReply<A::Rule>, admitted: &Admitted) -> Response<BoxBody> {
        let CachedReply { response: cached, connection, reply, id, trace, started, now } = reply;
        let mut response = cached.respond(*reply, connection.as_deref());
        insert_id_and_date(response.headers_mut(), id, *now);
        if let Some(quota) = &admitted.quota {
            insert_quota(response.headers_mut(), quota);
        }
        let summary = ResponseSummary {
            route: Some(&cached.properties.route),
            near: None,
            sport: cached.properties.league,
            customer: admitted.customer,
            client: admitted.client,
            status: reply.status().as_u16(),
        };
        let request = RequestSummary { id, method: "GET", trace: *trace, took: started.elapsed() };
        self.0.recorder.record(&request, &summary);
        response
    }

    /// Reserves a place for the response of the application to a request, if it is to be stored.
    pub(crate) fn reserve(&self, head: &RequestHead) -> Option<Reservation> {
        let Parts { entries, policy, clock, .. } = &*self.0;
        entries.reserve(CacheKey::of(head, &**policy)?, &**policy, clock.now())
    }

    /// Stores a copy of a response, if it may be cached.
    ///
    /// # Errors
    ///
    /// An error of its body.
    pub(crate) async fn store(
        &self,
        reservation: Reservation,
        response: ServiceResponse,
    ) -> Result<Response<BoxBody>, Error> {
        let Parts { entries, policy, clock, .. } = &*self.0;
        let (cached, response) = CachedResponse::of_response(response).await?;
        if let Some(cached) = cached {
            entries.store(reservation, cached, &**policy, clock.now());
        }
        Ok(response)
    }
}
