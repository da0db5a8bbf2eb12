use chrono::{DateTime, Utc};
use sports_accounts::{KeyRecord, Tier};

use crate::auth::AccountHolder;
use crate::codes::{Code, KeyScopeCode, TierCode};
use crate::error::ApiError;
use crate::examples::SPARE_KEY;
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// A key as lists show it.
    #[schema(as = ApiKeyEntry)]
    pub struct ApiKeyItem(key: &KeyRecord, tier: Tier, now: DateTime<Utc>) {
        /// The masked key: its prefix, four characters and five asterisks. Several keys can have the same mask.
        #[schema(example = json!(SPARE_KEY))]
        api_key: String = key.masked.to_string(),
        /// The name given to the key.
        #[schema(example = "notebook")]
        name: String = key.name.to_string(),
        /// The level of access of the key's customer: `ai` with a subscription, else `free`.
        tier: TierCode = Code(tier),
        /// The time at which the key was created, UTC.
        created_at: DateTime<Utc> = key.created_at,
        /// True if the key works: it is neither revoked nor expired.
        is_active: bool = key.is_active(now),
        /// The time at which the key expires, UTC; null for a key that does not expire.
        #[schema(required)]
        expires_at: Option<DateTime<Utc>> = key.expires_at,
        /// The operations that the key may call.
        scope: KeyScopeCode = Code(key.scope),
        /// The networks that the key works from; empty for every network.
        #[schema(example = json!(["192.0.2.0/24"]))]
        allowed_networks: Vec<String> = key.allowed_networks.texts().collect(),
        /// The masked key of the request that created the key, or `operator`; null for a key from before this was recorded.
        #[schema(required, example = "operator")]
        created_by: Option<String> = key.created_by.clone(),
        /// The time of the last use, UTC, about a minute behind; null before the first.
        #[schema(required)]
        last_used_at: Option<DateTime<Utc>> = key.last_use.map(|last| last.at),
        /// The network of the last use: the first 24 bits of an IPv4 address, or 64 of an IPv6 address.
        #[schema(required, example = "192.0.2.0/24")]
        last_used_from: Option<String> = key.last_use.map(|last| last.network.to_string()),
    }
}

/// List your API keys
///
/// Every key you ever had, oldest first and masked; revoked and expired ones have `is_active` false.
/// The call is not counted and is never refused for the month.
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
    caller: AccountHolder,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<Vec<ApiKeyItem>>, ApiError> {
    let customer = &caller.0.holder.customer;
    let (keys, now) = (state.callers.keys.keys_of(customer.id).await?, state.clock.now());
    Ok(Unstored(keys.iter().map(|key| ApiKeyItem::new(key, customer.tier(), now)).collect()))
}
