use futures::future::join_all;
use sports_accounts::Tier;
use sports_accounts::testing::{a_customer, second};
use sports_ports::metering::{Admission, Meter};

use super::arrival;

/// Sends calls to all meters at once, in turn; returns the counts of the admitted calls, sorted.
async fn race(meters: &[impl Meter], calls: usize) -> Vec<u64> {
    let racing = (0..calls).map(|call| async move {
        let meter = &meters[call % meters.len()];
        meter.admit(a_customer().build().id, Tier::Ai, arrival(second(0))).await.expect("admit answers")
    });
    let mut counts: Vec<_> = join_all(racing)
        .await
        .into_iter()
        .filter_map(|admission| match admission {
            Admission::Admitted(call) => Some(call.used),
            Admission::SecondIsFull { .. } | Admission::MonthIsFull { .. } => None,
        })
        .collect();
    counts.sort_unstable();
    counts
}

/// Checks that the shared quota is admitted exactly, and each call has a different count.
pub async fn several_meters_admit_one_month_exactly(meters: &[impl Meter]) {
    assert_eq!(race(meters, 100).await, (1..=40).collect::<Vec<_>>());
    for meter in meters {
        let refused = meter.admit(a_customer().build().id, Tier::Ai, arrival(second(5))).await.expect("admit answers");
        assert_eq!(refused, Admission::MonthIsFull { used: 40 });
    }
}

/// Checks that the shared limit per second is admitted exactly.
pub async fn several_meters_admit_one_second_exactly(meters: &[impl Meter]) {
    assert_eq!(race(meters, 100).await, (1..=40).collect::<Vec<_>>());
    for meter in meters {
        let refused = meter.admit(a_customer().build().id, Tier::Ai, arrival(second(0))).await.expect("admit answers");
        assert_eq!(refused, Admission::SecondIsFull { used: 40 });
    }
}

/// Checks that a call that one meter admitted is free for all meters once it is refunded.
pub async fn a_call_refunded_by_one_meter_is_free_for_the_others(meters: &[impl Meter]) {
    let [first, second_meter, ..] = meters else { panic!("at least two meters") };
    let admit =
        async |meter, at| match Meter::admit(meter, a_customer().build().id, Tier::Ai, arrival(second(at))).await {
            Ok(Admission::Admitted(call)) => Ok(call),
            Ok(refused) => Err(refused),
            Err(error) => panic!("{error}"),
        };
    admit(first, 0).await.expect("admitted");
    let call = admit(first, 1).await.expect("admitted");
    assert_eq!(admit(second_meter, 2).await, Err(Admission::MonthIsFull { used: 2 }));
    assert_eq!(first.give_back(call).await.expect("give_back answers"), 1);
    assert_eq!(admit(second_meter, 3).await.map(|call| call.used), Ok(2));
    assert_eq!(admit(first, 4).await, Err(Admission::MonthIsFull { used: 2 }));
}
