//! The tables, one step after another. A step that has been released is never edited: add another.

use sea_orm::sea_query::{
    ColumnDef, Expr, ForeignKey, Index, IndexCreateStatement, InsertStatement, IntoIden, Query, Table,
    TableAlterStatement, TableCreateStatement,
};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, DeriveIden, Statement};

/// The number of steps, which identifies the form of the tables.
pub const STEPS: usize = 7;

/// Every step, oldest first.
pub(crate) const ALL: [Step; STEPS] = [
    CUSTOMERS_AND_KEYS,
    USAGE_AND_DATASETS,
    PROCESS_COUNTS,
    NODE_SETTINGS,
    KEY_SCOPES_AND_AUDIT_LOG,
    REFRESH_ANSWERS_AND_DAILY_CALLS,
    WEBHOOKS,
];

// Bringing the tables up to date, whichever database they are in.

/// The table of the steps that a database had, named and built as by `sea-orm-migration`, which made the first steps.
#[derive(DeriveIden)]
enum SeaqlMigrations {
    Table,
    Version,
    AppliedAt,
}

/// Returns the steps that the tables have had, first to last.
async fn steps(connection: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    let read = "SELECT version FROM seaql_migrations ORDER BY version";
    let read = Statement::from_string(connection.get_database_backend(), read);
    connection.query_all_raw(read).await?.iter().map(|step| step.try_get_by_index(0)).collect()
}

/// Returns the steps that the tables have had; no step if they cannot be read.
async fn readable_steps(connection: &impl ConnectionTrait) -> Vec<String> {
    steps(connection).await.unwrap_or_default()
}

/// Returns true if the tables have had a step.
pub(crate) async fn are_made(connection: &impl ConnectionTrait) -> bool {
    !readable_steps(connection).await.is_empty()
}

/// Returns true if the tables have had every known step, and no other.
pub(crate) async fn are_up_to_date(connection: &impl ConnectionTrait) -> bool {
    readable_steps(connection).await.iter().eq(ALL.iter().map(|step| step.name))
}

/// Returns true if the tables lack a known step; false for those of a newer program.
pub(crate) async fn are_older(connection: &impl ConnectionTrait) -> bool {
    !are_up_to_date(connection).await && !are_newer(connection).await
}

/// Returns true if the tables have had an unknown step.
pub(crate) async fn are_newer(connection: &impl ConnectionTrait) -> bool {
    readable_steps(connection).await.iter().any(|name| ALL.iter().all(|step| step.name != name))
}

/// Makes the steps that a database did not have; within a transaction of the caller.
///
/// # Errors
///
/// [`DbErr`] of a statement, and of a database that had an unknown step.
pub(crate) async fn make_all(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    connection.execute(&record()).await?;
    let made = steps(connection).await?;
    if let Some(newer) = made.iter().find(|name| ALL.iter().all(|step| step.name != *name)) {
        return Err(DbErr::Custom(format!("the database had the step {newer}, which this version does not know")));
    }
    for step in ALL.iter().filter(|step| !made.iter().any(|name| name == step.name)) {
        for table in (step.tables)() {
            connection.execute(&table).await?;
        }
        for column in (step.columns)() {
            connection.execute(&column).await?;
        }
        connection.execute(&(step.index)()).await?;
        connection.execute(&made_now(step, connection.get_database_backend())).await?;
    }
    Ok(())
}

fn record() -> TableCreateStatement {
    Table::create()
        .if_not_exists()
        .table(SeaqlMigrations::Table)
        .col(ColumnDef::new(SeaqlMigrations::Version).string().not_null().primary_key())
        .col(ColumnDef::new(SeaqlMigrations::AppliedAt).big_integer().not_null())
        .to_owned()
}

/// Records a step, with the second by the clock of the database.
fn made_now(step: &Step, database: DbBackend) -> InsertStatement {
    let seconds = match database {
        DbBackend::Postgres => "CAST(EXTRACT(EPOCH FROM now()) AS bigint)",
        _ => "CAST(strftime('%s', 'now') AS integer)",
    };
    Query::insert()
        .into_table(SeaqlMigrations::Table)
        .columns([SeaqlMigrations::Version, SeaqlMigrations::AppliedAt])
        .values_panic([Expr::value(step.name), Expr::cust(seconds)])
        .to_owned()
}

/// One step of the migration.
pub(crate) struct Step {
    /// Its name, as databases that had it record it.
    pub(crate) name: &'static str,
    pub(crate) tables: fn() -> Vec<TableCreateStatement>,
    /// The columns that it adds to tables of earlier steps.
    pub(crate) columns: fn() -> Vec<TableAlterStatement>,
    pub(crate) index: fn() -> IndexCreateStatement,
}

// Columns as the steps define them.

fn string(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).string().not_null().take()
}

fn string_null(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).string().null().take()
}

fn integer(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).integer().not_null().take()
}

fn big_integer(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).big_integer().not_null().take()
}

fn timestamp_with_time_zone(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).timestamp_with_time_zone().not_null().take()
}

fn timestamp_with_time_zone_null(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).timestamp_with_time_zone().null().take()
}

const CUSTOMERS_AND_KEYS: Step = Step {
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

const USAGE_AND_DATASETS: Step = Step {
    name: "m0002_usage_and_datasets",
    tables: || vec![usage_counts(), dataset_refreshes(), datasets(), entitlements(), secrets()],
    columns: Vec::new,
    index: || {
        Index::create().name("usage_counts_of_a_month").table(UsageCounts::Table).col(UsageCounts::Month).to_owned()
    },
};

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

const PROCESS_COUNTS: Step = Step {
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

const NODE_SETTINGS: Step = Step {
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

const KEY_SCOPES_AND_AUDIT_LOG: Step = Step {
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

const REFRESH_ANSWERS_AND_DAILY_CALLS: Step = Step {
    name: "m0006_refresh_answers_and_daily_calls",
    tables: || vec![refresh_answers(), daily_calls()],
    columns: Vec::new,
    index: || Index::create().name("daily_calls_by_day").table("daily_calls").col("day").to_owned(),
};

/// Defines the claims and answers of refreshes, which go with their customers.
fn refresh_answers() -> TableCreateStatement {
    Table::create()
        .table("refresh_answers")
        .col(string("customer_id"))
        .col(string("idempotency_key"))
        .col(timestamp_with_time_zone("at"))
        .col(ColumnDef::new("answer").text().null())
        .primary_key(Index::create().col("customer_id").col("idempotency_key"))
        .to_owned()
}

/// Defines the calls of a day by key and operation.
fn daily_calls() -> TableCreateStatement {
    Table::create()
        .table("daily_calls")
        .col(string("customer_id"))
        .col(string("digest"))
        .col(string("operation"))
        .col(string("day"))
        .col(big_integer("calls"))
        .primary_key(Index::create().col("customer_id").col("digest").col("operation").col("day"))
        .to_owned()
}

const WEBHOOKS: Step = Step {
    name: "m0007_webhooks",
    tables: || vec![webhooks(), webhook_deliveries(), webhook_cursors(), leases()],
    columns: Vec::new,
    index: || Index::create().name("webhook_deliveries_due").table("webhook_deliveries").col("next_at").to_owned(),
};

fn webhooks() -> TableCreateStatement {
    Table::create()
        .table("webhooks")
        .col(string("id").primary_key())
        .col(string("customer_id"))
        .col(ColumnDef::new("url").text().not_null())
        .col(string("secret"))
        .col(string("events"))
        .col(string("sports"))
        .col(timestamp_with_time_zone("created_at"))
        .col(timestamp_with_time_zone_null("failing_since"))
        .col(timestamp_with_time_zone_null("failed_at"))
        .col(timestamp_with_time_zone_null("disabled_at"))
        .col(string_null("disabled_reason"))
        .to_owned()
}

/// Defines the deliveries, whose key finds those of a webhook.
fn webhook_deliveries() -> TableCreateStatement {
    Table::create()
        .table("webhook_deliveries")
        .col(string("webhook_id"))
        .col(string("id"))
        .col(string("event"))
        .col(ColumnDef::new("payload").text().not_null())
        .col(timestamp_with_time_zone("created_at"))
        .col(integer("attempts"))
        .col(timestamp_with_time_zone_null("next_at"))
        .col(timestamp_with_time_zone_null("last_at"))
        .col(ColumnDef::new("last_status").integer().null())
        .col(ColumnDef::new("last_error").text().null())
        .primary_key(Index::create().col("webhook_id").col("id"))
        .to_owned()
}

/// Defines how far the events of each league are queued for webhooks.
fn webhook_cursors() -> TableCreateStatement {
    Table::create()
        .table("webhook_cursors")
        .col(string("sport").primary_key())
        .col(string("position"))
        .col(ColumnDef::new("status").text().not_null())
        .to_owned()
}

/// Defines the terms of the processes that lead.
fn leases() -> TableCreateStatement {
    Table::create()
        .table("leases")
        .col(string("name").primary_key())
        .col(string("process"))
        .col(timestamp_with_time_zone("until"))
        .to_owned()
}
