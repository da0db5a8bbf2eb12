use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;
use sports_tables::bounded::testing::one_text;
use sports_testkit::programs::{TestFolder, copy_folder, fixture};

use crate::support::{Completed, files, run, run_json};

/// Creates a place with one customer; returns the place and the customer's id.
fn a_customer() -> (TestFolder, String) {
    let place = TestFolder::fresh();
    let id = customer(&place, "ann@example.com");
    (place, id)
}

fn customer(place: &TestFolder, email: &str) -> String {
    let created = run_json(place, ["customer", "create", "--email", email, "--name", "Someone"]);
    created["customer_id"].as_str().expect("an id").to_owned()
}

fn issue(place: &TestFolder, customer: &str) -> String {
    place.ctl(["key", "issue", "--customer", customer, "--name", "laptop"]).trim().to_owned()
}

fn masked(key: &str) -> String {
    format!("{}*****", &key[.."sk_service_".len() + 4])
}

fn keys(place: &TestFolder, customer: &str) -> Vec<Value> {
    run_json(place, ["key", "list", "--customer", customer])["api_keys"].as_array().expect("a list").clone()
}

fn active(place: &TestFolder, customer: &str) -> usize {
    keys(place, customer).iter().filter(|key| key["is_active"] == true).count()
}

fn refused(place: &TestFolder, arguments: &[&str]) -> String {
    let output = run(place, arguments);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{arguments:?}: {output:?}");
    output.err
}

#[test]
fn a_new_key_alone_is_on_standard_output() {
    let (place, id) = a_customer();
    let output = run(&place, ["key", "issue", "--customer", &id, "--name", "laptop"]);
    let key = output.out.strip_suffix('\n').expect("a line");
    assert!(key.starts_with("sk_service_") && key.len() == "sk_service_".len() + 43 + 6, "{output:?}");
    assert!(key["sk_service_".len()..].bytes().all(|byte| byte.is_ascii_alphanumeric()), "{key}");
    assert_eq!(output.err, "warning: this is the only time the key is shown; only its hash is kept\n");
}

#[test]
fn a_key_is_kept_in_its_masked_form_only() {
    let (place, id) = a_customer();
    let key = issue(&place, &id);
    let database = files(place.path()).into_iter().filter(|path| path.to_string_lossy().contains("sports.db"));
    let bytes: Vec<_> = database.flat_map(|path| fs::read(path).expect("the database")).collect();
    let contains = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(contains(&masked(&key)));
    for secret in [&key[..], &key["sk_service_".len()..], &key["sk_service_".len() + 4..]] {
        assert!(!contains(secret), "the key is in the database");
    }
    let listed = place.ctl(["key", "list", "--customer", &id]);
    assert!(listed.starts_with(&format!("{}  active    ", masked(&key))) && listed.ends_with("  laptop\n"), "{listed}");
    assert!(!listed.contains(&key));
}

#[test]
fn a_key_is_revoked_once_by_its_full_text() {
    let (place, id) = a_customer();
    let (key, other) = (issue(&place, &id), issue(&place, &id));
    let output = place.ctl(["key", "revoke", &key]);
    assert_eq!(output, format!("revoked {}; servers stop taking it within 2 seconds\n", masked(&key)));
    assert_eq!(active(&place, &id), 1);
    assert_eq!(refused(&place, &["key", "revoke", &key]), "sportsctl: there is no such active key\n");
    assert_eq!(keys(&place, &id).len(), 2, "revoked keys stay on the list");
    let _ = place.ctl(["key", "revoke", &other, "--customer", &id]);
    assert_eq!(active(&place, &id), 0);
}

#[test]
fn a_masked_key_is_revoked_with_its_customer_named() {
    let (place, id) = a_customer();
    let key = issue(&place, &id);
    let error = refused(&place, &["key", "revoke", &masked(&key)]);
    assert!(error.contains("a masked key needs --customer"), "{error}");
    assert_eq!(active(&place, &id), 1);
    let _ = place.ctl(["key", "revoke", &masked(&key), "--customer", &id]);
    assert_eq!(active(&place, &id), 0);
    let again = refused(&place, &["key", "revoke", &masked(&key), "--customer", &id]);
    assert_eq!(again, "sportsctl: there is no such active key\n");
}

#[test]
fn a_key_read_from_standard_input_stays_out_of_the_shell_history() {
    let (place, id) = a_customer();
    let key = issue(&place, &id);
    let mut command = place.sportsctl(["key", "revoke", "-"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    writeln!(child.stdin.take().expect("piped"), "  {key}  ").expect("written");
    let output = Completed::from(child.wait_with_output().expect("it ends"));
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(!output.out.contains(&key), "nor is it printed");
    assert_eq!(active(&place, &id), 0);
    assert!(refused(&place, &["key", "revoke", "-"]).contains("neither an API key"), "nothing was given");
}

#[test]
fn a_key_of_another_customer_is_not_revoked() {
    let (place, ann) = a_customer();
    let bob = customer(&place, "bob@example.com");
    let key = issue(&place, &ann);
    for named in [key.clone(), masked(&key)] {
        let error = refused(&place, &["key", "revoke", &named, "--customer", &bob]);
        assert_eq!(error, "sportsctl: there is no such active key\n");
    }
    assert_eq!(active(&place, &ann), 1);
}

#[test]
fn a_mistyped_key_is_refused_without_a_lookup_and_not_repeated() {
    let (place, id) = a_customer();
    let key = issue(&place, &id);
    let last = if key.ends_with('a') { "b" } else { "a" };
    let typo = format!("{}{last}", &key[..key.len() - 1]);
    for text in [typo.as_str(), &key[1..], "sk_service_", "laptop"] {
        let error = refused(&place, &["key", "revoke", text]);
        assert_eq!(error, "sportsctl: neither an API key nor the masked form of one\n");
    }
    assert_eq!(active(&place, &id), 1);
}

#[test]
fn a_customer_has_at_most_twenty_five_active_keys() {
    let (place, id) = a_customer();
    let issued: Vec<_> = (0..25).map(|_| issue(&place, &id)).collect();
    let error = refused(&place, &["key", "issue", "--customer", &id, "--name", "one more"]);
    assert!(error.contains("25 active keys, the most there can be; revoke one first"), "{error}");
    let _ = place.ctl(["key", "revoke", &issued[0]]);
    issue(&place, &id);
    assert_eq!((active(&place, &id), keys(&place, &id).len()), (25, 26));
}

#[test]
fn a_key_expires_in_the_future() {
    let (place, id) = a_customer();
    let issue = |expires: &str| {
        let arguments = ["key", "issue", "--customer", &id, "--name", "trial", "--as-of", "2026-10-03T14:00:00Z"];
        run(&place, arguments.iter().chain(&["--expires", expires]))
    };
    for past in ["2026-10-03T13:59:59Z", "2026-10-03T14:00:00Z", "2020-01-01T00:00:00+02:00"] {
        let output = issue(past);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{past}");
        assert!(output.err.contains("--expires is in the past"), "{output:?}");
    }
    for text in ["tomorrow", "2027-01-01"] {
        let output = issue(text);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{text}");
        assert!(output.err.contains(": expected an RFC 3339 instant, such as 2027-01-01T00:00:00Z"), "{output:?}");
    }
    assert_eq!(issue("2026-10-04T16:00:00+02:00").code, Some(0));
    let at = |now: &str| run_json(&place, ["key", "list", "--customer", &id, "--as-of", now])["api_keys"][0].clone();
    assert_eq!(at("2026-10-04T13:59:00Z")["is_active"], true);
    assert_eq!(at("2026-10-04T14:00:00Z")["is_active"], false);
    assert_eq!(at("2026-10-04T14:00:00Z")["expires_at"], "2026-10-04T14:00:00Z");
}

#[test]
fn a_list_has_the_time_and_the_reason_that_a_key_ended() {
    let (place, id) = a_customer();
    let at = |now: &str, words: &[&str]| run(&place, words.iter().chain(&["--as-of", now])).out;
    let issue = |more: &[&str]| {
        let words = ["key", "issue", "--customer", &id, "--name", "laptop"];
        at("2026-10-03T14:00:00Z", &words.iter().chain(more).copied().collect::<Vec<_>>()).trim().to_owned()
    };
    let expires = ["--expires", "2026-10-05T00:00:00Z"];
    let (lasting, expiring, revoked) = (issue(&[]), issue(&expires), issue(&expires));
    assert!(at("2026-10-04T14:00:00Z", &["key", "revoke", &revoked]).starts_with("revoked "));

    let listed = at("2026-10-04T15:00:00Z", &["key", "list", "--customer", &id]);
    let line = |key: &String| listed.lines().find(|line| line.starts_with(&masked(key))).expect("listed").to_owned();
    let middle = "2026-10-03  by operator              not used  full  laptop";
    assert_eq!(line(&lasting), format!("{}  active    {middle}", masked(&lasting)));
    assert_eq!(line(&expiring), format!("{}  active    {middle}  until 2026-10-05T00:00:00Z", masked(&expiring)));
    let (before, since) = line(&revoked).rsplit_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("words");
    assert_eq!(before, format!("{}  revoked   {middle}  since", masked(&revoked)));
    assert!(since.starts_with("2026-10-04T14:00:0") && since.ends_with('Z'), "{since}");

    let listed = at("2026-10-06T00:00:00Z", &["key", "list", "--customer", &id]);
    let past = format!("{}  expired   {middle}  since 2026-10-05T00:00:00Z\n", masked(&expiring));
    assert!(listed.contains(&past), "{listed}");

    let record = |key: &String| keys(&place, &id).into_iter().find(|record| record["api_key"] == masked(key));
    assert_eq!(record(&lasting).expect("listed")["revoked_at"], Value::Null);
    assert_eq!(record(&revoked).expect("listed")["revoked_at"], since);
    assert_eq!(record(&expiring).expect("listed")["expires_at"], "2026-10-05T00:00:00Z");
}

#[test]
fn a_key_needs_a_name() {
    let (place, id) = a_customer();
    let long = "x".repeat(65);
    for name in ["", "   ", &long] {
        let error = refused(&place, &["key", "issue", "--customer", &id, "--name", name]);
        assert!(error.contains("1 to 64 characters"), "{error}");
    }
}

#[test]
fn the_active_keys_of_all_customers_that_expire_soon_are_listed_by_expiry() {
    let (place, ann) = a_customer();
    let bob = customer(&place, "bob@example.com");
    let until = |id: &str, expires: &str| {
        let issue =
            ["key", "issue", "--customer", id, "--name", "n", "--as-of", "2026-10-01T00:00:00Z", "--expires", expires];
        place.ctl(issue).trim().to_owned()
    };
    let (later, soon) = (until(&ann, "2026-10-14T00:00:00Z"), until(&bob, "2026-10-05T00:00:00Z"));
    let _ = (until(&ann, "2026-10-16T00:00:00Z"), issue(&place, &ann));
    let _ = place.ctl(["key", "revoke", &until(&ann, "2026-10-05T00:00:00Z"), "--as-of", "2026-10-01T00:00:00Z"]);
    let expiring = |more: &[&str]| {
        let list = ["key", "list", "--expiring", "14d", "--as-of", "2026-10-01T00:00:00Z"];
        let keys = run_json(&place, list.iter().chain(more))["api_keys"].as_array().expect("a list").clone();
        let named =
            |key: &Value| [&key["customer_id"], &key["api_key"]].map(|text| text.as_str().expect("text").to_owned());
        keys.iter().map(named).collect::<Vec<_>>()
    };
    assert_eq!(expiring(&[]), [[bob, masked(&soon)], [ann.clone(), masked(&later)]]);
    assert_eq!(expiring(&["--customer", &ann]), [[ann, masked(&later)]]);
    assert!(refused(&place, &["key", "list"]).contains("--customer"));
}

#[test]
fn all_keys_are_revoked_for_a_named_customer_only_and_bad_words_revoke_none() {
    let (place, id) = a_customer();
    let key = issue(&place, &id);
    for (words, message) in [
        (&["key", "revoke", "--all"][..], "--customer"),
        (&["key", "revoke", &key, "--customer", &id, "--all"], "--all"),
        (&["key", "revoke", "--customer", &id], "required"),
        (&["key", "revoke", "--customer", &id, "--except", &key], "--all"),
        (&["key", "revoke", "--customer", &id, "--all", "--except", "laptop"], "neither an API key"),
        (&["key", "revoke", "--customer", &id, "--all", "--except", "sk_service_none*****"], "no such active key"),
        (&["key", "revoke", "--customer", "cus_0000000000000000", "--all"], "there is no customer"),
    ] {
        let error = refused(&place, words);
        assert!(error.contains(message) && !error.contains(&key), "{error}");
    }
    assert_eq!(active(&place, &id), 1);
    assert!(place.ctl(["key", "revoke", "--customer", &id, "--all"]).contains("keys revoked: 1;"));
    assert_eq!(active(&place, &id), 0);
}

#[test]
fn a_whole_key_is_refused_as_a_name_and_in_an_email() {
    let (place, id) = a_customer();
    let key = issue(&place, &id);
    let email = format!("{key}@example.com");
    for words in [
        &["key", "issue", "--customer", &id, "--name", &key][..],
        &["customer", "create", "--email", "bob@example.com", "--name", &key],
        &["customer", "create", "--email", &email, "--name", "Bob"],
        &["customer", "email", &id, &email],
        &["key", "issue", "--customer", &id, "--name", "n", "--allow", &key],
    ] {
        let error = refused(&place, words);
        assert!(!error.contains(&key[20..]), "{error}");
    }
    assert_eq!(keys(&place, &id).len(), 1);
}

#[test]
fn a_release_and_a_file_on_sale_with_a_whole_key_in_a_text_are_refused() {
    let (place, customer) = a_customer();
    let key = issue(&place, &customer);
    let folder = place.path().join("release");
    copy_folder(&fixture("edge-cases/release"), &folder);
    let manifest = fs::read_to_string(folder.join("release.json")).expect("readable");
    for (file, text) in [
        ("release.json", manifest.replace("invented-edge-cases", &format!("run of {key}"))),
        (
            "release.json",
            manifest.replace("invented-edge-cases", &key.replacen('_', "\\u005F", 1).replace('s', "\\u0073")),
        ),
        ("odds.csv", format!("match_id,quote_source\ng1,{key}\n")),
    ] {
        fs::write(folder.join(file), text).expect("written");
        let path = folder.to_str().expect("a path");
        let message = refused(&place, &["publish", path]);
        assert!(message.contains(file) && message.contains("no API key in it"), "{message}");
        assert!(!message.contains(&key), "{message}");
        fs::write(folder.join("release.json"), &manifest).expect("written");
    }
    for (name, text) in [
        ("finals.csv", format!("date,settlement_status\n2024-01-07,{key}\n").into_bytes()),
        ("finals.json", format!(r#"[{{"settlement_status": "{}"}}]"#, key.replace('_', r"\u005f")).into_bytes()),
        ("finals.parquet", one_text("settlement_status", &key)),
    ] {
        let finals = place.path().join(name);
        fs::write(&finals, text).expect("written");
        let message = refused(&place, &["settle", "nfl", finals.to_str().expect("a path")]);
        assert!(message.contains("no API key in it") && !message.contains(&key[20..]), "{message}");
    }
    let sold = place.path().join(format!("{key}.csv"));
    fs::write(&sold, "a").expect("written");
    let message = refused(&place, &["dataset", "add", "historical-odds", "nfl", sold.to_str().expect("a path")]);
    assert!(message.contains("contains an API key") && !message.contains(&key), "{message}");
}
