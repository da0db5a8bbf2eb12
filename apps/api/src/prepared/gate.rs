use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use sports_accounts::{ApiKey, CustomerId, QuotaStatus};
use sports_ports::Clock;
use sports_ports::accounts::KeyRing;
use sports_ports::metering::{AddressLimit, Meter};

use super::request::PlainRequest;
use crate::auth::{Admission, Admitter, CallLimits, Deciders, Entrance, Requirement, ShownKey, settled};
use crate::connections::Connection;
use crate::metrics::{Decision, Metrics};
use crate::proxy_trust::ProxyTrust;

/// What one worker lets callers in with.
pub(crate) struct Gate {
    pub(crate) ring: Arc<dyn KeyRing>,
    pub(crate) meter: Arc<dyn Meter>,
    pub(crate) addresses: Arc<dyn AddressLimit>,
    pub(crate) limits: Arc<CallLimits>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) trust: Option<Arc<ProxyTrust>>,
    pub(crate) metrics: Option<Arc<Metrics>>,
}

/// A caller as a request shows them, in the way that an answer asks for.
pub(super) enum Caller {
    /// By a key that must be good for this.
    Key(Requirement, ApiKey),
    /// By the address.
    Address(IpAddr),
}

/// A caller who was let in, and the call settled.
pub(super) struct Entered {
    /// Whose key it was.
    pub(super) customer: Option<CustomerId>,
    /// What is left of their quota.
    pub(super) quota: Option<QuotaStatus>,
}

/// What a clock showed once: all that is decided about one request is of one instant.
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

impl Gate {
    /// Who sent a request; none where the scope of the operation has something to say to them.
    pub(super) fn caller(&self, entrance: Entrance, request: &PlainRequest<'_>, peer: IpAddr) -> Option<Caller> {
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

    /// Lets a caller in as the scope of the operation does and settles the call, whose answer has this status. None where
    /// the scope has something to say to them, which then looks at the request by itself.
    pub(super) async fn enter(
        &self,
        caller: Caller,
        now: DateTime<Utc>,
        status: StatusCode,
        connection: &Connection,
    ) -> Option<Entered> {
        let clock = Reading { now, uptime: self.clock.uptime() };
        let (entered, decision) = match caller {
            Caller::Address(address) => {
                self.addresses.admits(address, clock.uptime).await.ok().filter(|admits| *admits)?;
                (Entered { customer: None, quota: None }, Some(Decision::Admitted))
            }
            Caller::Key(requirement, key) => {
                let Self { ring, meter, limits, .. } = self;
                let deciders = Deciders { ring: &**ring, meter: &**meter, limits, clock: &clock };
                let admitter = Admitter::new(key, deciders, Some(connection));
                let holder = admitter.authenticate().await.ok()?;
                let Admission { quota, decision, outcome } = admitter.admit(&holder, requirement).await.ok()?;
                let quota = settled(quota, outcome.ok()?, &**meter, status).await;
                (Entered { customer: Some(holder.customer.id), quota: Some(quota) }, decision)
            }
        };
        if let (Some(metrics), Some(decision)) = (&self.metrics, decision) {
            metrics.decisions.count(decision);
        }
        Some(entered)
    }
}
