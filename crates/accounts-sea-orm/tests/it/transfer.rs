//! Copying a database into another, of its own kind or of the other.

use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{Actor, CalendarMonth, Customer, Dataset, Plan, ProcessId};
use sports_accounts_sea_orm::{AccountsDatabase, CopyError};
use sports_ports::accounts::{CustomerCreation, Customers, EmailChange, KeyIssue, KeyRevocation, KeyRing};
use sports_ports::datasets::{Datasets, Refreshes};
use sports_ports::metering::{ProcessCount, UsageCounts};
use sports_testkit::services::Postgres;
use tempfile::TempDir;

fn month() -> CalendarMonth {
    CalendarMonth::containing(second(0))
}

/// Returns the number of a customer's calls that a process counted.
fn calls(customer: &Customer, process: u8, calls: u64) -> ProcessCount {
    ProcessCount { customer: customer.id, month: month(), process: ProcessId::from_random([process; 8]), calls }
}

async fn in_folder(folder: &TempDir, name: &str) -> AccountsDatabase {
    let file = folder.path().join(name);
    AccountsDatabase::connect(&format!("sqlite:{}", file.display())).await.expect("a database")
}

/// Targets of both kinds, as far as this machine has them.
async fn targets(folder: &TempDir) -> Vec<AccountsDatabase> {
    let mut targets = vec![in_folder(folder, "target.db").await];
    if let Some(address) = Postgres::database() {
        targets.push(AccountsDatabase::connect(&address).await.expect("a database"));
    }
    targets
}

fn a_dataset() -> Dataset {
    Dataset {
        product: "historical-odds".parse().expect("a product"),
        sport: sports_domain::Sport::Nfl,
        file_name: "2024.csv".parse().expect("a name"),
        object: "ab".repeat(32).parse().expect("a hash"),
        bytes: 7,
        added_at: second(3),
    }
}

async fn a_source(folder: &TempDir) -> (AccountsDatabase, Customer) {
    let source = in_folder(folder, "source.db").await;
    let customer = a_customer().build();
    assert_eq!(source.create(&customer).await.expect("answers"), CustomerCreation::Created);
    for seed in 1..=2 {
        let key = a_key_record().seeded(seed).build();
        assert_eq!(source.issue(customer.id, &key).await.expect("answers"), KeyIssue::Issued);
    }
    source.add_dataset(&a_dataset()).await.expect("answers");
    source.record(&[calls(&customer, 1, 40)]).await.expect("answers");
    source.secret_or("download links", "a secret").await.expect("answers");
    source.take_refresh(customer.id, month()).await.expect("answers");
    (source, customer)
}

async fn counted(database: &AccountsDatabase) -> Vec<u64> {
    database.of_month(month()).await.expect("answers").iter().map(|count| count.calls).collect()
}

#[tokio::test]
async fn a_copy_can_be_repeated_and_follows_its_source_while_counts_never_fall() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, customer) = a_source(&folder).await;
    let targets = targets(&folder).await;
    for target in &targets {
        let copied = source.copy_to(target).await.expect("copied");
        assert_eq!((copied.customers, copied.keys, copied.counts, copied.datasets, copied.secrets), (1, 2, 1, 1, 1));
        assert_eq!(target.list().await.expect("answers"), source.list().await.expect("answers"));
        let keys = source.keys_of(customer.id).await.expect("answers");
        assert_eq!(target.keys_of(customer.id).await.expect("answers"), keys);
        assert_eq!(target.datasets().await.expect("answers"), [a_dataset()]);
        assert_eq!(target.secret_or("download links", "another").await.expect("answers"), "a secret");
        assert_eq!(target.refreshes_taken(customer.id, month()).await.expect("answers"), 1);
        assert_eq!(counted(target).await, [40]);
    }
    source.record(&[calls(&customer, 1, 43)]).await.expect("answers");
    for target in &targets {
        source.copy_to(target).await.expect("copied");
        assert_eq!(counted(target).await, [43]);
    }
    let revoked = source.revoke(customer.id, &a_key(1).digest(), second(60)).await.expect("answers");
    assert_eq!(revoked, KeyRevocation::Revoked);
    let _ = source.change_plan(customer.id, Some(Plan::Data)).await.expect("answers");
    let Dataset { product, sport, .. } = a_dataset();
    source.remove_dataset(&product, sport, None).await.expect("answers");
    for target in &targets {
        source.copy_to(target).await.expect("copied");
        let holder = target.holder(&a_key(1).digest()).await.expect("answers").expect("held");
        assert_eq!((holder.key.revoked_at, holder.customer.plan), (Some(second(60)), Some(Plan::Data)));
        assert_eq!(target.datasets().await.expect("answers"), []);
    }
}

#[tokio::test]
async fn what_processes_counted_is_copied_as_one_count_and_a_served_target_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, customer) = a_source(&folder).await;
    source.record(&[calls(&customer, 7, 7)]).await.expect("answers");
    for target in targets(&folder).await {
        source.copy_to(&target).await.expect("copied");
        assert_eq!(counted(&target).await, [47]);
        source.copy_to(&target).await.expect("copied again");
        assert_eq!(counted(&target).await, [47]);
        target.record(&[calls(&customer, 8, 7)]).await.expect("answers");
        let refused = source.copy_to(&target).await.expect_err("served");
        assert!(matches!(refused, CopyError::Served), "{refused}");
        assert_eq!(counted(&target).await, [54]);
    }
}

#[tokio::test]
async fn a_target_with_other_data_is_refused_and_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, _) = a_source(&folder).await;
    for target in targets(&folder).await {
        let other = a_customer().seeded(9).build();
        assert_eq!(target.create(&other).await.expect("answers"), CustomerCreation::Created);
        let refused = source.copy_to(&target).await.expect_err("other data").to_string();
        assert!(refused.contains(&format!("the source has no customer {}", other.id)), "{refused}");
        assert_eq!(target.list().await.expect("answers"), [other]);
    }
    let target = in_folder(&folder, "served.db").await;
    target.secret_or("download links", "its own").await.expect("answers");
    let refused = source.copy_to(&target).await.expect_err("served").to_string();
    assert!(refused.contains("its secret for download links is another") && !refused.contains("its own"), "{refused}");
}

#[tokio::test]
async fn a_copy_repeats_deletions_and_emails_that_changed_hands() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, ann) = a_source(&folder).await;
    let bob = a_customer().seeded(2).build();
    assert_eq!(source.create(&bob).await.expect("answers"), CustomerCreation::Created);
    let targets = targets(&folder).await;
    for target in &targets {
        source.copy_to(target).await.expect("copied");
    }
    let operator = source.acting(Actor::operator("ann", "db1".to_owned(), second(60)));
    let (hers, his) = (ann.email.clone(), bob.email.clone());
    let other = a_customer().seeded(9).build().email;
    for (id, email) in [(ann.id, &other), (bob.id, &hers), (ann.id, &his)] {
        assert_eq!(operator.change_email(id, email).await.expect("answers"), EmailChange::Changed);
    }
    for target in &targets {
        source.copy_to(target).await.expect("copied");
        assert_eq!(target.list().await.expect("answers"), source.list().await.expect("answers"));
    }
    assert!(operator.delete(ann.id).await.expect("answers"));
    let next = a_customer().seeded(3).emailing(his.as_str()).build();
    assert_eq!(operator.create(&next).await.expect("answers"), CustomerCreation::Created);
    for target in &targets {
        for _ in 0..2 {
            let copied = source.copy_to(target).await.expect("copied");
            assert_eq!((copied.customers, copied.keys, copied.audit_log), (2, 0, 5));
        }
        assert_eq!(target.list().await.expect("answers"), source.list().await.expect("answers"));
        assert_eq!(target.holder(&a_key(1).digest()).await.expect("answers"), None);
        let log = target.audit_log(None, None).await.expect("answers");
        assert_eq!(log.len(), 5, "{log:?}");
    }
}
