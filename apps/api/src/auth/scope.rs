use std::net::IpAddr;
use std::sync::Arc;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::WWW_AUTHENTICATE;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest};
use chrono::{DateTime, Utc};
use sports_accounts::{Actor, CustomerId, QuotaStatus};
use sports_http_transport::{Connection, ProxyTrust, QueueClient, catch_panic, insert_quota};
use sports_ports::accounts::KeyHolder;
use sports_telemetry::metrics::Route;
use tokio::time::Instant;

use super::access::{Access, AdmissionRule};
use super::credentials::{Credentials, misplaced};
use super::gate::{CallAdmission, Gate};
use super::opened;
use crate::error::ApiError;
use crate::params::MomentQuery;
use crate::state::State;

/// The holder of the key of a request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The key and its customer.
    pub holder: Arc<KeyHolder>,
    /// The customer's quota, with this call if it counts.
    pub quota: QuotaStatus,
    /// The address of the client.
    pub address: IpAddr,
}

impl Caller {
    /// Returns the name of the caller in the audit log, for a change at an instant.
    pub fn actor(&self, at: DateTime<Utc>) -> Actor {
        Actor::customer(self.holder.customer.id, &self.holder.key, self.address, at)
    }
}

/// The admission of a request, which its scope leaves in the extensions.
struct Admitted {
    rule: AdmissionRule,
    /// The caller, if the rule is about keys.
    caller: Option<Caller>,
}

/// The customer of the key of a request. The scope leaves it in the extensions, also of a refused request.
#[derive(Clone, Copy)]
struct KeyOwner(CustomerId);

/// Returns the customer whose key was accepted, whether the call was admitted or not.
pub fn key_owner(request: &HttpRequest) -> Option<CustomerId> {
    request.extensions().get().map(|KeyOwner(customer)| *customer)
}

/// Takes the caller that the scope of `rule` has admitted, if the rule is about keys.
///
/// # Errors
///
/// [`ApiError::Internal`] outside that scope.
pub(super) fn take_caller(request: &HttpRequest, rule: AdmissionRule) -> Result<Option<Caller>, ApiError> {
    let admitted = request.extensions_mut().remove::<Admitted>().filter(|admitted| admitted.rule == rule);
    let admitted = admitted.ok_or_else(|| ApiError::Internal("a handler is outside the scope of its caller".into()));
    admitted.map(|admitted| admitted.caller)
}

/// The scope of operations with a rule. It admits the caller, and settles the call when the response is known, even after a
/// panic.
pub(super) async fn scope<C: Access, B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let arrived = Instant::now();
    // A panic drops the request, so a clone is kept.
    let kept = request.request().clone();
    let (state, rule) = match (State::of(&kept), C::RULE) {
        (Ok(state), Some(rule)) => (state, rule),
        (Err(error), _) => return Ok(request.error_response(error)),
        (Ok(_), None) => {
            let error = ApiError::Internal("an operation without a rule has a scope".into());
            return Ok(request.error_response(error));
        }
    };
    let gate = Gate(state.clone());
    let client_address = ProxyTrust::client_address(&kept);
    let CallAdmission { holder, quota, decision, outcome } = admit(&gate, rule, &kept, client_address).await;
    gate.count(decision);
    if let Some(holder) = &holder {
        kept.extensions_mut().insert(KeyOwner(holder.customer.id));
    }
    let (mut response, counted) = match outcome {
        Ok(counted) => {
            let client = queue_client(holder.as_deref(), client_address);
            let caller = holder.zip(quota).map(|(holder, quota)| Caller { holder, quota, address: client_address });
            kept.extensions_mut().insert(Admitted { rule, caller });
            let address = kept.uri().path_and_query();
            // Made where it is awaited: the state of a request is large, and would be moved.
            let answer = if MomentQuery::may_be_in(kept.query_string()) {
                let answer = state.past_requests.count(catch_panic(next, request, ApiError::Panicked));
                Box::pin(client.requests(address, arrived, answer)).await
            } else {
                client.requests(address, arrived, catch_panic(next, request, ApiError::Panicked)).await
            };
            let lost = |error| ServiceResponse::from_err(error, kept.clone());
            (answer.map_or_else(lost, ServiceResponse::map_into_boxed_body), counted)
        }
        Err(ApiError::KeyRefused) => {
            let refusal = gate.failed_key(client_address).await;
            (request.error_response(refusal), None)
        }
        Err(refusal) => {
            let is_without_key = matches!(refusal, ApiError::KeyRequired | ApiError::KeyRequiredFor(_));
            let mut response = request.error_response(refusal);
            if let Some(challenge) = misplaced(kept.headers()).filter(|_| is_without_key) {
                response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            }
            (response, None)
        }
    };
    if let Some(quota) = gate.settle(quota, counted, response.status()).await {
        insert_quota(response.headers_mut(), &quota);
    }
    Ok(response)
}

/// Returns whose line a request joins in the queue of expensive computations.
fn queue_client(holder: Option<&KeyHolder>, address: IpAddr) -> QueueClient {
    holder.map_or_else(|| QueueClient::Network(address.into()), |holder| QueueClient::Customer(holder.customer.id))
}

async fn admit(gate: &Gate, rule: AdmissionRule, request: &HttpRequest, client: IpAddr) -> CallAdmission {
    let connection = request.conn_data::<Arc<Connection>>().map(|connection| &**connection);
    let operation = request.app_data::<Route>().map_or(Route::NONE, Route::pattern);
    let admission = match Credentials::of_request(rule, request, client) {
        Ok(credentials) => gate.admit(credentials, operation, connection).await,
        Err(refusal) => refusal.into(),
    };
    match (rule, &admission.outcome) {
        (AdmissionRule::Record(part), Err(ApiError::KeyRequired | ApiError::SubscriptionRequired)) => {
            match (opened::open(part, request), admission.holder.is_some()) {
                (Ok(()), _) => gate.admit(Credentials::Address(client), operation, None).await,
                (Err(_), true) => admission,
                (Err(refusal), false) => refusal.into(),
            }
        }
        _ => admission,
    }
}
