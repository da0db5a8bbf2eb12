use std::collections::BTreeMap;

use async_trait::async_trait;
use sports_accounts::{CalendarMonth, CustomerId, ProcessId};
use sports_ports::PortError;
use sports_ports::metering::{ProcessCount, UsageCount, UsageCounts};

use super::AccountsFake;

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

impl super::State {
    /// Returns the totals of each customer's months, oldest first.
    fn counts(&self) -> Vec<UsageCount> {
        let mut totals = BTreeMap::<_, u64>::new();
        for ((customer, month, _), calls) in &self.calls {
            *totals.entry((*customer, *month)).or_default() += calls;
        }
        totals.into_iter().map(|((customer, month), calls)| UsageCount { customer, month, calls }).collect()
    }
}
