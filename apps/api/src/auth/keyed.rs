use std::marker::PhantomData;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, Resource};
use sports_accounts::KeyScope;
use utoipa::openapi::path::Operation;

use super::access::{Access, AdmissionRule, Requirement};
use super::scope::{Caller, scope, take_caller};
use crate::arguments::from_request;
use crate::error::{ApiError, KeyRefused, NotEntitled, RequestRefused, ServiceFault};
use crate::openapi::add_responses;
use crate::openapi::security::behind_a_key;
use crate::params::UnknownParams;

/// A caller with a valid key that meets the requirement `N`.
#[derive(Debug, Clone)]
pub struct Keyed<N>(pub Caller, PhantomData<N>);

/// A caller with a valid key and an active subscription.
pub type Subscriber = Keyed<ActiveSubscription>;

/// A subscriber who refreshes datasets, with a key of the scope `full`.
pub type Refresher = Keyed<Refresh>;

/// A subscriber with a key of the scope `full`, for operations on keys and datasets: the call is not counted, and an exhausted quota
/// does not refuse it.
pub type AccountHolder = Keyed<Account>;

/// The same for operations on the account itself, subscribed or not.
pub type ProfileHolder = Keyed<Profile>;

/// A caller with a valid key, subscribed or not.
pub type AnyKey = Keyed<Valid>;

/// A requirement on a key, as a type.
pub trait KeyNeed: 'static {
    #[doc(hidden)]
    const REQUIREMENT: Requirement;
}

/// The key's customer has an active subscription.
#[derive(Debug, Clone, Copy)]
pub enum ActiveSubscription {}

/// The same, and the key has the scope `full`.
#[derive(Debug, Clone, Copy)]
pub enum Refresh {}

/// The same, and the call does not count.
#[derive(Debug, Clone, Copy)]
pub enum Account {}

/// The key has the scope `full`, and the call does not count.
#[derive(Debug, Clone, Copy)]
pub enum Profile {}

/// The key is valid.
#[derive(Debug, Clone, Copy)]
pub enum Valid {}

impl KeyNeed for ActiveSubscription {
    const REQUIREMENT: Requirement = Requirement::Subscription;
}

impl KeyNeed for Refresh {
    const REQUIREMENT: Requirement = Requirement::Refresh;
}

impl KeyNeed for Account {
    const REQUIREMENT: Requirement = Requirement::Account;
}

impl KeyNeed for Profile {
    const REQUIREMENT: Requirement = Requirement::Profile;
}

impl KeyNeed for Valid {
    const REQUIREMENT: Requirement = Requirement::Valid;
}

from_request! { <N: KeyNeed> Keyed<N>, request => {
    let caller = take_caller(request, AdmissionRule::Key(N::REQUIREMENT));
    let missing = || ApiError::Internal("a caller has no key".into());
    let is_limited = |caller: &Caller| N::REQUIREMENT.needs_full_scope() && caller.holder.key.scope != KeyScope::Full;
    caller.and_then(|caller| caller.ok_or_else(missing)).and_then(|caller| {
        if is_limited(&caller) { Err(read_only(request)) } else { Ok(Self(caller, PhantomData)) }
    })
} }

/// Returns the refusal of a key that is limited to reading.
fn read_only(request: &HttpRequest) -> ApiError {
    let (scope, full) = (KeyScope::Read.code(), KeyScope::Full.code());
    let operation = request.match_pattern().unwrap_or_default();
    ApiError::Forbidden(format!("This key has scope {scope}; {} {operation} needs scope {full}", request.method()))
}

impl<N: KeyNeed> Access for Keyed<N> {
    const RULE: Option<AdmissionRule> = Some(AdmissionRule::Key(N::REQUIREMENT));
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::Refused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(scope::<Self, _>)).register(config);
    }

    fn describe(operation: &mut Operation) {
        add_responses::<KeyRefused>(operation);
        add_responses::<RequestRefused>(operation);
        add_responses::<ServiceFault>(operation);
        if N::REQUIREMENT.needs_subscription() || N::REQUIREMENT.needs_full_scope() {
            add_responses::<NotEntitled>(operation);
        }
        behind_a_key(operation);
    }
}
