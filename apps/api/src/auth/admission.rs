use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::Data;
use sports_accounts::{ApiKey, Limits, QuotaStatus};
use sports_ports::Clock;
use sports_ports::accounts::{KeyHolder, KeyRing};
use sports_ports::metering::{Admission as Metered, Arrival, CountedCall, Meter, UncountedAdmission};

use super::presented::presented_key;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::metrics::{Decision, Metrics};
use crate::provided::provided;

/// The holder of the key that came with a request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The key and its customer.
    pub holder: KeyHolder,
    /// How much of the quota is used, with this call if it counts.
    pub quota: QuotaStatus,
}

/// How much callers may ask.
#[derive(Debug, Clone, Copy)]
pub struct CallLimits {
    /// A customer.
    pub customer: Limits,
    /// An address, within any one second, where no key is asked for.
    pub public_per_second: NonZeroU32,
}

/// On what a caller is let in, and whether the call counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A valid key; the call does not count.
    Uncounted,
    /// A valid key.
    Valid,
    /// A valid key of a customer with an active subscription.
    Subscription,
}

/// What was decided about a caller who is known.
pub(super) struct Admission {
    /// How much of the quota is used.
    pub quota: QuotaStatus,
    /// The call, if it was counted; or why the caller is refused.
    pub outcome: Result<Option<CountedCall>, ApiError>,
}

/// Decides about one request, by the key that came with it.
pub(super) struct Admitter {
    key: ApiKey,
    ring: Data<dyn KeyRing>,
    meter: Data<dyn Meter>,
    limits: Data<CallLimits>,
    clock: Data<dyn Clock>,
    connection: Option<Arc<Connection>>,
    metrics: Option<Data<Metrics>>,
}

impl Admitter {
    /// A mistyped key costs no lookup.
    pub(super) fn for_request(request: &HttpRequest) -> Result<Self, ApiError> {
        Ok(Self {
            key: presented_key(request)?,
            ring: provided(request, "key ring")?,
            meter: provided(request, "meter")?,
            limits: provided(request, "limits")?,
            clock: provided(request, "clock")?,
            connection: request.conn_data().cloned(),
            metrics: request.app_data().cloned(),
        })
    }

    fn decided(&self, decision: Decision) {
        if let Some(metrics) = &self.metrics {
            metrics.decisions.count(decision);
        }
    }

    pub(super) fn meter(&self) -> &dyn Meter {
        self.meter.get_ref()
    }

    /// The holder of the key, if it opens anything.
    pub(super) async fn authenticate(&self) -> Result<KeyHolder, ApiError> {
        let digest = self.key.digest();
        let look_up = self.ring.holder(&digest);
        let holder = match &self.connection {
            Some(connection) => connection.looking_up_key(look_up).await?,
            None => look_up.await?,
        };
        holder.filter(|holder| holder.key.is_active(self.clock.now())).ok_or(ApiError::KeyRefused)
    }

    /// An admitted call is counted, unless the condition says otherwise; one without a subscription is not.
    pub(super) async fn admit(&self, holder: &KeyHolder, condition: Requirement) -> Result<Admission, ApiError> {
        let arrival = Arrival::now(self.clock.get_ref());
        let (used, outcome) = match condition {
            Requirement::Subscription if !holder.customer.is_subscribed() => (0, Err(ApiError::SubscriptionRequired)),
            Requirement::Subscription | Requirement::Valid => self.count(holder, arrival).await?,
            Requirement::Uncounted => self.look(holder, arrival).await?,
        };
        let tier = holder.customer.tier();
        let limit = self.limits.customer.monthly_of(tier);
        Ok(Admission { quota: QuotaStatus { tier, limit, used, month: arrival.month }, outcome })
    }

    /// Counts the call, or refuses it because too many were counted.
    async fn count(&self, holder: &KeyHolder, arrival: Arrival) -> Result<Outcome, ApiError> {
        let Limits { monthly, per_second } = self.limits.customer;
        let admission = self.meter.admit(holder.customer.id, holder.customer.tier(), arrival).await?;
        self.decided(match admission {
            Metered::Admitted(_) => Decision::Admitted,
            Metered::SecondIsFull { .. } => Decision::Second,
            Metered::MonthIsFull { .. } => Decision::Month,
        });
        Ok(match admission {
            Metered::Admitted(call) => (call.used, Ok(Some(call))),
            Metered::SecondIsFull { used } => (used, Err(ApiError::second_is_full(per_second))),
            Metered::MonthIsFull { used } => {
                let detail = format!("Rate limit exceeded. Limit: {monthly} requests per month");
                let retry_after = arrival.month.seconds_left(self.clock.now());
                (used, Err(ApiError::TooManyRequests { detail, retry_after }))
            }
        })
    }

    /// Lets the call in without counting it, or refuses it because it came too fast.
    async fn look(&self, holder: &KeyHolder, arrival: Arrival) -> Result<Outcome, ApiError> {
        let admission = self.meter.admit_uncounted(holder.customer.id, arrival).await?;
        self.decided(match admission {
            UncountedAdmission::Admitted { .. } => Decision::Admitted,
            UncountedAdmission::SecondIsFull { .. } => Decision::Second,
        });
        Ok(match admission {
            UncountedAdmission::Admitted { used } => (used, Ok(None)),
            UncountedAdmission::SecondIsFull { used } => {
                (used, Err(ApiError::second_is_full(self.limits.customer.per_second)))
            }
        })
    }
}

/// How many calls of the month are used, and what becomes of this one.
type Outcome = (u64, Result<Option<CountedCall>, ApiError>);
