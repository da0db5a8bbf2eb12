use std::process::Stdio;

use serde_json::{Value, json};
use sports_testkit::programs::Place;

use crate::support::{ask, run};

fn create(place: &Place, email: &str, more: &[&str]) -> Value {
    ask(place, ["customer", "create", "--name", "Ann Example", "--email", email].iter().chain(more))
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
fn what_cannot_be_right_is_refused_before_anything_is_made() {
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
    assert_eq!(ask(&place, ["customer", "list"]), json!({"customers": []}));
}

#[test]
fn an_unknown_customer_is_said_to_be_unknown() {
    let place = Place::fresh();
    let nobody = "cus_0000000000000000";
    for arguments in [
        &["customer", "show", nobody][..],
        &["key", "list", "--customer", nobody],
        &["key", "issue", "--customer", nobody, "--name", "laptop"],
    ] {
        let said = run(&place, arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        assert_eq!(said.err, format!("sportsctl: there is no customer {nobody}\n"), "{arguments:?}");
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
