//! Webhooks of customers, the queue of deliveries to them, and the sender.

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{Attempt, CustomerId, Delivery, ProcessId, Webhook, WebhookId};
use sports_domain::Sport;

use crate::PortError;

/// The webhooks of customers and the deliveries to them.
///
/// # Contract
///
/// - A webhook is listed exactly as created, oldest first, to its customer alone. Times keep their microseconds.
/// - A webhook is created for a customer who exists, while the customer has fewer than
///   [`MAX_WEBHOOKS`](sports_accounts::MAX_WEBHOOKS), however many callers race.
/// - A removed webhook takes its deliveries with it. A customer's deletion removes all.
/// - The deliveries of a webhook are listed newest first. A delivery that is over is kept while it is among the last
///   [`KEPT_DELIVERIES`]; one that is underway is always kept.
/// - A webhook that is enabled has neither failures nor a reason to be disabled.
#[async_trait]
pub trait Webhooks: Send + Sync {
    async fn create_webhook(&self, webhook: &Webhook) -> Result<WebhookCreation, PortError>;

    async fn webhooks_of(&self, customer: CustomerId) -> Result<Vec<Webhook>, PortError>;

    /// Removes a webhook of a customer; returns `false` if there is none.
    async fn remove_webhook(&self, customer: CustomerId, id: WebhookId) -> Result<bool, PortError>;

    /// Enables a webhook of a customer; returns `false` if there is none.
    async fn enable_webhook(&self, customer: CustomerId, id: WebhookId) -> Result<bool, PortError>;

    /// Lists the last deliveries of a webhook, at most [`KEPT_DELIVERIES`].
    async fn deliveries_of(&self, id: WebhookId) -> Result<Vec<Delivery>, PortError>;
}

/// The number of deliveries that are listed.
pub const KEPT_DELIVERIES: usize = 100;

/// The outcome of creating a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum WebhookCreation {
    Created,
    /// The customer has the maximum number of webhooks.
    LimitReached,
    NoSuchCustomer,
}

/// How far the events of a league are queued.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventCursor {
    /// The position in the league's log, as a cursor of the stream.
    pub position: String,
    /// The data status, as JSON.
    pub status: String,
}

/// The queue of deliveries.
///
/// # Contract
///
/// - Of the processes that share the queue one leads at a time: the one that led last while its term lasts, by the time that it
///   gives. A term that is ended ends at once.
/// - A cursor advances only from where the caller knows it, together with the deliveries of the events between, or not at all.
/// - A delivery that is queued again under the same id is there once, as it was first.
/// - The webhooks that are subscribed are enabled, and their customers have a subscription.
/// - Deliveries that are due are listed with their webhooks, those that waited longest first, and none of a webhook that is `busy`.
///   Those of a customer without a subscription are over instead.
/// - An outcome changes a delivery, and its webhook by [`Webhook::note`]; nothing if the delivery was removed, is over, or has an outcome
///   of this attempt or a later one. With a webhook that becomes disabled, all its deliveries are over.
/// - A row that cannot be read is left out of both lists.
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Begins or prolongs the term of a process; returns `false` while another leads.
    async fn lead(&self, process: ProcessId, now: DateTime<Utc>, term: Duration) -> Result<bool, PortError>;

    /// Ends the term of a process.
    async fn resign(&self, process: ProcessId) -> Result<(), PortError>;

    async fn subscribed(&self) -> Result<Vec<Webhook>, PortError>;

    /// Returns the cursor of a league; `None` before the first event.
    async fn cursor(&self, sport: Sport) -> Result<Option<EventCursor>, PortError>;

    /// Advances the cursor of a league from `known` to `next` and queues the deliveries; returns `false` if it is elsewhere.
    async fn advance(
        &self,
        sport: Sport,
        known: Option<&EventCursor>,
        next: &EventCursor,
        deliveries: &[Delivery],
    ) -> Result<bool, PortError>;

    /// Queues a delivery.
    async fn queue(&self, delivery: &Delivery) -> Result<(), PortError>;

    /// Lists deliveries that are due, at most `limit`.
    async fn due(
        &self,
        now: DateTime<Utc>,
        busy: &[WebhookId],
        limit: u64,
    ) -> Result<Vec<(Webhook, Delivery)>, PortError>;

    /// Records the last attempt of a delivery.
    async fn record_attempt(&self, delivery: &Delivery) -> Result<(), PortError>;
}

/// A sender of deliveries.
///
/// # Contract
///
/// - A delivery is sent once, signed by the secret of the webhook as of the real time.
/// - It is sent to no address of a network that the sender refuses, whatever the webhook's name resolves to; no redirect is
///   followed.
/// - The call returns within [`ATTEMPT_TIMEOUT`] and a little more, whatever the receiver does.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Sends a delivery; the outcome is of the time `at`.
    async fn send(&self, webhook: &Webhook, delivery: &Delivery, at: DateTime<Utc>) -> Attempt;
}

/// The longest time for an attempt.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
