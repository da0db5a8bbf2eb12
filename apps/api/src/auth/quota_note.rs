use std::cell::Cell;
use std::rc::Rc;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest};
use sports_accounts::{CustomerId, QuotaStatus};
use sports_ports::in_one_line;
use sports_ports::metering::{CountedCall, Meter};

use crate::caching::Audience;

/// What is known about a request's caller and their quota. It goes through the request's extensions: the shell puts it
/// there, whoever authenticates the caller fills it in, and the shell reads it when the answer is known, even where a
/// panic has taken the request away.
#[derive(Clone, Default)]
pub(crate) struct QuotaNote {
    noted: Rc<Cell<Option<Noted>>>,
    customer: Rc<Cell<Option<CustomerId>>>,
}

#[derive(Clone, Copy)]
struct Noted {
    quota: QuotaStatus,
    counted: Option<CountedCall>,
}

impl QuotaNote {
    /// An empty one for a new request.
    pub(crate) fn attach(request: &HttpRequest) -> Self {
        let slip = Self::default();
        request.extensions_mut().insert(slip.clone());
        slip
    }

    /// The one of a request.
    pub(super) fn on_request(request: &HttpRequest) -> Self {
        request.extensions().get().cloned().unwrap_or_default()
    }

    /// Notes a caller, and the call where it was counted.
    pub(super) fn note(&self, quota: QuotaStatus, counted: Option<CountedCall>) {
        self.noted.set(Some(Noted { quota, counted }));
    }

    /// Notes whose key came with the request.
    pub(super) fn identify(&self, customer: CustomerId) {
        self.customer.set(Some(customer));
    }

    /// The customer whose key was accepted, whatever became of the call.
    pub(crate) fn customer(&self) -> Option<CustomerId> {
        self.customer.get()
    }

    /// Whom the answer is for: a caller who is known got it by a key.
    pub(crate) fn audience(&self) -> Audience {
        if self.noted.get().is_some() { Audience::KeyHolder } else { Audience::Everybody }
    }

    /// Gives the call back where its answer is one that does not count, and tells the caller where they stand.
    pub(crate) async fn settle(self, status: StatusCode, meter: Option<&Data<dyn Meter>>, headers: &mut HeaderMap) {
        let Some(Noted { mut quota, counted }) = self.noted.take() else { return };
        if let (Some(call), Some(meter), false) = (counted, meter, counts(status)) {
            match meter.give_back(call).await {
                Ok(used) => quota.used = used,
                Err(error) => {
                    let causes = in_one_line(&error);
                    tracing::warn!(causes, "a call could not be given back: {causes}");
                }
            }
        }
        say(&quota, headers);
    }
}

/// Faults of ours, and answers that say nothing new or refuse the caller, are free.
fn counts(status: StatusCode) -> bool {
    let free =
        [StatusCode::NOT_MODIFIED, StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !free.contains(&status)
}

fn say(quota: &QuotaStatus, headers: &mut HeaderMap) {
    let reset = quota.resets_at().timestamp().unsigned_abs();
    let mut insert = |name, value: HeaderValue| drop(headers.insert(HeaderName::from_static(name), value));
    insert("x-ratelimit-limit", quota.limit.into());
    insert("x-ratelimit-remaining", quota.remaining().into());
    insert("x-ratelimit-reset", reset.into());
    insert("x-ratelimit-tier", HeaderValue::from_static(quota.tier.code()));
}
