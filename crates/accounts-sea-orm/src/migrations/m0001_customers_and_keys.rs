use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{string, string_null, timestamp_with_time_zone, timestamp_with_time_zone_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Customers {
    Table,
    Id,
    Email,
    Name,
    Plan,
    CreatedAt,
}

#[derive(DeriveIden)]
enum ApiKeys {
    Table,
    Digest,
    CustomerId,
    Masked,
    Name,
    CreatedAt,
    ExpiresAt,
    RevokedAt,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(customers()).await?;
        manager.create_table(api_keys()).await?;
        let of_a_customer =
            Index::create().name("api_keys_of_a_customer").table(ApiKeys::Table).col(ApiKeys::CustomerId).to_owned();
        manager.create_index(of_a_customer).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(ApiKeys::Table).to_owned()).await?;
        manager.drop_table(Table::drop().table(Customers::Table).to_owned()).await
    }
}

fn customers() -> TableCreateStatement {
    Table::create()
        .table(Customers::Table)
        .col(string(Customers::Id).primary_key())
        .col(string(Customers::Email).unique_key())
        .col(string(Customers::Name))
        .col(string_null(Customers::Plan))
        .col(timestamp_with_time_zone(Customers::CreatedAt))
        .to_owned()
}

fn api_keys() -> TableCreateStatement {
    let mut holder = ForeignKey::create()
        .name("api_keys_holder")
        .from(ApiKeys::Table, ApiKeys::CustomerId)
        .to(Customers::Table, Customers::Id)
        .to_owned();
    Table::create()
        .table(ApiKeys::Table)
        .col(string(ApiKeys::Digest).primary_key())
        .col(string(ApiKeys::CustomerId))
        .col(string(ApiKeys::Masked))
        .col(string(ApiKeys::Name))
        .col(timestamp_with_time_zone(ApiKeys::CreatedAt))
        .col(timestamp_with_time_zone_null(ApiKeys::ExpiresAt))
        .col(timestamp_with_time_zone_null(ApiKeys::RevokedAt))
        .foreign_key(&mut holder)
        .to_owned()
}
