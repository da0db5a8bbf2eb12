use async_trait::async_trait;
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::PortError;
use sports_ports::metering::{UsageCount, UsageCounts};

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

    async fn record(&self, counts: &[UsageCount]) -> Result<(), PortError> {
        let mut state = self.reach()?;
        for count in counts {
            state.calls.insert((count.customer, count.month), count.calls);
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
