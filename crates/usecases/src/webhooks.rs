//! Webhooks: the events of the leagues, and the deliveries of them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_accounts::{Attempt, CustomerId, Delivery, ProcessId, Webhook, WebhookEvent, WebhookId};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ledger::EntryFacts;
use sports_ports::webhooks::{DeliveryQueue, EventCursor, WebhookSender};
use sports_ports::{Clock, PortError, error_chain};
use tokio::sync::Notify;

use crate::release_stream::{ResetReason, StreamCursor, StreamPosition, StreamStep};
use crate::releases::RecentReleases;

/// The deliveries of the process that leads.
pub struct WebhookDeliveries {
    queue: Arc<dyn DeliveryQueue>,
    sender: Arc<dyn WebhookSender>,
    clock: Arc<dyn Clock>,
    /// This process; `None` if no other shares the queue.
    process: Option<ProcessId>,
    /// The cursors of the queue, as this process knows them.
    cursors: Mutex<HashMap<Sport, EventCursor>>,
    /// The webhooks with an attempt underway, one at a time, and their customers.
    busy: Mutex<HashMap<WebhookId, CustomerId>>,
    done: Notify,
}

/// A league now, which may be ahead of its cursor.
#[derive(Debug, Clone, Copy)]
pub struct LeagueNow<'a> {
    pub sport: Sport,
    pub current: Option<&'a EntryFacts>,
    /// The data status, as JSON.
    pub status: &'a str,
}

/// An event of a league.
struct Event {
    kind: WebhookEvent,
    /// Its name among the events of its league.
    name: String,
    message: String,
}

/// The message about an event of a league, as JSON.
pub trait Messages {
    /// Returns the message about a release.
    fn release(&self, sport: Sport, entry: &EntryFacts) -> impl Future<Output = Result<String, PortError>> + Send;

    /// Returns the message about a data status.
    fn status(&self, status: &str) -> String;
}

impl WebhookDeliveries {
    /// The time for which a process leads without another sign of life.
    const TERM: Duration = Duration::from_secs(20);

    /// The most attempts at a time, and those of one customer: receivers that hang hold up nobody else.
    const MOST: usize = 64;
    const MOST_OF_A_CUSTOMER: usize = 4;

    /// The number of deliveries that are read at a time, and how often in one call.
    const READ: u64 = 256;
    const READS: usize = 8;

    /// The longest time between attempts to record an outcome.
    const LONGEST_PAUSE: Duration = Duration::from_mins(1);

    /// Creates the deliveries of a process.
    pub fn new(
        queue: Arc<dyn DeliveryQueue>,
        sender: Arc<dyn WebhookSender>,
        clock: Arc<dyn Clock>,
        process: Option<ProcessId>,
    ) -> Self {
        let (cursors, busy, done) = (Mutex::default(), Mutex::default(), Notify::new());
        Self { queue, sender, clock, process, cursors, busy, done }
    }

    /// Begins or prolongs the term of this process; returns `false` while another leads.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the queue cannot be read or written.
    pub async fn lead(&self) -> Result<bool, PortError> {
        let Some(process) = self.process else { return Ok(true) };
        let leads = self.queue.lead(process, self.clock.now(), Self::TERM).await;
        if !matches!(leads, Ok(true)) {
            locked(&self.cursors).clear();
        }
        leads
    }

    /// Lets another process lead at once.
    pub async fn end(&self) {
        if let Some(process) = self.process
            && let Err(error) = self.queue.resign(process).await
        {
            let causes = error_chain(&error);
            tracing::debug!("another process leads the deliveries later: {causes}");
        }
    }

    /// Queues the events of a league that are not queued yet. The first time, those from now on.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the queue or the log cannot be read or written: the next call goes on from there.
    pub async fn follow(
        &self,
        league: LeagueNow<'_>,
        releases: &RecentReleases,
        messages: &impl Messages,
    ) -> Result<(), PortError> {
        let LeagueNow { sport, current, status } = league;
        let known = locked(&self.cursors).get(&sport).cloned();
        let known = match known {
            Some(known) => Some(known),
            None => self.queue.cursor(sport).await?,
        };
        let Some(mut known) = known else {
            let first = EventCursor { position: cursor(sport, current.into()), status: status.to_owned() };
            self.queue.advance(sport, None, &first, &[]).await?;
            return Ok(());
        };
        loop {
            let at = known.position.parse::<StreamCursor>().ok().and_then(|cursor| cursor.position(sport));
            let step = match at {
                Some(at) => releases.step(sport, at, current).await?,
                None => StreamStep::Reset(ResetReason::Record),
            };
            let (position, event) = match step {
                StreamStep::Release(entry) => (Some(&*entry).into(), self.release(sport, &entry, messages).await?),
                // After such a gap, it goes on with the current entry.
                StreamStep::Reset(_) => {
                    let event = match current {
                        Some(entry) => self.release(sport, entry, messages).await?,
                        None => None,
                    };
                    (StreamPosition::from(current), event)
                }
                StreamStep::Wait => {
                    // A node that is behind has no news.
                    let is_behind = at != Some(StreamPosition::from(current));
                    if is_behind || known.status == status {
                        locked(&self.cursors).insert(sport, known);
                        return Ok(());
                    }
                    let next = EventCursor { position: known.position.clone(), status: status.to_owned() };
                    let name = format!("{} {status} {}", known.position, self.clock.now());
                    let event = Event { kind: WebhookEvent::Status, name, message: messages.status(status) };
                    self.advance(sport, &known, &next, Some(event)).await?;
                    return Ok(());
                }
            };
            let next = EventCursor { position: cursor(sport, position), status: known.status.clone() };
            if !self.advance(sport, &known, &next, event).await? {
                return Ok(());
            }
            known = next;
        }
    }

    /// Returns the event of a release; nothing if its entry is damaged, which stays so.
    async fn release(
        &self,
        sport: Sport,
        entry: &EntryFacts,
        messages: &impl Messages,
    ) -> Result<Option<Event>, PortError> {
        match messages.release(sport, entry).await {
            Ok(message) => Ok(Some(Event { kind: WebhookEvent::Release, name: entry.digest.to_string(), message })),
            Err(error @ PortError::Corrupt { .. }) => {
                let causes = error_chain(&error);
                tracing::warn!(%sport, "webhooks get no message about release {}: {causes}", entry.generation);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Advances the cursor, with a delivery of the event to each webhook that wants it; returns `false` if another process has
    /// advanced it.
    async fn advance(
        &self,
        sport: Sport,
        known: &EventCursor,
        next: &EventCursor,
        event: Option<Event>,
    ) -> Result<bool, PortError> {
        let deliveries: Vec<_> = match event {
            Some(event) => {
                let webhooks = self.queue.subscribed().await?;
                let wanting = webhooks.iter().filter(|webhook| webhook.wants(event.kind, sport));
                wanting.map(|webhook| self.delivery(webhook.id, sport, &event)).collect()
            }
            None => Vec::new(),
        };
        locked(&self.cursors).remove(&sport);
        let has_advanced = self.queue.advance(sport, Some(known), next, &deliveries).await?;
        if has_advanced {
            locked(&self.cursors).insert(sport, next.clone());
        }
        Ok(has_advanced)
    }

    /// Creates a delivery, whose id follows from the webhook and the event: whoever queues it, it is the same message.
    fn delivery(&self, webhook: WebhookId, sport: Sport, event: &Event) -> Delivery {
        let Event { kind, name, message } = event;
        let named = format!("{webhook} {} {} {name}", kind.word(), sport.code());
        let id = ObjectHash::from_bytes(named.as_bytes());
        Delivery::new(format!("msg_{}", id.short(32)), webhook, *kind, message.clone(), self.clock.now())
    }

    /// Begins attempts to deliver what is due. Each runs as a task of its own.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the queue cannot be read.
    pub async fn deliver(self: &Arc<Self>) -> Result<(), PortError> {
        let mut passed_over: HashSet<_> = locked(&self.busy).keys().copied().collect();
        for _ in 0..Self::READS {
            let skipped: Vec<_> = passed_over.iter().copied().collect();
            let due = self.queue.due(self.clock.now(), &skipped, Self::READ).await?;
            if due.is_empty() {
                return Ok(());
            }
            for (webhook, delivery) in due {
                if passed_over.insert(webhook.id) && self.begin(&webhook) {
                    tokio::spawn(Arc::clone(self).attempt(webhook, delivery));
                }
            }
        }
        Ok(())
    }

    /// Marks a webhook as busy; returns `false` if it cannot have an attempt now.
    fn begin(&self, webhook: &Webhook) -> bool {
        let mut busy = locked(&self.busy);
        let of_customer = busy.values().filter(|customer| **customer == webhook.customer).count();
        let is_free = busy.len() < Self::MOST && of_customer < Self::MOST_OF_A_CUSTOMER;
        is_free && busy.insert(webhook.id, webhook.customer).is_none()
    }

    async fn attempt(self: Arc<Self>, webhook: Webhook, mut delivery: Delivery) {
        let _free = Free(&self, webhook.id);
        let attempt = self.sender.send(&webhook, &delivery, self.clock.now()).await;
        delivery.note(Attempt { at: self.clock.now(), ..attempt });
        let mut pause = Duration::from_secs(1);
        // Until the outcome is on record, the receiver gets nothing more: it would get the same message again and again.
        while let Err(error @ PortError::Unavailable { .. }) = self.queue.record_attempt(&delivery).await {
            let causes = error_chain(&error);
            tracing::debug!("the outcome of a delivery cannot be recorded: {causes}");
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(Self::LONGEST_PAUSE);
        }
    }

    /// Waits for the end of an attempt.
    pub async fn attempted(&self) {
        self.done.notified().await;
    }
}

/// Frees a webhook for the next attempt, also after a panic.
struct Free<'a>(&'a WebhookDeliveries, WebhookId);

impl Drop for Free<'_> {
    fn drop(&mut self) {
        locked(&self.0.busy).remove(&self.1);
        self.0.done.notify_one();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cursor(sport: Sport, position: StreamPosition) -> String {
    StreamCursor::from_iter([(sport, position)]).to_string()
}
