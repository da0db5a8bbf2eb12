use sea_orm::entity::prelude::*;
use sports_ports::webhooks::EventCursor;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_cursors")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub sport: String,
    pub position: String,
    pub status: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<Model> for EventCursor {
    fn from(Model { position, status, .. }: Model) -> Self {
        Self { position, status }
    }
}
