use std::marker::PhantomData;

use actix_web::Resource;
use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::middleware::from_fn;
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

/// A subscriber, for operations on keys and datasets: the call is not counted, and an exhausted quota does not refuse it.
pub type AccountReader = Keyed<Account>;

/// An [`AccountReader`] whose key may change the account.
pub type AccountEditor = Keyed<AccountChange>;

/// A caller with a valid key, subscribed or not.
pub type AnyKey = Keyed<Valid>;

/// A caller with a valid key, for operations on the account itself: the call is not counted, and an exhausted quota does not
/// refuse it.
pub type UncountedCaller = Keyed<Uncounted>;

/// A requirement on a key, as a type.
pub trait KeyNeed: 'static {
    #[doc(hidden)]
    const REQUIREMENT: Requirement;
}

/// The key's customer has an active subscription.
#[derive(Debug, Clone, Copy)]
pub enum ActiveSubscription {}

/// The key's customer has an active subscription; the call does not count.
#[derive(Debug, Clone, Copy)]
pub enum Account {}

/// The same, and the key may change the account.
#[derive(Debug, Clone, Copy)]
pub enum AccountChange {}

/// The key is valid.
#[derive(Debug, Clone, Copy)]
pub enum Valid {}

/// The key is valid; the call does not count.
#[derive(Debug, Clone, Copy)]
pub enum Uncounted {}

impl KeyNeed for ActiveSubscription {
    const REQUIREMENT: Requirement = Requirement::Subscription;
}

impl KeyNeed for Account {
    const REQUIREMENT: Requirement = Requirement::Account;
}

impl KeyNeed for AccountChange {
    const REQUIREMENT: Requirement = Requirement::AccountChange;
}

impl KeyNeed for Valid {
    const REQUIREMENT: Requirement = Requirement::Valid;
}

impl KeyNeed for Uncounted {
    const REQUIREMENT: Requirement = Requirement::Uncounted;
}

from_request! { <N: KeyNeed> Keyed<N>, request => {
    let caller = take_caller(request, AdmissionRule::Key(N::REQUIREMENT));
    let missing = || ApiError::Internal("a caller has no key".into());
    let is_limited = |caller: &Caller| caller.holder.key.scope == KeyScope::Read;
    caller.and_then(|caller| caller.ok_or_else(missing)).and_then(|caller| match N::REQUIREMENT {
        Requirement::AccountChange if is_limited(&caller) => Err(ApiError::Forbidden(READ_ONLY.to_owned())),
        _ => Ok(Self(caller, PhantomData)),
    })
} }

/// The text for a key that is limited to reading.
const READ_ONLY: &str =
    "This API key has the scope `read` and cannot change the account; use a key with the scope `full`";

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
        if N::REQUIREMENT.needs_subscription() {
            add_responses::<NotEntitled>(operation);
        }
        behind_a_key(operation);
    }
}
