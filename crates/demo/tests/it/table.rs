use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use chrono::{DateTime, Utc};
use sports_demo::simulation::{ReleaseFiles, World};
use sports_domain::Sport;

/// The instant of the shared worlds.
pub const NOW: &str = "2026-02-14T15:30:00Z";

/// A world of four seasons shared by several tests.
pub static WORLD: LazyLock<World> = LazyLock::new(|| World::new(7, now(), 4));

/// The history releases of that world.
static HISTORIES: LazyLock<BTreeMap<Sport, ReleaseFiles>> =
    LazyLock::new(|| Sport::ALL.into_iter().map(|sport| (sport, WORLD.history_release(sport, now()))).collect());

pub fn at(instant: &str) -> DateTime<Utc> {
    instant.parse().expect("an instant")
}

pub fn now() -> DateTime<Utc> {
    at(NOW)
}

/// A row of a CSV file whose cells need no quotes.
pub struct Row {
    columns: Arc<HashMap<String, usize>>,
    cells: Vec<String>,
}

impl Row {
    /// Returns a cell; empty if the file has no such column.
    pub fn text(&self, column: &str) -> &str {
        self.columns.get(column).map_or("", |index| &self.cells[*index])
    }

    pub fn number(&self, column: &str) -> Option<f64> {
        let text = self.text(column);
        (!text.is_empty()).then(|| text.parse().expect("a number"))
    }

    /// Returns date, time, teams and game number as one text.
    pub fn key(&self) -> String {
        let time = if self.text("time").is_empty() { self.text("time_est") } else { self.text("time") };
        let rest = ["away_team", "home_team", "game_number"].map(|column| self.text(column));
        format!("{} {time} {}", self.text("date"), rest.join(" "))
    }

    pub fn margin(&self) -> Option<f64> {
        Some(self.number("home_score")? - self.number("away_score")?)
    }

    pub fn points(&self) -> Option<f64> {
        Some(self.number("home_score")? + self.number("away_score")?)
    }
}

pub fn rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let columns = Arc::new(header.into_iter().zip(0..).collect::<HashMap<_, usize>>());
    lines
        .map(|cells| {
            assert_eq!(cells.len(), columns.len());
            Row { columns: Arc::clone(&columns), cells }
        })
        .collect()
}

/// Returns the season label and the rows of every file of a folder, such as `games/`, oldest first.
pub fn seasons(files: &ReleaseFiles, folder: &str) -> Vec<(String, Vec<Row>)> {
    let label = |path: &str| path.strip_prefix(folder)?.strip_suffix(".csv").map(str::to_owned);
    files.iter().filter_map(|(path, text)| Some((label(path)?, rows(text)))).collect()
}

pub fn history(sport: Sport) -> &'static ReleaseFiles {
    &HISTORIES[&sport]
}
