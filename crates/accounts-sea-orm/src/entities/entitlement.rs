use chrono::{DateTime, Utc};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, Set};
use sports_accounts::Entitlement;

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "entitlements")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub customer_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub product: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sport: String,
    pub granted_at: ChronoDateTimeUtc,
    pub expires_at: Option<ChronoDateTimeUtc>,
    pub revoked_at: Option<ChronoDateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Selects the rows for which [`Entitlement::is_in_force`] is true.
pub(crate) fn in_force_at(now: DateTime<Utc>) -> Condition {
    let unexpired = Condition::any().add(Column::ExpiresAt.is_null()).add(Column::ExpiresAt.gt(now));
    Condition::all().add(Column::RevokedAt.is_null()).add(unexpired)
}

impl TryFrom<Model> for Entitlement {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        Ok(Self {
            customer: row.customer_id.parse()?,
            product: row.product.parse()?,
            sport: row.sport.parse()?,
            granted_at: row.granted_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
        })
    }
}

impl From<&Entitlement> for ActiveModel {
    fn from(entitlement: &Entitlement) -> Self {
        Self {
            customer_id: Set(entitlement.customer.to_string()),
            product: Set(entitlement.product.to_string()),
            sport: Set(entitlement.sport.code().to_owned()),
            granted_at: Set(entitlement.granted_at),
            expires_at: Set(entitlement.expires_at),
            revoked_at: Set(entitlement.revoked_at),
        }
    }
}
