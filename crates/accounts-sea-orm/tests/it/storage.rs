//! The content of the file, and the errors when it differs from what was stored.

use std::fs;
use std::path::Path;

use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use sports_accounts::KeyScope;
use sports_accounts::testing::{a_customer, a_key, a_key_record};
use sports_accounts_sea_orm::{AccountsDatabase, ConnectError};
use sports_ports::PortError;
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRing};
use tempfile::TempDir;

/// A database with one customer who holds `a_key(1)`.
async fn with_one_key() -> (TempDir, AccountsDatabase) {
    let folder = tempfile::tempdir().expect("a folder");
    let accounts = AccountsDatabase::connect(&address(folder.path())).await.expect("a database");
    let customer = a_customer().build();
    assert_eq!(accounts.create(&customer).await.expect("create answers"), CustomerCreation::Created);
    assert_eq!(accounts.issue(customer.id, &a_key_record().build()).await.expect("issue answers"), KeyIssue::Issued);
    (folder, accounts)
}

fn address(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("sports.db").display())
}

/// Changes the file behind the service's back.
async fn tamper(folder: &Path, sql: &str) {
    let database = Database::connect(address(folder)).await.expect("a database");
    database.execute_unprepared(sql).await.expect(sql);
}

#[tokio::test]
async fn no_key_is_ever_written_down() {
    let (folder, _accounts) = with_one_key().await;
    let mut written = Vec::new();
    for file in fs::read_dir(folder.path()).expect("a folder") {
        written.extend(fs::read(file.expect("a file").path()).expect("its bytes"));
    }
    let written = String::from_utf8_lossy(&written);
    let key = a_key(1);
    assert!(written.contains(&key.digest().to_string()), "the digest is there");
    assert!(written.contains(&key.masked().to_string()), "the masked form is there");
    assert!(!written.contains(&key.reveal()[..20]), "the key is not");
    assert!(!written.contains(&key.reveal()[20..40]), "no part of the key is");
}

#[tokio::test]
async fn a_long_read_holds_up_no_writer() {
    let (folder, accounts) = with_one_key().await;
    let database = Database::connect(address(folder.path())).await.expect("a database");
    let reading = database.begin().await.expect("a transaction");
    reading.execute_unprepared("SELECT count(*) FROM customers").await.expect("a count");
    let outcome = accounts.create(&a_customer().seeded(2).build()).await.expect("no writer is in the way");
    assert_eq!(outcome, CustomerCreation::Created);
    reading.rollback().await.expect("the read ends after the write");
}

#[tokio::test]
async fn a_row_that_was_never_stored_is_corrupt() {
    let table = [
        "UPDATE customers SET email = 'changed'",
        "UPDATE customers SET name = ''",
        "UPDATE customers SET plan = 'gold'",
        "UPDATE customers SET created_at = 'yesterday'",
        "UPDATE api_keys SET masked = 'sk_service_'",
        "UPDATE api_keys SET name = ''",
        "UPDATE api_keys SET created_at = 'yesterday'",
        "UPDATE api_keys SET expires_at = 'tomorrow'",
        "UPDATE api_keys SET scope = 'all'",
        "UPDATE api_keys SET allowed_networks = 'the office'",
    ];
    for sql in table {
        let (folder, accounts) = with_one_key().await;
        tamper(folder.path(), sql).await;
        let answer = accounts.holder(&a_key(1).digest()).await;
        assert!(matches!(answer, Err(PortError::Corrupt { .. })), "{sql}: {answer:?}");
    }
}

/// Versions before 0.6 took them.
#[tokio::test]
async fn names_and_addresses_with_hidden_characters_that_are_on_record_stay_readable() {
    let (folder, accounts) = with_one_key().await;
    tamper(folder.path(), "UPDATE customers SET name = 'An' || char(8238) || 'n', email = 'ännchen@bücher.example'")
        .await;
    tamper(folder.path(), "UPDATE api_keys SET name = char(8203)").await;
    let holder = accounts.holder(&a_key(1).digest()).await.expect("read").expect("a holder");
    let customer = &holder.customer;
    assert_eq!((customer.name.as_str(), customer.email.as_str()), ("An\u{202e}n", "ännchen@bücher.example"));
    let keys = accounts.keys_of(customer.id).await.expect("read");
    assert_eq!(keys[0].name.as_str(), "\u{200b}");
}

#[tokio::test]
async fn tables_that_cannot_be_read_are_unavailable_and_the_ping_says_so() {
    let (folder, accounts) = with_one_key().await;
    accounts.ping().await.expect("all is well");
    tamper(folder.path(), "ALTER TABLE customers RENAME TO lost").await;
    assert!(matches!(accounts.ping().await, Err(PortError::Unavailable { .. })));
    assert!(matches!(accounts.list().await, Err(PortError::Unavailable { .. })));
    assert!(matches!(accounts.holder(&a_key(1).digest()).await, Err(PortError::Unavailable { .. })));
}

#[tokio::test]
async fn a_file_that_is_no_database_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("sports.db"), "date,home,away\n".repeat(100)).expect("a file");
    let answer = AccountsDatabase::connect(&address(folder.path())).await;
    assert!(matches!(answer, Err(ConnectError::Open { .. })), "{answer:?}");
}

/// The tables are made as they were before the step of scopes.
#[tokio::test]
async fn a_key_from_before_scopes_may_do_all_that_it_could() {
    let (folder, accounts) = with_one_key().await;
    accounts.close().await.expect("closed");
    for column in ["scope", "allowed_networks", "created_by", "last_used_at", "last_used_from"] {
        tamper(folder.path(), &format!("ALTER TABLE api_keys DROP COLUMN {column}")).await;
    }
    let step = "DROP TABLE audit_log; DELETE FROM seaql_migrations WHERE version LIKE 'm0005%'";
    tamper(folder.path(), step).await;
    let accounts = AccountsDatabase::connect_existing(&address(folder.path())).await.expect("brought up to date");
    let holder = accounts.holder(&a_key(1).digest()).await.expect("answers").expect("the key is there");
    assert_eq!(holder.key, a_key_record().build());
    assert_eq!((holder.key.scope, holder.key.created_by.as_deref()), (KeyScope::Full, None));
}

/// A step that this program does not know was taken by a later one.
#[tokio::test]
async fn a_database_of_a_newer_program_is_said_to_be_one() {
    let (folder, accounts) = with_one_key().await;
    accounts.close().await.expect("closed");
    tamper(folder.path(), "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m0999_later', 0)").await;
    let error = AccountsDatabase::connect(&address(folder.path())).await.expect_err("newer");
    assert!(matches!(error, ConnectError::Newer { .. }) && error.blames_the_address(), "{error}");
    assert!(error.to_string().contains("was made by a newer version of this program"), "{error}");
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("var"), "a file in the way").expect("a file");
    let error = AccountsDatabase::connect(&address(&folder.path().join("var"))).await.expect_err("no folder");
    let expected = format!(
        "cannot make the folder {} of the database: remove what is in its place",
        folder.path().join("var").display()
    );
    assert!(error.to_string().starts_with(&expected) && error.blames_the_address(), "{error}");
}
