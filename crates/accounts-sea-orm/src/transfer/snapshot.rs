use std::collections::{HashMap, HashSet};

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use super::copied::{Copied, CopyError};
use super::counts::Calls;
use crate::entities::{
    api_key, audit_entry, customer, dataset, dataset_refresh, entitlement, process_count, secret, usage_count,
};

/// All that a database holds at one moment. Times have the microseconds that every database keeps.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub customers: Vec<customer::Model>,
    pub keys: Vec<api_key::Model>,
    /// On record without a process.
    pub counts: Vec<usage_count::Model>,
    of_processes: Vec<process_count::Model>,
    pub refreshes: Vec<dataset_refresh::Model>,
    pub entitlements: Vec<entitlement::Model>,
    pub datasets: Vec<dataset::Model>,
    pub secrets: Vec<secret::Model>,
    pub audit_log: Vec<audit_entry::Model>,
}

impl Snapshot {
    /// Reads all of it, in a transaction that sees one moment.
    pub async fn read(transaction: &impl ConnectionTrait) -> Result<Self, DbErr> {
        let mut read = Self {
            customers: customer::Entity::find().all(transaction).await?,
            keys: api_key::Entity::find().all(transaction).await?,
            counts: usage_count::Entity::find().all(transaction).await?,
            of_processes: process_count::Entity::find().all(transaction).await?,
            refreshes: dataset_refresh::Entity::find().all(transaction).await?,
            entitlements: entitlement::Entity::find().all(transaction).await?,
            datasets: dataset::Entity::find().all(transaction).await?,
            secrets: secret::Entity::find().all(transaction).await?,
            audit_log: audit_entry::Entity::find().all(transaction).await?,
        };
        for customer in &mut read.customers {
            round(&mut customer.created_at);
        }
        for key in &mut read.keys {
            round(&mut key.created_at);
            [&mut key.expires_at, &mut key.revoked_at, &mut key.last_used_at].into_iter().flatten().for_each(round);
        }
        for entitlement in &mut read.entitlements {
            round(&mut entitlement.granted_at);
            [&mut entitlement.expires_at, &mut entitlement.revoked_at].into_iter().flatten().for_each(round);
        }
        for dataset in &mut read.datasets {
            round(&mut dataset.added_at);
        }
        for entry in &mut read.audit_log {
            round(&mut entry.at);
        }
        Ok(read)
    }

    /// Adds up the counts of processes and those without one.
    pub fn with_total_counts(mut self) -> Self {
        self.counts = Calls::total(&self.counts, &self.of_processes).into_rows();
        self.of_processes = Vec::new();
        self
    }

    /// Checks that there are only rows that an earlier copy of a source would have left.
    pub fn expect_earlier_copy_of(&self, source: &Self) -> Result<(), CopyError> {
        if !self.of_processes.is_empty() {
            return Err(CopyError::Served);
        }
        let other = |what: String| Err(CopyError::OtherData(what));
        let customers: HashSet<_> = source.customers.iter().map(|customer| &customer.id).collect();
        if let Some(customer) = self.customers.iter().find(|customer| !customers.contains(&customer.id)) {
            return other(format!("the source has no customer {} ({})", customer.id, customer.email));
        }
        let keys: HashMap<_, _> = source.keys.iter().map(|key| (&key.digest, &key.customer_id)).collect();
        if let Some(key) = self.keys.iter().find(|key| keys.get(&key.digest) != Some(&&key.customer_id)) {
            return other(format!("the source has no key {} of the customer {}", key.masked, key.customer_id));
        }
        let rights: HashSet<_> = source.entitlements.iter().map(right).collect();
        if let Some(more) = self.entitlements.iter().find(|more| !rights.contains(&right(more))) {
            let entitlement::Model { customer_id, product, sport, .. } = more;
            return other(format!("the customer {customer_id} has {product} for {sport}, and not in the source"));
        }
        let secrets: HashMap<_, _> = source.secrets.iter().map(|secret| (&secret.name, &secret.value)).collect();
        if let Some(secret) = self.secrets.iter().find(|secret| secrets.get(&secret.name) != Some(&&secret.value)) {
            return other(format!("its secret for {} is another: a server has used it", secret.name));
        }
        // Files are removed as time goes by, but there are none before the first copy.
        match self.datasets.iter().find(|dataset| !source.has_dataset(dataset)) {
            Some(dataset) if self.customers.is_empty() && self.secrets.is_empty() => {
                other(format!("the source has no file {} of {}", dataset.file_name, dataset.product))
            }
            _ => Ok(()),
        }
    }

    /// Returns the rows that a target has after the copy: no count falls, and no key that was revoked comes back.
    pub fn over(mut self, target: &Self) -> Self {
        self.counts = Calls::total(&self.counts, &[]).not_below(&target.counts).into_rows();
        let taken: HashMap<_, _> =
            target.refreshes.iter().map(|row| ((&row.customer_id, &row.month), row.taken)).collect();
        for row in &mut self.refreshes {
            row.taken = row.taken.max(taken.get(&(&row.customer_id, &row.month)).copied().unwrap_or_default());
        }
        let revoked: HashMap<_, _> = target.keys.iter().map(|key| (&key.digest, key.revoked_at)).collect();
        for key in &mut self.keys {
            key.revoked_at = key.revoked_at.or(revoked.get(&key.digest).copied().flatten());
        }
        self
    }

    /// Returns the ids of customers that have another email in `target`.
    pub fn customers_with_other_email(&self, target: &Self) -> impl Iterator<Item = &str> {
        let emails: HashMap<_, _> = target.customers.iter().map(|known| (&known.id, &known.email)).collect();
        let is_other = move |id, email| emails.get(id).is_some_and(|known| *known != email);
        self.customers.iter().filter(move |row| is_other(&row.id, &row.email)).map(|row| row.id.as_str())
    }

    pub fn has_dataset(&self, dataset: &dataset::Model) -> bool {
        let names =
            |dataset: &dataset::Model| (dataset.product.clone(), dataset.sport.clone(), dataset.file_name.clone());
        self.datasets.iter().any(|other| names(other) == names(dataset))
    }

    pub const fn copied(&self) -> Copied {
        Copied {
            customers: self.customers.len(),
            keys: self.keys.len(),
            counts: self.counts.len(),
            refreshes: self.refreshes.len(),
            entitlements: self.entitlements.len(),
            datasets: self.datasets.len(),
            secrets: self.secrets.len(),
            audit_log: self.audit_log.len(),
        }
    }
}

fn right(entitlement: &entitlement::Model) -> (&str, &str, &str) {
    (&entitlement.customer_id, &entitlement.product, &entitlement.sport)
}

fn round(time: &mut DateTime<Utc>) {
    *time = time.trunc_subsecs(6);
}
