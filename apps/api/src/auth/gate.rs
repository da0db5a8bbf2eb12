use std::net::IpAddr;
use std::sync::Arc;

use actix_web::http::StatusCode;
use sports_accounts::{ApiKey, Limits, QuotaStatus};
use sports_http_transport::{Connection, ProxyTrust};
use sports_ports::accounts::{KeyHolder, KeyRing};
use sports_ports::metering::{AddressLimit, Admission as Metered, Arrival, CountedCall, Meter, UncountedAdmission};
use sports_ports::{Clock, PortError, in_one_line};
use sports_telemetry::metrics::{Decision, Metrics};
use sports_usecases::key_uses::CommittedKeyUses;

use super::access::Requirement;
use super::credentials::Credentials;
use super::failed_keys::FailedKeys;
use super::limits::CallLimits;
use super::quota;
use crate::error::ApiError;

/// The gate of one worker, through which all callers are admitted: of operations, and of cached responses.
///
/// # Contract
///
/// - A malformed key costs no lookup. A call without the required subscription, or from a network that the key is not allowed
///   from, is not counted.
/// - An admitted call is counted once, unless its rule does not count calls.
/// - [`settle`](Self::settle) keeps the call if its status is billable, and refunds it otherwise. A call whose client has
///   gone is kept.
/// - Without one of its parts, the gate refuses the callers whose rule needs it, with 503.
pub(crate) struct Gate {
    pub(crate) ring: Option<Arc<dyn KeyRing>>,
    pub(crate) meter: Option<Arc<dyn Meter>>,
    pub(crate) addresses: Option<Arc<dyn AddressLimit>>,
    pub(crate) failed_keys: Option<Arc<FailedKeys>>,
    pub(crate) limits: Option<Arc<CallLimits>>,
    pub(crate) trust: Option<Arc<ProxyTrust>>,
    pub(crate) metrics: Option<Arc<Metrics>>,
    pub(crate) uses: Option<Arc<CommittedKeyUses>>,
    pub(crate) clock: Arc<dyn Clock>,
}

/// The decision about a call.
pub(crate) struct CallAdmission {
    /// The holder of the key, if it is valid.
    pub(crate) holder: Option<Arc<KeyHolder>>,
    /// The customer's quota.
    pub(crate) quota: Option<QuotaStatus>,
    /// The decision of a limit, if one was checked.
    pub(crate) decision: Option<Decision>,
    /// The call, if it was counted; or the refusal.
    pub(crate) outcome: CallOutcome,
}

/// The number of used calls, the decision of a limit, and the outcome of a call.
type Measured = (u64, Option<Decision>, CallOutcome);

/// The call, if it was counted; or the refusal.
type CallOutcome = Result<Option<OpenCall>, ApiError>;

/// A counted call whose status is not known yet. It is kept where it is dropped.
pub(crate) struct OpenCall {
    call: CountedCall,
    meter: Arc<dyn Meter>,
    is_free: bool,
}

impl OpenCall {
    /// Refunds the call; returns the count without it.
    async fn refund(mut self) -> Result<u64, PortError> {
        self.is_free = true;
        self.meter.give_back(self.call).await
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        if !self.is_free {
            self.meter.keep(self.call);
        }
    }
}

impl From<ApiError> for CallAdmission {
    fn from(refusal: ApiError) -> Self {
        Self { holder: None, quota: None, decision: None, outcome: Err(refusal) }
    }
}

const MISSING: &str = "the program was started without one";

/// Returns a part of the gate.
fn part<'a, T: ?Sized>(part: Option<&'a Arc<T>>, name: &'static str) -> Result<&'a T, PortError> {
    part.map(|part| &**part).ok_or_else(|| PortError::unavailable(name, MISSING))
}

impl Gate {
    /// Decides about a call.
    pub(crate) async fn admit(&self, credentials: Credentials, connection: Option<&Connection>) -> CallAdmission {
        match credentials {
            Credentials::Address(address) => {
                let decided = self.admit_address(address).await;
                decided.map_or_else(CallAdmission::from, |(decision, outcome)| CallAdmission {
                    holder: None,
                    quota: None,
                    decision: Some(decision),
                    outcome,
                })
            }
            Credentials::Key(requirement, key, address) => match self.authenticate(&key, connection).await {
                Ok(holder) => self.admit_holder(holder, requirement, address).await,
                Err(refusal) => refusal.into(),
            },
        }
    }

    /// Counts the decision of a limit.
    pub(crate) fn count(&self, decision: Option<Decision>) {
        if let (Some(metrics), Some(decision)) = (&self.metrics, decision) {
            metrics.decisions.count(decision);
        }
    }

    /// Keeps or refunds the call, as its status determines; returns the quota after that.
    pub(crate) async fn settle(
        &self,
        quota: Option<QuotaStatus>,
        counted: Option<OpenCall>,
        status: StatusCode,
    ) -> Option<QuotaStatus> {
        let mut quota = quota?;
        if let (Some(call), false) = (counted, quota::is_billable(status)) {
            match call.refund().await {
                Ok(used) => quota.used = used,
                Err(error) => {
                    let causes = in_one_line(&error);
                    tracing::warn!(causes, "a call that is not billable could not be refunded: {causes}");
                }
            }
        }
        Some(quota)
    }

    /// Returns the refusal of a request whose key is not valid, which counts against its address.
    pub(crate) async fn failed_key(&self, address: IpAddr) -> ApiError {
        let failed_keys = match part(self.failed_keys.as_ref(), "limit of failed keys") {
            Ok(failed_keys) => failed_keys,
            Err(error) => return error.into(),
        };
        let refusal = failed_keys.refusal(address, self.clock.uptime()).await;
        if matches!(refusal, ApiError::TooManyRequests { .. }) {
            self.count(Some(Decision::FailedKeys));
        }
        refusal
    }

    async fn admit_address(&self, address: IpAddr) -> Result<(Decision, CallOutcome), ApiError> {
        let limits = part(self.limits.as_ref(), "address limit")?;
        let limit = part(self.addresses.as_ref(), "address limit")?;
        if limit.admits(address, self.clock.uptime()).await? {
            return Ok((Decision::Admitted, Ok(None)));
        }
        Ok((Decision::Address, Err(ApiError::second_is_full(limits.public_per_second))))
    }

    /// Returns the holder of a key, if it is active.
    async fn authenticate(&self, key: &ApiKey, connection: Option<&Connection>) -> Result<Arc<KeyHolder>, ApiError> {
        let digest = key.digest();
        let lookup = part(self.ring.as_ref(), "key ring")?.holder(&digest);
        let holder = match connection {
            Some(connection) => connection.look_up_key(lookup).await?,
            None => lookup.await?,
        };
        holder.filter(|holder| holder.key.is_active(self.clock.now())).ok_or(ApiError::KeyRefused)
    }

    async fn admit_holder(&self, holder: Arc<KeyHolder>, requirement: Requirement, address: IpAddr) -> CallAdmission {
        let allowed = &holder.key.allowed_networks;
        if !allowed.is_empty() && !allowed.contains(address) {
            let detail = format!("This API key is not allowed from your address {address}");
            return CallAdmission { holder: Some(holder), ..ApiError::Forbidden(detail).into() };
        }
        match self.measure(&holder, requirement).await {
            Ok((quota, decision, outcome)) => {
                if let (Ok(_), Some(uses)) = (&outcome, &self.uses) {
                    uses.note(&holder.key, address);
                }
                CallAdmission { holder: Some(holder), quota: Some(quota), decision, outcome }
            }
            Err(error) => CallAdmission { holder: Some(holder), ..error.into() },
        }
    }

    /// Returns the quota after the call, the decision of a limit, and the outcome.
    async fn measure(
        &self,
        holder: &KeyHolder,
        requirement: Requirement,
    ) -> Result<(QuotaStatus, Option<Decision>, CallOutcome), ApiError> {
        let limits = part(self.limits.as_ref(), "limits")?.customer;
        let meter = self.meter.as_ref().ok_or_else(|| PortError::unavailable("meter", MISSING))?;
        let (arrival, tier) = (Arrival::now(&*self.clock), holder.customer.tier());
        let (used, decision, outcome) = match requirement {
            Requirement::Subscription | Requirement::AccountChange if !holder.customer.is_subscribed() => {
                (0, None, Err(ApiError::SubscriptionRequired))
            }
            Requirement::Subscription | Requirement::AccountChange | Requirement::Valid => {
                self.count_call(meter, limits, holder, arrival).await?
            }
            Requirement::Uncounted => admit_uncounted(&**meter, limits, holder, arrival).await?,
        };
        let quota = QuotaStatus { tier, limit: limits.monthly_of(tier), used, month: arrival.month };
        Ok((quota, decision, outcome))
    }

    /// Counts the call, or refuses it at a limit.
    async fn count_call(
        &self,
        meter: &Arc<dyn Meter>,
        limits: Limits,
        holder: &KeyHolder,
        arrival: Arrival,
    ) -> Result<Measured, ApiError> {
        let Limits { monthly, per_second } = limits;
        Ok(match meter.admit(holder.customer.id, holder.customer.tier(), arrival).await? {
            Metered::Admitted(call) => {
                let open = OpenCall { call, meter: Arc::clone(meter), is_free: false };
                (call.used, Some(Decision::Admitted), Ok(Some(open)))
            }
            Metered::SecondIsFull { used } => (used, Some(Decision::Second), Err(ApiError::second_is_full(per_second))),
            Metered::MonthIsFull { used } => {
                let detail = format!("Rate limit exceeded. Limit: {monthly} requests per month");
                let retry_after = arrival.month.seconds_left(self.clock.now());
                (used, Some(Decision::Month), Err(ApiError::TooManyRequests { detail, retry_after }))
            }
        })
    }
}

/// Admits the call without counting it, or refuses it at the limit of a second.
async fn admit_uncounted(
    meter: &dyn Meter,
    limits: Limits,
    holder: &KeyHolder,
    arrival: Arrival,
) -> Result<Measured, ApiError> {
    Ok(match meter.admit_uncounted(holder.customer.id, arrival).await? {
        UncountedAdmission::Admitted { used } => (used, Some(Decision::Admitted), Ok(None)),
        UncountedAdmission::SecondIsFull { used } => {
            (used, Some(Decision::Second), Err(ApiError::second_is_full(limits.per_second)))
        }
    })
}
