use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum ProcessCounts {
    Table,
    CustomerId,
    Month,
    Process,
    Admitted,
    GivenBack,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(process_counts()).await?;
        let of_a_month = Index::create()
            .name("process_counts_of_a_month")
            .table(ProcessCounts::Table)
            .col(ProcessCounts::Month)
            .to_owned();
        manager.create_index(of_a_month).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(ProcessCounts::Table).to_owned()).await
    }
}

/// Without a foreign key, as the counts without a process.
fn process_counts() -> TableCreateStatement {
    let key = [ProcessCounts::CustomerId, ProcessCounts::Month, ProcessCounts::Process];
    let mut primary = Index::create();
    Table::create()
        .table(ProcessCounts::Table)
        .col(string(ProcessCounts::CustomerId))
        .col(string(ProcessCounts::Month))
        .col(string(ProcessCounts::Process))
        .col(big_integer(ProcessCounts::Admitted))
        .col(big_integer(ProcessCounts::GivenBack))
        .primary_key(key.into_iter().fold(&mut primary, |index, column| index.col(column)))
        .to_owned()
}
