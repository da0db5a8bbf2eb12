use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use sports_accounts::{ApiKey, CustomerId, QuotaStatus};
use sports_ports::Clock;
use sports_ports::accounts::KeyRing;
use sports_ports::metering::{AddressLimit, Meter};
use sports_telemetry::metrics::{Decision, Metrics};

use super::key::CacheableRequest;
use crate::auth::{Admission, Admitter, CallLimits, Deciders, Entrance, Requirement, ShownKey, settled};
use crate::connections::Connection;
use crate::proxy_trust::ProxyTrust;

/// The parts by which one worker admits the callers of cached responses.
pub(crate) struct CachedAdmission {
    pub(crate) ring: Arc<dyn KeyRing>,
    pub(crate) meter: Arc<dyn Meter>,
    pub(crate) addresses: Arc<dyn AddressLimit>,
    pub(crate) limits: Arc<CallLimits>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) trust: Option<Arc<ProxyTrust>>,
    pub(crate) metrics: Option<Arc<Metrics>>,
}

/// The caller of a request, as the scope of the operation identifies callers.
pub(super) enum Caller {
    /// The holder of a key, and what the key has to permit.
    Key(Requirement, ApiKey),
    /// An address.
    Address(IpAddr),
}

/// An admitted caller, whose call is settled.
pub(super) struct Admitted {
    /// The customer whose key it was.
    pub(super) customer: Option<CustomerId>,
    /// The customer's quota after the call.
    pub(super) quota: Option<QuotaStatus>,
}

/// One reading of a clock, by which everything about one request is decided.
struct Reading {
    now: DateTime<Utc>,
    uptime: Duration,
}

impl Clock for Reading {
    fn now(&self) -> DateTime<Utc> {
        self.now
    }

    fn uptime(&self) -> Duration {
        self.uptime
    }
}

impl CachedAdmission {
    /// Identifies the caller of a request; `None` if the scope of the operation has to refuse them.
    pub(super) fn caller(&self, entrance: Entrance, request: &CacheableRequest<'_>, peer: IpAddr) -> Option<Caller> {
        match entrance {
            Entrance::Address => {
                let forwarded = request.forwarded_for.map(str::from_utf8).transpose().ok()?;
                let client = self.trust.as_ref().map(|trust| trust.client(peer, forwarded));
                Some(Caller::Address(client.unwrap_or_else(|| peer.to_canonical())))
            }
            Entrance::Key(requirement) => {
                let (header, authorization) = (request.api_key, request.authorization);
                ShownKey { header, authorization, query: "" }.parsed().ok().map(|key| Caller::Key(requirement, key))
            }
        }
    }

    /// Admits a caller as the scope of the operation does, and settles the call, whose response has this status. `None` if the
    /// scope has to refuse them, which then gets the request itself.
    pub(super) async fn admit(
        &self,
        caller: Caller,
        now: DateTime<Utc>,
        status: StatusCode,
        connection: &Connection,
    ) -> Option<Admitted> {
        let clock = Reading { now, uptime: self.clock.uptime() };
        let (admitted, decision) = match caller {
            Caller::Address(address) => {
                self.addresses.admits(address, clock.uptime).await.ok().filter(|admits| *admits)?;
                (Admitted { customer: None, quota: None }, Some(Decision::Admitted))
            }
            Caller::Key(requirement, key) => {
                let Self { ring, meter, limits, .. } = self;
                let deciders = Deciders { ring: &**ring, meter: &**meter, limits, clock: &clock };
                let admitter = Admitter::new(key, deciders, Some(connection));
                let holder = admitter.authenticate().await.ok()?;
                let Admission { quota, decision, outcome } = admitter.admit(&holder, requirement).await.ok()?;
                let quota = settled(quota, outcome.ok()?, &**meter, status).await;
                (Admitted { customer: Some(holder.customer.id), quota: Some(quota) }, decision)
            }
        };
        if let (Some(metrics), Some(decision)) = (&self.metrics, decision) {
            metrics.decisions.count(decision);
        }
        Some(admitted)
    }
}
