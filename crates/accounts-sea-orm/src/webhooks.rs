use std::collections::{HashMap, HashSet};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};
use sports_accounts::{Customer, CustomerId, Delivery, MAX_WEBHOOKS, ProcessId, Webhook, WebhookId};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::webhooks::{DeliveryQueue, EventCursor, KEPT_DELIVERIES, WebhookCreation, Webhooks};

use crate::AccountsDatabase;
use crate::database::ROWS;
use crate::entities::webhook::{Column, Entity, Model};
use crate::entities::{Unreadable, customer, lease, webhook_cursor, webhook_delivery};

const WEBHOOKS: &str = "webhooks";

/// The name of the lease of the process that delivers.
const LEASE: &str = "webhooks";

#[async_trait]
impl Webhooks for AccountsDatabase {
    async fn create_webhook(&self, webhook: &Webhook) -> Result<WebhookCreation, PortError> {
        let create = async {
            let transaction = self.begin_write().await?;
            let customer = webhook.customer.to_string();
            // No other webhook of the customer is created meanwhile.
            let holder = customer::Entity::find_by_id(&customer).lock_exclusive().one(&transaction).await?;
            if holder.is_none() {
                return Ok(WebhookCreation::NoSuchCustomer);
            }
            let number = Entity::find().filter(Column::CustomerId.eq(customer)).count(&transaction).await?;
            if number >= MAX_WEBHOOKS as u64 {
                return Ok(WebhookCreation::LimitReached);
            }
            let row = Model::from(webhook).into_active_model();
            Entity::insert(row).exec_without_returning(&transaction).await?;
            transaction.commit().await?;
            Ok(WebhookCreation::Created)
        };
        self.answer(WEBHOOKS, create).await
    }

    async fn webhooks_of(&self, customer: CustomerId) -> Result<Vec<Webhook>, PortError> {
        let reader = self.reader();
        let rows = Entity::find().filter(Column::CustomerId.eq(customer.to_string()));
        let rows = rows.order_by_asc(Column::CreatedAt).order_by_asc(Column::Id);
        self.answer(WEBHOOKS, rows.all(&reader)).await?.into_iter().map(read).collect()
    }

    async fn remove_webhook(&self, customer: CustomerId, id: WebhookId) -> Result<bool, PortError> {
        let remove = async {
            let transaction = self.begin_write().await?;
            let removed = Entity::delete_many().filter(Column::Id.eq(id.to_string()));
            let removed = removed.filter(Column::CustomerId.eq(customer.to_string())).exec(&transaction).await?;
            if removed.rows_affected > 0 {
                deliveries(&[id.to_string()]).exec(&transaction).await?;
            }
            transaction.commit().await?;
            Ok(removed.rows_affected > 0)
        };
        self.answer(WEBHOOKS, remove).await
    }

    async fn enable_webhook(&self, customer: CustomerId, id: WebhookId) -> Result<bool, PortError> {
        let nothing = || Expr::value(None::<DateTime<Utc>>);
        let enable = Entity::update_many()
            .filter(Column::Id.eq(id.to_string()))
            .filter(Column::CustomerId.eq(customer.to_string()))
            .col_expr(Column::FailingSince, nothing())
            .col_expr(Column::FailedAt, nothing())
            .col_expr(Column::DisabledAt, nothing())
            .col_expr(Column::DisabledReason, Expr::value(None::<String>));
        let enable = async {
            let transaction = self.begin_write().await?;
            let enabled = enable.exec(&transaction).await?.rows_affected;
            transaction.commit().await?;
            Ok(enabled > 0)
        };
        self.answer(WEBHOOKS, enable).await
    }

    async fn deliveries_of(&self, id: WebhookId) -> Result<Vec<Delivery>, PortError> {
        let reader = self.reader();
        let rows = newest_first(&id.to_string()).limit(KEPT_DELIVERIES as u64);
        self.answer(WEBHOOKS, rows.all(&reader)).await?.into_iter().map(read).collect()
    }
}

#[async_trait]
impl DeliveryQueue for AccountsDatabase {
    async fn lead(&self, process: ProcessId, now: DateTime<Utc>, term: Duration) -> Result<bool, PortError> {
        let (table, holder) = (lease::Entity, process.to_string());
        let is_own = Expr::col((table, lease::Column::Process)).eq(holder.as_str());
        let is_over = Expr::col((table, lease::Column::Until)).lte(now);
        let take_over = OnConflict::column(lease::Column::Name)
            .update_columns([lease::Column::Process, lease::Column::Until])
            .action_and_where(is_own.or(is_over))
            .to_owned();
        let row = lease::ActiveModel { name: Set(LEASE.to_owned()), process: Set(holder), until: Set(now + term) };
        let lead = async {
            let transaction = self.begin_write().await?;
            let led = lease::Entity::insert(row).on_conflict(take_over).exec_without_returning(&transaction).await;
            match led {
                Ok(0) | Err(DbErr::RecordNotInserted) => Ok(false),
                Ok(_) => transaction.commit().await.map(|()| true),
                Err(error) => Err(error),
            }
        };
        self.answer(WEBHOOKS, lead).await
    }

    async fn resign(&self, process: ProcessId) -> Result<(), PortError> {
        let resign = lease::Entity::delete_many()
            .filter(lease::Column::Name.eq(LEASE))
            .filter(lease::Column::Process.eq(process.to_string()));
        let resign = async {
            let transaction = self.begin_write().await?;
            resign.exec(&transaction).await?;
            transaction.commit().await
        };
        self.answer(WEBHOOKS, resign).await
    }

    async fn subscribed(&self) -> Result<Vec<Webhook>, PortError> {
        let reader = self.reader();
        let read_both = async {
            let rows = Entity::find().filter(Column::DisabledAt.is_null()).all(&reader).await?;
            let customers = customers_of(&rows, &reader).await?;
            Ok((rows, customers))
        };
        let (rows, customers) = self.answer(WEBHOOKS, read_both).await?;
        let subscribers = subscribers(customers);
        Ok(rows.into_iter().filter(|row| subscribers.contains(&row.customer_id)).filter_map(readable).collect())
    }

    async fn cursor(&self, sport: Sport) -> Result<Option<EventCursor>, PortError> {
        let reader = self.reader();
        let cursor = self.answer(WEBHOOKS, webhook_cursor::Entity::find_by_id(sport.code()).one(&reader)).await?;
        Ok(cursor.map(EventCursor::from))
    }

    async fn advance(
        &self,
        sport: Sport,
        known: Option<&EventCursor>,
        next: &EventCursor,
        deliveries: &[Delivery],
    ) -> Result<bool, PortError> {
        let advance = async {
            let transaction = self.begin_write().await?;
            if !advance_cursor(&transaction, sport, known, next).await? {
                return Ok(false);
            }
            queue(&transaction, deliveries).await?;
            transaction.commit().await?;
            Ok(true)
        };
        self.answer(WEBHOOKS, advance).await
    }

    async fn queue(&self, delivery: &Delivery) -> Result<(), PortError> {
        let put = async {
            let transaction = self.begin_write().await?;
            queue(&transaction, std::slice::from_ref(delivery)).await?;
            transaction.commit().await
        };
        self.answer(WEBHOOKS, put).await
    }

    async fn due(
        &self,
        now: DateTime<Utc>,
        busy: &[WebhookId],
        limit: u64,
    ) -> Result<Vec<(Webhook, Delivery)>, PortError> {
        let reader = self.reader();
        let busy = busy.iter().map(WebhookId::to_string);
        let find = async {
            let due = webhook_delivery::Entity::find()
                .filter(webhook_delivery::Column::NextAt.lte(now))
                .filter(webhook_delivery::Column::WebhookId.is_not_in(busy))
                .order_by_asc(webhook_delivery::Column::NextAt)
                .limit(limit)
                .all(&reader)
                .await?;
            let ids: HashSet<_> = due.iter().map(|row| row.webhook_id.clone()).collect();
            let webhooks = Entity::find().filter(Column::Id.is_in(ids)).all(&reader).await?;
            let customers = customers_of(&webhooks, &reader).await?;
            Ok((due, webhooks, customers))
        };
        let (due, webhooks, customers) = self.answer(WEBHOOKS, find).await?;
        let subscribers = subscribers(customers);
        let is_served = |row: &&Model| row.disabled_at.is_none() && subscribers.contains(&row.customer_id);
        let served: HashMap<_, _> = webhooks.iter().filter(is_served).map(|row| (&row.id, row)).collect();
        let (due, over): (Vec<_>, Vec<_>) = due.into_iter().partition(|row| served.contains_key(&row.webhook_id));
        if !over.is_empty() {
            let is_there = |row: &webhook_delivery::Model| webhooks.iter().any(|webhook| webhook.id == row.webhook_id);
            let (over, orphans): (Vec<_>, Vec<_>) = over.into_iter().partition(is_there);
            let ids = |rows: Vec<webhook_delivery::Model>| rows.into_iter().map(|row| row.webhook_id).collect();
            self.answer(WEBHOOKS, self.end_deliveries(ids(over), ids(orphans))).await?;
        }
        let both = |row: webhook_delivery::Model| {
            let webhook = served.get(&row.webhook_id)?;
            Some((readable((*webhook).clone())?, readable(row)?))
        };
        Ok(due.into_iter().filter_map(both).collect())
    }

    async fn record_attempt(&self, delivery: &Delivery) -> Result<(), PortError> {
        let (Some(attempt), Some(before)) = (&delivery.last, delivery.attempts.checked_sub(1)) else { return Ok(()) };
        let id = delivery.webhook.to_string();
        let record = async {
            let transaction = self.begin_write().await?;
            let webhook = Entity::find_by_id(&id).lock_exclusive().one(&transaction).await?;
            let row = webhook_delivery::Model::from(delivery).into_active_model().reset_all();
            let recorded = webhook_delivery::Entity::update_many()
                .set(row)
                .filter(webhook_delivery::Column::WebhookId.eq(id.as_str()))
                .filter(webhook_delivery::Column::Id.eq(delivery.id.as_str()))
                .filter(webhook_delivery::Column::Attempts.eq(i32::try_from(before).unwrap_or(i32::MAX)))
                .filter(webhook_delivery::Column::NextAt.is_not_null())
                .exec(&transaction)
                .await?;
            // Nothing of a delivery that was removed, is over, or was tried by another process meanwhile.
            if recorded.rows_affected == 0 {
                return Ok(());
            }
            let mut is_disabled = false;
            if let Some(mut webhook) = webhook.and_then(readable::<_, Webhook>) {
                webhook.note(attempt);
                is_disabled = webhook.disabled.is_some();
                let row = Model::from(&webhook).into_active_model().reset_all();
                Entity::update_many().set(row).filter(Column::Id.eq(id.as_str())).exec(&transaction).await?;
            }
            if is_disabled {
                end(&transaction, std::slice::from_ref(&id)).await?;
            } else if delivery.next_at.is_none() {
                forget_old(&transaction, &id).await?;
            }
            transaction.commit().await
        };
        self.answer(WEBHOOKS, record).await
    }
}

impl AccountsDatabase {
    /// Ends the deliveries of webhooks that get none, and removes those of webhooks that are not there.
    async fn end_deliveries(&self, over: HashSet<String>, orphans: HashSet<String>) -> Result<(), DbErr> {
        let transaction = self.begin_write().await?;
        end(&transaction, &Vec::from_iter(over)).await?;
        deliveries(&Vec::from_iter(orphans)).exec(&transaction).await?;
        transaction.commit().await
    }
}

/// Ends all deliveries of webhooks that are underway.
async fn end(transaction: &DatabaseTransaction, webhooks: &[String]) -> Result<(), DbErr> {
    let end = webhook_delivery::Entity::update_many()
        .filter(webhook_delivery::Column::WebhookId.is_in(webhooks))
        .filter(webhook_delivery::Column::NextAt.is_not_null())
        .col_expr(webhook_delivery::Column::NextAt, Expr::value(None::<DateTime<Utc>>));
    end.exec(transaction).await?;
    for webhook in webhooks {
        forget_old(transaction, webhook).await?;
    }
    Ok(())
}

async fn advance_cursor(
    transaction: &DatabaseTransaction,
    sport: Sport,
    known: Option<&EventCursor>,
    next: &EventCursor,
) -> Result<bool, DbErr> {
    use webhook_cursor::{ActiveModel, Column, Entity};
    let Some(known) = known else {
        let row = ActiveModel {
            sport: Set(sport.code().to_owned()),
            position: Set(next.position.clone()),
            status: Set(next.status.clone()),
        };
        let nothing = OnConflict::column(Column::Sport).do_nothing().to_owned();
        return match Entity::insert(row).on_conflict(nothing).exec_without_returning(transaction).await {
            Ok(0) | Err(DbErr::RecordNotInserted) => Ok(false),
            inserted => inserted.map(|_| true),
        };
    };
    let replace = Entity::update_many()
        .filter(Column::Sport.eq(sport.code()))
        .filter(Column::Position.eq(known.position.as_str()))
        .filter(Column::Status.eq(known.status.as_str()))
        .col_expr(Column::Position, Expr::value(next.position.as_str()))
        .col_expr(Column::Status, Expr::value(next.status.as_str()));
    Ok(replace.exec(transaction).await?.rows_affected > 0)
}

/// Inserts deliveries that are not there.
async fn queue(transaction: &DatabaseTransaction, deliveries: &[Delivery]) -> Result<(), DbErr> {
    use webhook_delivery::{Column, Entity, Model};
    let nothing = OnConflict::columns([Column::WebhookId, Column::Id]).do_nothing().to_owned();
    for some in deliveries.chunks(ROWS) {
        let rows = some.iter().map(|delivery| Model::from(delivery).into_active_model());
        match Entity::insert_many(rows).on_conflict(nothing.clone()).exec_without_returning(transaction).await {
            Ok(_) | Err(DbErr::RecordNotInserted) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Removes deliveries that are over and no longer listed.
async fn forget_old(transaction: &DatabaseTransaction, id: &str) -> Result<(), DbErr> {
    let rows = newest_first(id).offset(KEPT_DELIVERIES as u64).limit(ROWS as u64).all(transaction).await?;
    let over: Vec<_> = rows.into_iter().filter(|row| row.next_at.is_none()).map(|row| row.id).collect();
    if !over.is_empty() {
        let old = deliveries(&[id.to_owned()]).filter(webhook_delivery::Column::Id.is_in(over));
        old.exec(transaction).await?;
    }
    Ok(())
}

fn newest_first(id: &str) -> sea_orm::Select<webhook_delivery::Entity> {
    webhook_delivery::Entity::find()
        .filter(webhook_delivery::Column::WebhookId.eq(id))
        .order_by_desc(webhook_delivery::Column::CreatedAt)
        .order_by_desc(webhook_delivery::Column::Id)
}

/// The removal of the deliveries of webhooks.
fn deliveries(webhooks: &[String]) -> sea_orm::DeleteMany<webhook_delivery::Entity> {
    webhook_delivery::Entity::delete_many().filter(webhook_delivery::Column::WebhookId.is_in(webhooks))
}

/// Removes the webhooks of a customer.
pub(crate) async fn remove_all(transaction: &DatabaseTransaction, customer: &str) -> Result<(), DbErr> {
    let rows = Entity::find().filter(Column::CustomerId.eq(customer)).all(transaction).await?;
    let ids: Vec<_> = rows.into_iter().map(|row| row.id).collect();
    deliveries(&ids).exec(transaction).await?;
    Entity::delete_many().filter(Column::Id.is_in(ids)).exec(transaction).await.map(drop)
}

async fn customers_of(webhooks: &[Model], reader: &impl ConnectionTrait) -> Result<Vec<customer::Model>, DbErr> {
    let ids: HashSet<_> = webhooks.iter().map(|row| row.customer_id.clone()).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    customer::Entity::find().filter(customer::Column::Id.is_in(ids)).all(reader).await
}

/// Returns the ids of the customers with a subscription.
fn subscribers(customers: Vec<customer::Model>) -> HashSet<String> {
    let customers = customers.into_iter().filter_map(readable::<_, Customer>);
    customers.filter(Customer::is_subscribed).map(|customer| customer.id.to_string()).collect()
}

/// Returns what a row holds; nothing if it cannot be read, which must not stop the deliveries of others.
fn readable<R, T: TryFrom<R, Error = Unreadable>>(row: R) -> Option<T> {
    let value = row.try_into();
    value.inspect_err(|error| tracing::warn!("a row of the webhooks cannot be read: {error}")).ok()
}

fn read<R, T: TryFrom<R, Error = Unreadable>>(row: R) -> Result<T, PortError> {
    row.try_into().map_err(|source| PortError::corrupt(WEBHOOKS, source))
}
