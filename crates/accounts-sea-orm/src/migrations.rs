//! The tables, one step after another. A step that has been released is never edited: add another.

mod m0001_customers_and_keys;
mod m0002_usage_and_datasets;
mod m0003_process_counts;

use sea_orm_migration::prelude::*;

/// How many steps there are: which form the tables have.
pub const STEPS: usize = 3;

/// Every step, oldest first.
pub(crate) struct Migrations;

#[async_trait::async_trait]
impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let steps: [Box<dyn MigrationTrait>; STEPS] = [
            Box::new(m0001_customers_and_keys::Migration),
            Box::new(m0002_usage_and_datasets::Migration),
            Box::new(m0003_process_counts::Migration),
        ];
        steps.into()
    }
}
