use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::HttpRequest;
use sports_accounts::{ApiKey, Limits, QuotaStatus};
use sports_ports::Clock;
use sports_ports::accounts::{KeyHolder, KeyRing};
use sports_ports::metering::{Admission as Metered, Arrival, CountedCall, Meter, UncountedAdmission};

use super::presented::ShownKey;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::metrics::Decision;
use crate::provided::provided;

/// The holder of the key that came with a request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The key and its customer.
    pub holder: Arc<KeyHolder>,
    /// The used part of the quota, with this call if it counts.
    pub quota: QuotaStatus,
}

/// The limits on calls.
#[derive(Debug, Clone, Copy)]
pub struct CallLimits {
    /// The limits of a customer.
    pub customer: Limits,
    /// The limit of an address within any one second, for operations without a key.
    pub public_per_second: NonZeroU32,
}

/// The condition of admission by a key, with the effect on the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A valid key; the call does not count.
    Uncounted,
    /// A valid key.
    Valid,
    /// A valid key of a customer with an active subscription.
    Subscription,
}

/// The decision about an authenticated caller.
pub(crate) struct Admission {
    /// The used part of the quota.
    pub quota: QuotaStatus,
    /// The decision of a limit, if a limit was consulted.
    pub decision: Option<Decision>,
    /// The call, if it was counted; or the refusal.
    pub outcome: Result<Option<CountedCall>, ApiError>,
}

/// Admission of one request by the key that came with it.
pub(crate) struct Admitter<'a> {
    key: ApiKey,
    deciders: Deciders<'a>,
    connection: Option<&'a Connection>,
}

/// The ports and limits that decide about a caller.
#[derive(Clone, Copy)]
pub(crate) struct Deciders<'a> {
    pub(crate) ring: &'a dyn KeyRing,
    pub(crate) meter: &'a dyn Meter,
    pub(crate) limits: &'a CallLimits,
    pub(crate) clock: &'a dyn Clock,
}

impl<'a> Admitter<'a> {
    /// Takes the key and the ports from a request. A mistyped key fails here, without a lookup.
    pub(super) fn for_request(request: &'a HttpRequest) -> Result<Self, ApiError> {
        let key = ShownKey::by_request(request).parsed()?;
        let deciders = Deciders {
            ring: &***provided::<dyn KeyRing>(request, "key ring")?,
            meter: &***provided::<dyn Meter>(request, "meter")?,
            limits: provided::<CallLimits>(request, "limits")?,
            clock: &***provided::<dyn Clock>(request, "clock")?,
        };
        Ok(Self::new(key, deciders, request.conn_data::<Arc<Connection>>().map(|connection| &**connection)))
    }

    /// Creates the admission for a key that came on a connection.
    pub(crate) const fn new(key: ApiKey, deciders: Deciders<'a>, connection: Option<&'a Connection>) -> Self {
        Self { key, deciders, connection }
    }

    pub(super) fn meter(&self) -> &'a dyn Meter {
        self.deciders.meter
    }

    /// Returns the holder of the key.
    ///
    /// # Errors
    ///
    /// [`ApiError::KeyRefused`] if the key is unknown or not active.
    pub(crate) async fn authenticate(&self) -> Result<Arc<KeyHolder>, ApiError> {
        let digest = self.key.digest();
        let look_up = self.deciders.ring.holder(&digest);
        let holder = match self.connection {
            Some(connection) => connection.looking_up_key(look_up).await?,
            None => look_up.await?,
        };
        holder.filter(|holder| holder.key.is_active(self.deciders.clock.now())).ok_or(ApiError::KeyRefused)
    }

    /// Decides about a call of the holder. An admitted call is counted, unless the condition is
    /// [`Requirement::Uncounted`]; a call without the required subscription is refused and not counted.
    pub(crate) async fn admit(&self, holder: &KeyHolder, condition: Requirement) -> Result<Admission, ApiError> {
        let arrival = Arrival::now(self.deciders.clock);
        let (used, decision, outcome) = match condition {
            Requirement::Subscription if !holder.customer.is_subscribed() => {
                (0, None, Err(ApiError::SubscriptionRequired))
            }
            Requirement::Subscription | Requirement::Valid => self.count(holder, arrival).await?,
            Requirement::Uncounted => self.look(holder, arrival).await?,
        };
        let tier = holder.customer.tier();
        let limit = self.deciders.limits.customer.monthly_of(tier);
        Ok(Admission { quota: QuotaStatus { tier, limit, used, month: arrival.month }, decision, outcome })
    }

    /// Counts the call, or refuses it because the second or the month is full.
    async fn count(&self, holder: &KeyHolder, arrival: Arrival) -> Result<Outcome, ApiError> {
        let Limits { monthly, per_second } = self.deciders.limits.customer;
        let admission = self.deciders.meter.admit(holder.customer.id, holder.customer.tier(), arrival).await?;
        Ok(match admission {
            Metered::Admitted(call) => (call.used, Some(Decision::Admitted), Ok(Some(call))),
            Metered::SecondIsFull { used } => (used, Some(Decision::Second), Err(ApiError::second_is_full(per_second))),
            Metered::MonthIsFull { used } => {
                let detail = format!("Rate limit exceeded. Limit: {monthly} requests per month");
                let retry_after = arrival.month.seconds_left(self.deciders.clock.now());
                (used, Some(Decision::Month), Err(ApiError::TooManyRequests { detail, retry_after }))
            }
        })
    }

    /// Admits the call without counting it, or refuses it because the second is full.
    async fn look(&self, holder: &KeyHolder, arrival: Arrival) -> Result<Outcome, ApiError> {
        let admission = self.deciders.meter.admit_uncounted(holder.customer.id, arrival).await?;
        Ok(match admission {
            UncountedAdmission::Admitted { used } => (used, Some(Decision::Admitted), Ok(None)),
            UncountedAdmission::SecondIsFull { used } => {
                (used, Some(Decision::Second), Err(ApiError::second_is_full(self.deciders.limits.customer.per_second)))
            }
        })
    }
}

/// The used calls of the month, the decision of a limit, and the admitted call or its refusal.
type Outcome = (u64, Option<Decision>, Result<Option<CountedCall>, ApiError>);
