//! Tests of the precedence of sources and of the messages about invalid ones.

use std::error::Error;
use std::fs;

use sports_domain::is_hidden;
use sports_program::settings::{Flag, Settings, Sources};

fn with_file(text: &str) -> (tempfile::TempDir, Sources) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.toml");
    fs::write(&file, text).expect("written");
    (folder, Sources { file: Some(file), ..Sources::default() })
}

fn variable(name: &str, value: &str) -> (std::ffi::OsString, std::ffi::OsString) {
    (name.into(), value.into())
}

#[test]
fn flags_win_over_the_environment_and_the_environment_over_the_file() {
    let (_folder, mut sources) = with_file(
        "[http]\nbind = '127.0.0.1:1'\nworkers = 4\npublic_url = 'https://a.example'\n[clock]\nas_of = 2024-11-24T15:00:00Z\n",
    );
    sources.environment =
        vec![variable("SPORTS_HTTP__BIND", "127.0.0.1:2"), variable("SPORTS_HTTP__PUBLIC_URL", "https://b.example")];
    sources.flags = vec![Flag { name: "--bind", key: "http.bind", value: "127.0.0.1:3".to_owned() }];
    let settings = Settings::load(&sources).expect("good settings");
    assert_eq!(settings.http.bind.to_string(), "127.0.0.1:3");
    assert_eq!(settings.http.public_url.expect("set").as_str(), "https://b.example");
    assert_eq!(settings.http.workers.expect("set").get(), 4);
    assert_eq!(settings.clock.as_of.expect("set").to_rfc3339(), "2024-11-24T15:00:00+00:00");
}

#[test]
fn variables_that_are_not_ours_are_left_alone() {
    let environment = ["SPORTS_REAL_DATA", "SPORTS_PYTHON", "SPORTS_HTTPD", "SPORTS_", "SPORTSMAN__HTTP", "PATH"];
    let environment = environment.map(|name| variable(name, "x")).into();
    let sources = Sources { environment, ..Sources::default() };
    assert_eq!(Settings::load(&sources).expect("nothing set"), Settings::default());
}

#[test]
fn a_variable_that_is_nearly_a_settings_is_refused_with_the_one_that_was_meant() {
    let table = [
        ("SPORTS_HTTP_BIND", "SPORTS_HTTP__BIND"),
        ("SPORTS_Http_Public_Url", "SPORTS_HTTP__PUBLIC_URL"),
        ("SPORTS_STORE_POLL_INTERVAL", "SPORTS_STORE__POLL_INTERVAL"),
        ("SPORTS_HTTPBIND", "SPORTS_HTTP__BIND"),
        ("sports_http_bind", "SPORTS_HTTP__BIND"),
        ("sports_http__public_url", "SPORTS_HTTP__PUBLIC_URL"),
        ("SPORTS_STORE", "SPORTS_STORE__URL or SPORTS_STORE__POLL_INTERVAL"),
        ("SPORTS_MEMORY_SEASONS", "SPORTS_MEMORY__ARCHIVES"),
    ];
    for (name, meant) in table {
        let sources = Sources { environment: vec![variable(name, "x")], ..Sources::default() };
        let message = Settings::load(&sources).expect_err(name).to_string();
        assert_eq!(message, format!("environment variable {name} is not a setting; did you mean {meant}?"));
    }
}

#[test]
fn a_misspelt_setting_is_refused_with_the_one_that_is_near() {
    let table = [
        ("SPORTS_HTTP__BNID", "http.bnid", Some("SPORTS_HTTP__BIND")),
        ("SPORTS_HTTP___BIND", "http._bind", Some("SPORTS_HTTP__BIND")),
        ("SPORTS_HTTP_PUBLIC__URL", "http_public.url", Some("SPORTS_HTTP__PUBLIC_URL")),
        ("SPORTS_HTTP__CERTIFICATE", "http.certificate", None),
    ];
    for (name, key, near) in table {
        let sources = Sources { environment: vec![variable(name, "x")], ..Sources::default() };
        let message = Settings::load(&sources).expect_err(name).to_string();
        let meant = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        let start =
            format!("environment variable {name}: `{key}` is not a setting; {meant}known settings: http.bind, ");
        assert!(message.starts_with(&start), "{message}");
    }
    let (_folder, sources) = with_file("[http]\nbnid = 1\n");
    let message = Settings::load(&sources).expect_err("misspelt").to_string();
    assert!(message.contains("is not a setting; did you mean `http.bind`? known settings:"), "{message}");
}

#[test]
fn open_records_are_a_table_or_one_line() {
    for text in ["[record.public]\nnfl = 'all'\nnba = 'finished'\n", "[record]\npublic = 'nfl=all, nba=finished'\n"] {
        let (_folder, sources) = with_file(text);
        let settings = Settings::load(&sources).expect(text);
        assert_eq!(settings.record.public.to_string(), "nba=finished, nfl=all", "{text}");
        assert!(settings.expect_public_url().is_err(), "{text}");
    }
}

#[test]
fn a_bad_entry_of_a_file_is_named_with_the_file() {
    let table = [
        ("[http]\nbnid = 1\n", "`http.bnid` is not a setting"),
        ("bind = '127.0.0.1:1'\n", "`bind` is not a setting"),
        ("[http.bind]\nport = 1\n", "`http.bind.port` is not a setting"),
        ("[http]\nworkers = -1\n", "`http.workers` cannot be `-1`: expected a whole number from 1 to 512"),
        ("[http]\nbind = [1]\n", "`http.bind` cannot be"),
    ];
    for (text, expected) in table {
        let (_folder, sources) = with_file(text);
        let message = Settings::load(&sources).expect_err(text).to_string();
        assert!(message.starts_with("file ") && message.contains("sports.toml"), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn messages_about_a_file_escape_its_names_and_values() {
    let witness = "w\u{202e}+d91d4ab2+BFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm@https://witness.example.com";
    for (text, expected) in [
        ("[http]\nbind = '\\u001b[2J\\u202enowhere'", r"`http.bind` cannot be `\u{1b}[2J\u{202e}nowhere`"),
        ("[http]\nbind = 'a\\nINFO all is well'", r"`http.bind` cannot be `a\nINFO all is well`"),
        ("[http]\n'bi\\u001b[2Jnd' = 1", r"`http.bi\u{1b}[2Jnd` is not a setting"),
        ("[http]\ntrusted_proxies = ['\\u009b31m']", r"`http.trusted_proxies` cannot be `\u{9b}31m`"),
        ("[store]\nurl = 'ftp://\\u2066'", r"`store.url` cannot be `ftp://\u{2066}`"),
        ("[record]\norigin = 'example.com/\\u200b'", r"`record.origin` cannot be `example.com/\u{200b}`"),
        (
            "[record]\nwitnesses = 'a\\u001b[2J@https://w.example'",
            r"`record.witnesses` cannot be `a\u{1b}[2J@https://w.example`",
        ),
        (
            &*format!("[record]\nwitnesses = '{witness}'"),
            "the vkey of a witness, with a name without U+202E at character 2",
        ),
    ] {
        let (_folder, sources) = with_file(&text.replace('\'', "\""));
        let message = Settings::load(&sources).expect_err(text).to_string();
        assert!(!message.contains(is_hidden), "{message:?}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let sources = Sources { file: Some("nowhere/sports.toml".into()), ..Sources::default() };
    let error = Settings::load(&sources).expect_err("no such file");
    assert_eq!(error.to_string(), "cannot read the configuration file nowhere/sports.toml");
    assert!(error.source().is_some());

    for (file, line) in [
        ("[http\n", 1),
        ("[downloads]\nsecret = kR7vQ2mX9pL4tY8w\n", 2),
        ("[database]\n\nurl = \"postgres://ann:kR7v\\Q2@db/sports\"\n", 3),
        ("[limits]\nredis = \"redis://:kR7vQ2@h", 2),
    ] {
        let (_folder, sources) = with_file(file);
        let error = Settings::load(&sources).expect_err("not TOML");
        let printed = format!("{error} {error:?}");
        assert!(printed.contains(&format!("line {line}: ")) && !printed.contains("kR7v"), "{printed}");
    }
}

#[test]
fn the_message_about_a_refused_address_masks_its_password() {
    let sources = Sources {
        environment: vec![variable("SPORTS_DATABASE__URL", "mysql://ann:secret@db/sports")],
        ..Sources::default()
    };
    let message = Settings::load(&sources).expect_err("no such scheme").to_string();
    assert!(message.contains("mysql://*****@db/sports") && !message.contains("secret"), "{message}");

    let environment = vec![variable("SPORTS_HTTP__PUBLIC_URL", "https://ann:secret@api.example.com")];
    let sources = Sources { environment, ..Sources::default() };
    let message = Settings::load(&sources).expect_err("no base address").to_string();
    assert!(message.contains("`http.public_url` cannot be `https://*****@api.example.com`"), "{message}");
}

#[test]
fn a_list_in_a_file_is_the_same_with_commas() {
    for text in ["[http]\ntrusted_proxies = ['10.0.0.0/8', '::1']\n", "[http]\ntrusted_proxies = '10.0.0.0/8, ::1'\n"] {
        let (_folder, sources) = with_file(text);
        let settings = Settings::load(&sources).expect("good settings");
        assert_eq!(settings.http.trusted_proxies.to_string(), "10.0.0.0/8, ::1");
    }
}

#[test]
fn variables_that_kubernetes_makes_for_a_service_are_ignored_and_named() {
    let environment = vec![
        variable("SPORTS_DATABASE_SERVICE_HOST", "10.0.0.7"),
        variable("SPORTS_DATABASE_PORT", "tcp://10.0.0.7:5432"),
        variable("SPORTS_HTTP__X_PORT_80_TCP_ADDR", "10.0.0.7"),
        variable("SPORTS_HTTP__BIND", "127.0.0.1:2"),
    ];
    let sources = Sources { environment, ..Sources::default() };
    assert_eq!(Settings::load(&sources).expect("good settings").http.bind.to_string(), "127.0.0.1:2");
    let warning = sources.ignored_service_links().expect("a warning");
    let named = "SPORTS_DATABASE_PORT, SPORTS_DATABASE_SERVICE_HOST, SPORTS_HTTP__X_PORT_80_TCP_ADDR; ";
    assert!(warning.contains(named), "{warning}");
    assert_eq!(Sources::default().ignored_service_links(), None);
    let sources = Sources { environment: vec![variable("SPORTS_HTTP_PORT", "8080")], ..Sources::default() };
    assert!(Settings::load(&sources).is_err(), "a mistake of a person's");
}

#[test]
fn the_default_places_apply_only_where_no_configuration_file_is_named() {
    let (_folder, mut sources) = with_file("[store]\nurl = 'file:/srv/store'\n");
    let settings = Settings::load(&sources).expect("good settings");
    settings.expect_place("store.url").expect("it is set");
    for refused in [settings.expect_place("database.url"), settings.expect_places()] {
        let message = refused.expect_err("left out").to_string();
        let expected = "does not set `database.url`: set it there, or with SPORTS_DATABASE__URL or --database; ";
        assert!(message.starts_with("the configuration file ") && message.contains(expected), "{message}");
    }
    sources.environment = vec![variable("SPORTS_DATABASE__URL", "sqlite:/srv/sports.db")];
    Settings::load(&sources).and_then(|settings| settings.expect_places()).expect("all is set");
    Settings::load(&Sources::default()).and_then(|settings| settings.expect_places()).expect("defaults apply");
}
