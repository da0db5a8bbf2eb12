use std::collections::BTreeMap;

use sports_ports::metering::UsageChange;

use crate::entities::{process_count, usage_count};

/// Calls by customer and month, as the tables have both.
#[derive(Debug, Default)]
pub(super) struct Calls(BTreeMap<(String, String), i64>);

impl Calls {
    /// Adds up the counts without a process and those of processes.
    pub fn whole(alone: &[usage_count::Model], together: &[process_count::Model]) -> Self {
        let mut calls = Self::default();
        for row in alone {
            *calls.of(&row.customer_id, &row.month) += row.calls;
        }
        for row in together {
            *calls.of(&row.customer_id, &row.month) += (row.admitted - row.given_back).max(0);
        }
        calls
    }

    /// Adds counts that are not on record yet, as if they were recorded.
    pub fn with_left(mut self, left: &[UsageChange]) -> Self {
        let number = |calls: u64| i64::try_from(calls).unwrap_or(i64::MAX);
        for UsageChange { count, given_back } in left {
            let calls = self.of(&count.customer.to_string(), &count.month.to_string());
            *calls = calls.saturating_sub(number(*given_back)).max(number(count.calls));
        }
        self
    }

    /// Raises each count to that of `others`, if it is higher.
    pub fn not_below(mut self, others: &[usage_count::Model]) -> Self {
        for row in others {
            let calls = self.of(&row.customer_id, &row.month);
            *calls = row.calls.max(*calls);
        }
        self
    }

    pub fn into_rows(self) -> Vec<usage_count::Model> {
        let rows = self.0.into_iter();
        rows.map(|((customer_id, month), calls)| usage_count::Model { customer_id, month, calls }).collect()
    }

    fn of(&mut self, customer: &str, month: &str) -> &mut i64 {
        self.0.entry((customer.to_owned(), month.to_owned())).or_default()
    }
}
