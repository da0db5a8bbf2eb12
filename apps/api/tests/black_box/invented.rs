//! A season of invented games with chosen totals.

use std::fs;

use crate::service::Site;

/// NFL games of 2024-25, sixteen a day.
#[derive(Default)]
pub struct InventedSeason(Vec<String>);

/// The outcome of a game against its total of 44.
#[derive(Clone, Copy)]
pub enum Ended {
    Over,
    Under,
    Push,
}

impl InventedSeason {
    /// Adds games whose total went from an opener to 44 points, at −110 on both sides.
    pub fn add(&mut self, games: usize, opener: &str, ended: Ended) {
        let score = match ended {
            Ended::Over => "20,30",
            Ended::Under => "13,20",
            Ended::Push => "20,24",
        };
        for _ in 0..games {
            let (day, game) = (self.0.len() / 16, self.0.len() % 16);
            let key = format!("2024-{:02}-{:02},13:00:00,away_{game},home_{game}", 9 + day / 28, 1 + day % 28);
            self.0.push(format!("{key},{score},44,-110,-110,{opener}"));
        }
    }

    pub fn publish(&self, site: &Site) {
        let folder = site.place.path().join("invented");
        fs::create_dir_all(folder.join("games")).expect("a folder");
        let header = "date,time_est,away_team,home_team,away_score,home_score,over_under,over_line,under_line,\
                      open_over_under";
        let table = format!("{header}\n{}\n", self.0.join("\n"));
        fs::write(folder.join("games/2024-25.csv"), table).expect("written");
        let manifest = r#"{"sport":"nfl","slate_date":"2025-02-10"}"#;
        fs::write(folder.join("release.json"), manifest).expect("written");
        site.publish(&folder);
    }
}
