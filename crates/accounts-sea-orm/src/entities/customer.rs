use sea_orm::entity::prelude::*;
use sea_orm::{IntoActiveModel, Set};
use sports_accounts::{Customer, CustomerName, Email};

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "customers")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    #[sea_orm(unique)]
    pub email: String,
    pub name: String,
    pub plan: Option<String>,
    pub created_at: ChronoDateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TryFrom<Model> for Customer {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        Ok(Self {
            id: row.id.parse()?,
            email: Email::recorded(&row.email)?,
            name: CustomerName::recorded(&row.name)?,
            plan: row.plan.map(|plan| plan.parse()).transpose()?,
            created_at: row.created_at,
        })
    }
}

impl IntoActiveModel<ActiveModel> for &Customer {
    fn into_active_model(self) -> ActiveModel {
        ActiveModel {
            id: Set(self.id.to_string()),
            email: Set(self.email.to_string()),
            name: Set(self.name.to_string()),
            plan: Set(self.plan.map(|plan| plan.code().to_owned())),
            created_at: Set(self.created_at),
        }
    }
}
