use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use super::recording::{Recording, unknown_key};
use crate::folder::Folder;
use crate::service::Site;

/// Runs a command to its end, with any exit code, and returns both of its streams.
fn run(mut command: Command, input: &str) -> [String; 2] {
    let streams = command.env("RUST_LOG", "trace").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = streams.spawn().expect("sportsctl runs");
    // A command that does not read its input may end before it is written.
    let _ = running.stdin.take().expect("piped").write_all(input.as_bytes());
    let Output { stdout, stderr, .. } = running.wait_with_output().expect("it ends");
    [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("text"))
}

#[test]
fn sportsctl_shows_a_key_when_it_is_issued_and_never_again() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let (id, first) = site.customer("ann@example.com", "ai");
    let unknown = unknown_key();
    let file = site.place.path().join("nfl.csv");
    fs::write(&file, "a,b\n").expect("written");
    let file = file.to_str().expect("text");
    let (mut recording, mut keys) = (Recording::default(), vec![first, unknown.clone()]);

    for json in [false, true] {
        let run = |line: &str, input: &str| {
            let words = line.split(' ').chain(json.then_some("--json"));
            run(site.place.sportsctl(words), input)
        };
        let mut issue = |name: &str| {
            let [issued, warned] = run(&format!("key issue --customer {id} --name {name}"), "");
            let from = issued.find("sk_service_").expect("a key");
            let key: String = issued[from..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            recording.note(issued.replacen(&key, "", 1));
            recording.note(warned);
            keys.push(key.clone());
            key
        };
        let (named, piped, masked) = (issue("named"), issue("piped"), issue("masked"));
        let mask = format!("{}*****", &masked[.."sk_service_".len() + 4]);
        let lines = [
            format!("key list --customer {id}"),
            format!("key revoke {named}"),
            "key revoke -".to_owned(),
            format!("key revoke {mask} --customer {id}"),
            format!("key list --customer {id}"),
            format!("customer create --email other{json}@example.com --name Other --plan none"),
            "customer list".to_owned(),
            format!("customer show {id}"),
            format!("customer plan {id} premium"),
            format!("customer usage {id}"),
            format!("dataset add odds nfl {file}"),
            "dataset list".to_owned(),
            "dataset verify".to_owned(),
            format!("entitlement grant --customer {id} --product odds --sport nfl"),
            format!("entitlement list --customer {id}"),
            format!("entitlement revoke --customer {id} --product odds --sport nfl"),
            "dataset remove odds nfl".to_owned(),
            "migrate".to_owned(),
            "verify".to_owned(),
            "releases nfl".to_owned(),
        ];
        for line in &lines {
            let [printed, warned] = run(line, &piped);
            assert!(!printed.is_empty(), "`sportsctl {line}` failed: {warned}");
            recording.note(printed);
            recording.note(warned);
        }
        // A key of no customer, or a key as the wrong argument.
        for line in [
            "key revoke KEY",
            "key revoke KEY --customer ID",
            "key revoke",
            "key revoke -",
            "key revokeKEY",
            "key list --customer KEY",
            "key issue --customer KEY --name KEY",
            "key issue --customer ID --name new --expires KEY",
            "customer show KEY",
            "customer plan ID KEY",
            "customer usage KEY",
            "customer create --email KEY --name KEY",
            "dataset add KEY nfl KEY",
            "dataset remove odds KEY",
            "entitlement grant --customer KEY --product KEY --sport KEY",
            "entitlement revoke --customer ID --product odds --sport KEY",
            "publish KEY",
            "KEY",
        ] {
            let [printed, warned] = run(&line.replace("KEY", &unknown).replace("ID", &id), &unknown);
            assert!(printed.is_empty() != warned.is_empty(), "`sportsctl {line}` reports the error");
            recording.note(printed);
            recording.note(warned);
        }
    }
    // A key in a release, and in the server's settings.
    let folder = Folder::copy_of("nfl-2023-week-18")
        .replace("release.json", "\"nfl\"", &format!("\"{unknown}\""))
        .replace("probabilities/won_on_points/2023-24.csv", "0.5661", &unknown);
    let release = folder.path().to_str().expect("text");
    for words in [&["publish", release][..], &["publish", release, "--json"]] {
        let [printed, warned] = run(site.place.sportsctl(words), "");
        assert!(printed.is_empty() != warned.is_empty(), "the release is refused");
        recording.note(printed);
        recording.note(warned);
    }
    let server = |words: &[&str], url: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sports-api"));
        command.env("SPORTS_HTTP__PUBLIC_URL", url).args(words).current_dir(site.place.path());
        run(command, "")
    };
    for text in server(&[&unknown], "").into_iter().chain(server(&["config"], &unknown)) {
        recording.note(text);
    }
    recording.read_files(site.place.path());
    recording.assert_without(&keys);
}
