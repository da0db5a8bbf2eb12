use std::sync::Arc;

use sports_ports::webhooks::{DeliveryQueue, Webhooks};

/// The webhooks of customers.
pub struct CustomerWebhooks {
    pub records: Arc<dyn Webhooks>,
    pub queue: Arc<dyn DeliveryQueue>,
    /// True if an address may be one of HTTP.
    pub may_be_http: bool,
}
