//! A customer's webhooks: addresses that are told of releases and of changes of the data status.

mod create;
mod delivering;
mod enable;
mod list;
mod list_deliveries;
mod remove;
mod send_test;

use sports_accounts::{CustomerId, Webhook, WebhookId};
use utoipa::IntoParams;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::operation::operation;
use crate::paths::{FromPath, Segments};
use crate::state::State;

pub use delivering::start_webhooks;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_webhooks))
        .service(operation!(create::create_webhook))
        .service(operation!(remove::remove_webhook))
        .service(operation!(send_test::test_webhook))
        .service(operation!(enable::enable_webhook))
        .service(operation!(list_deliveries::list_webhook_deliveries));
}

/// The documented parameter of a path that names a webhook.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
struct WebhookPath {
    /// The id of the webhook.
    #[expect(dead_code, reason = "for the document only")]
    #[param(example = "wh_3f1d0c9b8a7e6d5c4b3a291807f6e5d4")]
    id: String,
}

/// The webhook that a path names; `None` if the segment is no id.
struct NamedWebhook(Option<WebhookId>);

impl FromPath for NamedWebhook {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        Ok(Self(segments.text("id").parse().ok()))
    }
}

impl NamedWebhook {
    /// Returns the webhook of a customer.
    ///
    /// # Errors
    ///
    /// [`ApiError::NotFound`] if the customer has no such webhook.
    async fn of(&self, customer: CustomerId, state: &State) -> Result<Webhook, ApiError> {
        let Self(id) = self;
        let webhooks = if id.is_some() { state.webhooks.records.webhooks_of(customer).await? } else { Vec::new() };
        webhooks.into_iter().find(|webhook| Some(webhook.id) == *id).ok_or_else(no_such_webhook)
    }

    fn id(&self) -> Result<WebhookId, ApiError> {
        self.0.ok_or_else(no_such_webhook)
    }
}

fn no_such_webhook() -> ApiError {
    ApiError::NotFound("You have no such webhook".to_owned())
}
