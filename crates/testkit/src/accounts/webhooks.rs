//! The contract suites of [`Webhooks`] and [`DeliveryQueue`], one function per promise.

use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_delivery, a_webhook, second};
use sports_accounts::{Attempt, Customer, Delivery, Failing, MAX_WEBHOOKS, ProcessId, Webhook};
use sports_domain::Sport;
use sports_ports::accounts::{CustomerCreation, Customers};
use sports_ports::webhooks::{DeliveryQueue, EventCursor, KEPT_DELIVERIES, WebhookCreation, Webhooks};

/// Runs every check, each on new accounts from `fresh`.
pub async fn run_all<Accounts: Customers + Webhooks + DeliveryQueue>(fresh: impl AsyncFn() -> Accounts) {
    a_webhook_is_listed_as_created_to_its_customer_alone(&fresh().await).await;
    racing_creations_stop_at_the_limit(&fresh().await).await;
    a_removed_webhook_takes_its_deliveries_with_it(&fresh().await).await;
    one_process_leads_until_its_term_ends(&fresh().await).await;
    a_cursor_advances_with_its_deliveries_or_not_at_all(&fresh().await).await;
    due_deliveries_are_those_of_enabled_webhooks_of_subscribers(&fresh().await).await;
    an_outcome_changes_the_delivery_and_the_webhook(&fresh().await).await;
    a_webhook_that_is_disabled_ends_its_deliveries_and_can_be_enabled(&fresh().await).await;
    the_last_deliveries_are_kept_and_those_underway(&fresh().await).await;
}

async fn an_account(accounts: &impl Customers, seed: u8) -> Customer {
    let customer = a_customer().seeded(seed).build();
    assert_eq!(accounts.create(&customer).await.expect("answers"), CustomerCreation::Created);
    customer
}

async fn created(accounts: &(impl Customers + Webhooks), seed: u8) -> Webhook {
    let customer = an_account(accounts, seed).await;
    let webhook = a_webhook(customer.id, seed);
    assert_eq!(accounts.create_webhook(&webhook).await.expect("answers"), WebhookCreation::Created);
    webhook
}

fn answered(at: i64, status: u16) -> Attempt {
    Attempt { at: second(at), status: Some(status), error: None }
}

async fn a_webhook_is_listed_as_created_to_its_customer_alone(accounts: &(impl Customers + Webhooks)) {
    let (one, other) = (created(accounts, 1).await, created(accounts, 2).await);
    let later = Webhook {
        created_at: second(5) + TimeDelta::microseconds(1),
        failing: Some(Failing {
            since: second(6) + TimeDelta::microseconds(2),
            last: second(6) + TimeDelta::seconds(1),
        }),
        disabled: Some((second(7), "the receiver answered 410".to_owned())),
        ..a_webhook(one.customer, 3)
    };
    assert_eq!(accounts.create_webhook(&later).await.expect("answers"), WebhookCreation::Created);
    assert_eq!(accounts.webhooks_of(one.customer).await.expect("answers"), [one.clone(), later]);
    assert!(!accounts.remove_webhook(one.customer, other.id).await.expect("answers"), "of another customer");
    assert!(!accounts.enable_webhook(one.customer, other.id).await.expect("answers"));
    assert_eq!(accounts.webhooks_of(other.customer).await.expect("answers"), [other]);
    let nobody = a_webhook(a_customer().seeded(9).build().id, 4);
    assert_eq!(accounts.create_webhook(&nobody).await.expect("answers"), WebhookCreation::NoSuchCustomer);
}

async fn racing_creations_stop_at_the_limit(accounts: &(impl Customers + Webhooks)) {
    let customer = an_account(accounts, 1).await;
    let webhooks: Vec<_> = (0..15).map(|seed| a_webhook(customer.id, seed)).collect();
    let outcomes = join_all(webhooks.iter().map(|webhook| accounts.create_webhook(webhook))).await;
    let made = outcomes.iter().filter(|outcome| matches!(outcome, Ok(WebhookCreation::Created))).count();
    assert_eq!(made, MAX_WEBHOOKS);
    assert_eq!(accounts.webhooks_of(customer.id).await.expect("answers").len(), MAX_WEBHOOKS);
}

async fn a_removed_webhook_takes_its_deliveries_with_it(accounts: &(impl Customers + Webhooks + DeliveryQueue)) {
    let webhooks = [created(accounts, 1).await, created(accounts, 2).await];
    for webhook in &webhooks {
        accounts.queue(&a_delivery(webhook.id, "one", 0)).await.expect("answers");
    }
    assert!(accounts.remove_webhook(webhooks[0].customer, webhooks[0].id).await.expect("answers"));
    assert!(!accounts.remove_webhook(webhooks[0].customer, webhooks[0].id).await.expect("answers"));
    assert!(accounts.deliveries_of(webhooks[0].id).await.expect("answers").is_empty());
    assert_eq!(accounts.deliveries_of(webhooks[1].id).await.expect("answers").len(), 1);
    let mut removed = a_delivery(webhooks[0].id, "one", 0);
    removed.note(answered(1, 410));
    accounts.record_attempt(&removed).await.expect("nothing changes");
    assert!(accounts.deliveries_of(webhooks[0].id).await.expect("answers").is_empty());
    accounts.queue(&a_delivery(webhooks[0].id, "late", 0)).await.expect("it does not know");
    assert_eq!(accounts.due(second(9), &[], 10).await.expect("answers").len(), 1);
    assert!(accounts.deliveries_of(webhooks[0].id).await.expect("answers").is_empty(), "it has no webhook");
    assert!(accounts.delete(webhooks[1].customer).await.expect("answers"));
    assert!(accounts.webhooks_of(webhooks[1].customer).await.expect("answers").is_empty());
    assert!(accounts.due(second(9), &[], 10).await.expect("answers").is_empty());
}

async fn one_process_leads_until_its_term_ends(accounts: &impl DeliveryQueue) {
    let [one, other] = [1, 2].map(|seed| ProcessId::from_random([seed; 8]));
    let lead = async |process, at| accounts.lead(process, second(at), Duration::from_secs(20)).await.expect("answers");
    assert!(lead(one, 0).await && !lead(other, 5).await && lead(one, 15).await && !lead(other, 30).await);
    assert!(lead(other, 35).await && !lead(one, 36).await);
    accounts.resign(one).await.expect("answers");
    assert!(!lead(one, 37).await, "only the leader's term ends");
    accounts.resign(other).await.expect("answers");
    let racing = join_all([lead(one, 38), lead(other, 38)]).await;
    assert_eq!(racing.iter().filter(|leads| **leads).count(), 1);
}

async fn a_cursor_advances_with_its_deliveries_or_not_at_all(accounts: &(impl Customers + Webhooks + DeliveryQueue)) {
    let webhook = created(accounts, 1).await;
    let cursor =
        |number: u32| EventCursor { position: format!("nfl:{number}.5bd5f6c8"), status: r#"{"a":1}"#.to_owned() };
    let advance = async |known: Option<u32>, next: u32, deliveries: &[Delivery]| {
        let known = known.map(cursor);
        accounts.advance(Sport::Nfl, known.as_ref(), &cursor(next), deliveries).await.expect("answers")
    };
    let [one, two] = ["one", "two"].map(|name| a_delivery(webhook.id, name, 0));
    assert_eq!(accounts.cursor(Sport::Nfl).await.expect("answers"), None);
    assert!(!advance(Some(1), 2, std::slice::from_ref(&one)).await, "there is no cursor");
    assert!(advance(None, 1, &[]).await && !advance(None, 2, std::slice::from_ref(&one)).await);
    assert!(advance(Some(1), 2, std::slice::from_ref(&one)).await);
    assert!(!advance(Some(1), 3, std::slice::from_ref(&two)).await, "it advanced meanwhile");
    assert_eq!(accounts.cursor(Sport::Nfl).await.expect("answers"), Some(cursor(2)));
    assert_eq!(accounts.cursor(Sport::Nba).await.expect("answers"), None);
    let again = Delivery { payload: "{}".to_owned(), ..one.clone() };
    assert!(advance(Some(2), 3, &[again, two.clone()]).await);
    assert_eq!(accounts.deliveries_of(webhook.id).await.expect("answers"), [two, one]);
}

async fn due_deliveries_are_those_of_enabled_webhooks_of_subscribers(
    accounts: &(impl Customers + Webhooks + DeliveryQueue),
) {
    let (one, other) = (created(accounts, 1).await, created(accounts, 2).await);
    let deliveries = [a_delivery(one.id, "late", 5), a_delivery(one.id, "early", 1), a_delivery(other.id, "mid", 3)];
    for delivery in &deliveries {
        accounts.queue(delivery).await.expect("answers");
    }
    let due = async |at, busy: &[_], limit| {
        let due = accounts.due(second(at), busy, limit).await.expect("answers");
        due.into_iter()
            .map(|(webhook, delivery)| {
                assert_eq!(webhook.id, delivery.webhook);
                delivery.id
            })
            .collect::<Vec<_>>()
    };
    assert!(due(0, &[], 9).await.is_empty());
    assert_eq!(due(3, &[], 9).await, ["msg_early", "msg_mid"]);
    assert_eq!(due(9, &[], 2).await, ["msg_early", "msg_mid"]);
    assert_eq!(due(9, &[one.id], 9).await, ["msg_mid"]);
    assert_eq!(accounts.subscribed().await.expect("answers").len(), 2);
    let _ = accounts.change_plan(other.customer, None).await.expect("answers");
    assert_eq!(accounts.subscribed().await.expect("answers"), [one]);
    assert_eq!(due(9, &[], 9).await, ["msg_early", "msg_late"]);
    assert_eq!(accounts.deliveries_of(other.id).await.expect("answers")[0].next_at, None, "it is over");
}

async fn an_outcome_changes_the_delivery_and_the_webhook(accounts: &(impl Customers + Webhooks + DeliveryQueue)) {
    let webhook = created(accounts, 1).await;
    let mut delivery = a_delivery(webhook.id, "one", 0);
    accounts.queue(&delivery).await.expect("answers");
    delivery.note(Attempt { at: second(1), status: None, error: Some("no connection".to_owned()) });
    accounts.record_attempt(&delivery).await.expect("answers");
    assert_eq!(accounts.deliveries_of(webhook.id).await.expect("answers"), [delivery.clone()]);
    let failing = accounts.webhooks_of(webhook.customer).await.expect("answers");
    assert_eq!(failing[0].failing, Some(Failing { since: second(1), last: second(1) }));
    let mut late = a_delivery(webhook.id, "one", 0);
    late.note(answered(2, 410));
    accounts.record_attempt(&late).await.expect("another process has recorded this attempt");
    assert_eq!(accounts.deliveries_of(webhook.id).await.expect("answers"), [delivery.clone()]);
    delivery.note(answered(6, 200));
    accounts.record_attempt(&delivery).await.expect("answers");
    let mut again = delivery.clone();
    again.note(answered(7, 410));
    accounts.record_attempt(&again).await.expect("it is over");
    assert_eq!(accounts.deliveries_of(webhook.id).await.expect("answers"), [delivery]);
    assert_eq!(accounts.webhooks_of(webhook.customer).await.expect("answers"), [webhook]);
    assert!(accounts.due(second(99), &[], 9).await.expect("answers").is_empty());
}

async fn a_webhook_that_is_disabled_ends_its_deliveries_and_can_be_enabled(
    accounts: &(impl Customers + Webhooks + DeliveryQueue),
) {
    let webhook = created(accounts, 1).await;
    let [mut one, two] = ["one", "two"].map(|name| a_delivery(webhook.id, name, 0));
    for delivery in [&one, &two] {
        accounts.queue(delivery).await.expect("answers");
    }
    one.note(answered(1, 410));
    accounts.record_attempt(&one).await.expect("answers");
    let disabled = accounts.webhooks_of(webhook.customer).await.expect("answers");
    assert_eq!(disabled[0].disabled.as_ref().map(|(at, _)| *at), Some(second(1)));
    assert!(accounts.subscribed().await.expect("answers").is_empty());
    let over = accounts.deliveries_of(webhook.id).await.expect("answers");
    assert!(over.iter().all(|delivery| delivery.next_at.is_none()), "{over:?}");
    assert!(accounts.enable_webhook(webhook.customer, webhook.id).await.expect("answers"));
    assert_eq!(accounts.webhooks_of(webhook.customer).await.expect("answers"), [webhook]);
    assert!(accounts.due(second(99_999), &[], 9).await.expect("answers").is_empty());
}

async fn the_last_deliveries_are_kept_and_those_underway(accounts: &(impl Customers + Webhooks + DeliveryQueue)) {
    let webhook = created(accounts, 1).await;
    let number = i64::try_from(KEPT_DELIVERIES).expect("small") + 3;
    for at in 0..number {
        accounts.queue(&a_delivery(webhook.id, &at.to_string(), at)).await.expect("answers");
    }
    // The first stays underway.
    for at in 1..number {
        let mut delivery = a_delivery(webhook.id, &at.to_string(), at);
        delivery.note(answered(at, 200));
        accounts.record_attempt(&delivery).await.expect("answers");
    }
    let listed = accounts.deliveries_of(webhook.id).await.expect("answers");
    assert_eq!((listed.len(), listed[0].created_at), (KEPT_DELIVERIES, second(number - 1)));
    let due = accounts.due(second(number), &[], 9).await.expect("answers");
    assert_eq!(due.into_iter().map(|(_, delivery)| delivery.id).collect::<Vec<_>>(), ["msg_0"]);
}
