//! What tokens may do, and how they end.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use sports_testkit::programs::fixture;

use super::client::{Door, send, tar_of, token};
use crate::support::{entries, run, run_json};

const RELEASE: &str = "nfl-2023-week-18/release";

#[test]
fn a_token_does_what_it_may_in_its_leagues() {
    let mut door = Door::open();
    let archive = tar_of(&fixture(RELEASE));
    let models = tar_of(&fixture("own-models/release"));
    let finals = fs::read(fixture("nfl-2023-week-18-slate/finals.csv")).expect("finals");
    let (publishes, _) = token(&door.place, &["nba", "nfl"], &["publish"]);
    let (settles, _) = token(&door.place, &["nfl"], &["settle"]);
    let (of_nba, _) = token(&door.place, &["nba"], &["publish", "settle", "mend"]);
    let mut expect = |token: &str, request: fn(&Door, &[u8]) -> super::client::Request, body: &[u8], detail: &str| {
        token.clone_into(&mut door.token);
        let answer = door.send(&request(&door, body));
        assert_eq!(answer.status, 403, "{answer:?}");
        assert!(answer.body.contains(detail), "{answer:?}");
        assert_eq!(entries(&door.place, "nfl") + entries(&door.place, "nba"), 0);
    };
    let release = |door: &Door, body: &[u8]| door.release("nfl", body);
    expect(&settles, release, &archive, "may settle in nfl: this needs one that may publish");
    expect(&publishes, |door, body| door.finals("nfl", body), &finals, "this needs one that may settle");
    expect(&publishes, |door, body| door.release("nfl?allow=vig", body), &archive, "this needs one that may mend");
    expect(&publishes, |door, body| door.release("nfl?replace_season=2023-24", body), &archive, "may mend");
    expect(&settles, |door, body| door.finals("nfl?correct=true", body), &finals, "may mend");
    expect(
        &publishes,
        release,
        &models,
        "changes the models or the settings that nfl has declared: this token may publish in nba, nfl",
    );
    expect(&of_nba, release, &archive, "this token is not for nfl: it is for nba");
    // The address of a league with the release of another.
    expect(&of_nba, |door, body| door.release("nba", body), &archive, "this token is not for nfl");
    expect(&of_nba, |door, _| door.release("nfl", b""), b"", "this token is not for nfl");
    publishes.clone_into(&mut door.token);
    let wrong = door.send(&door.release("nba", &archive));
    assert!(
        wrong.status == 422 && wrong.body.contains("release.json is of nfl, and this is the address of nba"),
        "{wrong:?}"
    );
    assert_eq!(door.send(&door.release("nfl", &archive)).status, 200);
    settles.clone_into(&mut door.token);
    assert_eq!(door.get("/v1/status/nfl").status, 200);
    assert_eq!(door.get("/v1/status/nba").status, 403);
}

/// A daily release may repeat what is declared.
#[test]
fn a_declaration_that_changes_nothing_needs_no_right_to_mend() {
    let mut door = Door::open();
    let models = fixture("own-models/release");
    assert_eq!(door.send(&door.release("nfl", &tar_of(&models))).status, 200);
    let (publishes, _) = token(&door.place, &["nfl"], &["publish"]);
    publishes.clone_into(&mut door.token);
    let again = door.send(&door.release("nfl", &tar_of(&models)));
    assert_eq!((again.status, again.json()["outcome"].as_str()), (200, Some("already_on_air")), "{again:?}");
    let marked = |edit: (&str, &str, &str)| {
        let folder = crate::support::edited(&door.place, &models, edit);
        let manifest = folder.join("release.json");
        // A mark of the encoding in front of the text hides nothing.
        fs::write(&manifest, [&b"\xef\xbb\xbf"[..], &fs::read(&manifest).expect("text")].concat()).expect("written");
        tar_of(&folder)
    };
    for (from, to) in [
        ("Elo with travel", "Elo at home"),
        ("\"models\"", "\"headline\": \"ELO\", \"models\""),
        ("\"models\"", "\"markets\": null, \"odds_dependent\": false, \"models\""),
        ("\"models\"", "\"moved\": [{ \"match_id\": \"x\" }], \"models\""),
    ] {
        let refused = door.send(&door.release("nfl", &marked(("release.json", from, to))));
        assert_eq!(refused.status, 403, "{to}: {refused:?}");
    }
    assert_eq!(entries(&door.place, "nfl"), 1);
}

/// The right of an upload is that of the time at which it is published.
#[test]
fn an_upload_whose_token_is_revoked_meanwhile_is_not_published() {
    use std::io::Write as _;
    let door = Door::open();
    let bytes = door.release("nfl", &tar_of(&fixture(RELEASE))).bytes();
    let mut stream = std::net::TcpStream::connect(door.address()).expect("it listens");
    stream.write_all(&bytes[..bytes.len() / 2]).expect("sent");
    door.until(|door| door.at_work() == 1);
    run_json(&door.place, ["publisher", "token", "revoke", &door.token_id]);
    stream.write_all(&bytes[bytes.len() / 2..]).expect("sent");
    let refused = super::client::Response::read(&mut stream).expect("an answer");
    assert_eq!((refused.status, entries(&door.place, "nfl")), (401, 0), "{refused:?}");
}

#[test]
fn a_token_ends_when_it_is_revoked_or_expires_while_the_door_is_open() {
    let door = Door::open();
    let request = door.release("nfl?dry_run=true", &tar_of(&fixture(RELEASE)));
    assert_eq!(door.send(&request).status, 200);
    run_json(&door.place, ["publisher", "token", "revoke", &door.token_id]);
    let revoked = door.send(&request);
    assert_eq!((revoked.status, revoked.header("www-authenticate").as_deref()), (401, Some("Bearer")));
    assert!(revoked.body.contains("was revoked"), "{revoked:?}");
    let words = ["publisher", "token", "create", "--league", "nfl", "--name", "short", "--expires", "1s"];
    let short = run_json(&door.place, words)["token"].as_str().expect("a token").to_owned();
    thread::sleep(Duration::from_millis(1100));
    let expired = door.send(&request.clone().with("Authorization", &format!("Bearer {short}")));
    assert!(expired.status == 401 && expired.body.contains("expired at"), "{expired:?}");
    for (header, expected) in [
        ("Bearer sk_publish_guess", "60 characters"),
        ("Basic abc", "send `Authorization: Bearer`"),
        ("Bearer sk_service_0000000000000000000000000000000000000000000000000", "starts with sk_publish_"),
    ] {
        let refused = door.send(&request.clone().with("Authorization", header));
        assert!(refused.status == 401 && refused.body.contains(expected), "{refused:?}");
    }
    let mut without = request;
    without.headers.clear();
    assert!(door.send(&without).body.contains("a token is needed"));
    for words in [
        vec!["publisher", "token", "create", "--league", "nfl", "--name", "long", "--expires", "2y"],
        vec!["publisher", "token", "create", "--name", "nowhere"],
        vec!["publisher", "token", "create", "--league", "nfl", "--name", "x", "--can", "everything"],
        vec!["publisher", "token", "revoke", "tok_none"],
    ] {
        assert_eq!(run(&door.place, &words).code, Some(2), "{words:?}");
    }
}

#[test]
fn uses_are_listed_and_secrets_are_kept_from_others() {
    let door = Door::open();
    door.send(&door.release("nfl", &tar_of(&fixture(RELEASE))));
    door.send(&door.release("nfl", b"nothing").with("X-Forwarded-For", "198.51.100.7"));
    let listed = run_json(&door.place, ["publisher", "token", "list"]);
    assert_eq!(
        (&listed["tokens"][0]["uses"], &listed["tokens"][0]["last_used_from"]),
        (&2.into(), &"127.0.0.1".into())
    );
    let log = run_json(&door.place, ["publisher", "log", "--token", &door.token_id]);
    let statuses: Vec<_> =
        log["uploads"].as_array().expect("a list").iter().map(|entry| entry["status"].as_u64()).collect();
    assert_eq!(statuses, [Some(200), Some(422)]);
    assert!(log["uploads"][0]["release_id"].as_str().is_some());
    assert_eq!(
        run_json(&door.place, ["publisher", "log", "--token", "tok_x"])["uploads"].as_array().map(Vec::len),
        Some(0)
    );
    let folder = door.place.path().join("door");
    for name in ["publisher-tokens.toml", "publisher-log.ndjson"] {
        let path = folder.join(name);
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600, "{name}");
        assert!(!fs::read_to_string(&path).expect("text").contains(&door.token));
    }
}

/// A proxy that is trusted tells the address of its client.
#[test]
fn the_log_has_the_address_behind_a_trusted_proxy() {
    let door = Door::open().behind_a_proxy();
    let forwarded = door.release("nfl", b"nothing").with("X-Forwarded-For", "198.51.100.7, 203.0.113.9");
    door.send(&forwarded);
    let log = run_json(&door.place, ["publisher", "log"]);
    assert_eq!(log["uploads"][0]["address"], "203.0.113.9");
}

#[test]
fn guesses_never_lock_out_a_right_token() {
    let door = Door::open();
    let (address, guess) = (door.address(), door.release("nfl", b"").with("Authorization", "Bearer sk_publish_guess"));
    let guessing: Vec<_> = (0..4)
        .map(|_| {
            let (address, guess) = (address.clone(), guess.clone());
            thread::spawn(move || {
                (0..200).filter(|_| send(&address, &guess).is_some_and(|answer| answer.status == 401)).count()
            })
        })
        .collect();
    let request = door.release("nfl?dry_run=true", &tar_of(&fixture(RELEASE)));
    for _ in 0..10 {
        assert_eq!(door.send(&request).status, 200);
    }
    assert_eq!(guessing.into_iter().map(|guesses| guesses.join().expect("no panic")).sum::<usize>(), 800);
}
