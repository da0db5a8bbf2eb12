//! The database and the store of a command, and the commands of an operator beside the service.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sports_testkit::programs::{TestFolder, fixture};
use sports_testkit::services::{Postgres, installed};

use crate::support::{Completed, run, run_json};

const CREATE: [&str; 6] = ["customer", "create", "--email", "ann@example.com", "--name", "Ann"];

/// Creates a place without addresses in the environment, with a configuration file.
fn configured(text: &str) -> (TestFolder, PathBuf) {
    let place = TestFolder::fresh();
    let file = place.path().join("sports.toml");
    fs::write(&file, text.replace("HERE", &place.path().display().to_string())).expect("written");
    (place, file)
}

/// Runs a program with only the file, in the folder of the place.
fn run_with_file_only(place: &TestFolder, file: &Path, program: &str, arguments: &[&str]) -> Completed {
    let mut command = place.program(program, arguments);
    command.arg("--config").arg(file).current_dir(place.path());
    command.env_remove("SPORTS_DATABASE__URL").env_remove("SPORTS_STORE__URL");
    command.output().expect("it runs").into()
}

#[test]
fn a_configuration_file_without_places_opens_nothing() {
    let (place, file) = configured("[store]\nurl = 'file:HERE/store'\n");
    let before = fs::read_dir(place.path()).expect("a folder").count();
    let refused = "sports.toml does not set `database.url`: set it there, or with SPORTS_DATABASE__URL or --database; ";
    for (program, arguments) in [
        ("sportsctl", &CREATE[..]),
        ("sportsctl", &["migrate"]),
        ("sports-api", &["serve"]),
        ("sports-api", &["config"]),
    ] {
        let output = run_with_file_only(&place, &file, program, arguments);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{output:?}");
        assert!(output.err.contains(refused), "{output:?}");
    }
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), before, "nothing was made");
    // A publisher needs no database.
    let release = fixture("nfl-2023-week-18/release");
    let output = run_with_file_only(&place, &file, "sportsctl", &["publish", release.to_str().expect("text")]);
    assert_eq!(output.code, Some(0), "{output:?}");

    let (place, file) = configured("[database]\nurl = 'sqlite:HERE/sports.db'\n");
    let output = run_with_file_only(&place, &file, "sportsctl", &["publish", release.to_str().expect("text")]);
    assert!(output.code == Some(2) && output.err.contains("does not set `store.url`: "), "{output:?}");
    let output = run_with_file_only(&place, &file, "sportsctl", &CREATE);
    assert_eq!(output.code, Some(0), "{output:?}");
}

#[test]
fn a_writing_command_names_the_database_and_store_it_opened() {
    let place = TestFolder::fresh();
    let database = format!("sqlite:{}", place.path().join("sports.db").display());
    let store = format!("file:{}", place.store().display());
    let output = run(&place, CREATE);
    assert_eq!(
        (output.places.as_str(), output.err.as_str()),
        (format!("database: {database}\n").as_str(), ""),
        "{output:?}"
    );
    let id = output.out.split_whitespace().next().expect("an id").to_owned();
    let issued = run_json(&place, ["key", "issue", "--customer", &id, "--name", "first"]);
    assert_eq!((&issued["database"], &issued["store"]), (&Value::from(database.clone()), &Value::Null));
    let release = fixture("nfl-2023-week-18/release");
    let published = run(&place, ["publish", release.to_str().expect("text")]);
    assert_eq!(published.places, format!("store: {store}\n"), "{published:?}");
    fs::write(place.path().join("nfl.csv"), "a,b\n").expect("written");
    let file = place.path().join("nfl.csv").display().to_string();
    let added = run_json(&place, ["dataset", "add", "odds", "nfl", &file]);
    assert_eq!((&added["database"], &added["store"]), (&database.clone().into(), &store.into()));
    let failed = run(&place, ["key", "issue", "--customer", "cus_v1vasdk1d8s9c0dr", "--name", "x"]);
    assert!(failed.code != Some(0) && failed.places.contains(&database), "{failed:?}");
    for reading in [&["customer", "list"][..], &["verify"], &["releases", "nfl"], &["template", "odds"]] {
        let output = run(&place, reading);
        assert_eq!((output.code, output.places.as_str()), (Some(0), ""), "{output:?}");
    }
}

#[test]
fn the_named_database_is_printed_without_its_password() {
    let Some(address) = Postgres::database() else { return };
    let place = TestFolder::fresh().with("SPORTS_DATABASE__URL", address.clone());
    let (host, _) = address.rsplit_once('/').expect("a name");
    let host = host.rsplit('@').next().expect("a host");
    let migrated = run(&place, ["migrate"]);
    assert!(migrated.places.starts_with("database: postgres") && migrated.places.contains(host), "{migrated:?}");
    let copied = TestFolder::fresh();
    let _ = copied.ctl(CREATE);
    let from = format!("sqlite:{}", copied.path().join("sports.db").display());
    let output = run(&copied, ["accounts", "copy", "--from", &from, "--to", &address]);
    assert!(output.places.starts_with("database: postgres") && output.places.contains(host), "{output:?}");
    for output in [migrated, output] {
        assert!(!output.places.contains("not-a-secret") && output.places.contains("*****@"), "{output:?}");
    }
}

#[test]
fn variables_of_a_kubernetes_service_stop_no_program() {
    let place = TestFolder::fresh();
    for program in ["sportsctl", "sports-api"] {
        let argument = if program == "sportsctl" { "migrate" } else { "config" };
        let mut command = place.program(program, [argument]);
        command.env("SPORTS_DATABASE_SERVICE_HOST", "10.0.0.7").env("SPORTS_DATABASE_PORT", "tcp://10.0.0.7:5432");
        command.env("SPORTS_DATABASE_PORT_5432_TCP_ADDR", "10.0.0.7").env("SPORTS_HTTP_SERVICE_PORT_WEB", "80");
        let output = Completed::from(command.output().expect("it runs"));
        assert_eq!(output.code, Some(0), "{output:?}");
        assert!(
            output.err.contains("warning: ") && output.err.contains("SPORTS_DATABASE_PORT_5432_TCP_ADDR"),
            "{output:?}"
        );
    }
}

/// The commands of the deployment page, on folders of the test.
#[test]
fn sports_admin_uses_the_secrets_database_as_the_services_user() {
    if installed("setpriv", &[]).is_none() || !is_root() {
        return eprintln!("skipped: only root becomes another user");
    }
    let place = TestFolder::fresh();
    let folder = place.path();
    let at = |name: &str| folder.join(name);
    fs::set_permissions(folder, Permissions::from_mode(0o755)).expect("open to others");
    fs::create_dir(at("lib")).expect("a folder");
    std::os::unix::fs::chown(at("lib"), Some(NOBODY), Some(NOBODY)).expect("given away");
    // A child copies it: a process that another test starts meanwhile must not have it open for writing.
    let sportsctl = place.program::<&str>("sportsctl", []).get_program().to_owned();
    assert!(Command::new("cp").arg(sportsctl).arg(at("sportsctl")).status().expect("it runs").success());
    fs::write(at("sports.toml"), "[store]\nurl = 'file:./store'\n").expect("written");
    let database = format!("{}/lib/a $HOME&b.db", folder.display());
    let secrets = format!("# A comment\n\nSPORTS_DATABASE__URL=sqlite:{database}\nAWS_SECRET_ACCESS_KEY='a;b'\n");
    fs::write(at("secrets.env"), secrets).expect("written");
    fs::set_permissions(at("secrets.env"), Permissions::from_mode(0o600)).expect("for root alone");
    install_sports_admin(folder);
    let sh = |arguments: &[&str]| {
        let mut command = Command::new("sh");
        command.arg(at("sports-admin")).args(arguments).env_remove("SPORTS_DATABASE__URL").current_dir("/");
        Completed::from(command.output().expect("it runs"))
    };
    let created = sh(&CREATE);
    assert_eq!(created.code, Some(0), "{created:?}");
    assert!(created.places.contains(&format!("database: sqlite:{database}")), "{created:?}");
    assert_eq!(fs::metadata(&database).expect("the database").uid(), NOBODY);
    assert!(sh(&["customer", "list"]).out.contains("ann@example.com"));
    // Without the secrets, the same user has no database, and creates none.
    let mut bare = Command::new("setpriv");
    bare.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(at("sportsctl"));
    bare.args(["--config"])
        .arg(at("sports.toml"))
        .args(CREATE)
        .current_dir(at("lib"))
        .env_remove("SPORTS_DATABASE__URL");
    let refused = Completed::from(bare.output().expect("it runs"));
    assert!(refused.code == Some(2) && refused.err.contains("does not set `database.url`"), "{refused:?}");
}

/// Writes `sports-admin` to a folder, with all its places there, and with nobody as the user of the service.
fn install_sports_admin(folder: &Path) {
    let name = folder.display().to_string();
    let sample = deployed("sports-admin")
        .replace("/etc/sports", &name)
        .replace("/var/lib/sports", &format!("{name}/lib"))
        .replace("/usr/local/bin", &name)
        .replace("--reuid=sports --regid=sports --init-groups", "--reuid=nobody --regid=nogroup --clear-groups");
    fs::write(folder.join("sports-admin"), sample).expect("written");
}

/// Files of variables, and the variables that systemd reads in each, by the table of its reader's states.
const SECRETS: [(&str, &[(&str, &str)]); 12] = [
    ("A=1\nB=two words\n", &[("A", "1"), ("B", "two words")]),
    ("  A = 1 \t\n\tB\t=\t2", &[("A", "1"), ("B", "2")]),
    (
        "A='a;b #c\\d \"e\"' \nB=\"it's \\\"so\\\" \\$1 \\`x\\` \\\\ \\n\"\n",
        &[("A", "a;b #c\\d \"e\""), ("B", "it's \"so\" $1 `x` \\ \\n")],
    ),
    ("A=a\\ \\\"b\\\\c\\'\nB=x\"y\"'z'\n", &[("A", "a \"b\\c'"), ("B", "x\"y\"'z'")]),
    ("A=one\\\ntwo\nB=\"one\\\ntwo\"\nC='one\\\ntwo'\n", &[("A", "onetwo"), ("B", "onetwo"), ("C", "one\\\ntwo")]),
    ("A=\"first\nsecond\"\nB=1\n", &[("A", "first\nsecond"), ("B", "1")]),
    ("A='a' \"b\" c\n", &[("A", "abc")]),
    ("# A=1\n ; B=2\n\nC=3 # no comment\nD=;4\n", &[("C", "3 # no comment"), ("D", ";4")]),
    ("A=1\r\nB='2'\r\n", &[("A", "1"), ("B", "2")]),
    ("A=\nB=''\nC= \nA=last", &[("A", "last"), ("B", ""), ("C", "")]),
    ("export A=1\nA-B=2\n1A=3\nno assignment\n=4\nB=5\n", &[("B", "5")]),
    (
        "A=$HOME $(id) `id` %h & * ~ !\nsecrets=/other\nconfig=c\n",
        &[("A", "$HOME $(id) `id` %h & * ~ !"), ("config", "c"), ("secrets", "/other")],
    ),
];

/// Reads variables as `env -0` prints them, without those of the shell and of systemd.
fn printed_variables(output: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8(output.to_vec()).expect("UTF-8");
    let all = text.split_terminator('\0').map(|line| line.split_once('=').expect("an assignment"));
    let ours = all.filter(|(name, _)| ["A", "B", "C", "D", "secrets", "config"].contains(name));
    let mut variables: Vec<_> = ours.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    variables.sort();
    variables
}

#[test]
fn sports_admin_reads_the_secrets_as_systemd_reads_them_for_the_service() {
    if installed("setpriv", &[]).is_none() || !is_root() {
        return eprintln!("skipped: only root becomes another user");
    }
    let place = TestFolder::fresh();
    let folder = place.path();
    fs::set_permissions(folder, Permissions::from_mode(0o755)).expect("open to others");
    fs::create_dir(folder.join("lib")).expect("a folder");
    let program = folder.join("sportsctl");
    let config = folder.join("sports.toml").display().to_string();
    fs::write(&program, format!("#!/bin/sh\n[ \"$*\" = \"--config {config} list\" ] && exec env -0\n"))
        .expect("written");
    fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("a program");
    install_sports_admin(folder);
    let secrets = folder.join("secrets.env");
    let admin = || {
        let mut command = Command::new("sh");
        command.env_clear().env("PATH", std::env::var_os("PATH").expect("a path"));
        command.arg(folder.join("sports-admin")).arg("list").output().expect("it runs")
    };
    let has_systemd = Path::new("/run/systemd/system").exists() && installed("systemd-run", &[]).is_some();
    for (file, expected) in SECRETS {
        fs::write(&secrets, file).expect("written");
        let output = admin();
        assert!(output.status.success(), "{file:?}: {output:?}");
        let expected: Vec<_> = expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        assert_eq!(printed_variables(&output.stdout), expected, "{file:?}");
        if has_systemd {
            let file = format!("--property=EnvironmentFile={}", secrets.display());
            let arguments = ["--quiet", "--wait", "--pipe", "--collect", &file, "env", "-0"];
            let output = Command::new("systemd-run").args(arguments).output().expect("it runs");
            assert_eq!(printed_variables(&output.stdout), expected, "systemd: {file:?}");
        }
    }
    fs::write(&secrets, b"A=\xff\n").expect("written");
    let output = admin();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not in UTF-8"), "{output:?}");
}

#[test]
fn the_sample_settings_of_the_unit_are_good_and_complete() {
    let (place, file) = configured(&deployed("sports.toml"));
    let output = run_with_file_only(&place, &file, "sports-api", &["config"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.out.contains("url = \"sqlite:/var/lib/sports/sports.db\""), "{output:?}");
}

/// The user and the group id of nobody.
const NOBODY: u32 = 65534;

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

fn deployed(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/systemd").join(name);
    fs::read_to_string(file).expect("a file of the deployment")
}
