use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use sports_testkit::programs::TestFolder;

use crate::support::{Completed, run, run_json};

const NFL: [&str; 8] =
    ["--yes", "--offline", "--sport", "nfl", "--model", "ELO:won_on_points=elo", "--address", "sports.example.com"];

/// Every file below a folder, by its path in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").display().to_string();
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

fn init(place: &TestFolder, folder: &str, options: &[&str]) -> Completed {
    let path = place.path().join(folder);
    let words = ["init", path.to_str().expect("text")];
    run(place, words.iter().chain(&NFL).chain(options))
}

#[test]
fn a_folder_has_its_own_places_and_the_answers() {
    let place = TestFolder::fresh();
    let made = init(&place, "s", &["--preset", "nflverse", "--name", "Elo \"by\" Ann", "--public", "all"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let folder = place.path().join("s");
    let found = files(&folder);
    for (name, bytes) in found.iter().filter(|(name, _)| !name.starts_with("record/")) {
        let text = String::from_utf8_lossy(bytes);
        let others =
            ["/var/lib", "/etc/sports", "/usr/local", "%S/", "$HOME", "example.com/", "sports-admin", "User=sports"];
        let place = others.into_iter().find(|place| text.contains(place));
        assert_eq!(place, None, "{name}: {text}");
    }
    let config = folder.join("sports.toml");
    let shown = fs::read_to_string(&config).expect("settings");
    for line in [
        "public_url = \"https://sports.example.com\"",
        "name = \"Elo \\\"by\\\" Ann\"",
        "[record.public]",
        "nfl = \"all\"",
    ] {
        assert!(shown.lines().any(|found| found == line), "{line}: {shown}");
    }
    assert_eq!(found["Caddyfile"], b"sports.example.com\nreverse_proxy 127.0.0.1:8080\n");
    let map = String::from_utf8_lossy(&found["map.toml"]);
    assert!(map.ends_with("[models.won_on_points]\nELO = \"elo\"\n"), "{map}");

    // The settings are valid: keys are read, and the store is the folder's.
    let keys = run_json(&place, ["record", "keys", "--config", config.to_str().expect("text")]);
    assert_eq!(keys["origin"], "sports.example.com/api/v1/record", "{keys}");
}

#[test]
fn what_exists_is_kept_once_more_and_with_other_answers() {
    let place = TestFolder::fresh();
    assert_eq!(init(&place, "s", &[]).code, Some(0));
    let before = files(&place.path().join("s"));
    let again = init(&place, "s", &[]);
    assert_eq!((again.code, again.err.as_str()), (Some(0), root_warning(&place).as_str()), "{again:?}");
    assert!(again.out.lines().take_while(|line| *line != "next:").all(|line| line.starts_with("kept: ")), "{again:?}");
    let other = init(&place, "s", &["--name", "Another name"]);
    let warning = "sports.toml differs from what was asked for, and is kept: move it away to have it made anew";
    assert!(other.code == Some(0) && other.err.contains(warning), "{other:?}");
    assert_eq!(files(&place.path().join("s")), before);
}

/// What root is told, as whom the tests may run.
fn root_warning(place: &TestFolder) -> String {
    use std::os::unix::fs::MetadataExt;
    let folder = place.path().join("s");
    let is_root = folder.metadata().expect("a folder").uid() == 0;
    let warning =
        format!("warning: {} is root's, and so is what runs: make it as a user of its own\n", folder.display());
    if is_root { warning } else { String::new() }
}

#[test]
fn nothing_signs_without_signing() {
    let place = TestFolder::fresh();
    for (folder, jobs) in [("units", "systemd"), ("lines", "cron"), ("none", "none")] {
        let made = init(&place, folder, &["--no-signing", "--jobs", jobs]);
        assert_eq!(made.code, Some(0), "{made:?}");
        let found = files(&place.path().join(folder));
        assert!(!found.contains_key("record/record.key"));
        for (name, bytes) in &found {
            let text = String::from_utf8_lossy(bytes);
            assert!(
                !name.contains("sign") && !text.contains("record sign") && !text.contains("key_file"),
                "{name}: {text}"
            );
        }
        let jobs = found.keys().filter(|name| name.starts_with("systemd/") || *name == "crontab").count();
        assert_eq!(
            jobs,
            match folder {
                "units" => 7,
                "lines" => 1,
                _ => 0,
            }
        );
    }
}

#[test]
fn a_table_without_a_preset_has_a_map_of_every_column() {
    let place = TestFolder::fresh();
    assert_eq!(init(&place, "s", &[]).code, Some(0));
    let table = place.path().join("mine.csv");
    fs::write(
        &table,
        "date,time_est,away_team,home_team,away_score,home_score,home_money_line,away_money_line,elo\n\
                       2024-09-08,13:00:00,Dallas Cowboys,Cleveland Browns,33,17,+110,-130,0.48\n",
    )
    .expect("written");
    let [map, out] = ["s/map.toml", "out"].map(|name| place.path().join(name));
    let words = ["convert", "csv", "--map", map.to_str().expect("text"), table.to_str().expect("text")];
    let options =
        ["--sport", "nfl", "--season", "2024-25", "--postseason-from", "none", "--out", out.to_str().expect("text")];
    let converted = run(&place, words.iter().chain(&options));
    assert_eq!(converted.code, Some(0), "{converted:?}");
    assert!(converted.out.contains("1 finals, 1 money lines; ELO won_on_points 1"), "{converted:?}");
}

#[test]
fn wrong_input_is_named_and_makes_nothing() {
    let place = TestFolder::fresh();
    fs::write(place.path().join("file"), "").expect("written");
    let long = "A name of a site ".repeat(4);
    let table: [(&[&str], &str); 17] = [
        (&["s"], "standard input is no terminal: give --yes"),
        (&["s", "--yes"], "--sport is missing: the league, such as --sport nfl"),
        (&["s", "--yes", "--sport", "cricket"], "`cricket` is not a sport"),
        (&["s", "--yes", "--sport", "nba", "--preset", "nflverse"], "the preset nflverse is not for nba"),
        (&["s", "--yes", "--sport", "nfl", "--preset", "nflvers"], "did you mean `nflverse`?"),
        (&["s", "--yes", "--sport", "nfl", "--public", "most"], "expected `none`, `finished` or `all`"),
        (
            &["s", "--yes", "--sport", "nfl", "--address", "ftp://example.com"],
            "expected a domain, such as sports.example.com",
        ),
        (&["s", "--yes", "--sport", "nfl", "--address", "sports.example.com/path"], "without a path"),
        (
            &["s", "--yes", "--sport", "nfl", "--model", "ELO:won_on_points=elo", "--model", "ELO:won_on_points=elo2"],
            "--model: the model ELO of won_on_points is named twice: name it once",
        ),
        (
            &["s", "--yes", "--sport", "nfl", "--model", "ELO:won_on_points", "--model", "elo:over_under"],
            "models.won_on_points.ELO: expected another name: it differs from `elo` in letter case alone",
        ),
        (&["s", "--yes", "--sport", "nfl", "--store", "file:store"], "--store: `init` makes settings of its own"),
        (
            &["s", "--yes", "--sport", "nfl", "--database", "sqlite:a.db"],
            "--database: `init` makes settings of its own",
        ),
        (&["s", "--yes", "--sport", "nfl", "--name", " "], "expected a name, such as"),
        (&["s", "--yes", "--sport", "nfl", "--name", &long], "expected a name, such as"),
        (&["s", "--yes", "--sport", "nfl", "--model", "ELO:spread"], "`spread` is no market"),
        (&["a folder", "--yes", "--sport", "nfl"], "a unit cannot name this path"),
        (&["file", "--yes", "--sport", "nfl"], "file cannot be written"),
    ];
    for (words, message) in table {
        let folder = place.path().join(words[0]);
        let options = ["init", folder.to_str().expect("text")];
        let refused = run(&place, options.iter().chain(&words[1..]));
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{words:?}: {refused:?}");
        assert!(refused.err.contains(message), "{words:?}: {refused:?}");
    }
    assert!(!place.path().join("s").exists(), "nothing was made");
}

/// The names of what is in a folder itself.
fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
}

#[test]
fn caddy_finds_the_server_where_the_settings_that_are_kept_have_it() {
    let place = TestFolder::fresh();
    for (folder, bind, upstream) in [
        ("a", "127.0.0.1:9000", "127.0.0.1:9000"),
        ("b", "0.0.0.0:9001", "127.0.0.1:9001"),
        ("c", "unix:/run/sports/api.sock", "unix//run/sports/api.sock"),
    ] {
        let path = place.path().join(folder);
        fs::create_dir(&path).expect("made");
        fs::write(path.join("sports.toml"), format!("[http]\nbind = \"{bind}\"\n")).expect("written");
        assert_eq!(init(&place, folder, &[]).code, Some(0));
        let caddyfile = fs::read_to_string(path.join("Caddyfile")).expect("made");
        assert_eq!(caddyfile, format!("sports.example.com\nreverse_proxy {upstream}\n"));
    }
}

#[test]
fn settings_that_exist_are_checked_before_a_file_is_made() {
    let place = TestFolder::fresh();
    let path = place.path().join("s");
    fs::create_dir(&path).expect("made");
    for (settings, message) in [
        ("[http]\nbond = \"127.0.0.1:9000\"\n", "`http.bond` is not a setting"),
        ("[record]\nkey_file = \"/dev/null\"\n", "/dev/null is no regular file"),
    ] {
        fs::write(path.join("sports.toml"), settings).expect("written");
        let refused = init(&place, "s", &[]);
        assert!(refused.code == Some(2) && refused.err.contains(message), "{refused:?}");
        assert_eq!(entries(&path), ["sports.toml"]);
    }
}

#[test]
fn what_is_no_file_is_refused_before_a_file_is_made() {
    let place = TestFolder::fresh();
    let names = ["sports.toml", "map.toml", "Caddyfile", "systemd/sports-api.service"];
    for (number, name) in names.iter().enumerate() {
        for kind in ["link", "pipe", "folder"] {
            let folder = format!("{kind}{number}");
            let path = place.path().join(&folder);
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            match kind {
                "link" => std::os::unix::fs::symlink("nowhere", &file).expect("linked"),
                "pipe" => assert!(Command::new("mkfifo").arg(&file).status().expect("mkfifo runs").success()),
                _ => fs::create_dir(&file).expect("made"),
            }
            let before = entries(&path);
            let refused = init(&place, &folder, &[]);
            let message = format!("{} is no regular file: move it away", file.display());
            assert!(refused.code == Some(2) && refused.err.contains(&message), "{refused:?}");
            assert_eq!(entries(&path), before);
        }
    }
    for name in ["inbox", "backups", "systemd"] {
        let (folder, path) = (format!("no-{name}"), place.path().join(format!("no-{name}")));
        fs::create_dir(&path).expect("made");
        fs::write(path.join(name), "").expect("written");
        let refused = init(&place, &folder, &[]);
        assert!(refused.code == Some(2) && refused.err.contains(&format!("{name} is no folder")), "{refused:?}");
        assert_eq!(entries(&path), [name]);
    }
}

/// Runs `init` at a terminal.
fn at_terminal(place: &TestFolder, options: &str, answers: &str) -> Completed {
    let (program, folder) = (place.sportsctl(["init"]).get_program().to_owned(), place.path().join("s"));
    let command = format!("{} init {} --offline {options}", program.display(), folder.display());
    let mut terminal = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script of Debian's bsdutils");
    terminal.stdin.take().expect("piped").write_all(answers.as_bytes()).expect("read");
    Completed::from(terminal.wait_with_output().expect("ends"))
}

#[test]
fn an_input_that_ends_after_a_file_was_made_is_not_said_to_have_made_nothing() {
    let place = TestFolder::fresh();
    assert_eq!(init(&place, "s", &["--no-signing"]).code, Some(0));
    let settings = place.path().join("s/sports.toml");
    fs::remove_file(&settings).expect("removed");
    let options = "--no-signing --sport nfl --preset nflverse --model ELO:won_on_points=elo --name Elo \
                   --address sports.example.com --public none";
    let ended = at_terminal(&place, options, "");
    assert!(ended.code == Some(2) && settings.exists(), "{ended:?}");
    assert!(ended.out.contains("map.toml is another one. Replace it?"), "{ended:?}");
    assert!(ended.out.contains("the input ended before the last question"), "{ended:?}");
    assert!(!ended.out.contains("nothing was made"), "{ended:?}");
}

#[test]
fn questions_are_asked_at_a_terminal() {
    let place = TestFolder::fresh();
    let folder = place.path().join("s");
    // The league is asked for again after `football`; the empty lines take what is in brackets.
    let answers =
        "football\nnfl\nnflverse\nELO\nwon_on_points over_under\np_home\n\nElo by Ann\nsports.example.com\nall\n\n";
    let output = at_terminal(&place, "", answers);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.out.contains("`football` is not a sport"), "{output:?}");
    assert_eq!(output.out.matches("sportsbookreviewsonline").count(), 1, "{output:?}");
    let map = fs::read_to_string(folder.join("map.toml")).expect("made");
    for line in ["ELO = \"p_home\"", "ELO = \"elo\"", "[models.over_under]"] {
        assert!(map.contains(line), "{map}");
    }
    assert!(folder.join("record/record.key").exists() && folder.join("Caddyfile").exists());
}
