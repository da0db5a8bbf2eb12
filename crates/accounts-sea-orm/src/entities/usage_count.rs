use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sports_ports::metering::UsageCount;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "usage_counts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub customer_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: String,
    pub calls: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<&UsageCount> for ActiveModel {
    fn from(count: &UsageCount) -> Self {
        Self {
            customer_id: Set(count.customer.to_string()),
            month: Set(count.month.to_string()),
            calls: Set(i64::try_from(count.calls).unwrap_or(i64::MAX)),
        }
    }
}
