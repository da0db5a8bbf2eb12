use sea_orm::DeriveIden;
use sea_orm::sea_query::{Index, Table, TableCreateStatement};

use super::columns::{big_integer, string};
use super::step::Step;

pub(super) const STEP: Step = Step {
    name: "m0004_node_settings",
    tables: || vec![node_settings()],
    columns: Vec::new,
    index: || {
        Index::create().name("node_settings_by_time").table(NodeSettings::Table).col(NodeSettings::SeenAt).to_owned()
    },
};

#[derive(DeriveIden)]
enum NodeSettings {
    Table,
    Node,
    Settings,
    SeenAt,
}

/// Defines the last report of each node, with the second in which it came by the clock of the database.
fn node_settings() -> TableCreateStatement {
    let mut primary = Index::create();
    Table::create()
        .table(NodeSettings::Table)
        .col(string(NodeSettings::Node))
        .col(string(NodeSettings::Settings))
        .col(big_integer(NodeSettings::SeenAt))
        .primary_key(primary.col(NodeSettings::Node))
        .to_owned()
}
