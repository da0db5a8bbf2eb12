//! The tables, one step after another. A step that has been released is never edited: add another.

mod m0001_customers_and_keys;
mod m0002_usage_and_datasets;

use sea_orm_migration::prelude::*;

/// Every step, oldest first.
pub(crate) struct Migrations;

#[async_trait::async_trait]
impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m0001_customers_and_keys::Migration), Box::new(m0002_usage_and_datasets::Migration)]
    }
}
