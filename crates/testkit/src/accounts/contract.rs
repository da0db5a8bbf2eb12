//! The contract suites of [`Customers`] and [`KeyRing`], one function per promise.
//!
//! Every function takes empty accounts, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "that is how every function here reports")]

mod customers;
mod key_limit;
mod key_ring;

pub use customers::*;
pub use key_limit::*;
pub use key_ring::*;

use sports_accounts::testing::a_customer;
use sports_accounts::{Customer, KeyRecord};
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRing, KeyUses};

/// Runs every check, each on new accounts from `fresh`.
pub async fn run_all<Accounts: Customers + KeyRing + KeyUses>(fresh: impl AsyncFn() -> Accounts) {
    Box::pin(customers(&fresh)).await;
    Box::pin(key_ring(&fresh)).await;
    the_last_use_of_a_key_is_the_latest(&fresh().await).await;
}

/// Runs every check of customers, each on new accounts from `fresh`.
pub async fn customers<Accounts: Customers + KeyRing>(fresh: impl AsyncFn() -> Accounts) {
    a_created_customer_is_found_as_it_was(&fresh().await).await;
    an_unknown_id_finds_nothing(&fresh().await).await;
    an_email_belongs_to_one_customer(&fresh().await).await;
    an_id_belongs_to_one_customer(&fresh().await).await;
    racing_creations_open_one_account(&fresh().await).await;
    customers_are_listed_oldest_first(&fresh().await).await;
    a_change_of_plan_changes_the_plan_and_nothing_else(&fresh().await).await;
    an_unknown_customer_has_no_plan_to_change(&fresh().await).await;
    an_email_changes_unless_another_has_it(&fresh().await).await;
    a_deleted_customer_is_gone_with_all_keys(&fresh().await).await;
}

/// Runs every check of a key ring, each on new accounts from `fresh`.
pub async fn key_ring<Accounts: Customers + KeyRing>(fresh: impl AsyncFn() -> Accounts) {
    an_issued_key_finds_its_holder(&fresh().await).await;
    a_digest_never_issued_has_no_holder(&fresh().await).await;
    inactive_keys_still_find_their_holder(&fresh().await).await;
    a_lookup_of_several_digests_equals_single_lookups(&fresh().await).await;
    keys_are_listed_oldest_first_active_or_not(&fresh().await).await;
    a_digest_is_issued_once(&fresh().await).await;
    an_unknown_customer_gets_no_key(&fresh().await).await;
    a_key_is_revoked_once(&fresh().await).await;
    an_expired_key_is_not_revoked(&fresh().await).await;
    racing_revocations_have_one_winner(&fresh().await).await;
    a_renaming_changes_the_name_and_nothing_else(&fresh().await).await;
    a_customer_cannot_touch_the_keys_of_another(&fresh().await).await;
    a_revocation_of_all_keys_spares_one_and_the_older_ones(&fresh().await).await;

    the_26th_active_key_is_refused(&fresh().await).await;
    the_limit_is_each_customers_own(&fresh().await).await;
    inactive_keys_leave_room(&fresh().await).await;
    racing_issues_stop_at_the_limit(&fresh().await).await;
}

/// Creates a customer with an account; each seed gives a different customer.
async fn an_account(accounts: &impl Customers, seed: u8) -> Customer {
    let customer = a_customer().seeded(seed).build();
    let outcome = accounts.create(&customer).await.expect("create answers");
    assert_eq!(outcome, CustomerCreation::Created, "a customer like no other is created");
    customer
}

/// Records a valid key.
async fn issue(accounts: &impl KeyRing, holder: &Customer, key: &KeyRecord) {
    let outcome = accounts.issue(holder.id, key).await.expect("issue answers");
    assert_eq!(outcome, KeyIssue::Issued, "a key like no other is issued");
}

/// Returns a customer's keys on record.
async fn keys(accounts: &impl KeyRing, holder: &Customer) -> Vec<KeyRecord> {
    accounts.keys_of(holder.id).await.expect("keys_of answers")
}
