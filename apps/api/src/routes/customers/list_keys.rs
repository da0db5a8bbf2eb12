use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_accounts::{KeyRecord, Tier};
use utoipa::ToSchema;

use crate::auth::Subscriber;
use crate::codes::{Code, KeyScopeCode, TierCode};
use crate::error::ApiError;
use crate::examples::SPARE_KEY;
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;

/// A key as lists show it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ApiKeyEntry)]
pub struct ApiKeyItem {
    /// The masked key: its prefix, four characters and five asterisks. Several keys can have the same mask.
    #[schema(example = json!(SPARE_KEY))]
    api_key: String,
    /// The name given to the key.
    #[schema(example = "notebook")]
    name: String,
    /// The level of access of the key's customer: `ai` with a subscription, else `free`.
    tier: TierCode,
    /// The time at which the key was created, UTC.
    created_at: DateTime<Utc>,
    /// True if the key works: it is neither revoked nor expired.
    is_active: bool,
    /// The time at which the key expires, UTC; null for a key that does not expire.
    #[schema(required)]
    expires_at: Option<DateTime<Utc>>,
    /// The operations that the key may call.
    scope: KeyScopeCode,
    /// The networks that the key works from; empty for every network.
    #[schema(example = json!(["192.0.2.0/24"]))]
    allowed_networks: Vec<String>,
    /// The masked key of the request that created the key, or `operator`; null for a key from before this was recorded.
    #[schema(required, example = "operator")]
    created_by: Option<String>,
    /// The time of the last use, UTC, about a minute behind; null before the first.
    #[schema(required)]
    last_used_at: Option<DateTime<Utc>>,
    /// The network of the last use: the first 24 bits of an IPv4 address, or 64 of an IPv6 address.
    #[schema(required, example = "192.0.2.0/24")]
    last_used_from: Option<String>,
}

impl ApiKeyItem {
    fn from_record(key: &KeyRecord, tier: Tier, now: DateTime<Utc>) -> Self {
        Self {
            api_key: key.masked.to_string(),
            name: key.name.to_string(),
            tier: Code(tier),
            created_at: key.created_at,
            is_active: key.is_active(now),
            expires_at: key.expires_at,
            scope: Code(key.scope),
            allowed_networks: key.allowed_networks.texts().collect(),
            created_by: key.created_by.clone(),
            last_used_at: key.last_use.map(|last| last.at),
            last_used_from: key.last_use.map(|last| last.network.to_string()),
        }
    }
}

/// List your API keys
///
/// Every key you ever had, oldest first and masked; revoked and expired ones have `is_active` false.
#[utoipa::path(
    get, path = "/api/v1/customers/me/api-keys",
    tag = "account",
    responses(
        (status = 200, description = "Your keys", body = Vec<ApiKeyItem>, example = json!([{
            "api_key": SPARE_KEY, "name": "notebook", "tier": "ai", "created_at": "2025-01-15T15:04:05Z",
            "is_active": true, "expires_at": null, "scope": "full", "allowed_networks": [],
            "created_by": "operator", "last_used_at": "2025-01-15T15:04:05Z", "last_used_from": "192.0.2.0/24"
        }])),
    ),
)]
pub(super) async fn list_api_keys(
    caller: Subscriber,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<Vec<ApiKeyItem>>, ApiError> {
    let customer = &caller.0.holder.customer;
    let (keys, now) = (state.callers.keys.keys_of(customer.id).await?, state.clock.now());
    Ok(Unstored(keys.iter().map(|key| ApiKeyItem::from_record(key, customer.tier(), now)).collect()))
}
