use sea_orm::entity::prelude::*;
use sports_ports::webhooks::Told;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhooks_told")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub sport: String,
    pub position: String,
    pub status: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<Model> for Told {
    fn from(Model { position, status, .. }: Model) -> Self {
        Self { position, status }
    }
}
