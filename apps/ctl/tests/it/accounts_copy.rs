use sports_testkit::programs::TestFolder;
use sports_testkit::services::Postgres;

use crate::support::{run, run_json};

fn address(place: &TestFolder) -> String {
    format!("sqlite:{}", place.path().join("sports.db").display())
}

fn copy(from: &str, to: &str) -> [String; 6] {
    ["accounts", "copy", "--from", from, "--to", to].map(str::to_owned)
}

#[test]
fn the_same_key_belongs_to_the_same_customer_in_a_copied_database() {
    let place = TestFolder::fresh();
    let key = place.subscriber_key();
    let customers = place.ctl(["customer", "list"]);
    let file = format!("sqlite:{}", place.path().join("copy/sports.db").display());
    for to in [Some(file), Postgres::database()].into_iter().flatten() {
        for _ in 0..2 {
            let copied = run_json(&place, copy(&address(&place), &to));
            assert_eq!((&copied["customers"], &copied["keys"]), (&1.into(), &1.into()), "{copied}");
        }
        let database = ["--database", &to];
        assert_eq!(place.ctl(["customer", "list"].iter().chain(&database)), customers);
        let id = customers.split_whitespace().next().expect("an id");
        let listed = place.ctl(["key", "list", "--customer", id].iter().chain(&database));
        assert!(listed.contains(&key[..15]), "{listed}");
    }
}

#[test]
fn a_database_that_holds_others_is_not_copied_into() {
    let (place, other) = (TestFolder::fresh(), TestFolder::fresh());
    let _ = place.subscriber_key();
    let _ = other.ctl(["customer", "create", "--email", "other@example.com", "--name", "Other"]);
    let output = run(&place, copy(&address(&place), &address(&other)));
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains("the target holds other data, and nothing was copied"), "{output:?}");
    let output = run(&place, copy(&address(&place), &address(&place)));
    assert_eq!((output.code, output.err.as_str()), (Some(2), "sportsctl: --from and --to name the same database\n"));
    let nowhere = format!("sqlite:{}", place.path().join("mistyped.db").display());
    let output = run(&place, copy(&nowhere, &address(&other)));
    assert!(output.code == Some(2) && output.err.contains("there is no database"), "{output:?}");
    assert!(!place.path().join("mistyped.db").exists());
}

#[test]
fn backup_and_restore_name_the_tools_for_postgresql_and_print_no_password() {
    let place = TestFolder::fresh().with("SPORTS_DATABASE__URL", "postgres://ann:hunter2@localhost:1/sports");
    for command in ["backup", "restore"] {
        let folder = place.path().join("folder").display().to_string();
        let output = run(&place, [command.to_owned(), folder]);
        assert!(output.code == Some(2) && output.err.contains("pg_dump"), "{output:?}");
    }
    let output = run(&place, ["customer", "list"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(
        output.err.contains("sports on localhost:1 cannot be reached") && !output.err.contains("hunter2"),
        "{output:?}"
    );
}

#[test]
fn a_password_that_postgresql_refuses_is_not_repeated() {
    let Some(database) = Postgres::database() else { return };
    let refused = database.replace("not-a-secret", "hunter2");
    let place = TestFolder::fresh().with("SPORTS_DATABASE__URL", refused.as_str());
    for program in ["sportsctl", "sports-api"] {
        let arguments: &[&str] =
            if program == "sportsctl" { &["migrate"] } else { &["serve", "--bind", "127.0.0.1:0"] };
        let output = place.program(program, arguments).env("RUST_LOG", "trace").output().expect("it runs");
        let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains("refuses the connection") && !printed.contains("hunter2"), "{printed}");
    }
}
