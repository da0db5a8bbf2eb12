//! Builders of customers and keys for tests. Defaults are valid, so a test names only what matters to it.
#![expect(clippy::missing_panics_doc, reason = "a builder that cannot build should stop its test")]

use chrono::{DateTime, Utc};

use sports_domain::Sport;
use sports_domain::content::ObjectHash;

use crate::{
    ApiKey, Customer, CustomerId, CustomerName, Dataset, Delivery, Email, Entitlement, KeyName, KeyRecord, KeyScope,
    Plan, Webhook, WebhookEvent, WebhookId, WebhookSecret, WebhookUrl,
};

/// Returns the instant `seconds` after noon UTC on 1 May 2025.
pub fn second(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_746_100_800 + seconds, 0).expect("an instant")
}

/// Builds a customer on the current plan, whose account was opened at `second(0)`.
pub fn a_customer() -> CustomerBuilder {
    CustomerBuilder(Customer {
        id: CustomerId::from_random([1; 10]),
        email: email("customer1@example.com"),
        name: CustomerName::new("Ann Example").expect("a name"),
        plan: Some(Plan::Ai),
        created_at: second(0),
    })
}

/// A builder of customers; see [`a_customer`].
#[derive(Debug, Clone)]
#[must_use]
pub struct CustomerBuilder(Customer);

impl CustomerBuilder {
    /// Sets the id and the email address, both different for every seed.
    pub fn seeded(mut self, seed: u8) -> Self {
        self.0.id = CustomerId::from_random([seed; 10]);
        self.0.email = email(&format!("customer{seed}@example.com"));
        self
    }

    pub fn emailing(mut self, address: &str) -> Self {
        self.0.email = email(address);
        self
    }

    pub fn on(mut self, plan: Plan) -> Self {
        self.0.plan = Some(plan);
        self
    }

    /// Removes the plan.
    pub fn without_plan(mut self) -> Self {
        self.0.plan = None;
        self
    }

    /// Sets the time at which the account was opened.
    pub fn created(mut self, at: DateTime<Utc>) -> Self {
        self.0.created_at = at;
        self
    }

    pub fn build(self) -> Customer {
        self.0
    }
}

fn email(address: &str) -> Email {
    Email::new(address).expect("an address")
}

/// Returns a key, different for every seed. It is not secret.
pub fn a_key(seed: u8) -> ApiKey {
    ApiKey::from_random([seed; 32])
}

/// Builds the record of `a_key(1)`, issued at `second(0)`, without an expiry.
pub fn a_key_record() -> KeyRecordBuilder {
    let name = KeyName::new("notebook").expect("a name");
    KeyRecordBuilder(KeyRecord::issued(&a_key(1), name, second(0), None))
}

/// A builder of key records; see [`a_key_record`].
#[derive(Debug, Clone)]
#[must_use]
pub struct KeyRecordBuilder(KeyRecord);

impl KeyRecordBuilder {
    /// Sets the key to [`a_key`] with this seed.
    pub fn seeded(self, seed: u8) -> Self {
        self.with_key(&a_key(seed))
    }

    pub fn with_key(mut self, key: &ApiKey) -> Self {
        self.0.masked = key.masked();
        self.0.digest = key.digest();
        self
    }

    pub fn named(mut self, name: &str) -> Self {
        self.0.name = KeyName::new(name).expect("a name");
        self
    }

    /// Sets the time at which the key was issued.
    pub fn issued(mut self, at: DateTime<Utc>) -> Self {
        self.0.created_at = at;
        self
    }

    pub fn expiring(mut self, at: DateTime<Utc>) -> Self {
        self.0.expires_at = Some(at);
        self
    }

    /// Sets the time of the revocation.
    pub fn revoked(mut self, at: DateTime<Utc>) -> Self {
        self.0.revoked_at = Some(at);
        self
    }

    /// Limits the key to reading.
    pub fn reading(mut self) -> Self {
        self.0.scope = KeyScope::Read;
        self
    }

    /// Limits the key to networks.
    pub fn allowed_from(mut self, networks: &str) -> Self {
        self.0.allowed_networks = networks.parse().expect("networks");
        self
    }

    pub fn created_by(mut self, creator: &str) -> Self {
        self.0.created_by = Some(creator.to_owned());
        self
    }

    pub fn build(self) -> KeyRecord {
        self.0
    }
}

/// Builds the file `nfl.csv` of the product `historical-odds`, added at `second(0)`.
pub fn a_dataset() -> DatasetBuilder {
    DatasetBuilder(Dataset {
        product: "historical-odds".parse().expect("a product"),
        sport: Sport::Nfl,
        file_name: "nfl.csv".parse().expect("a file name"),
        object: ObjectHash::from_bytes(b"a dataset"),
        bytes: 9,
        added_at: second(0),
    })
}

/// A builder of datasets; see [`a_dataset`].
#[derive(Debug, Clone)]
#[must_use]
pub struct DatasetBuilder(Dataset);

impl DatasetBuilder {
    /// Sets the product and the league.
    pub fn of_product(mut self, product: &str, sport: Sport) -> Self {
        self.0.product = product.parse().expect("a product");
        self.0.sport = sport;
        self
    }

    pub fn called(mut self, file_name: &str) -> Self {
        self.0.file_name = file_name.parse().expect("a file name");
        self
    }

    /// Sets the content and the time at which it was added.
    pub fn holding(mut self, content: &[u8], at: DateTime<Utc>) -> Self {
        self.0.object = ObjectHash::from_bytes(content);
        self.0.bytes = content.len().try_into().expect("small");
        self.0.added_at = at;
        self
    }

    pub fn build(self) -> Dataset {
        self.0
    }
}

/// Builds the entitlement of `a_customer()` to `historical-odds` of the NFL, granted at `second(0)`, without an
/// expiry.
pub fn an_entitlement() -> EntitlementBuilder {
    EntitlementBuilder(Entitlement {
        customer: a_customer().build().id,
        product: "historical-odds".parse().expect("a product"),
        sport: Sport::Nfl,
        granted_at: second(0),
        expires_at: None,
        revoked_at: None,
    })
}

/// A builder of entitlements; see [`an_entitlement`].
#[derive(Debug, Clone)]
#[must_use]
pub struct EntitlementBuilder(Entitlement);

impl EntitlementBuilder {
    pub fn held_by(mut self, customer: &Customer) -> Self {
        self.0.customer = customer.id;
        self
    }

    /// Sets the product and the league.
    pub fn to(mut self, product: &str, sport: Sport) -> Self {
        self.0.product = product.parse().expect("a product");
        self.0.sport = sport;
        self
    }

    /// Sets the time at which it was granted.
    pub fn granted(mut self, at: DateTime<Utc>) -> Self {
        self.0.granted_at = at;
        self
    }

    pub fn expiring(mut self, at: DateTime<Utc>) -> Self {
        self.0.expires_at = Some(at);
        self
    }

    /// Sets the time of the revocation.
    pub fn revoked(mut self, at: DateTime<Utc>) -> Self {
        self.0.revoked_at = Some(at);
        self
    }

    pub fn build(self) -> Entitlement {
        self.0
    }
}

/// Returns a webhook of a customer for all events of NFL and NBA, created at `second(0)`; each seed gives a different one.
pub fn a_webhook(customer: CustomerId, seed: u8) -> Webhook {
    Webhook {
        id: WebhookId::from_random([seed; 16]),
        customer,
        url: WebhookUrl::parse("https://example.com/hooks/sports", false).expect("an address"),
        secret: WebhookSecret::from_random([seed; 32]),
        events: WebhookEvent::SUBSCRIBED.into(),
        sports: [Sport::Nfl, Sport::Nba].into(),
        created_at: second(0),
        failing: None,
        disabled: None,
    }
}

/// Returns a delivery to a webhook that is due at `second(at)`; each name gives a different one.
pub fn a_delivery(webhook: WebhookId, name: &str, at: i64) -> Delivery {
    let payload = format!(r#"{{"type":"release","data":"{name}"}}"#);
    Delivery::new(format!("msg_{name}"), webhook, WebhookEvent::Release, payload, second(at))
}
