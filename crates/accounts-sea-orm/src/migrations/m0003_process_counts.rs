use sea_orm::DeriveIden;
use sea_orm::sea_query::{Index, Table, TableCreateStatement};

use super::columns::{big_integer, string};
use super::step::Step;

pub(super) const STEP: Step = Step {
    name: "m0003_process_counts",
    tables: || vec![process_counts()],
    columns: Vec::new,
    index: || {
        Index::create()
            .name("process_counts_of_a_month")
            .table(ProcessCounts::Table)
            .col(ProcessCounts::Month)
            .to_owned()
    },
};

#[derive(DeriveIden)]
enum ProcessCounts {
    Table,
    CustomerId,
    Month,
    Process,
    Admitted,
    GivenBack,
}

/// Defines the counts of processes without a foreign key, like the counts without a process.
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
