use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{FromRequest, Resource};
use utoipa::openapi::path::Operation;

use super::opened::RecordPart;
use crate::arguments::from_request;
use crate::openapi::security::open_to_the_public;
use crate::params::UnknownParams;

/// The access to an operation: the first argument of its handler. It adds the scope that admits callers, and describes them in
/// the OpenAPI document.
pub trait Access: FromRequest + 'static {
    /// The rule by which callers are admitted; `None` if all are.
    const RULE: Option<AdmissionRule>;

    /// The rule for query parameters that the operation does not take.
    const UNKNOWN_PARAMS: UnknownParams;

    /// Registers an operation inside its scope.
    fn register(resource: Resource, config: &mut AppService);

    /// Describes who may call the operation and how others are refused. Runs after all other descriptions.
    fn describe(operation: &mut Operation);
}

/// The rule by which callers of an operation are admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdmissionRule {
    Key(Requirement),
    /// By a key with a subscription, or by the limit of the caller's address where the part of the record is open.
    Record(RecordPart),
    /// By the limit of the caller's address.
    Address,
}

impl AdmissionRule {
    /// Returns the requirement on the caller's key; `None` for a rule without keys.
    pub(super) const fn requirement(self) -> Option<Requirement> {
        match self {
            Self::Key(requirement) => Some(requirement),
            Self::Record(_) => Some(Requirement::Subscription),
            Self::Address => None,
        }
    }
}

/// The requirement on the caller's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A valid key.
    Valid,
    /// A valid key of a customer with an active subscription.
    Subscription,
    /// The same, and a key with the scope `full`.
    Refresh,
    /// A valid key with the scope `full`; the call does not count.
    Profile,
    /// The same, of a customer with an active subscription.
    Account,
}

impl Requirement {
    /// Returns true if the customer has to have an active subscription.
    pub(super) const fn needs_subscription(self) -> bool {
        matches!(self, Self::Subscription | Self::Refresh | Self::Account)
    }

    /// Returns true if the key has to have the scope `full`, as for everything that is of the account and not published.
    pub(super) const fn needs_full_scope(self) -> bool {
        matches!(self, Self::Refresh | Self::Profile | Self::Account)
    }
}

/// Any caller, without a limit: for probes and for responses from memory.
#[derive(Debug, Clone, Copy)]
pub struct Anyone;

from_request! { Anyone, _request => Ok(Self) }

impl Access for Anyone {
    const RULE: Option<AdmissionRule> = None;
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::LookalikesRefused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.register(config);
    }

    fn describe(operation: &mut Operation) {
        open_to_the_public(operation);
    }
}
