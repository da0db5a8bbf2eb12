use sea_orm::entity::prelude::*;
use sports_accounts::{Failing, Webhook, WebhookUrl};

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhooks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub customer_id: String,
    pub url: String,
    pub secret: String,
    /// Words with commas between them.
    pub events: String,
    /// Codes with commas between them.
    pub sports: String,
    pub created_at: ChronoDateTimeUtc,
    /// The first and the last failure since the last success.
    pub failing_since: Option<ChronoDateTimeUtc>,
    pub failed_at: Option<ChronoDateTimeUtc>,
    pub disabled_at: Option<ChronoDateTimeUtc>,
    pub disabled_reason: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<&Webhook> for Model {
    fn from(webhook: &Webhook) -> Self {
        let joined = |words: Vec<&str>| words.join(",");
        Self {
            id: webhook.id.to_string(),
            customer_id: webhook.customer.to_string(),
            url: webhook.url.to_string(),
            secret: webhook.secret.reveal(),
            events: joined(webhook.events.iter().map(|event| event.word()).collect()),
            sports: joined(webhook.sports.iter().map(|sport| sport.code()).collect()),
            created_at: webhook.created_at,
            failing_since: webhook.failing.map(|failing| failing.since),
            failed_at: webhook.failing.map(|failing| failing.last),
            disabled_at: webhook.disabled.as_ref().map(|(at, _)| *at),
            disabled_reason: webhook.disabled.as_ref().map(|(_, reason)| reason.clone()),
        }
    }
}

impl TryFrom<Model> for Webhook {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        let words = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        Ok(Self {
            id: row.id.parse()?,
            customer: row.customer_id.parse()?,
            // What may be sent to was decided when it was created.
            url: WebhookUrl::parse(&row.url, true)?,
            secret: row.secret.parse()?,
            events: words(&row.events).iter().map(|word| word.parse()).collect::<Result<_, _>>()?,
            sports: words(&row.sports).iter().map(|code| code.parse()).collect::<Result<_, _>>()?,
            created_at: row.created_at,
            failing: row.failing_since.zip(row.failed_at).map(|(since, last)| Failing { since, last }),
            disabled: row.disabled_at.map(|at| (at, row.disabled_reason.unwrap_or_default())),
        })
    }
}
