//! Who is asking, and whether they may ask right now. A handler says what it needs by taking a [`Subscriber`], an
//! [`AnyKey`], an [`UncountedCaller`] or a [`PublicCaller`].

mod failed_keys;
mod gate;
mod presented;
mod public;
mod quota_note;

use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use futures::future::LocalBoxFuture;
use sports_accounts::{ApiKey, CalendarMonth, Limits, QuotaStatus};
use sports_ports::accounts::{KeyHolder, KeyRing};
use sports_ports::metering::{Admission, Arrival, Meter, UncountedAdmission};
use sports_ports::{Clock, PortError};

pub use failed_keys::FailedKeys;
use gate::Gate;
pub use gate::Gated;
use presented::presented_key;
pub use public::PublicCaller;
pub(crate) use quota_note::QuotaNote;

use crate::connections::Connection;
use crate::error::ApiError;

/// A caller with a valid key and an active subscription.
#[derive(Debug, Clone)]
pub struct Subscriber(pub Caller);

/// A caller with a valid key, subscribed or not.
#[derive(Debug, Clone)]
pub struct AnyKey(pub Caller);

/// A caller with a valid key who asks about the account itself: the call is not counted, and a month that is used up does
/// not refuse it.
#[derive(Debug, Clone)]
pub struct UncountedCaller(pub Caller);

/// Whoever holds the key that came with a request.
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

impl FromRequest for AnyKey {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller = let_in(request, Access::Key);
        Box::pin(async { caller.await.map(Self) })
    }
}

impl FromRequest for Subscriber {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller = let_in(request, Access::Subscription);
        Box::pin(async { caller.await.map(Self) })
    }
}

impl FromRequest for UncountedCaller {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller = let_in(request, Access::UncountedKey);
        Box::pin(async { caller.await.map(Self) })
    }
}

/// What a caller needs to be let in, and whether the call counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    UncountedKey,
    Key,
    Subscription,
}

/// Whoever is let in is counted, unless access says otherwise; who lacks a subscription is not. Keys that open nothing are
/// counted against the address.
fn let_in(request: &HttpRequest, access: Access) -> impl Future<Output = Result<Caller, ApiError>> + use<> {
    let (gate, datasets, request) = (Gate::close(request), Desk::for_request(request), request.clone());
    async move {
        let admission = async { datasets?.decide(access).await };
        match admission.await {
            Ok(caller) => {
                gate.open();
                Ok(caller)
            }
            Err(ApiError::KeyRefused) => Err(FailedKeys::refusal(&request).await),
            Err(error) => Err(error),
        }
    }
}

/// Everything that decides about one request, and the key it came with.
struct Desk {
    key: ApiKey,
    ring: Data<dyn KeyRing>,
    meter: Data<dyn Meter>,
    limits: Data<CallLimits>,
    clock: Data<dyn Clock>,
    slip: QuotaNote,
    connection: Option<Arc<Connection>>,
}

impl Desk {
    /// A mistyped key costs no lookup.
    fn for_request(request: &HttpRequest) -> Result<Self, ApiError> {
        Ok(Self {
            key: presented_key(request)?,
            ring: request.app_data().cloned().ok_or_else(|| missing("key ring"))?,
            meter: request.app_data().cloned().ok_or_else(|| missing("meter"))?,
            limits: request.app_data().cloned().ok_or_else(|| missing("limits"))?,
            clock: request.app_data().cloned().ok_or_else(|| missing("clock"))?,
            slip: QuotaNote::on_request(request),
            connection: request.conn_data().cloned(),
        })
    }

    async fn decide(&self, access: Access) -> Result<Caller, ApiError> {
        let holder = self.authenticate().await?;
        self.slip.identify(holder.customer.id);
        if access == Access::Subscription && !holder.customer.is_subscribed() {
            let month = CalendarMonth::containing(self.clock.now());
            self.slip.note(self.quota(&holder, month, 0), None);
            return Err(ApiError::SubscriptionRequired);
        }
        match access {
            Access::UncountedKey => self.admit_uncounted(holder).await,
            Access::Key | Access::Subscription => self.admit(holder).await,
        }
    }

    async fn authenticate(&self) -> Result<KeyHolder, ApiError> {
        let digest = self.key.digest();
        let look_up = self.ring.holder(&digest);
        let holder = match &self.connection {
            Some(connection) => connection.looking_up_key(look_up).await?,
            None => look_up.await?,
        };
        holder.filter(|holder| holder.key.is_active(self.clock.now())).ok_or(ApiError::KeyRefused)
    }

    /// Counts the call, or refuses it because too many were counted.
    async fn admit(&self, holder: KeyHolder) -> Result<Caller, ApiError> {
        let arrival = Arrival::now(self.clock.get_ref());
        let quota = |used| self.quota(&holder, arrival.month, used);
        let Limits { monthly, per_second } = self.limits.customer;
        match self.meter.admit(holder.customer.id, holder.customer.tier(), arrival).await? {
            Admission::Admitted(call) => {
                let quota = quota(call.used);
                self.slip.note(quota, Some(call));
                Ok(Caller { holder, quota })
            }
            Admission::SecondIsFull { used } => {
                self.slip.note(quota(used), None);
                Err(ApiError::second_is_full(per_second))
            }
            Admission::MonthIsFull { used } => {
                self.slip.note(quota(used), None);
                Err(ApiError::TooManyRequests {
                    detail: format!("Rate limit exceeded. Limit: {monthly} requests per month"),
                    retry_after: arrival.month.seconds_left(self.clock.now()),
                })
            }
        }
    }

    /// Lets the call in without counting it, or refuses it because it came too fast.
    async fn admit_uncounted(&self, holder: KeyHolder) -> Result<Caller, ApiError> {
        let arrival = Arrival::now(self.clock.get_ref());
        let (used, admitted) = match self.meter.admit_uncounted(holder.customer.id, arrival).await? {
            UncountedAdmission::Admitted { used } => (used, Ok(())),
            UncountedAdmission::SecondIsFull { used } => {
                (used, Err(ApiError::second_is_full(self.limits.customer.per_second)))
            }
        };
        let quota = self.quota(&holder, arrival.month, used);
        self.slip.note(quota, None);
        admitted.map(|()| Caller { holder, quota })
    }

    fn quota(&self, holder: &KeyHolder, month: CalendarMonth, used: u64) -> QuotaStatus {
        let tier = holder.customer.tier();
        QuotaStatus { tier, limit: self.limits.customer.monthly_of(tier), used, month }
    }
}

/// A part that the program should have been started with.
fn missing(part: &'static str) -> ApiError {
    PortError::unavailable(part, "the program was started without one").into()
}
