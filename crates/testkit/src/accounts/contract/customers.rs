use chrono::TimeDelta;
use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_key_record, second};
use sports_accounts::{Customer, CustomerId, Email, Plan};
use sports_ports::accounts::{CustomerCreation, Customers, EmailChange, KeyRing, PlanChange};

use super::{an_account, issue, keys};

/// Checks that every plan, a missing plan and every microsecond are kept.
pub async fn a_created_customer_is_found_as_it_was(accounts: &impl Customers) {
    let plans = Plan::ALL.into_iter().map(Some).chain([None]);
    for (seed, plan) in (1..).zip(plans) {
        let builder = a_customer().seeded(seed).created(second(1) + TimeDelta::microseconds(123_456));
        let customer = plan.map_or(builder.clone().without_plan(), |plan| builder.on(plan)).build();
        let outcome = accounts.create(&customer).await.expect("create answers");
        assert_eq!(outcome, CustomerCreation::Created);
        let found = accounts.find(customer.id).await.expect("find answers");
        assert_eq!(found, Some(customer), "a customer is found as created");
    }
}

/// Checks that absence is `None`, not a failure.
pub async fn an_unknown_id_finds_nothing(accounts: &impl Customers) {
    an_account(accounts, 1).await;
    let found = accounts.find(CustomerId::from_random([2; 10])).await.expect("absence is no failure");
    assert_eq!(found, None, "an unknown id finds no customer");
}

/// Checks that emails are compared without letter case.
pub async fn an_email_belongs_to_one_customer(accounts: &impl Customers) {
    let first = an_account(accounts, 1).await;
    for address in ["customer1@example.com", "Customer1@Example.COM"] {
        let second = a_customer().seeded(2).emailing(address).build();
        let outcome = accounts.create(&second).await.expect("create answers");
        assert_eq!(outcome, CustomerCreation::EmailTaken, "{address} is the first customer's");
    }
    assert_eq!(accounts.list().await.expect("list answers"), [first], "a refused creation changes nothing");
}

/// Checks that a second customer with the same id is refused.
pub async fn an_id_belongs_to_one_customer(accounts: &impl Customers) {
    let first = an_account(accounts, 1).await;
    let second = a_customer().emailing("somebody-else@example.com").build();
    assert_eq!(first.id, second.id);
    let outcome = accounts.create(&second).await.expect("create answers");
    assert_eq!(outcome, CustomerCreation::IdTaken, "the id is the first customer's");
    assert_eq!(accounts.list().await.expect("list answers"), [first], "a refused creation changes nothing");
}

/// Checks that of several concurrent creations with one email, one succeeds.
pub async fn racing_creations_open_one_account(accounts: &impl Customers) {
    let racers: Vec<_> = (1..=8).map(|seed| a_customer().seeded(seed).emailing("wanted@example.com").build()).collect();
    let outcomes = join_all(racers.iter().map(|customer| accounts.create(customer))).await;
    let created = outcomes.into_iter().filter(|outcome| match outcome.as_ref().expect("create answers") {
        CustomerCreation::Created => true,
        CustomerCreation::EmailTaken => false,
        CustomerCreation::IdTaken => panic!("every racer has an id of its own"),
    });
    assert_eq!(created.count(), 1, "one racer gets the email");
    assert_eq!(accounts.list().await.expect("list answers").len(), 1);
}

/// Checks that equal creation times are ordered by id.
pub async fn customers_are_listed_oldest_first(accounts: &impl Customers) {
    assert_eq!(accounts.list().await.expect("list answers"), [], "there is no account at first");
    let oldest_first = [
        a_customer().seeded(5).created(second(1)).build(),
        a_customer().seeded(1).created(second(2)).build(),
        a_customer().seeded(3).created(second(2)).build(),
        a_customer().seeded(2).created(second(2) + TimeDelta::microseconds(1)).build(),
        a_customer().seeded(4).created(second(3)).build(),
    ];
    for place in [3, 0, 4, 2, 1] {
        let outcome = accounts.create(&oldest_first[place]).await.expect("create answers");
        assert_eq!(outcome, CustomerCreation::Created);
    }
    assert_eq!(accounts.list().await.expect("list answers"), oldest_first, "oldest first, equal times by id");
}

/// Checks that the holders of the customer's keys have the new plan, too.
pub async fn a_change_of_plan_changes_the_plan_and_nothing_else(accounts: &(impl Customers + KeyRing)) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let key = a_key_record().seeded(1).build();
    issue(accounts, &ann, &key).await;
    for plan in [None, Some(Plan::Basic), Some(Plan::Basic), Some(Plan::Ai)] {
        let outcome = accounts.change_plan(ann.id, plan).await.expect("change_plan answers");
        assert_eq!(outcome, PlanChange::Changed);
        let expected = Customer { plan, ..ann.clone() };
        assert_eq!(accounts.find(ann.id).await.expect("find answers").as_ref(), Some(&expected));
        let holder = accounts.holder(&key.digest).await.expect("holder answers").expect("the key is held");
        assert_eq!((&holder.customer, &holder.key), (&expected, &key));
    }
    assert_eq!(accounts.find(bob.id).await.expect("find answers"), Some(bob), "one customer's plan is no other's");
}

/// Checks that a change of an unknown customer's plan creates no account.
pub async fn an_unknown_customer_has_no_plan_to_change(accounts: &impl Customers) {
    let stranger = CustomerId::from_random([9; 10]);
    let outcome = accounts.change_plan(stranger, Some(Plan::Ai)).await.expect("change_plan answers");
    assert_eq!(outcome, PlanChange::NoSuchCustomer);
    assert_eq!(accounts.list().await.expect("list answers"), []);
}

/// Checks that an email that another customer has stays that customer's.
pub async fn an_email_changes_unless_another_has_it(accounts: &impl Customers) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let new = Email::new("new@example.com").expect("an email");
    let table = [
        (ann.id, &new, EmailChange::Changed),
        (ann.id, &bob.email, EmailChange::EmailTaken),
        (CustomerId::from_random([9; 10]), &ann.email, EmailChange::NoSuchCustomer),
    ];
    for (id, email, expected) in table {
        assert_eq!(accounts.change_email(id, email).await.expect("change_email answers"), expected, "{email}");
    }
    assert_eq!(accounts.find(ann.id).await.expect("find answers"), Some(Customer { email: new, ..ann }));
    assert_eq!(accounts.find(bob.id).await.expect("find answers"), Some(bob));
}

/// Checks that the email can be used again, and that another customer keeps everything.
pub async fn a_deleted_customer_is_gone_with_all_keys(accounts: &(impl Customers + KeyRing)) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let (hers, his) = (a_key_record().build(), a_key_record().seeded(2).build());
    issue(accounts, &ann, &hers).await;
    issue(accounts, &bob, &his).await;
    assert!(accounts.delete(ann.id).await.expect("delete answers"));
    assert!(!accounts.delete(ann.id).await.expect("delete answers"), "she is gone");
    assert_eq!(accounts.list().await.expect("list answers"), std::slice::from_ref(&bob));
    assert_eq!(accounts.holder(&hers.digest).await.expect("holder answers"), None);
    assert_eq!(keys(accounts, &bob).await, [his]);
    let again = a_customer().seeded(3).emailing(ann.email.as_str()).build();
    assert_eq!(accounts.create(&again).await.expect("create answers"), CustomerCreation::Created);
}
