use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::Data;
use sports_accounts::{ApiKey, Limits, QuotaStatus};
use sports_ports::Clock;
use sports_ports::accounts::{KeyHolder, KeyRing};
use sports_ports::metering::{Admission as Metered, Arrival, CountedCall, Meter, UncountedAdmission};
use sports_telemetry::metrics::{Decision, Metrics};

use super::presented::ShownKey;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::provided::provided;

/// The holder of the key that came with a request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The key and its customer.
    pub holder: Arc<KeyHolder>,
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
pub(crate) struct Admission {
    /// How much of the quota is used.
    pub quota: QuotaStatus,
    /// What a limit decided, if one was asked.
    pub decision: Option<Decision>,
    /// The call, if it was counted; or why the caller is refused.
    pub outcome: Result<Option<CountedCall>, ApiError>,
}

/// Counts the decision about a request, if there are metrics.
pub(super) fn count_decision(request: &HttpRequest, decision: Decision) {
    if let Some(metrics) = request.app_data::<Data<Metrics>>() {
        metrics.decisions.count(decision);
    }
}

/// Decides about one request, by the key that came with it.
pub(crate) struct Admitter<'a> {
    key: ApiKey,
    deciders: Deciders<'a>,
    connection: Option<&'a Connection>,
}

/// What is asked about a caller.
#[derive(Clone, Copy)]
pub(crate) struct Deciders<'a> {
    pub(crate) ring: &'a dyn KeyRing,
    pub(crate) meter: &'a dyn Meter,
    pub(crate) limits: &'a CallLimits,
    pub(crate) clock: &'a dyn Clock,
}

impl<'a> Admitter<'a> {
    /// A mistyped key costs no lookup.
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

    /// With a key that came on a connection.
    pub(crate) const fn new(key: ApiKey, deciders: Deciders<'a>, connection: Option<&'a Connection>) -> Self {
        Self { key, deciders, connection }
    }

    pub(super) fn meter(&self) -> &'a dyn Meter {
        self.deciders.meter
    }

    /// The holder of the key, if it opens anything.
    pub(crate) async fn authenticate(&self) -> Result<Arc<KeyHolder>, ApiError> {
        let digest = self.key.digest();
        let look_up = self.deciders.ring.holder(&digest);
        let holder = match self.connection {
            Some(connection) => connection.looking_up_key(look_up).await?,
            None => look_up.await?,
        };
        holder.filter(|holder| holder.key.is_active(self.deciders.clock.now())).ok_or(ApiError::KeyRefused)
    }

    /// An admitted call is counted, unless the condition says otherwise; one without a subscription is not.
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

    /// Counts the call, or refuses it because too many were counted.
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

    /// Lets the call in without counting it, or refuses it because it came too fast.
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

/// How many calls of the month are used, what a limit decided, and what becomes of this call.
type Outcome = (u64, Option<Decision>, Result<Option<CountedCall>, ApiError>);
