use std::collections::BTreeMap;

use crate::entities::{process_count, usage_count};

/// Calls by customer and month, as the tables have both.
#[derive(Debug, Default)]
pub(super) struct Calls(BTreeMap<(String, String), i64>);

impl Calls {
    /// Adds up the counts without a process and those of processes.
    pub fn total(alone: &[usage_count::Model], together: &[process_count::Model]) -> Self {
        let mut calls = Self::default();
        for row in alone {
            *calls.of(&row.customer_id, &row.month) += row.calls;
        }
        for row in together {
            *calls.of(&row.customer_id, &row.month) += (row.admitted - row.given_back).max(0);
        }
        calls
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
