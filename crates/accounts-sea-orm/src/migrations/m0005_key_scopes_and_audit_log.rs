use sea_orm::sea_query::{ColumnDef, Index, Table, TableAlterStatement, TableCreateStatement};

use super::columns::{string, string_null, timestamp_with_time_zone, timestamp_with_time_zone_null};
use super::step::Step;

pub(super) const STEP: Step = Step {
    name: "m0005_key_scopes_and_audit_log",
    tables: || vec![audit_log()],
    columns: key_columns,
    index: || Index::create().name("audit_log_by_time").table("audit_log").col("at").to_owned(),
};

/// Defines the new columns, one statement each for SQLite. Keys that are there may do all that they could.
fn key_columns() -> Vec<TableAlterStatement> {
    let columns = [
        string("scope").default("full").take(),
        string("allowed_networks").default("").take(),
        string_null("created_by"),
        timestamp_with_time_zone_null("last_used_at"),
        string_null("last_used_from"),
    ];
    columns.map(|column: ColumnDef| Table::alter().table("api_keys").add_column(column).to_owned()).into()
}

/// Defines the log without a foreign key: it outlives its customers.
fn audit_log() -> TableCreateStatement {
    Table::create()
        .table("audit_log")
        .col(string("id").primary_key())
        .col(timestamp_with_time_zone("at"))
        .col(string("actor"))
        .col(string("place"))
        .col(string("action"))
        .col(string_null("customer_id"))
        .col(string("detail"))
        .to_owned()
}
