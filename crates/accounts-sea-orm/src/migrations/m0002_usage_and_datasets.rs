use sea_orm::DeriveIden;
use sea_orm::sea_query::{ForeignKey, Index, Table, TableCreateStatement};

use super::columns::{big_integer, integer, string, timestamp_with_time_zone, timestamp_with_time_zone_null};
use super::step::Step;

pub(super) const STEP: Step = Step {
    name: "m0002_usage_and_datasets",
    tables: || vec![usage_counts(), dataset_refreshes(), datasets(), entitlements(), secrets()],
    columns: Vec::new,
    index: || {
        Index::create().name("usage_counts_of_a_month").table(UsageCounts::Table).col(UsageCounts::Month).to_owned()
    },
};

#[derive(DeriveIden)]
enum Customers {
    Table,
    Id,
}

#[derive(DeriveIden)]
enum UsageCounts {
    Table,
    CustomerId,
    Month,
    Calls,
}

#[derive(DeriveIden)]
enum DatasetRefreshes {
    Table,
    CustomerId,
    Month,
    Taken,
}

#[derive(DeriveIden)]
enum Datasets {
    Table,
    Product,
    Sport,
    FileName,
    Object,
    Bytes,
    AddedAt,
}

#[derive(DeriveIden)]
enum Entitlements {
    Table,
    CustomerId,
    Product,
    Sport,
    GrantedAt,
    ExpiresAt,
    RevokedAt,
}

#[derive(DeriveIden)]
enum Secrets {
    Table,
    Name,
    Value,
}

/// Defines the counts without a foreign key: they are written in groups, in which no count may fail because of another.
fn usage_counts() -> TableCreateStatement {
    Table::create()
        .table(UsageCounts::Table)
        .col(string(UsageCounts::CustomerId))
        .col(string(UsageCounts::Month))
        .col(big_integer(UsageCounts::Calls))
        .primary_key(Index::create().col(UsageCounts::CustomerId).col(UsageCounts::Month))
        .to_owned()
}

fn dataset_refreshes() -> TableCreateStatement {
    Table::create()
        .table(DatasetRefreshes::Table)
        .col(string(DatasetRefreshes::CustomerId))
        .col(string(DatasetRefreshes::Month))
        .col(integer(DatasetRefreshes::Taken))
        .primary_key(Index::create().col(DatasetRefreshes::CustomerId).col(DatasetRefreshes::Month))
        .to_owned()
}

fn datasets() -> TableCreateStatement {
    Table::create()
        .table(Datasets::Table)
        .col(string(Datasets::Product))
        .col(string(Datasets::Sport))
        .col(string(Datasets::FileName))
        .col(string(Datasets::Object))
        .col(big_integer(Datasets::Bytes))
        .col(timestamp_with_time_zone(Datasets::AddedAt))
        .primary_key(Index::create().col(Datasets::Product).col(Datasets::Sport).col(Datasets::FileName))
        .to_owned()
}

fn entitlements() -> TableCreateStatement {
    let mut holder = ForeignKey::create()
        .name("entitlements_holder")
        .from(Entitlements::Table, Entitlements::CustomerId)
        .to(Customers::Table, Customers::Id)
        .to_owned();
    Table::create()
        .table(Entitlements::Table)
        .col(string(Entitlements::CustomerId))
        .col(string(Entitlements::Product))
        .col(string(Entitlements::Sport))
        .col(timestamp_with_time_zone(Entitlements::GrantedAt))
        .col(timestamp_with_time_zone_null(Entitlements::ExpiresAt))
        .col(timestamp_with_time_zone_null(Entitlements::RevokedAt))
        .primary_key(Index::create().col(Entitlements::CustomerId).col(Entitlements::Product).col(Entitlements::Sport))
        .foreign_key(&mut holder)
        .to_owned()
}

fn secrets() -> TableCreateStatement {
    Table::create()
        .table(Secrets::Table)
        .col(string(Secrets::Name).primary_key())
        .col(string(Secrets::Value))
        .to_owned()
}
