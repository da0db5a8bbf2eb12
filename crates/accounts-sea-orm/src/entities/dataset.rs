use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sports_accounts::Dataset;

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "datasets")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub product: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sport: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub file_name: String,
    pub object: String,
    pub bytes: i64,
    pub added_at: ChronoDateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TryFrom<Model> for Dataset {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        Ok(Self {
            product: row.product.parse()?,
            sport: row.sport.parse()?,
            file_name: row.file_name.parse()?,
            object: row.object.parse()?,
            bytes: row.bytes.try_into()?,
            added_at: row.added_at,
        })
    }
}

impl From<&Dataset> for ActiveModel {
    fn from(dataset: &Dataset) -> Self {
        Self {
            product: Set(dataset.product.to_string()),
            sport: Set(dataset.sport.code().to_owned()),
            file_name: Set(dataset.file_name.to_string()),
            object: Set(dataset.object.to_string()),
            bytes: Set(i64::try_from(dataset.bytes).unwrap_or(i64::MAX)),
            added_at: Set(dataset.added_at),
        }
    }
}
