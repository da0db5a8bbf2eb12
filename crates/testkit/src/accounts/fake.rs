use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sports_accounts::{
    CalendarMonth, Customer, CustomerId, Dataset, Delivery, Email, Entitlement, FileName, IdempotencyKey, KeyDigest,
    KeyName, KeyRecord, KeyUse, MAX_ACTIVE_KEYS, MAX_WEBHOOKS, Plan, ProcessId, Product, REFRESHES_A_MONTH, Webhook,
    WebhookId,
};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::accounts::{
    CustomerCreation, Customers, DailyCalls, EmailChange, KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing,
    KeyUses, PlanChange,
};
use sports_ports::datasets::{
    Datasets, EntitlementRevocation, Entitlements, Grant, REFRESH_KEPT, REFRESH_UNDERWAY, RefreshClaim, Refreshed,
    Refreshes,
};
use sports_ports::metering::{ProcessCount, UsageCount, UsageCounts};
use sports_ports::webhooks::{DeliveryQueue, EventCursor, KEPT_DELIVERIES, WebhookCreation, Webhooks};

/// Customers, keys, calls and datasets in memory.
#[derive(Debug, Default)]
pub struct AccountsFake {
    state: Mutex<State>,
}

/// A refresh, if it is made, and the instant at which it was claimed or made.
type MadeAt = (DateTime<Utc>, Option<Refreshed>);

#[derive(Debug, Default)]
struct State {
    unavailable: bool,
    customers: Vec<Customer>,
    keys: Vec<(CustomerId, KeyRecord)>,
    calls: BTreeMap<(CustomerId, CalendarMonth, ProcessId), u64>,
    datasets: Vec<Dataset>,
    entitlements: Vec<Entitlement>,
    refreshes: BTreeMap<(CustomerId, CalendarMonth), u32>,
    daily: BTreeMap<(NaiveDate, KeyDigest, String, CustomerId), u64>,
    answers: BTreeMap<(CustomerId, Option<IdempotencyKey>), MadeAt>,
    webhooks: Vec<Webhook>,
    deliveries: Vec<Delivery>,
    cursors: BTreeMap<Sport, EventCursor>,
    term: Option<(ProcessId, DateTime<Utc>)>,
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
        let removed: Vec<_> = state.webhooks.extract_if(.., |webhook| webhook.customer == id).collect();
        state.deliveries.retain(|delivery| removed.iter().all(|webhook| webhook.id != delivery.webhook));
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

    async fn issue_limited(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, PortError> {
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
        let minute = TimeDelta::minutes(1);
        let within = (key.created_at - minute)..=key.created_at;
        let mut issued: Vec<_> = state.keys_of(customer).map(|known| known.created_at).collect();
        issued.retain(|at| within.contains(at) && *at > *within.start());
        issued.sort_unstable_by(|one, other| other.cmp(one));
        if let Some(oldest) = usize::try_from(per_minute.get()).ok().and_then(|limit| issued.get(limit - 1)) {
            return Ok(KeyIssue::MinuteIsFull(*oldest + minute));
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

    async fn record_calls(&self, calls: &[DailyCalls], kept: NaiveDate) -> Result<(), PortError> {
        let mut state = self.reach()?;
        for DailyCalls { customer, key, operation, day, calls } in calls {
            *state.daily.entry((*day, *key, operation.clone(), *customer)).or_default() += calls;
        }
        state.daily.retain(|(day, ..), _| *day >= kept);
        Ok(())
    }

    async fn calls_since(&self, customer: CustomerId, day: NaiveDate) -> Result<Vec<DailyCalls>, PortError> {
        let state = self.reach()?;
        let wanted = state.daily.iter().filter(|((of_day, .., of), _)| *of == customer && *of_day >= day);
        let listed = wanted.map(|((day, key, operation, customer), calls)| DailyCalls {
            customer: *customer,
            key: *key,
            operation: operation.clone(),
            day: *day,
            calls: *calls,
        });
        Ok(listed.collect())
    }
}

#[async_trait]
impl Datasets for AccountsFake {
    async fn add_dataset(&self, dataset: &Dataset) -> Result<Option<Dataset>, PortError> {
        let mut state = self.reach()?;
        let same = |other: &Dataset| names(other) == names(dataset);
        let place = state.datasets.iter().position(same).map(|place| state.datasets.remove(place));
        state.datasets.push(dataset.clone());
        state.datasets.sort_by(|one, other| names(one).cmp(&names(other)));
        Ok(place)
    }

    async fn remove_dataset(
        &self,
        product: &Product,
        sport: Sport,
        file_name: Option<&FileName>,
    ) -> Result<Vec<Dataset>, PortError> {
        let mut state = self.reach()?;
        let meant = |dataset: &Dataset| {
            dataset.product == *product
                && dataset.sport == sport
                && file_name.is_none_or(|file_name| dataset.file_name == *file_name)
        };
        let (removed, kept) = state.datasets.drain(..).partition(meant);
        state.datasets = kept;
        Ok(removed)
    }

    async fn datasets(&self) -> Result<Vec<Dataset>, PortError> {
        Ok(self.reach()?.datasets.clone())
    }
}

/// Returns the key that identifies a dataset, in the order of lists.
fn names(dataset: &Dataset) -> (&Product, Sport, &FileName) {
    (&dataset.product, dataset.sport, &dataset.file_name)
}

#[async_trait]
impl Entitlements for AccountsFake {
    async fn grant(&self, entitlement: &Entitlement) -> Result<Grant, PortError> {
        let mut state = self.reach()?;
        if state.customer(entitlement.customer).is_none() {
            return Ok(Grant::NoSuchCustomer);
        }
        let right = |held: &Entitlement| (held.customer, held.product.clone(), held.sport);
        state.entitlements.retain(|held| right(held) != right(entitlement));
        state.entitlements.push(entitlement.clone());
        state.entitlements.sort_by_key(|held| (held.product.clone(), held.sport));
        Ok(Grant::Granted)
    }

    async fn revoke_entitlement(
        &self,
        customer: CustomerId,
        product: &Product,
        sport: Sport,
        at: DateTime<Utc>,
    ) -> Result<EntitlementRevocation, PortError> {
        let mut state = self.reach()?;
        let meant = |held: &&mut Entitlement| {
            (held.customer, &held.product, held.sport) == (customer, product, sport) && held.is_in_force(at)
        };
        Ok(match state.entitlements.iter_mut().find(meant) {
            Some(held) => {
                held.revoked_at = Some(at);
                EntitlementRevocation::Revoked
            }
            None => EntitlementRevocation::NotInForce,
        })
    }

    async fn entitlements_of(&self, customer: CustomerId) -> Result<Vec<Entitlement>, PortError> {
        Ok(self.reach()?.entitlements.iter().filter(|held| held.customer == customer).cloned().collect())
    }
}

#[async_trait]
impl Refreshes for AccountsFake {
    async fn refreshes_taken(&self, customer: CustomerId, month: CalendarMonth) -> Result<u32, PortError> {
        Ok(self.reach()?.refreshes.get(&(customer, month)).copied().unwrap_or_default())
    }

    async fn take_refresh(&self, customer: CustomerId, month: CalendarMonth) -> Result<Option<u32>, PortError> {
        let mut state = self.reach()?;
        let taken = state.refreshes.entry((customer, month)).or_default();
        if *taken >= REFRESHES_A_MONTH {
            return Ok(None);
        }
        *taken += 1;
        Ok(Some(*taken))
    }

    async fn give_back_refresh(&self, customer: CustomerId, month: CalendarMonth) -> Result<(), PortError> {
        let mut state = self.reach()?;
        let taken = state.refreshes.entry((customer, month)).or_default();
        *taken = taken.saturating_sub(1);
        Ok(())
    }

    async fn claim_refresh(
        &self,
        customer: CustomerId,
        key: &IdempotencyKey,
        at: DateTime<Utc>,
    ) -> Result<RefreshClaim, PortError> {
        let mut state = self.reach()?;
        let place = (customer, Some(key.clone()));
        let known = state
            .answers
            .get(&place)
            .filter(|(since, made)| at - *since < if made.is_some() { REFRESH_KEPT } else { REFRESH_UNDERWAY });
        match known {
            Some((_, Some(refreshed))) => Ok(RefreshClaim::Made(refreshed.clone())),
            Some((_, None)) => Ok(RefreshClaim::Underway),
            None => {
                state.answers.insert(place, (at, None));
                Ok(RefreshClaim::Claimed)
            }
        }
    }

    async fn abandon_refresh(
        &self,
        customer: CustomerId,
        key: &IdempotencyKey,
        at: DateTime<Utc>,
    ) -> Result<(), PortError> {
        let mut state = self.reach()?;
        state.answers.retain(|(of, named), (since, made)| {
            (*of, named.as_ref(), *since) != (customer, Some(key), at) || made.is_some()
        });
        Ok(())
    }

    async fn keep_refresh(
        &self,
        customer: CustomerId,
        key: Option<&IdempotencyKey>,
        at: DateTime<Utc>,
        refreshed: &Refreshed,
    ) -> Result<bool, PortError> {
        let mut state = self.reach()?;
        let place = (customer, key.cloned());
        if key.is_some() && state.answers.get(&place).is_none_or(|claim| *claim != (at, None)) {
            return Ok(false);
        }
        state.answers.insert(place, (at, Some(refreshed.clone())));
        Ok(true)
    }

    async fn last_refresh(&self, customer: CustomerId) -> Result<Option<Refreshed>, PortError> {
        let state = self.reach()?;
        let of_customer = state.answers.iter().filter(|((of, _), _)| *of == customer);
        let made = of_customer.filter_map(|(_, (at, made))| Some((*at, made.clone()?)));
        Ok(made.max_by_key(|(at, _)| *at).map(|(_, made)| made))
    }
}

#[async_trait]
impl UsageCounts for AccountsFake {
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError> {
        Ok(self.reach()?.counts().into_iter().filter(|count| count.month == month).collect())
    }

    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError> {
        let counts = self.reach()?.counts();
        Ok(counts.into_iter().rev().filter(|count| count.customer == customer).collect())
    }

    async fn of_others(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        process: ProcessId,
    ) -> Result<u64, PortError> {
        let is_wanted = |(of, when, by): &_| (*of, *when) == (customer, month) && *by != process;
        Ok(self.reach()?.calls.iter().filter(|(key, _)| is_wanted(key)).map(|(_, calls)| calls).sum())
    }

    async fn record(&self, counts: &[ProcessCount]) -> Result<(), PortError> {
        let mut state = self.reach()?;
        for ProcessCount { customer, month, process, calls } in counts {
            let kept = state.calls.entry((*customer, *month, *process)).or_default();
            *kept = (*kept).max(*calls);
        }
        Ok(())
    }
}

impl State {
    /// Returns the totals of each customer's months, oldest first.
    fn counts(&self) -> Vec<UsageCount> {
        let mut totals = BTreeMap::<_, u64>::new();
        for ((customer, month, _), calls) in &self.calls {
            *totals.entry((*customer, *month)).or_default() += calls;
        }
        totals.into_iter().map(|((customer, month), calls)| UsageCount { customer, month, calls }).collect()
    }
}

#[async_trait]
impl Webhooks for AccountsFake {
    async fn create_webhook(&self, webhook: &Webhook) -> Result<WebhookCreation, PortError> {
        let mut state = self.reach()?;
        if state.customer(webhook.customer).is_none() {
            return Ok(WebhookCreation::NoSuchCustomer);
        }
        if state.webhooks.iter().filter(|known| known.customer == webhook.customer).count() >= MAX_WEBHOOKS {
            return Ok(WebhookCreation::LimitReached);
        }
        state.webhooks.push(webhook.clone());
        Ok(WebhookCreation::Created)
    }

    async fn webhooks_of(&self, customer: CustomerId) -> Result<Vec<Webhook>, PortError> {
        let mut webhooks = self.reach()?.webhooks.clone();
        webhooks.retain(|webhook| webhook.customer == customer);
        webhooks.sort_by_key(|webhook| (webhook.created_at, webhook.id));
        Ok(webhooks)
    }

    async fn remove_webhook(&self, customer: CustomerId, id: WebhookId) -> Result<bool, PortError> {
        let mut state = self.reach()?;
        let before = state.webhooks.len();
        state.webhooks.retain(|webhook| (webhook.customer, webhook.id) != (customer, id));
        let is_removed = state.webhooks.len() < before;
        state.deliveries.retain(|delivery| !is_removed || delivery.webhook != id);
        Ok(is_removed)
    }

    async fn enable_webhook(&self, customer: CustomerId, id: WebhookId) -> Result<bool, PortError> {
        let mut state = self.reach()?;
        let found = state.webhooks.iter_mut().find(|webhook| (webhook.customer, webhook.id) == (customer, id));
        Ok(found.is_some_and(|webhook| {
            (webhook.failing, webhook.disabled) = (None, None);
            true
        }))
    }

    async fn deliveries_of(&self, id: WebhookId) -> Result<Vec<Delivery>, PortError> {
        let mut deliveries = self.reach()?.deliveries_of(id);
        deliveries.truncate(KEPT_DELIVERIES);
        Ok(deliveries)
    }
}

impl State {
    /// Returns the deliveries of a webhook, newest first.
    fn deliveries_of(&self, id: WebhookId) -> Vec<Delivery> {
        let mut deliveries = self.deliveries.clone();
        deliveries.retain(|delivery| delivery.webhook == id);
        deliveries.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        deliveries
    }

    fn queue(&mut self, deliveries: &[Delivery]) {
        for delivery in deliveries {
            if self.deliveries.iter().all(|known| (known.webhook, &known.id) != (delivery.webhook, &delivery.id)) {
                self.deliveries.push(delivery.clone());
            }
        }
    }

    fn is_subscribed(&self, webhook: &Webhook) -> bool {
        webhook.disabled.is_none() && self.customer(webhook.customer).is_some_and(Customer::is_subscribed)
    }
}

#[async_trait]
impl DeliveryQueue for AccountsFake {
    async fn lead(&self, process: ProcessId, now: DateTime<Utc>, term: Duration) -> Result<bool, PortError> {
        let mut state = self.reach()?;
        let leads = state.term.is_none_or(|(leader, until)| leader == process || until <= now);
        if leads {
            state.term = Some((process, now + term));
        }
        Ok(leads)
    }

    async fn resign(&self, process: ProcessId) -> Result<(), PortError> {
        let mut state = self.reach()?;
        state.term = state.term.filter(|(leader, _)| *leader != process);
        Ok(())
    }

    async fn subscribed(&self) -> Result<Vec<Webhook>, PortError> {
        let state = self.reach()?;
        Ok(state.webhooks.iter().filter(|webhook| state.is_subscribed(webhook)).cloned().collect())
    }

    async fn cursor(&self, sport: Sport) -> Result<Option<EventCursor>, PortError> {
        Ok(self.reach()?.cursors.get(&sport).cloned())
    }

    async fn advance(
        &self,
        sport: Sport,
        known: Option<&EventCursor>,
        next: &EventCursor,
        deliveries: &[Delivery],
    ) -> Result<bool, PortError> {
        let mut state = self.reach()?;
        if state.cursors.get(&sport) != known {
            return Ok(false);
        }
        state.cursors.insert(sport, next.clone());
        state.queue(deliveries);
        Ok(true)
    }

    async fn queue(&self, delivery: &Delivery) -> Result<(), PortError> {
        self.reach()?.queue(std::slice::from_ref(delivery));
        Ok(())
    }

    async fn due(
        &self,
        now: DateTime<Utc>,
        busy: &[WebhookId],
        limit: u64,
    ) -> Result<Vec<(Webhook, Delivery)>, PortError> {
        let mut state = self.reach()?;
        let mut due: Vec<_> = state.deliveries.clone();
        due.retain(|delivery| delivery.next_at.is_some_and(|at| at <= now) && !busy.contains(&delivery.webhook));
        due.sort_by_key(|delivery| delivery.next_at);
        due.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let mut served = Vec::new();
        for delivery in due {
            let found = state.webhooks.iter().find(|webhook| webhook.id == delivery.webhook);
            if let Some(webhook) = found.filter(|webhook| state.is_subscribed(webhook)).cloned() {
                served.push((webhook, delivery));
            } else {
                state.end(delivery.webhook);
                let is_there = state.webhooks.iter().any(|webhook| webhook.id == delivery.webhook);
                state.deliveries.retain(|known| is_there || known.webhook != delivery.webhook);
            }
        }
        Ok(served)
    }

    async fn record_attempt(&self, delivery: &Delivery) -> Result<(), PortError> {
        let mut state = self.reach()?;
        let is_open = |known: &&mut Delivery| {
            (known.webhook, &known.id) == (delivery.webhook, &delivery.id)
                && (known.attempts + 1, true) == (delivery.attempts, known.next_at.is_some())
        };
        let Some(known) = state.deliveries.iter_mut().find(is_open) else { return Ok(()) };
        known.clone_from(delivery);
        let webhook = state.webhooks.iter_mut().find(|webhook| webhook.id == delivery.webhook);
        let is_disabled = webhook.is_some_and(|webhook| {
            delivery.last.iter().for_each(|attempt| webhook.note(attempt));
            webhook.disabled.is_some()
        });
        if is_disabled {
            state.end(delivery.webhook);
        }
        let old: Vec<_> = state.deliveries_of(delivery.webhook).into_iter().skip(KEPT_DELIVERIES).collect();
        let is_old = |known: &Delivery| old.iter().any(|old| old == known && old.next_at.is_none());
        state.deliveries.retain(|known| !is_old(known));
        Ok(())
    }
}

impl State {
    /// Ends the deliveries of a webhook.
    fn end(&mut self, webhook: WebhookId) {
        for delivery in self.deliveries.iter_mut().filter(|delivery| delivery.webhook == webhook) {
            delivery.next_at = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{contract, webhooks};
    use crate::{datasets, metering};

    #[tokio::test]
    async fn the_fake_keeps_the_contracts() {
        contract::run_all(async || AccountsFake::new()).await;
        webhooks::run_all(async || AccountsFake::new()).await;
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
