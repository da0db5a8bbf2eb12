use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{CalendarMonth, CustomerId, Dataset, Entitlement, FileName, Product, REFRESHES_A_MONTH};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::datasets::{Datasets, EntitlementRevocation, Entitlements, Grant, Refreshes};

use super::AccountsFake;

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
}
