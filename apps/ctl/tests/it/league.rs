//! Release folders of an invented football league, of any size.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, iter};

const MODEL_TYPES: [&str; 3] = ["over_under", "won_on_points", "won_on_spread"];
const TEAMS: usize = 32;

/// The games of one season: sixteen games every day from 1 September.
pub const GAMES: usize = 256;

/// Returns the label of the season that starts in `year`.
pub fn label(year: u16) -> String {
    format!("{year}-{:02}", (year + 1) % 100)
}

/// Writes a release of complete seasons, each with games and the probabilities of all three markets. `tick` is part
/// of every price, so that another `tick` changes the same games.
pub fn release(folder: &Path, years: impl IntoIterator<Item = u16>, tick: usize) -> PathBuf {
    fs::create_dir_all(folder.join("games")).expect("a folder");
    let manifest = r#"{"sport": "nfl", "slate_date": "2024-01-08", "slate": "none",
        "run": {"id": "invented", "started_at": "2024-01-08T09:00:00Z", "completed_at": "2024-01-08T09:10:00Z"}}"#;
    fs::write(folder.join("release.json"), manifest).expect("written");
    for year in years {
        let file = format!("{}.csv", label(year));
        fs::write(folder.join("games").join(&file), games(year, tick)).expect("written");
        for (shift, model_type) in MODEL_TYPES.into_iter().enumerate() {
            let market = folder.join("probabilities").join(model_type);
            fs::create_dir_all(&market).expect("a folder");
            fs::write(market.join(&file), probabilities(year, shift)).expect("written");
        }
    }
    folder.to_owned()
}

fn games(year: u16, tick: usize) -> String {
    let header = "date,time_est,away_team,home_team,away_score,home_score,home_money_line,away_money_line,\
                  home_point_spread,home_point_spread_line,away_point_spread_line,over_under,over_line,under_line\n";
    table(year, header, |row, game| {
        let (away, home, price) = (game * 7 % 38, game * 11 % 41, 105 + (game + tick) % 60);
        write!(row, "{away},{home},-{price},{},-{}.5,-110,-110,{}.5,-108,-112", price - 5, game % 7, 38 + game % 9)
    })
}

/// Writes probabilities that differ between markets: equal archives would be one object.
fn probabilities(year: u16, shift: usize) -> String {
    table(year, "date,time_est,away_team,home_team,BLEND,RF,XGB\n", |row, game| {
        write!(row, "0.{:03},0.{:03},0.{:03}", 300 + shift + game % 400, 310 + game % 380, 290 + game % 420)
    })
}

fn table(year: u16, header: &str, cells: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    let rows = (0..GAMES).map(|game| {
        let (day, pair) = (1 + game / (TEAMS / 2), game % (TEAMS / 2));
        let mut row = format!("{year}-09-{day:02},13:00:00,visitors_{pair},hosts_{pair},");
        cells(&mut row, game).expect("a String takes anything");
        row + "\n"
    });
    iter::once(header.to_owned()).chain(rows).collect()
}
