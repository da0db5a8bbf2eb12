use chrono::{DateTime, Utc};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, Set};
use sports_accounts::{CustomerId, KeyName, KeyRecord, KeyUse};

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: String,
    pub customer_id: String,
    pub masked: String,
    pub name: String,
    pub created_at: ChronoDateTimeUtc,
    pub expires_at: Option<ChronoDateTimeUtc>,
    pub revoked_at: Option<ChronoDateTimeUtc>,
    pub scope: String,
    pub allowed_networks: String,
    pub created_by: Option<String>,
    pub last_used_at: Option<ChronoDateTimeUtc>,
    pub last_used_from: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(belongs_to = "super::customer::Entity", from = "Column::CustomerId", to = "super::customer::Column::Id")]
    Customer,
}

impl Related<super::customer::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Customer.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}

/// Selects the rows for which [`KeyRecord::is_active`] is true.
pub(crate) fn active_at(now: DateTime<Utc>) -> Condition {
    let unexpired = Condition::any().add(Column::ExpiresAt.is_null()).add(Column::ExpiresAt.gt(now));
    Condition::all().add(Column::RevokedAt.is_null()).add(unexpired)
}

/// Selects the row of a customer's active key.
pub(crate) fn held_by(customer: CustomerId, key: &KeyRecord) -> ActiveModel {
    ActiveModel {
        digest: Set(key.digest.to_string()),
        customer_id: Set(customer.to_string()),
        masked: Set(key.masked.to_string()),
        name: Set(key.name.to_string()),
        created_at: Set(key.created_at),
        expires_at: Set(key.expires_at),
        revoked_at: Set(key.revoked_at),
        scope: Set(key.scope.code().to_owned()),
        allowed_networks: Set(key.allowed_networks.to_string()),
        created_by: Set(key.created_by.clone()),
        last_used_at: Set(key.last_use.map(|last| last.at)),
        last_used_from: Set(key.last_use.map(|last| last.network.to_string())),
    }
}

impl TryFrom<Model> for KeyRecord {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        let last_use = match row.last_used_at.zip(row.last_used_from) {
            Some((at, network)) => Some(KeyUse { at, network: network.parse()? }),
            None => None,
        };
        Ok(Self {
            masked: row.masked.parse()?,
            digest: row.digest.parse()?,
            name: KeyName::recorded(&row.name)?,
            created_at: row.created_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            scope: row.scope.parse()?,
            allowed_networks: row.allowed_networks.parse()?,
            created_by: row.created_by,
            last_use,
        })
    }
}
