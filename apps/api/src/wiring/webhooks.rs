//! The deliveries to webhooks of customers.

use std::error::Error;
use std::sync::Arc;

use sports_accounts::ProcessId;
use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::{Clock, random_bytes};
use sports_program::settings::Settings;
use sports_program::{SystemClock, SystemRandom};
use sports_usecases::webhooks::WebhookDeliveries;
use sports_webhook_sender::HttpSender;

use crate::state::CustomerWebhooks;

/// Returns the webhooks of a database.
pub(super) fn of(settings: &Settings, database: &AccountsDatabase) -> CustomerWebhooks {
    let records = Arc::new(database.clone());
    CustomerWebhooks { queue: records.clone(), records, may_be_http: settings.webhooks.allow_http }
}

/// Creates the deliveries. On a database file this process is the only one.
pub(super) fn deliveries(
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<WebhookDeliveries>, Box<dyn Error + Send + Sync>> {
    let sender = HttpSender::new(settings.webhooks.allow_networks.clone(), Arc::new(SystemClock::starting_at(None)))?;
    let process = match database.file() {
        Some(_) => None,
        None => Some(ProcessId::from_random(random_bytes(&SystemRandom)?)),
    };
    let queue = Arc::new(database.clone());
    Ok(Arc::new(WebhookDeliveries::new(queue, Arc::new(sender), Arc::clone(clock), process)))
}
