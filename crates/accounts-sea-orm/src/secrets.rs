use sea_orm::sea_query::OnConflict;
use sea_orm::{DbErr, EntityTrait, Set};
use sports_ports::PortError;

use crate::AccountsDatabase;
use crate::entities::secret::{ActiveModel, Column, Entity};

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
