use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sports_domain::{Club, ClubName, Season, Sport, TeamSlug};

/// A row of a real file, by column.
pub type RealRow = BTreeMap<String, String>;

/// Files of another source, and the same games as a release has them.
#[derive(Debug, Clone, Default)]
pub struct ForeignFile {
    /// The file of the other source.
    pub text: String,
    /// A map for what the preset does not have, as TOML.
    pub map: String,
    /// The tables of the release by path, with the columns and rows that the source can hold.
    pub direct: BTreeMap<String, String>,
}

/// The markets with the columns that this module gives their probabilities.
pub(super) const MARKETS: [&str; 3] = ["won_on_points", "won_on_spread", "over_under"];
pub(super) const MODELS: [&str; 7] = ["BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];
pub(super) const KEY: [&str; 4] = ["date", "time_est", "away_team", "home_team"];

/// Reads a file of the real data.
///
/// # Panics
///
/// Panics if the file cannot be read.
pub fn real_rows(path: &Path) -> Vec<RealRow> {
    let text = fs::read_to_string(path).expect("a file of the real data");
    let mut lines = text.lines();
    let header: Vec<_> = lines.next().expect("a header").split(',').collect();
    let row = |line: &str| {
        header.iter().zip(line.split(',')).map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect()
    };
    lines.map(row).collect()
}

/// Returns the seasons of a league in the real data, in order.
///
/// # Panics
///
/// Panics if the folder cannot be read.
pub fn real_seasons(data: &Path, sport: Sport) -> Vec<Season> {
    let files = fs::read_dir(data.join("games").join(sport.code())).expect("the real data");
    let label = |path: std::path::PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let labels = files.filter_map(|entry| label(entry.expect("a file").path()));
    let mut seasons: Vec<_> = labels.map(|label| Season::parse(sport, &label).expect("a season")).collect();
    seasons.sort_unstable();
    seasons
}

pub(super) fn games(data: &Path, sport: Sport, season: Season) -> Vec<RealRow> {
    real_rows(&data.join(format!("games/{sport}/{season}.csv")))
}

/// Returns the probabilities of a market by game; empty if the real data has none.
pub(super) fn probabilities(data: &Path, sport: Sport, market: &str, season: Season) -> BTreeMap<String, RealRow> {
    let path = data.join(format!("probabilities/{sport}/{market}/{season}.csv"));
    let rows = if path.exists() { real_rows(&path) } else { Vec::new() };
    rows.into_iter().map(|row| (game_of(&row), row)).collect()
}

pub(super) fn game_of(row: &RealRow) -> String {
    let number = row.get("game_number").map_or("", String::as_str);
    format!("{} {number}", KEY.map(|column| row[column].as_str()).join(" "))
}

/// Writes some columns of some rows.
pub(super) fn table<'r>(rows: impl IntoIterator<Item = &'r RealRow>, columns: &[&str]) -> String {
    let cells = |row: &RealRow| {
        columns.iter().map(|column| row.get(*column).map_or("", String::as_str)).collect::<Vec<_>>().join(",")
    };
    let mut text = columns.join(",") + "\n";
    rows.into_iter().for_each(|row| writeln!(text, "{}", cells(row)).expect("written"));
    text
}

/// Adds the tables of a season to the direct release.
pub(super) fn add_direct(
    file: &mut ForeignFile,
    data: &Path,
    sport: Sport,
    season: Season,
    rows: &[RealRow],
    columns: &[&str],
    markets: &[&str],
) {
    file.direct.insert(format!("games/{season}.csv"), table(rows, columns));
    for market in markets {
        let known = probabilities(data, sport, market, season);
        let rows: Vec<_> = rows.iter().filter_map(|row| known.get(&game_of(row))).collect();
        if !rows.is_empty() {
            let key = KEY.iter().filter(|column| columns.contains(column));
            let columns: Vec<_> =
                key.copied().chain(columns.contains(&"game_number").then_some("game_number")).chain(MODELS).collect();
            file.direct.insert(format!("probabilities/{market}/{season}.csv"), table(rows, &columns));
        }
    }
}

/// Returns a probability with four decimals in percent, of the other side if `is_other`.
pub(super) fn percent(probability: &str, is_other: bool) -> String {
    if probability.is_empty() {
        return String::new();
    }
    let digits = probability.replace('.', "");
    let (decimals, digits) = (probability.len() - probability.find('.').map_or(probability.len(), |at| at + 1), digits);
    let share = digits.parse::<u32>().expect("digits") * 10_u32.pow(4 - u32::try_from(decimals).expect("few"));
    let share = if is_other { 10_000 - share } else { share };
    format!("{}.{:02}", share / 100, share % 100)
}

pub(super) fn negated(points: &str) -> String {
    match points.strip_prefix('-') {
        _ if points.is_empty() => String::new(),
        Some(points) => points.to_owned(),
        None => format!("-{points}"),
    }
}

pub(super) fn club(sport: Sport, slug: &str) -> Option<&'static ClubName> {
    Club::named(sport, &TeamSlug::normalise(slug).expect("a team")).map(|(_, name)| name)
}
