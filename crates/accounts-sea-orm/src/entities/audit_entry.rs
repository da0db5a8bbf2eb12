use sea_orm::entity::prelude::*;
use sports_accounts::AuditEntry;

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_log")]
pub struct Model {
    /// Random, so that entries of two databases can be together in a third.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub at: ChronoDateTimeUtc,
    pub actor: String,
    pub place: String,
    pub action: String,
    pub customer_id: Option<String>,
    pub detail: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TryFrom<Model> for AuditEntry {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        let Model { at, actor, place, action, customer_id, detail, .. } = row;
        Ok(Self { at, actor, place, action, customer: customer_id.map(|id| id.parse()).transpose()?, detail })
    }
}
