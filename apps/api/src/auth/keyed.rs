use std::future::Ready;
use std::marker::PhantomData;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppService, HttpServiceFactory, Payload, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, Resource};
use sports_accounts::CustomerId;
use utoipa::openapi::path::Operation;

use super::access::{Access, admitted};
use super::admission::{Admission, Admitter, Caller, Requirement, count_decision};
use super::entrance::Entrance;
use super::failed_keys::FailedKeys;
use super::quota::{self, settled};
use crate::error::{ApiError, KeyRefused, NotEntitled, RequestRefused, ServiceFault};
use crate::openapi::add_responses;
use crate::openapi::security::behind_a_key;
use crate::panic_guard;
use crate::params::UnknownParams;

/// A caller whom a valid key lets in; `N` says what the key must be good for.
#[derive(Debug, Clone)]
pub struct Keyed<N>(pub Caller, PhantomData<N>);

/// A caller with a valid key and an active subscription.
pub type Subscriber = Keyed<ActiveSubscription>;

/// A caller with a valid key, subscribed or not.
pub type AnyKey = Keyed<Valid>;

/// A caller with a valid key who asks about the account itself: the call is not counted, and a month that is used up does
/// not refuse it.
pub type UncountedCaller = Keyed<Uncounted>;

/// What a key must be good for, and whether its call counts.
pub trait KeyNeed: 'static {
    #[doc(hidden)]
    const CONDITION: Requirement;
}

/// The key's customer has an active subscription.
#[derive(Debug, Clone, Copy)]
pub enum ActiveSubscription {}

/// The key is valid.
#[derive(Debug, Clone, Copy)]
pub enum Valid {}

/// The key is valid; the call does not count.
#[derive(Debug, Clone, Copy)]
pub enum Uncounted {}

impl KeyNeed for ActiveSubscription {
    const CONDITION: Requirement = Requirement::Subscription;
}

impl KeyNeed for Valid {
    const CONDITION: Requirement = Requirement::Valid;
}

impl KeyNeed for Uncounted {
    const CONDITION: Requirement = Requirement::Uncounted;
}

impl<N: KeyNeed> FromRequest for Keyed<N> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        admitted(request)
    }
}

impl<N: KeyNeed> Access for Keyed<N> {
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::Refused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(key_scope::<N, _>)).register(config);
    }

    fn describe(operation: &mut Operation) {
        add_responses::<KeyRefused>(operation);
        add_responses::<RequestRefused>(operation);
        add_responses::<ServiceFault>(operation);
        if N::CONDITION == Requirement::Subscription {
            add_responses::<NotEntitled>(operation);
        }
        behind_a_key(operation);
    }
}

/// The customer whose key came with a request. Left in its extensions, also where the caller is refused.
#[derive(Clone, Copy)]
struct KeyOwner(CustomerId);

/// The customer whose key was accepted, whatever became of the call.
#[must_use]
pub fn key_owner(request: &HttpRequest) -> Option<CustomerId> {
    request.extensions().get().map(|KeyOwner(customer)| *customer)
}

/// The scope of operations behind a key: lets the caller in and counts the call, or refuses it, and settles it when the
/// answer is known, even where that is a panic. Keys that open nothing are counted against the address.
async fn key_scope<N: KeyNeed, B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // A panic takes the other one with it.
    let kept = request.request().clone();
    let (admitter, admission) = match admission::<N>(&kept).await {
        Ok(decided) => decided,
        Err(ApiError::KeyRefused) => return Ok(request.error_response(FailedKeys::refusal(&kept).await)),
        Err(error) => return Ok(request.error_response(error)),
    };
    let Admission { quota, outcome, .. } = admission;
    let (mut response, counted) = match outcome {
        Ok(counted) => {
            let answer = panic_guard::call(next, request).await;
            let lost = |error| ServiceResponse::from_err(error, kept.clone());
            (answer.map_or_else(lost, ServiceResponse::map_into_boxed_body), counted)
        }
        Err(refusal) => (request.error_response(refusal), None),
    };
    let status = response.status();
    let quota = settled(quota, counted, admitter.meter(), status).await;
    quota::write(&quota, response.headers_mut());
    Ok(response)
}

/// Decides about a request, and leaves the caller for the handler if they are let in.
async fn admission<N: KeyNeed>(request: &HttpRequest) -> Result<(Admitter<'_>, Admission), ApiError> {
    let admitter = Admitter::for_request(request)?;
    let holder = admitter.authenticate().await?;
    request.extensions_mut().insert(KeyOwner(holder.customer.id));
    let admission = admitter.admit(&holder, N::CONDITION).await?;
    if let Some(decision) = admission.decision {
        count_decision(request, decision);
    }
    if admission.outcome.is_ok() {
        Entrance::Key(N::CONDITION).mark(request);
        let caller = Caller { holder, quota: admission.quota };
        request.extensions_mut().insert(Keyed::<N>(caller, PhantomData));
    }
    Ok((admitter, admission))
}
