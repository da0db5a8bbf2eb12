use std::net::IpAddr;
use std::sync::Arc;

use actix_web::http::StatusCode;
use sports_accounts::{ApiKey, KeyDigest, Limits, QuotaStatus};
use sports_http_transport::Connection;
use sports_ports::accounts::KeyHolder;
use sports_ports::metering::{Admission as Metered, Arrival, CountedCall, Meter, UncountedAdmission};
use sports_ports::{PortError, error_chain};
use sports_telemetry::metrics::Decision;
use sports_usecases::key_uses::CommittedKeyUses;

use super::access::Requirement;
use super::credentials::Credentials;
use crate::error::ApiError;
use crate::state::{Callers, State};

/// The gate through which all callers are admitted: of operations, and of cached responses.
///
/// # Contract
///
/// - A malformed key costs no lookup. A call without the required subscription, or from a network that the key is not allowed
///   from, is not counted.
/// - An admitted call is counted once, unless its rule does not count calls.
/// - [`settle`](Self::settle) keeps the call if its status is 2xx, and refunds it otherwise. A call whose client has gone is
///   kept.
#[derive(Clone)]
pub(crate) struct Gate(pub(crate) State);

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
    key: KeyDigest,
    /// The path pattern of the operation.
    operation: String,
    key_uses: Arc<CommittedKeyUses>,
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
            self.key_uses.count(self.call.customer, self.key, &self.operation);
        }
    }
}

impl From<ApiError> for CallAdmission {
    fn from(refusal: ApiError) -> Self {
        Self { holder: None, quota: None, decision: None, outcome: Err(refusal) }
    }
}

impl Gate {
    /// Decides about a call of the operation with a path pattern.
    pub(crate) async fn admit(
        &self,
        credentials: Credentials,
        operation: &str,
        connection: Option<&Connection>,
    ) -> CallAdmission {
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
                Ok(holder) => self.admit_holder(holder, (requirement, operation), address).await,
                Err(refusal) => refusal.into(),
            },
        }
    }

    /// Counts the decision of a limit.
    pub(crate) fn count(&self, decision: Option<Decision>) {
        if let Some(decision) = decision {
            self.0.operations.metrics.decisions.count(decision);
        }
    }

    /// Keeps the call if it succeeded, and refunds it otherwise; returns the quota after that.
    pub(crate) async fn settle(
        &self,
        quota: Option<QuotaStatus>,
        counted: Option<OpenCall>,
        status: StatusCode,
    ) -> Option<QuotaStatus> {
        let mut quota = quota?;
        if let (Some(call), false) = (counted, status.is_success()) {
            match call.refund().await {
                Ok(used) => quota.used = used,
                Err(error) => {
                    let causes = error_chain(&error);
                    tracing::warn!("a call that does not count could not be refunded: {causes}");
                }
            }
        }
        Some(quota)
    }

    /// Returns the refusal of a request whose key is not valid, which counts against its address.
    ///
    /// The limit of such requests is checked after a key has failed and never before: a valid key is served from any address,
    /// however many guesses come from there, too.
    pub(crate) async fn failed_key(&self, address: IpAddr) -> ApiError {
        let callers = &self.0.callers;
        match callers.failed_keys.admits(address, self.0.clock.uptime()).await {
            Ok(true) => ApiError::KeyRefused,
            Ok(false) => {
                self.count(Some(Decision::FailedKeys));
                ApiError::too_many_failed_keys(callers.limits.failed_keys_per_second)
            }
            Err(error) => error.into(),
        }
    }

    async fn admit_address(&self, address: IpAddr) -> Result<(Decision, CallOutcome), ApiError> {
        let callers = &self.0.callers;
        if callers.addresses.admits(address, self.0.clock.uptime()).await? {
            return Ok((Decision::Admitted, Ok(None)));
        }
        Ok((Decision::Address, Err(ApiError::second_is_full(callers.limits.public_per_second))))
    }

    /// Returns the holder of a key, if it is active.
    async fn authenticate(&self, key: &ApiKey, connection: Option<&Connection>) -> Result<Arc<KeyHolder>, ApiError> {
        let digest = key.digest();
        let lookup = self.0.callers.keys.holder(&digest);
        let holder = match connection {
            Some(connection) => connection.look_up_key(lookup).await?,
            None => lookup.await?,
        };
        holder.filter(|holder| holder.key.is_active(self.0.clock.now())).ok_or(ApiError::KeyRefused)
    }

    async fn admit_holder(
        &self,
        holder: Arc<KeyHolder>,
        wanted: (Requirement, &str),
        address: IpAddr,
    ) -> CallAdmission {
        let allowed = &holder.key.allowed_networks;
        if !allowed.is_empty() && !allowed.contains(address) {
            let detail = format!("This API key is not allowed from your address {address}");
            return CallAdmission { holder: Some(holder), ..ApiError::Forbidden(detail).into() };
        }
        match self.measure(&holder, wanted).await {
            Ok((quota, decision, outcome)) => {
                if outcome.is_ok() {
                    self.0.callers.key_uses.note(&holder.key, address);
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
        (requirement, operation): (Requirement, &str),
    ) -> Result<(QuotaStatus, Option<Decision>, CallOutcome), ApiError> {
        let Callers { meter, limits, .. } = &self.0.callers;
        let limits = limits.customer;
        let (arrival, tier) = (Arrival::now(&*self.0.clock), holder.customer.tier());
        let (used, decision, outcome) = match requirement {
            needed if needed.needs_subscription() && !holder.customer.is_subscribed() => {
                (0, None, Err(ApiError::SubscriptionRequired))
            }
            Requirement::Subscription | Requirement::Refresh | Requirement::Valid => {
                self.count_call(operation, limits, holder, arrival).await?
            }
            Requirement::Profile | Requirement::Account => admit_uncounted(&**meter, limits, holder, arrival).await?,
        };
        let quota = QuotaStatus { tier, limit: limits.monthly_of(tier), used, month: arrival.month };
        Ok((quota, decision, outcome))
    }

    /// Counts the call, or refuses it at a limit.
    async fn count_call(
        &self,
        operation: &str,
        limits: Limits,
        holder: &KeyHolder,
        arrival: Arrival,
    ) -> Result<Measured, ApiError> {
        let Limits { monthly, per_second } = limits;
        let Callers { meter, key_uses, .. } = &self.0.callers;
        Ok(match meter.admit(holder.customer.id, holder.customer.tier(), arrival).await? {
            Metered::Admitted(call) => {
                let (meter, key_uses, operation) = (Arc::clone(meter), Arc::clone(key_uses), operation.to_owned());
                let open = OpenCall { call, meter, key: holder.key.digest, operation, key_uses, is_free: false };
                (call.used, Some(Decision::Admitted), Ok(Some(open)))
            }
            Metered::SecondIsFull { used } => (used, Some(Decision::Second), Err(ApiError::second_is_full(per_second))),
            Metered::MonthIsFull { used } => {
                let detail = format!("Rate limit exceeded. Limit: {monthly} requests per month");
                (used, Some(Decision::Month), Err(ApiError::MonthIsFull { detail, month: arrival.month }))
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
