use sea_orm::DeriveIden;
use sea_orm::sea_query::{ForeignKey, Index, Table, TableCreateStatement};

use super::columns::{string, string_null, timestamp_with_time_zone, timestamp_with_time_zone_null};
use super::step::Step;

pub(super) const STEP: Step = Step {
    name: "m0001_customers_and_keys",
    tables: || vec![customers(), api_keys()],
    columns: Vec::new,
    index: || Index::create().name("api_keys_of_a_customer").table(ApiKeys::Table).col(ApiKeys::CustomerId).to_owned(),
};

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
