//! An upload is published once, however often it is sent and whenever the door is killed.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::json;
use sports_testkit::programs::fixture;

use super::MORNING;
use super::client::{Door, Request, Response, send, tar_of};
use crate::support::{edited, entries, releases, verified};

const SLATE: &str = "nfl-2023-week-18-slate/release";

/// A slate whose odds were read at another time, with another total.
fn slate_as_of(door: &Door, minutes: &str) -> Vec<u8> {
    let at = "2024-01-06T14:30:00Z";
    let folder = edited(&door.place, &fixture(SLATE), ("release.json", at, &format!("2024-01-06T14:{minutes}:00Z")));
    tar_of(&folder)
}

#[test]
fn a_repeated_upload_answers_as_the_first_did_whatever_was_published_since() {
    let door = Door::open_with(&MORNING);
    let noon = door.release("nfl", &slate_as_of(&door, "31")).keyed("noon");
    let first = door.send(&noon);
    assert_eq!((first.status, first.header("idempotency-replayed")), (200, None), "{first:?}");
    let later = door.send(&door.release("nfl", &slate_as_of(&door, "40")));
    assert_eq!(later.json()["generation"], 2, "{later:?}");
    let replayed = |door: &Door| {
        let again = door.send(&noon);
        assert_eq!((again.status, again.header("idempotency-replayed").as_deref()), (200, Some("true")), "{again:?}");
        assert_eq!(entries(&door.place, "nfl"), 2);
        again.json()
    };
    assert_eq!(replayed(&door), first.json());
    // Without a key, the content is the key.
    let plain = door.release("nfl", &slate_as_of(&door, "40"));
    assert_eq!(door.send(&plain).json(), later.json());
    let other = door.send(&door.release("nfl", &slate_as_of(&door, "40")).keyed("noon"));
    assert!(other.status == 422 && other.body.contains("sent with other content"), "{other:?}");
    let parameters = door.send(&door.release("nfl?strict=true", &slate_as_of(&door, "31")).keyed("noon"));
    assert_eq!(parameters.status, 422, "other parameters: {parameters:?}");
    let door = door.reopened_with(&MORNING);
    assert_eq!(replayed(&door), first.json());
    // Killed between the entry and the answer: the entry alone tells what was published.
    fs::remove_dir_all(door.place.path().join("door/received/answers")).expect("removed");
    let door = door.reopened_with(&MORNING);
    let rebuilt = replayed(&door);
    for field in ["outcome", "sport", "generation", "release_id", "head"] {
        assert_eq!(rebuilt[field], first.json()[field], "{field}");
    }
    // Neither a parameter that is spelled out nor another order of the files makes it another upload.
    let spelled = Request { path: "/v1/releases/nfl?dry_run=false&strict=false".to_owned(), ..noon.clone() };
    assert_eq!(door.send(&spelled).header("idempotency-replayed").as_deref(), Some("true"));
    let door = door.reopened_with(&["--as-of", "2024-01-14T15:00:00Z"]);
    let older = door.send(&noon);
    assert!(older.status == 409 && older.body.contains("older: odds"), "after seven days it is an upload: {older:?}");
}

/// A record that was set up anew lacks what an answer says is on it.
#[test]
fn an_answer_of_another_record_is_not_repeated() {
    let door = Door::open();
    let request = door.release("nfl", &tar_of(&fixture("nfl-2023-week-18/release"))).keyed("one");
    let first = door.send(&request).json();
    fs::remove_dir_all(door.place.store()).expect("removed");
    let door = door.reopened();
    let again = door.send(&request);
    assert_eq!((again.status, again.header("idempotency-replayed"), entries(&door.place, "nfl")), (200, None, 1));
    assert_ne!(again.json()["head"], first["head"]);
}

/// A release that may take much memory is published by a process of its own, with the same report.
#[test]
fn a_large_release_is_published_as_a_small_one() {
    let (door, other) = (Door::open(), Door::open());
    let release = fixture("nfl-2023-week-18/release");
    let small = door.send(&door.release("nfl", &tar_of(&release))).json();
    let padded = other.place.path().join("padded");
    sports_testkit::programs::copy_folder(&release, &padded);
    // A file that is passed over counts.
    fs::write(padded.join("README.md"), vec![b'x'; 2 << 20]).expect("written");
    let large = other.send(&other.release("nfl", &tar_of(&padded))).json();
    assert_eq!(
        (&large["seasons"], &large["report"], &large["outcome"]),
        (&small["seasons"], &small["report"], &small["outcome"])
    );
    let broken = other.place.path().join("broken");
    sports_testkit::programs::copy_folder(&fixture("broken/bad-date/release"), &broken);
    fs::write(broken.join("README.md"), vec![b'x'; 2 << 20]).expect("written");
    let refused = other.send(&other.release("nfl", &tar_of(&broken)));
    assert_eq!(refused.status, 422, "{refused:?}");
    assert!(refused.json()["total"].as_u64().is_some_and(|total| total > 0), "{refused:?}");
}

#[test]
fn refusals_and_rehearsals_are_not_remembered() {
    let door = Door::open_with(&MORNING);
    let request = door.release("nfl", &slate_as_of(&door, "31")).keyed("one");
    let mut rehearsal = request.clone();
    "/v1/releases/nfl?dry_run=true".clone_into(&mut rehearsal.path);
    assert_eq!(door.send(&rehearsal).json()["outcome"], "would_be");
    let broken = door.release("nfl", &tar_of(&fixture("broken/bad-date/release"))).keyed("one");
    assert_eq!(door.send(&broken).status, 422);
    assert_eq!(door.send(&request).json()["outcome"], "on_air");
}

#[test]
fn what_is_older_than_the_record_is_refused_unless_it_is_allowed() {
    let door = Door::open_with(&MORNING);
    assert_eq!(door.send(&door.release("nfl", &slate_as_of(&door, "40"))).status, 200);
    let older = slate_as_of(&door, "35");
    for path in ["nfl", "nfl?dry_run=true"] {
        let refused = door.send(&door.release(path, &older));
        assert_eq!(refused.status, 409, "{refused:?}");
        let detail = refused.json()["detail"].as_str().expect("text").to_owned();
        let expected = "older: odds as of 2024-01-06T14:35:00Z, and those on record are as of 2024-01-06T14:40:00Z";
        assert!(detail.starts_with(expected), "{detail}");
    }
    assert_eq!(door.send(&door.release("nfl?allow=older", &older)).json()["generation"], 2);
}

#[test]
fn of_eight_uploads_on_one_head_one_is_published() {
    let door = Door::open_with(&MORNING);
    let first = |door: &Door| door.release("nfl", &slate_as_of(door, "20")).with("If-None-Match", "*");
    let head = door.send(&first(&door)).json()["head"].as_str().expect("a head").to_owned();
    let repeated = door.send(&first(&door).keyed("another"));
    assert_eq!(repeated.status, 412, "{repeated:?}");
    let requests: Vec<_> = (30..38)
        .map(|minute| {
            door.release("nfl", &slate_as_of(&door, &minute.to_string())).with("If-Match", &format!("\"{head}\""))
        })
        .collect();
    let address = door.address();
    let sent = requests.into_iter().map(|request| {
        let address = address.clone();
        thread::spawn(move || send(&address, &request).expect("an answer").status)
    });
    let mut statuses: Vec<_> =
        sent.collect::<Vec<_>>().into_iter().map(|sent| sent.join().expect("no panic")).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [&[200][..], &[412; 7]].concat());
    assert_eq!(entries(&door.place, "nfl"), 2);
    for wrong in ["abc", "*", &head] {
        let refused = door.send(&door.release("nfl", &slate_as_of(&door, "45")).with("If-Match", wrong));
        assert!(refused.status == 400 && refused.body.contains("in quotation marks"), "{refused:?}");
    }
}

#[test]
fn an_upload_that_has_begun_is_answered_before_the_door_closes() {
    use std::io::Write as _;
    let door = Door::open_with(&MORNING);
    let bytes = door.release("nfl", &slate_as_of(&door, "31")).bytes();
    let mut stream = TcpStream::connect(door.address()).expect("it listens");
    let (begin, rest) = bytes.split_at(bytes.len() / 2);
    stream.write_all(begin).expect("sent");
    door.until(|door| door.at_work() == 1);
    door.server().signal("TERM");
    thread::sleep(Duration::from_millis(300));
    stream.write_all(rest).expect("sent");
    let answer = Response::read(&mut stream).expect("an answer");
    assert_eq!((answer.status, answer.json()["outcome"].as_str()), (200, Some("on_air")), "{answer:?}");
    assert!(door.stop("TERM").success());
}

#[test]
fn uploads_of_a_killed_door_go_at_its_next_start() {
    use std::io::Write as _;
    let door = Door::open();
    let mut stream = TcpStream::connect(door.address()).expect("it listens");
    let bytes = door.release("nfl", &tar_of(&fixture(SLATE))).bytes();
    stream.write_all(&bytes[..bytes.len() / 2]).expect("sent");
    door.until(|door| door.at_work() == 1);
    let door = door.reopened();
    assert_eq!((door.at_work(), entries(&door.place, "nfl")), (0, 0));
    let second = crate::support::run(&door.place, ["receive", "--bind", "127.0.0.1:0"]);
    assert!(second.code == Some(1) && second.err.contains("another door has"), "{second:?}");
}

/// Uploads from many clients at once, each repeated until it is acknowledged, while the door is killed again and again.
#[test]
fn every_acknowledged_upload_is_on_record_once_whatever_is_killed() {
    const UPLOADS: usize = 48;
    let mut door = Door::open();
    let release = fixture("nfl-2023-week-18/release");
    let text = fs::read_to_string(release.join("games/2023-24.csv")).expect("games");
    let folder = door.place.path().join("many");
    let requests: Vec<_> = (0..UPLOADS)
        .map(|number| {
            let folder = folder.join(number.to_string());
            fs::create_dir_all(&folder).expect("a folder");
            sports_testkit::programs::copy_folder(&release, &folder.join("release"));
            // A column of the publisher's own differs in each upload.
            let marked: String = text
                .lines()
                .enumerate()
                .map(|(line, row)| if line == 0 { format!("{row},upload\n") } else { format!("{row},{number}\n") })
                .collect();
            fs::write(folder.join("release/games/2023-24.csv"), marked).expect("written");
            door.release("nfl", &tar_of(&folder.join("release"))).keyed(&format!("upload-{number}"))
        })
        .collect();
    let address = Arc::new(Mutex::new(door.address()));
    let waiting = Arc::new(Mutex::new(requests));
    let clients: Vec<_> = (0..12)
        .map(|_| {
            let (address, waiting) = (Arc::clone(&address), Arc::clone(&waiting));
            thread::spawn(move || {
                let mut acknowledged = Vec::new();
                loop {
                    let Some(request) = waiting.lock().expect("not poisoned").pop() else { return acknowledged };
                    loop {
                        let address = address.lock().expect("not poisoned").clone();
                        match send(&address, &request) {
                            Some(answer) if answer.status == 200 => {
                                acknowledged.push(answer.json()["release_id"].as_str().expect("an id").to_owned());
                                break;
                            }
                            Some(answer) => assert_eq!(answer.status, 503, "{answer:?}"),
                            None => {}
                        }
                        thread::sleep(Duration::from_millis(20));
                    }
                }
            })
        })
        .collect();
    for kill in 1..=4 {
        door.until(|door| entries(&door.place, "nfl") >= kill * UPLOADS / 6);
        door = door.reopened();
        *address.lock().expect("not poisoned") = door.address();
    }
    let acknowledged: Vec<_> = clients.into_iter().flat_map(|client| client.join().expect("no panic")).collect();
    assert_eq!(acknowledged.len(), UPLOADS);
    let recorded = releases(&door.place, "nfl");
    let names: BTreeSet<_> =
        recorded.iter().map(|release| release["release_id"].as_str().expect("an id").to_owned()).collect();
    assert_eq!(acknowledged.into_iter().collect::<BTreeSet<_>>(), names);
    let keys: BTreeSet<_> = recorded.iter().map(|release| release["upload"]["key"].to_string()).collect();
    assert_eq!((recorded.len(), keys.len()), (UPLOADS, UPLOADS));
    assert_eq!(verified(&door.place, "nfl")["entries"], json!(UPLOADS));
}
