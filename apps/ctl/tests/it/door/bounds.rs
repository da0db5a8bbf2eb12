//! Bodies that are too large, too slow, cut off, or no archive.

use std::io::Write as _;
use std::net::TcpStream;

use sports_testkit::programs::fixture;

use super::client::{Door, Response, send, tar_of};
use crate::support::entries;

#[test]
fn a_body_that_is_no_release_publishes_nothing_and_says_what_to_send() {
    let door = Door::open();
    let archive = tar_of(&fixture("nfl-2023-week-18/release"));
    let large = vec![0; (64 << 20) + 1];
    for (request, status, expected) in [
        (door.release("nfl", &archive).with("Content-Type", "text/csv"), 415, "application/x-tar"),
        (door.finals("nfl", b"a").with("Content-Type", "application/x-tar"), 415, "text/csv"),
        (door.release("nfl", &archive[..archive.len() / 3]), 422, "ends too early"),
        (door.release("nfl", &large), 413, "packed: "),
        (door.finals("nfl", &large[..33 << 20]), 413, "finals: "),
        (door.release("cricket", &archive), 404, "cricket"),
        (door.release("nfl?dry_run=1", &archive), 400, "true or false"),
        (door.release("nfl?allow=everything", &archive), 400, "no finding that can be overridden"),
        (door.release("nfl?replace_season=1887", &archive), 400, "1887"),
        (door.release("nfl", &archive).keyed("two words"), 400, "Idempotency-Key"),
        (door.release("nfl", &archive).with("If-None-Match", "\"abc\""), 400, "can only be *"),
        (door.convert("nfl", &[]), 400, "no part `table`"),
    ] {
        let answer = door.send(&request);
        assert_eq!(answer.status, status, "{} {answer:?}", request.path);
        assert!(answer.body.contains(expected), "{} {answer:?}", request.path);
        assert_eq!(answer.json()["error"], format!("HTTP_{status}"));
        assert!(answer.header("date").is_some());
    }
    let form = door.convert("nfl", &[("release", "release.tar", &archive)]);
    let form = door.release("nfl", &form.body).with("Content-Type", "multipart/form-data; boundary=edge");
    assert_eq!(door.send(&form).status, 200, "a form of one archive");
    assert_eq!(entries(&door.place, "nfl"), 1);
}

#[test]
fn eight_uploads_are_received_at_a_time() {
    let door = Door::open();
    let request = door.release("nfl?dry_run=true", &tar_of(&fixture("nfl-2023-week-18/release")));
    let bytes = request.bytes();
    let received = door.place.path().join("door/received");
    let mut slow: Vec<TcpStream> = Vec::new();
    for number in 1..=8 {
        let mut stream = TcpStream::connect(door.address()).expect("it listens");
        stream.write_all(&bytes[..bytes.len() - 10]).expect("sent");
        slow.push(stream);
        door.until(|_| std::fs::read_dir(&received).expect("a folder").count() >= number + 2);
    }
    let ninth = send(&door.address(), &request).expect("an answer");
    assert_eq!((ninth.status, ninth.header("retry-after").as_deref()), (503, Some("1")), "{ninth:?}");
    assert_eq!(door.get("/v1/status/nfl").status, 200);
    for mut stream in slow {
        stream.write_all(&bytes[bytes.len() - 10..]).expect("sent");
        assert_eq!(Response::read(&mut stream).expect("an answer").status, 200);
    }
    assert_eq!(send(&door.address(), &request).expect("an answer").status, 200);
}

/// The method and the operation are those of the path, however it is written.
#[test]
fn a_path_with_percent_signs_is_the_same_operation() {
    let door = Door::open();
    let table = crate::convert_tables::GAMES.as_bytes();
    let form = door.convert("nfl?preset=nflverse&season=2021-22", &[("table", "games.csv", table)]);
    let sly = super::client::Request {
        method: "GET".to_owned(),
        path: form.path.replace("convert", "st%61tus"),
        ..form.clone()
    };
    assert_eq!((door.send(&sly).status, entries(&door.place, "nfl")), (400, 0));
    let archive = tar_of(&fixture("nfl-2023-week-18/release"));
    let release = door.release("nfl", &archive);
    let spelled = super::client::Request { path: "/v1/rel%65ases/nfl".to_owned(), ..release };
    assert_eq!(door.send(&spelled).status, 200);
}

#[test]
fn what_did_not_arrive_whole_is_in_the_log() {
    let door = Door::open();
    let bytes = door.release("nfl", &tar_of(&fixture("nfl-2023-week-18/release"))).bytes();
    let mut stream = TcpStream::connect(door.address()).expect("it listens");
    stream.write_all(&bytes[..bytes.len() - 10]).expect("sent");
    door.until(|door| door.at_work() == 1);
    drop(stream);
    let uploads = |door: &Door| crate::support::run_json(&door.place, ["publisher", "log"])["uploads"].clone();
    door.until(|door| uploads(door).as_array().is_some_and(|uploads| uploads.len() == 1));
    let logged = &uploads(&door)[0];
    assert_eq!(logged["status"], 400);
    assert!(logged["received"].as_u64().is_some_and(|received| received > 1000), "{logged}");
}

#[test]
fn a_release_may_leave_out_its_league() {
    let door = Door::open();
    let from = fixture("nfl-2023-week-18/release");
    let manifest = std::fs::read_to_string(from.join("release.json")).expect("a manifest");
    let line = manifest.lines().find(|line| line.contains("\"sport\"")).expect("a league").to_owned();
    let folder = crate::support::edited(&door.place, &from, ("release.json", &line, ""));
    let answer = door.send(&door.release("nfl", &tar_of(&folder)));
    assert_eq!(answer.status, 200, "{answer:?}");
}
