use futures::future::join_all;
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, REFRESHES_A_MONTH};
use sports_ports::accounts::Customers;
use sports_ports::datasets::Refreshes;

async fn an_account(records: &impl Customers, seed: u8) -> CustomerId {
    let customer = a_customer().seeded(seed).build();
    let _ = records.create(&customer).await.expect("create answers");
    customer.id
}

fn month() -> CalendarMonth {
    CalendarMonth::containing(second(0))
}

async fn take(records: &impl Refreshes, customer: CustomerId, month: CalendarMonth) -> Option<u32> {
    records.take_refresh(customer, month).await.expect("take_refresh answers")
}

async fn taken(records: &impl Refreshes, customer: CustomerId, month: CalendarMonth) -> u32 {
    records.refreshes_taken(customer, month).await.expect("refreshes_taken answers")
}

/// Checks that each refresh returns the count including itself.
pub async fn refreshes_are_taken_up_to_the_limit(records: &(impl Customers + Refreshes)) {
    let ann = an_account(records, 1).await;
    assert_eq!(taken(records, ann, month()).await, 0);
    for count in 1..=REFRESHES_A_MONTH {
        assert_eq!(take(records, ann, month()).await, Some(count));
        assert_eq!(taken(records, ann, month()).await, count);
    }
    for _ in 0..3 {
        assert_eq!(take(records, ann, month()).await, None);
        assert_eq!(taken(records, ann, month()).await, REFRESHES_A_MONTH);
    }
}

/// Checks that a count does not fall below zero.
pub async fn a_refresh_that_is_given_back_can_be_taken_again(records: &(impl Customers + Refreshes)) {
    let ann = an_account(records, 1).await;
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    assert_eq!(take(records, ann, month()).await, Some(1));
    assert_eq!(take(records, ann, month()).await, Some(2));
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    assert_eq!(taken(records, ann, month()).await, 1);
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    assert_eq!((taken(records, ann, month()).await, take(records, ann, month()).await), (0, Some(1)));
}

/// Refreshes are counted per customer and month.
pub async fn refreshes_start_anew_each_month_for_each_customer(records: &(impl Customers + Refreshes)) {
    let (ann, bob) = (an_account(records, 1).await, an_account(records, 2).await);
    for _ in 0..REFRESHES_A_MONTH {
        assert!(take(records, ann, month()).await.is_some());
    }
    assert_eq!(take(records, ann, month()).await, None);
    assert_eq!(take(records, ann, month().next()).await, Some(1));
    assert_eq!(take(records, bob, month()).await, Some(1));
    assert_eq!(taken(records, ann, month()).await, REFRESHES_A_MONTH);
}

/// Repeats the race for the last refresh a hundred times.
pub async fn racing_refreshes_with_one_left_have_one_winner(records: &(impl Customers + Refreshes)) {
    let ann = an_account(records, 1).await;
    let mut month = month();
    for round in 0..100 {
        month = month.next();
        for _ in 1..REFRESHES_A_MONTH {
            assert!(take(records, ann, month).await.is_some());
        }
        let racing = join_all((0..4).map(|_| take(records, ann, month))).await;
        let won: Vec<_> = racing.into_iter().flatten().collect();
        assert_eq!(won, [REFRESHES_A_MONTH], "round {round}");
        assert_eq!(taken(records, ann, month).await, REFRESHES_A_MONTH);
    }
}
