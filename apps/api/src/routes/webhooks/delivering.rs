//! The task that tells webhooks what the stream tells.

use std::sync::{Arc, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_accounts::WebhookEvent;
use sports_domain::Sport;
use sports_ports::{PortError, error_chain};
use sports_usecases::record::EntryFacts;
use sports_usecases::webhooks::{LeagueNow, Messages, WebhookDeliveries};
use tokio::time::{Instant, sleep};

use crate::routes::stream::{StreamRelease, StreamStatus, text};
use crate::state::{AppState, standings};

/// The time between two looks for deliveries that are due.
const LOOKS: Duration = Duration::from_secs(1);

/// The time between two looks at the leagues and at who leads. A new generation is looked at immediately.
const FOLLOWS: Duration = Duration::from_secs(5);

/// Starts the task of webhooks, which runs for as long as the state exists.
pub fn start_webhooks(app: &Arc<AppState>, deliveries: &Arc<WebhookDeliveries>) {
    let (state, deliveries) = (Arc::downgrade(app), Arc::clone(deliveries));
    drop(app.operations.tasks.supervise("webhooks", move |pulse| {
        let (state, deliveries) = (Weak::clone(&state), Arc::clone(&deliveries));
        async move {
            let Some(mut changes) = state.upgrade().map(|app| app.published.generations.watch()) else { return };
            let (mut followed_at, mut leads) = (None::<Instant>, false);
            loop {
                let Some(app) = state.upgrade().filter(|app| !app.operations.draining.has_begun()) else { return };
                let is_due = followed_at.is_none_or(|at| at.elapsed() >= FOLLOWS);
                let round = async {
                    if is_due {
                        leads = false;
                        leads = deliveries.lead().await?;
                    }
                    if leads && is_due {
                        follow(&app, &deliveries).await;
                    }
                    if leads { deliveries.deliver().await } else { Ok(()) }
                };
                if let Err(error) = round.await {
                    let causes = error_chain(&error);
                    tracing::debug!("webhooks wait: {causes}");
                }
                if is_due {
                    followed_at = Some(Instant::now());
                }
                drop(app);
                pulse.beat();
                tokio::select! {
                    Ok(()) = changes.changed() => followed_at = None,
                    () = deliveries.attempted() => {}
                    () = sleep(LOOKS) => {}
                }
            }
        }
    }));
}

/// Queues the events of each league. What cannot be read of one league delays no other.
async fn follow(app: &AppState, deliveries: &WebhookDeliveries) {
    for (sport, standing) in standings(app).await {
        let status = text(&StreamStatus::new(sport, &standing.status));
        let league = LeagueNow { sport, current: standing.current.as_ref(), status: &status };
        if let Err(error) = deliveries.follow(league, &app.published.releases, &OfStream(app)).await {
            let causes = error_chain(&error);
            tracing::debug!(%sport, "the events of a league are queued later: {causes}");
        }
    }
}

/// The messages, whose data are the events of the stream.
struct OfStream<'a>(&'a AppState);

impl Messages for OfStream<'_> {
    async fn release(&self, sport: Sport, entry: &EntryFacts) -> Result<String, PortError> {
        let release = self.0.published.releases.release(sport, entry).await?;
        let at = release.entry.catalog.published_at;
        Ok(message(WebhookEvent::Release, at, &StreamRelease::new(sport, release)))
    }

    fn status(&self, status: &str) -> String {
        let status: serde_json::Value = serde_json::from_str(status).unwrap_or_default();
        message(WebhookEvent::Status, self.0.clock.now(), &status)
    }
}

/// A message of *Standard Webhooks*.
#[derive(Serialize)]
struct Message<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: DateTime<Utc>,
    data: &'a T,
}

/// Writes a message.
pub(super) fn message(event: WebhookEvent, timestamp: DateTime<Utc>, data: &impl Serialize) -> String {
    text(&Message { kind: event.word(), timestamp, data })
}
