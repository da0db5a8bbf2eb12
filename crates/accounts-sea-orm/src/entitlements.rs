use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};
use sports_accounts::{CustomerId, Entitlement, Product};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::datasets::{EntitlementRevocation, Entitlements, Grant};

use crate::AccountsDatabase;
use crate::customers::Change;
use crate::entities::customer;
use crate::entities::entitlement::{ActiveModel, Column, Entity, in_force_at};

const ENTITLEMENTS: &str = "entitlements";

#[async_trait]
impl Entitlements for AccountsDatabase {
    async fn grant(&self, entitlement: &Entitlement) -> Result<Grant, PortError> {
        self.answer(ENTITLEMENTS, self.grant_to_customer(entitlement)).await
    }

    async fn revoke_entitlement(
        &self,
        customer: CustomerId,
        product: &Product,
        sport: Sport,
        at: DateTime<Utc>,
    ) -> Result<EntitlementRevocation, PortError> {
        let revocation = Entity::update_many()
            .filter(Column::CustomerId.eq(customer.to_string()))
            .filter(Column::Product.eq(product.as_str()))
            .filter(Column::Sport.eq(sport.code()))
            .filter(in_force_at(at))
            .col_expr(Column::RevokedAt, Expr::value(at));
        let right = format!("{product} {sport}");
        let change = Change("entitlement.revoke", Some(customer), &right);
        let revoked = self.answer(ENTITLEMENTS, self.write_logged(revocation, &change)).await?;
        let is_none = matches!(revoked, None | Some(0));
        Ok(if is_none { EntitlementRevocation::NotInForce } else { EntitlementRevocation::Revoked })
    }

    async fn entitlements_of(&self, customer: CustomerId) -> Result<Vec<Entitlement>, PortError> {
        let reader = self.reader();
        let rows = Entity::find().filter(Column::CustomerId.eq(customer.to_string())).all(&reader);
        let held = self.answer(ENTITLEMENTS, rows).await?.into_iter().map(Entitlement::try_from);
        let mut held: Vec<_> =
            held.collect::<Result<_, _>>().map_err(|source| PortError::corrupt(ENTITLEMENTS, source))?;
        held.sort_by_key(|entitlement| (entitlement.product.clone(), entitlement.sport));
        Ok(held)
    }
}

impl AccountsDatabase {
    async fn grant_to_customer(&self, entitlement: &Entitlement) -> Result<Grant, DbErr> {
        let transaction = self.begin_write().await?;
        let id = entitlement.customer.to_string();
        if customer::Entity::find_by_id(id).lock_exclusive().one(&transaction).await?.is_none() {
            return Ok(Grant::NoSuchCustomer);
        }
        let replace = OnConflict::columns([Column::CustomerId, Column::Product, Column::Sport])
            .update_columns([Column::GrantedAt, Column::ExpiresAt, Column::RevokedAt])
            .to_owned();
        let row = ActiveModel::from(entitlement);
        Entity::insert(row).on_conflict(replace).exec_without_returning(&transaction).await?;
        let right = format!("{} {}", entitlement.product, entitlement.sport);
        self.log(&transaction, &Change("entitlement.grant", Some(entitlement.customer), &right)).await?;
        transaction.commit().await?;
        Ok(Grant::Granted)
    }
}
