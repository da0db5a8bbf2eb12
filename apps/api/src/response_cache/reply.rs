use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::http::Method;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::future::LocalBoxFuture;
use sports_telemetry::RequestId;
use sports_telemetry::text::{http_date, put};
use sports_telemetry::trace::{TraceContext, TraceId};
use sports_telemetry::{RequestSummary, ResponseSummary};
use tokio::time::Instant;

use super::ResponseCache;
use super::admission::Admitted;
use super::entry::{CachedResponse, Reply};
use super::key::CacheableRequest;
use crate::auth::write_quota_lines;
use crate::connections::{Connection, ReadyResponse, ReadyResponses, RequestHead};

/// One request for a cached response.
struct CachedCall {
    response: Rc<CachedResponse>,
    reply: Reply,
    id: RequestId,
    trace: Option<TraceId>,
    started: Instant,
    now: DateTime<Utc>,
}

/// The bytes of the headers of one call, about.
const PER_CALL: usize = 256;

/// The largest body that is copied behind its head. Up to here that is faster than sending two buffers.
const SMALL: usize = 8 * 1024;

impl ReadyResponses for ResponseCache {
    fn respond(
        &self,
        head: &RequestHead<'_, '_>,
        peer: IpAddr,
        connection: &Arc<Connection>,
    ) -> Option<LocalBoxFuture<'static, Option<ReadyResponse>>> {
        let request = CacheableRequest::read(head)?;
        let is_stopping = self.0.draining.has_begun();
        let (entries, now) = self.current();
        let response = entries.get(request.key()?).filter(|_| !is_stopping)?;
        drop(entries);
        let reply = response.reply(request.if_none_match)?;
        let caller = self.0.admission.caller(response.entrance(), &request, peer)?;
        let trace = request.traceparent.and_then(|parent| TraceContext::parse(str::from_utf8(parent).ok()?));
        let call = CachedCall {
            response,
            reply,
            id: RequestId::from_header(request.request_id),
            trace: trace.map(|trace| trace.id()),
            started: Instant::now(),
            now,
        };
        let (cache, connection) = (self.clone(), Arc::clone(connection));
        Some(Box::pin(async move {
            let admitted = cache.0.admission.admit(caller, now, reply.status(), &connection).await?;
            Some(cache.ready_response(&call, &admitted))
        }))
    }
}

impl ResponseCache {
    /// Returns the response to an admitted call, which is logged and counted.
    fn ready_response(&self, call: &CachedCall, admitted: &Admitted) -> ReadyResponse {
        let CachedCall { response, reply, id, trace, started, now } = call;
        let (constant, body) = response.parts(*reply);
        let copied = if body.len() <= SMALL { body.len() } else { 0 };
        let mut head = Vec::with_capacity(constant.len() + PER_CALL + copied);
        head.extend_from_slice(constant);
        put(&mut head, &["x-request-id: ", id.as_str(), "\r\n"]);
        if let Some(quota) = &admitted.quota {
            write_quota_lines(quota, &mut head);
        }
        http_date(*now, |date| put(&mut head, &["date: ", date, "\r\n\r\n"]));
        let answered = ResponseSummary {
            route: Some(response.route()),
            near: None,
            sport: response.sport(),
            customer: admitted.customer,
            status: reply.status().as_u16(),
        };
        let request = RequestSummary { id, method: Method::GET.as_str(), trace: *trace, took: started.elapsed() };
        self.0.recorder.record(&request, &answered);
        if copied == 0 {
            return ReadyResponse { head, body };
        }
        head.extend_from_slice(&body);
        ReadyResponse { head, body: Bytes::new() }
    }
}
