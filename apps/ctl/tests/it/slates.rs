//! Small slates of the NBA as a publisher would write them: odds and predictions of a few games.

use std::fs;
use std::path::PathBuf;

use sports_testkit::programs::TestFolder;

use crate::support::{Completed, run};

pub const MARKETS: [&str; 3] = ["over_under", "won_on_points", "won_on_spread"];

/// A game: its id, date, Eastern start, visitors and hosts.
pub type Game<'g> = (&'g str, &'g str, &'g str, &'g str, &'g str);

pub const CELTICS: Game<'_> = ("g1", "2025-12-10", "19:00", "Boston Celtics", "New York Knicks");
pub const SUNS: Game<'_> = ("g2", "2025-12-10", "21:30", "Phoenix Suns", "Denver Nuggets");
pub const JAZZ: Game<'_> = ("g3", "2025-12-10", "22:00", "Utah Jazz", "Los Angeles Lakers");

/// Returns the same game at another start.
pub fn at<'g>(game: Game<'g>, date: &'g str, time: &'g str) -> Game<'g> {
    (game.0, date, time, game.3, game.4)
}

/// A release to be written.
#[derive(Default, Clone)]
pub struct Slate<'g> {
    /// The fields of `release.json` beside the league, with a trailing comma.
    pub fields: String,
    pub date: &'g str,
    pub odds: Option<Vec<(Game<'g>, f64)>>,
    pub predictions: Option<Vec<(Game<'g>, f64)>>,
}

impl<'g> Slate<'g> {
    /// Creates a day's predictions and odds, made by a run that ended at 14:00 UTC.
    pub fn of_games(games: &[Game<'g>]) -> Self {
        let run = r#""season":"2025-26","run":{"id":"morning","started_at":"2025-12-10T13:50:00Z","completed_at":"2025-12-10T14:00:00Z"},"#;
        Self {
            fields: run.to_owned(),
            date: "2025-12-10",
            odds: Some(games.iter().map(|game| (*game, 221.5)).collect()),
            predictions: Some(games.iter().map(|game| (*game, 0.55)).collect()),
        }
    }

    /// Creates an odds refresh, without a season and a run.
    pub fn refresh(games: &[Game<'g>], total: f64) -> Self {
        let odds = Some(games.iter().map(|game| (*game, total)).collect());
        Self { date: "2025-12-10", odds, ..Self::default() }
    }

    pub fn with_fields(mut self, fields: &str) -> Self {
        self.fields = format!("{fields},");
        self
    }

    pub fn forecasting(mut self, probability: f64) -> Self {
        self.predictions.iter_mut().flatten().for_each(|row| row.1 = probability);
        self
    }

    pub fn write(&self, place: &TestFolder) -> PathBuf {
        let folder = place.path().join("slate");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("predictions")).expect("a folder");
        let manifest = format!(r#"{{"sport":"nba",{}"slate_date":"{}"}}"#, self.fields, self.date);
        fs::write(folder.join("release.json"), manifest).expect("written");
        let rows = |rows: &[(Game<'_>, f64)], column: &str| {
            let header = format!("match_id,date,time,away_team,home_team,{column}\n");
            let row = |((id, date, time, away, home), value): &(Game<'_>, f64)| {
                format!("{id},{date},{time},{away},{home},{value}\n")
            };
            header + &rows.iter().map(row).collect::<String>()
        };
        if let Some(odds) = &self.odds {
            fs::write(folder.join("odds.csv"), rows(odds, "over_under")).expect("written");
        }
        for market in MARKETS.iter().filter(|_| self.predictions.is_some()) {
            let file = folder.join(format!("predictions/{market}.csv"));
            fs::write(file, rows(self.predictions.as_deref().unwrap_or_default(), "BLEND")).expect("written");
        }
        folder
    }

    /// Publishes the slate at an instant.
    pub fn publish(&self, place: &TestFolder, as_of: &str) -> Completed {
        self.publish_with(place, &["--as-of", as_of])
    }

    pub fn publish_with(&self, place: &TestFolder, options: &[&str]) -> Completed {
        let folder = self.write(place);
        let folder = folder.to_str().expect("text");
        run(place, ["publish", folder].iter().chain(options))
    }
}

/// Formats the `moved` field of `release.json`.
pub fn moved(reschedules: &[(Game<'_>, Game<'_>)]) -> String {
    let key = |(_, date, time, away, home): &Game<'_>| {
        format!(r#"{{"date":"{date}","time":"{time}","away_team":"{away}","home_team":"{home}"}}"#)
    };
    let reschedules: Vec<_> =
        reschedules.iter().map(|(from, to)| format!(r#"{{"from":{},"to":{}}}"#, key(from), key(to))).collect();
    format!(r#""moved":[{}]"#, reschedules.join(","))
}
