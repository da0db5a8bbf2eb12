use std::process::Stdio;

use serde_json::{Value, json};
use sports_domain::is_hidden;
use sports_testkit::programs::TestFolder;

use crate::support::{run, run_json, without_places};

fn create(place: &TestFolder, email: &str, more: &[&str]) -> Value {
    let create = ["customer", "create", "--name", "Ann Example", "--email", email];
    without_places(run_json(place, create.iter().chain(more)))
}

#[test]
fn a_new_customer_has_an_id_and_the_plan_ai() {
    let place = TestFolder::fresh();
    let ann = create(&place, "ann@example.com", &["--as-of", "2026-10-03T14:00:00Z"]);
    let id = ann["customer_id"].as_str().expect("an id");
    assert!(id.starts_with("cus_") && id.len() == 20, "{id}");
    assert_eq!((&ann["email"], &ann["name"]), (&json!("ann@example.com"), &json!("Ann Example")));
    assert_eq!(ann["plan"], "ai");
    assert!(ann["created_at"].as_str().is_some_and(|at| at.starts_with("2026-10-03T14:00:0")), "{ann}");
    assert_eq!(run_json(&place, ["customer", "show", id]), ann);
    let line = format!("{id}  ann@example.com  Ann Example  plan ai\n");
    assert_eq!(place.ctl(["customer", "show", id]), line);
    assert_eq!(place.ctl(["customer", "list"]), line);
}

#[test]
fn every_plan_can_be_given_none_included() {
    let place = TestFolder::fresh();
    let plans =
        [("ai", json!("ai")), ("data", json!("data")), ("BASIC", json!("basic")), ("premium", json!("premium"))];
    for (word, stored) in plans.into_iter().chain([("none", Value::Null)]) {
        let customer = create(&place, &format!("{word}@example.com"), &["--plan", word]);
        assert_eq!(customer["plan"], stored, "{word}");
    }
    let listed = run_json(&place, ["customer", "list"]);
    assert_eq!(listed["customers"].as_array().map(Vec::len), Some(5));
    assert!(place.ctl(["customer", "list"]).contains("none@example.com  Ann Example  plan none\n"));
}

#[test]
fn an_email_has_one_account_in_any_letter_case() {
    let place = TestFolder::fresh();
    create(&place, "ann@example.com", &[]);
    for email in ["ann@example.com", "Ann@Example.com"] {
        let output = run(&place, ["customer", "create", "--email", email, "--name", "Another"]);
        assert_eq!(output.code, Some(2), "{output:?}");
        assert_eq!(output.err, "sportsctl: a customer with the email ann@example.com exists already\n");
    }
    assert_eq!(run_json(&place, ["customer", "list"])["customers"].as_array().map(Vec::len), Some(1));
}

#[test]
fn impossible_arguments_are_refused_before_anything_is_made() {
    let place = TestFolder::fresh();
    let long = "x".repeat(101);
    let table = [
        (["ann.example.com", "Ann", "ai"], "is not an email address"),
        (["ann@", "Ann", "ai"], "is not an email address"),
        (["", "Ann", "ai"], "is not an email address"),
        (["ann@example.com", " ", "ai"], "expected a text of 1 to 100 characters"),
        (["ann@example.com", &long, "ai"], "expected a text of 1 to 100 characters"),
        (["ann@example.com", "A\nnn", "ai"], "expected a text without U+000A at character 2"),
        (
            ["ann@example.com", "A\u{1b}[2Jnn", "ai"],
            "for '--name <NAME>': expected a text without U+001B at character 2",
        ),
        (
            ["ann@example.com", "Ann\u{202e}", "ai"],
            "'Ann\\u{202e}' for '--name <NAME>': expected a text without U+202E",
        ),
        (["ann@exam\u{200b}ple.com", "Ann", "ai"], "`ann@exam\\u{200b}ple.com` is not an email address"),
        (["ännchen@example.com", "Ann", "ai"], "ASCII characters but for an international host"),
        (["ann@example.com", "Ann", "gold"], "known plans: ai, data, basic, premium, none"),
    ];
    for ([email, name, plan], message) in table {
        let output = run(&place, ["customer", "create", "--email", email, "--name", name, "--plan", plan]);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{email} {name} {plan}");
        assert!(output.err.contains(message), "{output:?}");
        assert!(!output.err.contains(|symbol| symbol != '\n' && is_hidden(symbol)), "{output:?}");
    }
    assert!(!place.path().join("sports.db").exists());
}

#[test]
fn a_missing_database_is_reported_and_not_created() {
    let place = TestFolder::fresh();
    let file = place.path().join("sports.db");
    let unknown = "cus_0000000000000000";
    for arguments in [
        &["customer", "list"][..],
        &["customer", "show", unknown],
        &["customer", "plan", unknown, "ai"],
        &["customer", "usage", unknown],
        &["key", "list", "--customer", unknown],
        &["key", "issue", "--customer", unknown, "--name", "laptop"],
        &["key", "revoke", "sk_service_aB3z*****", "--customer", unknown],
        &["dataset", "list"],
        &["entitlement", "list", "--customer", unknown],
    ] {
        let output = run(&place, arguments);
        let expected = format!(
            "sportsctl: there is no database {}; `sportsctl customer create`, `sportsctl migrate` or `sports-api serve` \
             makes one\n",
            file.display()
        );
        assert_eq!((output.code, output.err), (Some(2), expected), "{arguments:?}");
        assert!(!file.exists());
    }
    assert_eq!(place.ctl(["migrate"]), "the database is up to date\n");
    assert_eq!(run_json(&place, ["customer", "list"]), json!({"customers": []}));
    assert_eq!(without_places(run_json(&place, ["migrate"])), json!({"migrated": true}));
}

#[test]
fn a_customer_is_put_on_another_plan_or_on_none() {
    let place = TestFolder::fresh();
    let ann = create(&place, "ann@example.com", &[]);
    let id = ann["customer_id"].as_str().expect("an id");
    for (word, stored) in [("basic", json!("basic")), ("none", Value::Null), ("none", Value::Null), ("AI", json!("ai"))]
    {
        let changed = without_places(run_json(&place, ["customer", "plan", id, word]));
        assert_eq!(changed["plan"], stored);
        assert_eq!(run_json(&place, ["customer", "show", id]), changed);
    }
    assert_eq!(place.ctl(["customer", "plan", id, "none"]), format!("{id}  ann@example.com  Ann Example  plan none\n"));
    let output = run(&place, ["customer", "plan", id, "gold"]);
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("known plans: ai, data, basic, premium, none"), "{output:?}");
}

#[test]
fn usage_without_a_call_is_this_month_with_zeros() {
    let place = TestFolder::fresh();
    let ann = create(&place, "ann@example.com", &[]);
    let id = ann["customer_id"].as_str().expect("an id");
    let usage = run_json(&place, ["customer", "usage", id, "--as-of", "2026-11-30T23:59:00Z"]);
    let month = json!({ "month": "2026-11", "requests": 0, "dataset_refreshes": 0 });
    assert_eq!(usage, json!({ "customer_id": id, "months": [month] }));
    let line = place.ctl(["customer", "usage", id, "--as-of", "2026-12-01T00:00:00Z"]);
    assert_eq!(line, "2026-12  0 requests  0 dataset refreshes\n");
}

#[test]
fn an_unknown_customer_is_reported() {
    let place = TestFolder::fresh();
    let _ = place.ctl(["migrate"]);
    let unknown = "cus_0000000000000000";
    for arguments in [
        &["customer", "show", unknown][..],
        &["customer", "plan", unknown, "none"],
        &["customer", "usage", unknown],
        &["entitlement", "list", "--customer", unknown],
        &["entitlement", "grant", "--customer", unknown, "--product", "odds", "--sport", "nfl"],
        &["entitlement", "revoke", "--customer", unknown, "--product", "odds", "--sport", "nfl"],
        &["key", "list", "--customer", unknown],
        &["key", "issue", "--customer", unknown, "--name", "laptop"],
    ] {
        let output = run(&place, arguments);
        assert_eq!(output.code, Some(2), "{arguments:?}: {output:?}");
        assert_eq!(output.err, format!("sportsctl: there is no customer {unknown}\n"), "{arguments:?}");
    }
    let output = run(&place, ["customer", "show", "ann@example.com"]);
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("is not a customer id: it is cus_ and 16"), "{output:?}");
}

#[test]
fn eight_customers_at_once_all_get_an_account_in_a_new_database() {
    let place = TestFolder::fresh();
    let create = |number: usize| {
        let email = format!("customer-{number}@example.com");
        let mut command = place.sportsctl(["customer", "create", "--email", &email, "--name", "Someone"]);
        command.stdout(Stdio::null()).spawn().expect("it starts")
    };
    let children: Vec<_> = (0..8).map(create).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert_eq!(run_json(&place, ["customer", "list"])["customers"].as_array().map(Vec::len), Some(8));
}

#[test]
fn an_email_is_changed_and_a_customer_deleted_once_and_only_on_confirmation() {
    let place = TestFolder::fresh();
    let ann = create(&place, "ann@example.com", &[]);
    let id = ann["customer_id"].as_str().expect("an id");
    create(&place, "bob@example.com", &[]);
    let taken = run(&place, ["customer", "email", id, "bob@example.com"]);
    assert_eq!(
        (taken.code, taken.err.as_str()),
        (Some(2), "sportsctl: a customer with the email bob@example.com exists already\n")
    );
    assert_eq!(run_json(&place, ["customer", "email", id, "new@example.com"])["email"], "new@example.com");
    let unconfirmed = run(&place, ["customer", "delete", id]);
    assert!(unconfirmed.code == Some(2) && unconfirmed.err.contains("add --yes to do it"), "{unconfirmed:?}");
    assert!(place.ctl(["customer", "show", id]).contains("new@example.com"));
    assert_eq!(
        place.ctl(["customer", "delete", id, "--yes"]),
        format!("deleted {id}; servers stop taking its keys within 2 seconds\n")
    );
    for words in [["customer", "show", id, "--json"], ["customer", "delete", id, "--yes"]] {
        assert!(run(&place, words).code == Some(2), "{words:?}");
    }
    create(&place, "new@example.com", &[]);
    let log = run_json(&place, ["audit-log", "--customer", id]);
    let actions = log["audit_log"].as_array().expect("a list").iter().map(|entry| entry["action"].as_str());
    assert!(actions.eq(["customer.create", "customer.email", "customer.delete"].map(Some)), "{log}");
}
