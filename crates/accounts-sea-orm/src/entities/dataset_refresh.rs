use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "dataset_refreshes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub customer_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: String,
    pub taken: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
