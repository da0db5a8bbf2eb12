use async_trait::async_trait;
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::PortError;
use sports_ports::metering::{UsageChange, UsageCount, UsageCounts};

use super::AccountsFake;

#[async_trait]
impl UsageCounts for AccountsFake {
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError> {
        Ok(self.reach()?.counts().filter(|count| count.month == month).collect())
    }

    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError> {
        let mut counts: Vec<_> = self.reach()?.counts().filter(|count| count.customer == customer).collect();
        counts.reverse();
        Ok(counts)
    }

    async fn record(&self, changes: &[UsageChange]) -> Result<(), PortError> {
        let mut state = self.reach()?;
        for UsageChange { count, given_back } in changes {
            let on_record = state.calls.entry((count.customer, count.month)).or_default();
            *on_record = count.calls.max(on_record.saturating_sub(*given_back));
        }
        Ok(())
    }
}

impl super::State {
    fn counts(&self) -> impl Iterator<Item = UsageCount> {
        self.calls.iter().map(|((customer, month), calls)| UsageCount {
            customer: *customer,
            month: *month,
            calls: *calls,
        })
    }
}
