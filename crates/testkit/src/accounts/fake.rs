mod datasets;
mod usage;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{
    CalendarMonth, Customer, CustomerId, Dataset, Email, Entitlement, KeyDigest, KeyName, KeyRecord, KeyUse,
    MAX_ACTIVE_KEYS, Plan, ProcessId,
};
use sports_ports::PortError;
use sports_ports::accounts::{
    CustomerCreation, Customers, EmailChange, KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing, KeyUses,
    PlanChange,
};

/// Customers, keys, calls and datasets in memory.
#[derive(Debug, Default)]
pub struct AccountsFake {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    unavailable: bool,
    customers: Vec<Customer>,
    keys: Vec<(CustomerId, KeyRecord)>,
    calls: BTreeMap<(CustomerId, CalendarMonth, ProcessId), u64>,
    datasets: Vec<Dataset>,
    entitlements: Vec<Entitlement>,
    refreshes: BTreeMap<(CustomerId, CalendarMonth), u32>,
}

impl AccountsFake {
    /// Creates a fake without accounts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes every later call return [`PortError::Unavailable`], like an unreachable database.
    pub fn become_unavailable(&self) {
        self.locked().unavailable = true;
    }

    /// Makes calls succeed again, with unchanged data.
    pub fn come_back(&self) {
        self.locked().unavailable = false;
    }

    fn reach(&self) -> Result<MutexGuard<'_, State>, PortError> {
        let state = self.locked();
        if state.unavailable {
            Err(PortError::unavailable("accounts", "made unavailable by a test"))
        } else {
            Ok(state)
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the fake")
    }
}

impl State {
    fn customer(&self, id: CustomerId) -> Option<&Customer> {
        self.customers.iter().find(|customer| customer.id == id)
    }

    fn keys_of(&self, holder: CustomerId) -> impl Iterator<Item = &KeyRecord> {
        self.keys.iter().filter(move |(customer, _)| *customer == holder).map(|(_, key)| key)
    }

    fn key_mut(&mut self, holder: CustomerId, digest: &KeyDigest) -> Option<&mut KeyRecord> {
        self.keys.iter_mut().find(|(customer, key)| *customer == holder && key.digest == *digest).map(|(_, key)| key)
    }
}

#[async_trait]
impl Customers for AccountsFake {
    async fn create(&self, customer: &Customer) -> Result<CustomerCreation, PortError> {
        let mut state = self.reach()?;
        if state.customers.iter().any(|known| known.email == customer.email) {
            return Ok(CustomerCreation::EmailTaken);
        }
        if state.customer(customer.id).is_some() {
            return Ok(CustomerCreation::IdTaken);
        }
        state.customers.push(customer.clone());
        Ok(CustomerCreation::Created)
    }

    async fn find(&self, id: CustomerId) -> Result<Option<Customer>, PortError> {
        Ok(self.reach()?.customer(id).cloned())
    }

    async fn change_plan(&self, id: CustomerId, plan: Option<Plan>) -> Result<PlanChange, PortError> {
        let mut state = self.reach()?;
        match state.customers.iter_mut().find(|customer| customer.id == id) {
            Some(customer) => {
                customer.plan = plan;
                Ok(PlanChange::Changed)
            }
            None => Ok(PlanChange::NoSuchCustomer),
        }
    }

    async fn change_email(&self, id: CustomerId, email: &Email) -> Result<EmailChange, PortError> {
        let mut state = self.reach()?;
        if state.customers.iter().any(|known| known.email == *email && known.id != id) {
            return Ok(EmailChange::EmailTaken);
        }
        match state.customers.iter_mut().find(|customer| customer.id == id) {
            Some(customer) => {
                customer.email = email.clone();
                Ok(EmailChange::Changed)
            }
            None => Ok(EmailChange::NoSuchCustomer),
        }
    }

    async fn delete(&self, id: CustomerId) -> Result<bool, PortError> {
        let mut state = self.reach()?;
        let is_there = state.customer(id).is_some();
        state.customers.retain(|customer| customer.id != id);
        state.keys.retain(|(customer, _)| *customer != id);
        state.entitlements.retain(|held| held.customer != id);
        Ok(is_there)
    }

    async fn list(&self) -> Result<Vec<Customer>, PortError> {
        let mut customers = self.reach()?.customers.clone();
        customers.sort_by_key(|customer| (customer.created_at, customer.id));
        Ok(customers)
    }
}

#[async_trait]
impl KeyRing for AccountsFake {
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError> {
        let state = self.reach()?;
        let held = state.keys.iter().find(|(_, key)| key.digest == *digest);
        Ok(held.and_then(|(customer, key)| {
            let customer = state.customer(*customer)?.clone();
            Some(Arc::new(KeyHolder { customer, key: key.clone() }))
        }))
    }

    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError> {
        let mut keys: Vec<_> = self.reach()?.keys_of(customer).cloned().collect();
        keys.sort_by_key(|key| (key.created_at, key.digest));
        Ok(keys)
    }

    async fn issue(&self, customer: CustomerId, key: &KeyRecord) -> Result<KeyIssue, PortError> {
        let mut state = self.reach()?;
        if state.customer(customer).is_none() {
            return Ok(KeyIssue::UnknownCustomer);
        }
        if state.keys.iter().any(|(_, known)| known.digest == key.digest) {
            return Ok(KeyIssue::AlreadyIssued);
        }
        if state.keys_of(customer).filter(|known| known.is_active(key.created_at)).count() >= MAX_ACTIVE_KEYS {
            return Ok(KeyIssue::LimitReached);
        }
        state.keys.push((customer, key.clone()));
        Ok(KeyIssue::Issued)
    }

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError> {
        let mut state = self.reach()?;
        let Some(key) = state.key_mut(customer, digest) else { return Ok(KeyRenaming::NoSuchKey) };
        key.name = name.clone();
        Ok(KeyRenaming::Renamed)
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        let mut state = self.reach()?;
        match state.key_mut(customer, digest) {
            Some(key) if key.is_active(at) => {
                key.revoked_at = Some(at);
                Ok(KeyRevocation::Revoked)
            }
            Some(_) | None => Ok(KeyRevocation::NotActive),
        }
    }
}

#[async_trait]
impl KeyUses for AccountsFake {
    async fn record_uses(&self, uses: &[(KeyDigest, KeyUse)]) -> Result<(), PortError> {
        let mut state = self.reach()?;
        for (digest, last) in uses {
            let key = state.keys.iter_mut().map(|(_, key)| key).find(|key| key.digest == *digest);
            if let Some(key) = key.filter(|key| key.last_use.is_none_or(|known| known.at < last.at)) {
                key.last_use = Some(*last);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::contract;
    use crate::{datasets, metering};

    #[tokio::test]
    async fn the_fake_keeps_the_contracts() {
        contract::run_all(async || AccountsFake::new()).await;
        metering::contract::usage_counts(async || AccountsFake::new()).await;
        datasets::contract::records(async || AccountsFake::new()).await;
    }

    #[tokio::test]
    async fn an_unavailable_fake_fails_and_keeps_its_data() {
        let fake = AccountsFake::new();
        let customer = sports_accounts::testing::a_customer().build();
        assert_eq!(fake.create(&customer).await.expect("answered"), CustomerCreation::Created);
        fake.become_unavailable();
        assert!(matches!(fake.list().await, Err(PortError::Unavailable { .. })));
        fake.come_back();
        assert_eq!(fake.list().await.expect("answered"), [customer]);
    }
}
