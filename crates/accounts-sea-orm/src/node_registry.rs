use std::time::Duration;

use async_trait::async_trait;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, EntityTrait, Set, Statement, Value};
use sports_accounts::ProcessId;
use sports_ports::PortError;
use sports_ports::nodes::{NodeRegistry, NodeSettings};

use crate::AccountsDatabase;
use crate::entities::secret::{ActiveModel, Column, Entity};

const NODES: &str = "node settings";

#[async_trait]
impl NodeRegistry for AccountsDatabase {
    async fn report(
        &self,
        node: ProcessId,
        settings: &NodeSettings,
        lifetime: Duration,
    ) -> Result<Vec<NodeSettings>, PortError> {
        let others = self.answer(NODES, self.exchange(node, settings, lifetime)).await?;
        Ok(others.iter().map(|text| read(text)).collect())
    }

    async fn remove(&self, node: ProcessId) -> Result<(), PortError> {
        let remove = "DELETE FROM node_settings WHERE node = $1";
        let remove = async {
            let transaction = self.begin_write().await?;
            transaction.execute_raw(statement(&transaction, remove, [node.to_string().into()])).await?;
            transaction.commit().await
        };
        self.answer(NODES, remove).await
    }
}

impl AccountsDatabase {
    async fn exchange(
        &self,
        node: ProcessId,
        settings: &NodeSettings,
        lifetime: Duration,
    ) -> Result<Vec<String>, DbErr> {
        let transaction = self.begin_write().await?;
        let now = match transaction.get_database_backend() {
            DbBackend::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS bigint)",
            _ => "CAST(strftime('%s', 'now') AS integer)",
        };
        let report = format!(
            "INSERT INTO node_settings (node, settings, seen_at) VALUES ($1, $2, {now}) ON CONFLICT (node) DO UPDATE \
             SET settings = excluded.settings, seen_at = excluded.seen_at"
        );
        let lifetime = i64::try_from(lifetime.as_secs()).unwrap_or(i64::MAX);
        // A report from a time that has not come is from before the clock of the database was set back.
        let forget = format!("DELETE FROM node_settings WHERE abs({now} - seen_at) > $1");
        let others = "SELECT settings FROM node_settings WHERE node <> $1 ORDER BY node";
        let node = Value::from(node.to_string());
        transaction.execute_raw(statement(&transaction, &report, [node.clone(), text(settings).into()])).await?;
        transaction.execute_raw(statement(&transaction, &forget, [lifetime.into()])).await?;
        let rows = transaction.query_all_raw(statement(&transaction, others, [node])).await?;
        transaction.commit().await?;
        rows.iter().map(|row| row.try_get_by_index(0)).collect()
    }
}

fn statement(connection: &impl ConnectionTrait, text: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(connection.get_database_backend(), text, values)
}

/// Writes a line for each setting. Neither names nor fingerprints have spaces.
fn text(settings: &NodeSettings) -> String {
    settings.iter().flat_map(|(name, fingerprint)| [name.as_str(), " ", fingerprint.as_str(), "\n"]).collect()
}

/// Reads the lines, and skips a line that another version of the program writes.
fn read(text: &str) -> NodeSettings {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(name, fingerprint)| (name.to_owned(), fingerprint.to_owned())).collect()
}

impl AccountsDatabase {
    /// Returns the secret with a name; stores `fresh` if there is no secret yet. Concurrent processes all get the same secret.
    ///
    /// # Errors
    ///
    /// [`PortError`] when the secret cannot be read or written.
    pub async fn secret_or(&self, name: &str, fresh: &str) -> Result<String, PortError> {
        self.answer("secrets", self.kept_secret(name, fresh)).await
    }

    async fn kept_secret(&self, name: &str, fresh: &str) -> Result<String, DbErr> {
        // One that is there needs no write, which a full disk would refuse.
        if let Some(kept) = Entity::find_by_id(name).one(&self.reader()).await? {
            return Ok(kept.value);
        }
        let transaction = self.begin_write().await?;
        let row = ActiveModel { name: Set(name.to_owned()), value: Set(fresh.to_owned()) };
        let nothing = OnConflict::column(Column::Name).do_nothing().to_owned();
        Entity::insert(row).on_conflict(nothing).exec_without_returning(&transaction).await?;
        // Another process may have been first.
        let kept = Entity::find_by_id(name).one(&transaction).await?;
        transaction.commit().await?;
        Ok(kept.map_or_else(|| fresh.to_owned(), |kept| kept.value))
    }
}
