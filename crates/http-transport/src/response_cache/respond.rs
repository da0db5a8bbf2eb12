use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::future::LocalBoxFuture;
use sports_telemetry::text::{http_date, put};
use sports_telemetry::trace::{PARENT, TraceContext, TraceId};
use sports_telemetry::{RequestId, RequestSummary, ResponseSummary};
use tokio::time::Instant;

use super::admission::{Admission, Admitted, CachedCall};
use super::entries::{ResponseCache, Worker};
use super::entry::{CacheKey, CachedResponse, Reply};
use crate::connection::Connection;
use crate::head::RequestHead;
use crate::requests::{ReadyResponse, ReadyResponses};

/// A request for a cached response, and its reply.
struct CachedReply<R> {
    response: Rc<CachedResponse<R>>,
    reply: Reply,
    id: RequestId,
    trace: Option<TraceId>,
    started: Instant,
    now: DateTime<Utc>,
}

/// The bytes of the headers of one call, about.
const PER_CALL: usize = 256;

/// The largest body that is copied behind its head. Up to here a copy is faster than sending two buffers.
const SMALL: usize = 8 * 1024;

impl<A: Admission> ReadyResponses for ResponseCache<A> {
    fn respond(
        &self,
        head: &RequestHead<'_, '_>,
        peer: IpAddr,
        connection: &Arc<Connection>,
    ) -> Option<LocalBoxFuture<'static, Option<ReadyResponse>>> {
        let Worker { entries, admission, policy, clock, draining, .. } = &*self.0;
        if draining.has_begun() {
            return None;
        }
        let key = CacheKey::of_head(head, &**policy)?;
        let now = clock.now();
        let response = entries.borrow_mut().get(key, &**policy, now)?;
        let reply = response.reply(head.header("if-none-match").ok()?)?;
        let id = RequestId::from_header(head.header(RequestId::HEADER).ok()?);
        let parent = head.header(PARENT).ok()?.and_then(|parent| str::from_utf8(parent).ok());
        let trace = parent.and_then(TraceContext::parse).map(|trace| trace.id());
        let call = CachedCall { head, peer, connection, status: reply.status(), now };
        let admission = admission.admit(response.properties.rule, &call)?;
        let reply = CachedReply { response, reply, id, trace, started: Instant::now(), now };
        let cache = self.clone();
        Some(Box::pin(async move { Some(cache.ready_response(&reply, &admission.await?)) }))
    }
}

impl<A: Admission> ResponseCache<A> {
    /// Records an admitted call and returns its response.
    fn ready_response(&self, reply: &CachedReply<A::Rule>, admitted: &Admitted) -> ReadyResponse {
        let CachedReply { response, reply, id, trace, started, now } = reply;
        let (constant, body) = response.parts(*reply);
        let copied = if body.len() <= SMALL { body.len() } else { 0 };
        let mut head = Vec::with_capacity(constant.len() + PER_CALL + copied);
        head.extend_from_slice(constant);
        put(&mut head, &[RequestId::HEADER, ": ", id.as_str(), "\r\n"]);
        head.extend_from_slice(&admitted.headers);
        http_date(*now, |date| put(&mut head, &["date: ", date, "\r\n\r\n"]));
        let summary = ResponseSummary {
            route: Some(&response.properties.route),
            near: None,
            sport: response.properties.league,
            customer: admitted.customer,
            client: admitted.client,
            status: reply.status().as_u16(),
        };
        let request = RequestSummary { id, method: "GET", trace: *trace, took: started.elapsed() };
        self.0.recorder.record(&request, &summary);
        if copied == 0 {
            return ReadyResponse { head, body };
        }
        head.extend_from_slice(&body);
        ReadyResponse { head, body: Bytes::new() }
    }
}
