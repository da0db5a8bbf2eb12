use std::process::Stdio;

use serde_json::{Value, json};
use sports_testkit::programs::Place;

use crate::support::{ask, run, without_places};

fn create(place: &Place, email: &str, more: &[&str]) -> Value {
    let create = ["customer", "create", "--name", "Ann Example", "--email", email];
    without_places(ask(place, create.iter().chain(more)))
}

#[test]
fn a_new_customer_has_an_id_and_the_plan_ai() {
    let place = Place::fresh();
    let ann = create(&place, "ann@example.com", &["--as-of", "2026-10-03T14:00:00Z"]);
    let id = ann["customer_id"].as_str().expect("an id");
    assert!(id.starts_with("cus_") && id.len() == 20, "{id}");
    assert_eq!((&ann["email"], &ann["name"]), (&json!("ann@example.com"), &json!("Ann Example")));
    assert_eq!(ann["plan"], "ai");
    assert!(ann["created_at"].as_str().is_some_and(|at| at.starts_with("2026-10-03T14:00:0")), "{ann}");
    assert_eq!(ask(&place, ["customer", "show", id]), ann);
    let line = format!("{id}  ann@example.com  Ann Example  plan ai\n");
    assert_eq!(place.ctl(["customer", "show", id]), line);
    assert_eq!(place.ctl(["customer", "list"]), line);
}

#[test]
fn every_plan_can_be_given_and_none_is_one_of_them() {
    let place = Place::fresh();
    let plans =
        [("ai", json!("ai")), ("data", json!("data")), ("BASIC", json!("basic")), ("premium", json!("premium"))];
    for (word, stored) in plans.into_iter().chain([("none", Value::Null)]) {
        let customer = create(&place, &format!("{word}@example.com"), &["--plan", word]);
        assert_eq!(customer["plan"], stored, "{word}");
    }
    let listed = ask(&place, ["customer", "list"]);
    assert_eq!(listed["customers"].as_array().map(Vec::len), Some(5));
    assert!(place.ctl(["customer", "list"]).contains("none@example.com  Ann Example  plan none\n"));
}

#[test]
fn an_email_has_one_account_whatever_its_letter_case() {
    let place = Place::fresh();
    create(&place, "ann@example.com", &[]);
    for email in ["ann@example.com", "Ann@Example.com"] {
        let said = run(&place, ["customer", "create", "--email", email, "--name", "Another"]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert_eq!(said.err, "sportsctl: a customer with the email ann@example.com exists already\n");
    }
    assert_eq!(ask(&place, ["customer", "list"])["customers"].as_array().map(Vec::len), Some(1));
}

#[test]
fn impossible_arguments_are_refused_before_anything_is_made() {
    let place = Place::fresh();
    let long = "x".repeat(101);
    let table = [
        (["ann.example.com", "Ann", "ai"], "is not an email address"),
        (["ann@", "Ann", "ai"], "is not an email address"),
        (["", "Ann", "ai"], "is not an email address"),
        (["ann@example.com", " ", "ai"], "a customer name has 1 to 100 characters"),
        (["ann@example.com", &long, "ai"], "a customer name has 1 to 100 characters"),
        (["ann@example.com", "A\nnn", "ai"], "no control characters"),
        (["ann@example.com", "Ann", "gold"], "known plans: ai, data, basic, premium, none"),
    ];
    for ([email, name, plan], message) in table {
        let said = run(&place, ["customer", "create", "--email", email, "--name", name, "--plan", plan]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{email} {name} {plan}");
        assert!(said.err.contains(message), "{said:?}");
    }
    assert!(!place.path().join("sports.db").exists());
}

#[test]
fn a_database_that_is_not_there_was_mistyped_and_is_not_made() {
    let place = Place::fresh();
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
        let said = run(&place, arguments);
        let expected = format!(
            "sportsctl: there is no database {}; `sportsctl customer create`, `sportsctl migrate` or `sports-api serve` \
             makes one\n",
            file.display()
        );
        assert_eq!((said.code, said.err), (Some(2), expected), "{arguments:?}");
        assert!(!file.exists());
    }
    assert_eq!(place.ctl(["migrate"]), "the database is up to date\n");
    assert_eq!(ask(&place, ["customer", "list"]), json!({"customers": []}));
    assert_eq!(without_places(ask(&place, ["migrate"])), json!({"migrated": true}));
}

#[test]
fn a_customer_is_put_on_another_plan_or_on_none() {
    let place = Place::fresh();
    let ann = create(&place, "ann@example.com", &[]);
    let id = ann["customer_id"].as_str().expect("an id");
    for (word, stored) in [("basic", json!("basic")), ("none", Value::Null), ("none", Value::Null), ("AI", json!("ai"))]
    {
        let changed = without_places(ask(&place, ["customer", "plan", id, word]));
        assert_eq!(changed["plan"], stored);
        assert_eq!(ask(&place, ["customer", "show", id]), changed);
    }
    assert_eq!(place.ctl(["customer", "plan", id, "none"]), format!("{id}  ann@example.com  Ann Example  plan none\n"));
    let said = run(&place, ["customer", "plan", id, "gold"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("known plans: ai, data, basic, premium, none"), "{said:?}");
}

#[test]
fn usage_of_a_customer_who_never_called_is_this_month_with_nothing() {
    let place = Place::fresh();
    let ann = create(&place, "ann@example.com", &[]);
    let id = ann["customer_id"].as_str().expect("an id");
    let usage = ask(&place, ["customer", "usage", id, "--as-of", "2026-11-30T23:59:00Z"]);
    let month = json!({ "month": "2026-11", "requests": 0, "dataset_refreshes": 0 });
    assert_eq!(usage, json!({ "customer_id": id, "months": [month] }));
    let line = place.ctl(["customer", "usage", id, "--as-of", "2026-12-01T00:00:00Z"]);
    assert_eq!(line, "2026-12  0 requests  0 dataset refreshes\n");
}

#[test]
fn an_unknown_customer_is_said_to_be_unknown() {
    let place = Place::fresh();
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
        let said = run(&place, arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        assert_eq!(said.err, format!("sportsctl: there is no customer {unknown}\n"), "{arguments:?}");
    }
    let said = run(&place, ["customer", "show", "ann@example.com"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("is not a customer id: it is cus_ and 16"), "{said:?}");
}

#[test]
fn eight_customers_at_once_all_get_an_account_in_a_new_database() {
    let place = Place::fresh();
    let create = |number: usize| {
        let email = format!("customer-{number}@example.com");
        let mut command = place.sportsctl(["customer", "create", "--email", &email, "--name", "Someone"]);
        command.stdout(Stdio::null()).spawn().expect("it starts")
    };
    let children: Vec<_> = (0..8).map(create).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert_eq!(ask(&place, ["customer", "list"])["customers"].as_array().map(Vec::len), Some(8));
}
