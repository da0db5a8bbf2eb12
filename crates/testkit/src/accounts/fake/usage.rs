use std::collections::BTreeMap;

use async_trait::async_trait;
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::PortError;
use sports_ports::metering::{ProcessCount, ProcessCounts, UsageChange, UsageCount, UsageCounts};

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

    async fn record(&self, changes: &[UsageChange]) -> Result<(), PortError> {
        let mut state = self.reach()?;
        for UsageChange { count: UsageCount { customer, month, calls }, given_back } in changes {
            let of_processes = state.of_processes(*customer, *month);
            let alone = state.calls.entry((*customer, *month)).or_default();
            let whole = calls.max(&(*alone + of_processes).saturating_sub(*given_back)).to_owned();
            *alone = whole.saturating_sub(of_processes);
        }
        Ok(())
    }
}

#[async_trait]
impl ProcessCounts for AccountsFake {
    async fn of_month_by_process(&self, month: CalendarMonth) -> Result<Vec<ProcessCount>, PortError> {
        let state = self.reach()?;
        let alone = state.calls.iter().map(|((customer, month), calls)| (*customer, *month, None, *calls, 0));
        let together = state.calls_of_processes.iter().map(|((customer, month, process), (admitted, given_back))| {
            (*customer, *month, Some(*process), *admitted, *given_back)
        });
        let counts = alone.chain(together).map(|(customer, month, process, admitted, given_back)| ProcessCount {
            customer,
            month,
            process,
            admitted,
            given_back,
        });
        Ok(counts.filter(|count| count.month == month).collect())
    }

    async fn record_of_processes(&self, counts: &[ProcessCount]) -> Result<(), PortError> {
        let mut state = self.reach()?;
        for count in counts {
            let Some(process) = count.process else { continue };
            let numbers = state.calls_of_processes.entry((count.customer, count.month, process)).or_default();
            *numbers = (numbers.0.max(count.admitted), numbers.1.max(count.given_back));
        }
        Ok(())
    }
}

impl super::State {
    fn of_processes(&self, customer: CustomerId, month: CalendarMonth) -> u64 {
        let counts = self.calls_of_processes.iter().filter(|((of, when, _), _)| (*of, *when) == (customer, month));
        counts.map(|(_, (admitted, given_back))| admitted.saturating_sub(*given_back)).sum()
    }

    /// Returns the totals of each customer's months, oldest first.
    fn counts(&self) -> Vec<UsageCount> {
        let mut whole: BTreeMap<_, u64> = self.calls.clone();
        for (customer, month, _) in self.calls_of_processes.keys() {
            whole.entry((*customer, *month)).or_default();
        }
        let counts = whole.into_iter().map(|((customer, month), alone)| {
            let calls = alone + self.of_processes(customer, month);
            UsageCount { customer, month, calls }
        });
        counts.collect()
    }
}
