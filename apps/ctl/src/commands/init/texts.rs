//! The texts of the files: those of deploy/, with the places and answers of one folder.

use std::fmt::Write as _;

use sports_domain::Sport;
use sports_program::settings::{Bind, PublicRecord};
use sports_publisher_files::convert::tables::{ColumnMap, models_text};

use super::answers::Answers;
use super::places::Places;
use crate::cli::Jobs;
use crate::failure::Failure;

const SETTINGS: &str = include_str!("../../../../../deploy/systemd/sports.toml");
const CRONTAB: &str = include_str!("../../../../../deploy/cron/crontab");

/// The address at which `http.bind` of the settings answers.
const LOCAL: &str = "http://127.0.0.1:8080";

macro_rules! units {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../../../deploy/systemd/", $name)))),*]
    };
}

const UNITS: [(&str, &str); 10] = units!(
    "sports-api.service",
    "sports-watch.service",
    "sports-receive.service",
    "sports-record-sign.service",
    "sports-record-sign.timer",
    "sports-backup.service",
    "sports-backup.timer",
    "sports-verify.service",
    "sports-verify.timer",
    "sports-.service.d/hardening.conf",
);

/// Columns of a table that has the names of our own files. The first four are needed.
const COLUMNS: [&str; 14] = [
    "date",
    "time_est",
    "away_team",
    "home_team",
    "away_score",
    "home_score",
    "home_money_line",
    "away_money_line",
    "home_point_spread",
    "home_point_spread_line",
    "away_point_spread_line",
    "over_under",
    "over_line",
    "under_line",
];

/// Returns the files beside settings and map, by their paths in the folder. The server listens at `bind`.
pub fn files(answers: &Answers, places: &Places, bind: &Bind) -> Vec<(String, String)> {
    let mut files = Vec::new();
    if let Some(domain) = answers.domain() {
        files.push(("Caddyfile".to_owned(), format!("{domain}\nreverse_proxy {}\n", upstream(bind))));
    }
    match answers.jobs {
        Jobs::Systemd => {
            files
                .extend(units(answers).map(|(name, text)| (format!("systemd/{name}"), places.unit(uncommented(text)))));
        }
        Jobs::Cron => files.push(("crontab".to_owned(), places.put_into(&crontab(answers.signs)))),
        Jobs::None => {}
    }
    files
}

/// Returns the paths of all files in the folder.
pub fn names(answers: &Answers) -> Vec<String> {
    let mut names = vec!["sports.toml".to_owned(), "map.toml".to_owned()];
    names.extend(answers.domain().map(|_| "Caddyfile".to_owned()));
    match answers.jobs {
        Jobs::Systemd => names.extend(units(answers).map(|(name, _)| format!("systemd/{name}"))),
        Jobs::Cron => names.push("crontab".to_owned()),
        Jobs::None => {}
    }
    names
}

/// Returns the units. Without a key there is nothing to sign, and no folder for the tokens of the door.
fn units(answers: &Answers) -> impl Iterator<Item = (&'static str, &'static str)> {
    let signs = answers.signs;
    UNITS.into_iter().filter(move |(name, _)| signs || !(name.contains("record-sign") || name.contains("receive")))
}

/// Returns the address at which Caddy, on the same machine, reaches the server.
fn upstream(bind: &Bind) -> String {
    match bind {
        Bind::Address(address) if address.ip().is_unspecified() => format!("127.0.0.1:{}", address.port()),
        Bind::Address(address) => address.to_string(),
        Bind::Socket(path) => format!("unix/{}", path.display()),
    }
}

/// Returns the jobs, each below its comment. The head of the file is about another way to install.
fn crontab(signs: bool) -> String {
    let mut lines: Vec<_> = uncommented(CRONTAB).lines().collect();
    if let Some(signing) = lines.iter().position(|line| !signs && line.contains(" record sign ")) {
        lines.drain(signing - 1..=signing);
    }
    lines.join("\n") + "\n"
}

/// Leaves out the comment at the beginning, which describes the file in deploy/.
fn uncommented(text: &str) -> &str {
    let comment: usize = text.split_inclusive('\n').take_while(|line| line.starts_with('#')).map(str::len).sum();
    &text[comment..]
}

/// Returns the settings.
pub fn settings(answers: &Answers, places: &Places) -> String {
    let address = answers.address.as_ref().map_or(LOCAL, |address| address.as_str());
    let text = uncommented(SETTINGS).replace("https://api.example.com", address);
    // Sections are parted by empty lines.
    let sections = text.trim().split("\n\n").filter_map(|section| match section {
        _ if section.starts_with("[record]") && !answers.signs => None,
        _ if section.ends_with("# [record.public]\n# nfl = \"all\"") => {
            Some(public(section, answers.sport, answers.public))
        }
        _ => Some(section.to_owned()),
    });
    let mut text = sections.collect::<Vec<_>>().join("\n\n") + "\n";
    if let Some(name) = &answers.name {
        let _ = write!(text, "\n[site]\nname = {}\n", toml_string(name.as_str()));
    }
    places.put_into(&text)
}

/// Opens the record of a league in the section about it, which is a comment.
fn public(section: &str, sport: Sport, part: PublicRecord) -> String {
    let (about, _) = section.split_once("# [record.public]").unwrap_or((section, ""));
    let mark = if part == PublicRecord::None { "# " } else { "" };
    let word = if part == PublicRecord::None { PublicRecord::All } else { part }.word();
    format!("{about}{mark}[record.public]\n{mark}{sport} = \"{word}\"")
}

/// Writes a basic string of TOML, whose escapes JSON has as well.
fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the map of the owner's table.
///
/// # Errors
///
/// [`Failure`] for models that `convert` would refuse.
pub fn map(answers: &Answers) -> Result<String, Failure> {
    let models = answers.models.iter().map(|model| (model.market, model.name.as_str(), model.column.as_str()));
    let text = models_text(models).map(|models| map_of(answers, &models));
    let checked = text
        .and_then(|text| ColumnMap::load(answers.preset.as_ref().map(|preset| preset.text), Some(&text)).map(|_| text));
    checked.map_err(|error| Failure::bad_input(format!("--model: {error}")))
}

fn map_of(answers: &Answers, models: &str) -> String {
    if let Some(preset) = answers.preset {
        let name = preset.name;
        return format!(
            "# What your table has beside the columns of --preset {name}: docs/converting.md lists the keys.\n\n{models}"
        );
    }
    let mut text =
        "# The columns of your table: put their names on the right. docs/converting.md lists the keys.\n\n[columns]\n"
            .to_owned();
    for (at, name) in COLUMNS.iter().enumerate() {
        let zone = if *name == "time_est" { ", zone = \"eastern\"" } else { "" };
        let optional = if at < 4 { "" } else { ", optional = true" };
        let _ = writeln!(text, "{name} = {{ column = \"{name}\"{zone}{optional} }}");
    }
    text + "\n" + models
}

/// Returns the commands that come next: what runs the service, the first publish, the first key.
pub fn next_commands(answers: &Answers, places: &Places) -> [String; 3] {
    let folder = places.folder.display();
    let ctl = format!("sportsctl --config {folder}/sports.toml");
    let sign = if answers.signs { " sports-record-sign.timer" } else { "" };
    let start = match answers.jobs {
        Jobs::Systemd => format!(
            "sudo cp -r {folder}/systemd/. /etc/systemd/system && sudo systemctl daemon-reload && sudo systemctl enable --now \
             sports-api sports-watch{sign} sports-backup.timer sports-verify.timer"
        ),
        Jobs::Cron => format!("crontab {folder}/crontab"),
        Jobs::None => format!("sports-api serve --config {folder}/sports.toml"),
    };
    // A preset knows the seasons of its table.
    let seasons = || " --season SEASON --postseason-from DATE".to_owned();
    let preset = answers.preset.map_or_else(seasons, |preset| format!(" --preset {}", preset.name));
    let public = if answers.public == PublicRecord::None { "" } else { " --public" };
    [
        start,
        format!("{ctl} publish --from games.csv --sport {}{preset} --map {folder}/map.toml{public}", answers.sport),
        format!("{ctl} customer create --email you@example.com --name You"),
    ]
}
