use async_trait::async_trait;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, Condition, DbErr, EntityTrait, QueryFilter};
use sports_accounts::{Dataset, FileName, Product};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::datasets::Datasets;

use crate::AccountsDatabase;
use crate::customers::Change;
use crate::entities::dataset::{ActiveModel, Column, Entity, Model};

const PORT: &str = "datasets";

#[async_trait]
impl Datasets for AccountsDatabase {
    async fn add_dataset(&self, dataset: &Dataset) -> Result<Option<Dataset>, PortError> {
        let replaced = self.answer(PORT, self.add_in_place(dataset)).await?;
        replaced.map(to_dataset).transpose()
    }

    async fn remove_dataset(
        &self,
        product: &Product,
        sport: Sport,
        file_name: Option<&FileName>,
    ) -> Result<Vec<Dataset>, PortError> {
        let removed = self.answer(PORT, self.remove_rows(&condition(product, sport, file_name))).await?;
        in_order(removed)
    }

    async fn datasets(&self) -> Result<Vec<Dataset>, PortError> {
        in_order(self.answer(PORT, Entity::find().all(&self.reader())).await?)
    }
}

impl AccountsDatabase {
    async fn add_in_place(&self, dataset: &Dataset) -> Result<Option<Model>, DbErr> {
        let transaction = self.begin_locking("datasets").await?;
        let same = condition(&dataset.product, dataset.sport, Some(&dataset.file_name));
        let replaced = Entity::find().filter(same).one(&transaction).await?;
        let replace = OnConflict::columns([Column::Product, Column::Sport, Column::FileName])
            .update_columns([Column::Object, Column::Bytes, Column::AddedAt])
            .to_owned();
        Entity::insert(ActiveModel::from(dataset)).on_conflict(replace).exec_without_returning(&transaction).await?;
        let name = format!("{} {} {}", dataset.product, dataset.sport, dataset.file_name);
        self.log(&transaction, &Change("dataset.add", None, &name)).await?;
        transaction.commit().await?;
        Ok(replaced)
    }

    async fn remove_rows(&self, rows: &Condition) -> Result<Vec<Model>, DbErr> {
        let transaction = self.begin_locking("datasets").await?;
        let removed = Entity::find().filter(rows.clone()).all(&transaction).await?;
        Entity::delete_many().filter(rows.clone()).exec(&transaction).await?;
        for Model { product, sport, file_name, .. } in &removed {
            let name = format!("{product} {sport} {file_name}");
            self.log(&transaction, &Change("dataset.remove", None, &name)).await?;
        }
        transaction.commit().await?;
        Ok(removed)
    }
}

/// Returns the condition for the rows of a product in a league, or of one file of it.
fn condition(product: &Product, sport: Sport, file_name: Option<&FileName>) -> Condition {
    Condition::all()
        .add(Column::Product.eq(product.as_str()))
        .add(Column::Sport.eq(sport.code()))
        .add_option(file_name.map(|file_name| Column::FileName.eq(file_name.as_str())))
}

/// Databases order text in ways of their own, and leagues by no order of ours.
fn in_order(rows: Vec<Model>) -> Result<Vec<Dataset>, PortError> {
    let mut datasets = rows.into_iter().map(to_dataset).collect::<Result<Vec<_>, _>>()?;
    datasets.sort_by(|one, other| names(one).cmp(&names(other)));
    Ok(datasets)
}

fn names(dataset: &Dataset) -> (&Product, Sport, &FileName) {
    (&dataset.product, dataset.sport, &dataset.file_name)
}

fn to_dataset(row: Model) -> Result<Dataset, PortError> {
    row.try_into().map_err(|source| PortError::corrupt(PORT, source))
}
