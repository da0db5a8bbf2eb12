//! Findings about odds and predictions: each file is judged with the lines that the other files of the release add to its games.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use sports_domain::{GameKey, GameLines, LineColumn, ModelType, Sport};

use super::prices::{self, Judged};
use super::season_games::Game;
use super::{Finding, FindingKind, Severity};
use crate::{Place, Release};

/// A row of a file of the slate.
struct SlateRow<'r> {
    /// The game, with the lines that other files add.
    game: Game<'r>,
    /// The lines of the file itself.
    own: GameLines,
}

impl<'r> SlateRow<'r> {
    fn of(place: &'r Place, key: &'r GameKey, own: GameLines) -> Self {
        Self { game: Game::quoted(key, place, own), own }
    }
}

/// Games with two clear favourites in a file that has their spread: other files with their moneylines are not named for it.
type Named<'r> = HashSet<&'r GameKey, RandomState>;

/// Returns the findings about the files of the slate, odds first.
pub(crate) fn findings(release: &Release) -> Vec<Finding> {
    let odds =
        release.odds.iter().flatten().map(|row| SlateRow::of(&row.place, &row.value.key, row.value.lines)).collect();
    let predictions = release.predictions.values().map(|file| {
        let rows = file.rows.iter().map(|row| (&row.place, &row.value.game));
        rows.map(|(place, game)| SlateRow::of(place, &game.key, game.lines)).collect::<Vec<_>>()
    });
    let mut files: Vec<Vec<SlateRow<'_>>> = [odds].into_iter().chain(predictions).collect();
    let mut lines: HashMap<&GameKey, GameLines, RandomState> = HashMap::default();
    for row in files.iter().flatten() {
        put(lines.entry(row.game.key).or_default(), &row.own);
    }
    for row in files.iter_mut().flatten() {
        row.game.lines = lines.get(row.game.key).copied().unwrap_or_default();
        put(&mut row.game.lines, &row.own);
    }
    let has_wrong_spread = |row: &&SlateRow<'_>| {
        row.own.spread.is_some() && prices::has_two_favourites(release.sport, &row.game) == Some(true)
    };
    let named: Named<'_> = files.iter().flatten().filter(has_wrong_spread).map(|row| row.game.key).collect();
    let of_files = files.iter().flat_map(|rows| file_findings(release, rows, &named));
    of_files.chain(other_prices(release, &files)).collect()
}

/// Warns of each file of predictions with other lines or prices than the odds of the release. Its bets are settled at its own.
fn other_prices(release: &Release, files: &[Vec<SlateRow<'_>>]) -> Vec<Finding> {
    let Some((odds, predictions)) = files.split_first() else { return Vec::new() };
    let quoted: HashMap<_, _, RandomState> = odds.iter().map(|row| (row.game.key, &row.own)).collect();
    let of_file = |rows: &Vec<SlateRow<'_>>| {
        let compared = rows.iter().filter_map(|row| Some((row, *quoted.get(row.game.key)?)));
        let compared: Vec<_> = compared.map(|(row, odds)| (row, odds, other_value(&row.own, odds))).collect();
        let mut others = compared.iter().filter_map(|(row, odds, other)| Some((row, odds, (*other)?)));
        let (first, odds, column) = others.next()?;
        let written = |lines: &GameLines| lines.value(column).map(|value| format!("{value:+}")).unwrap_or_default();
        let message = format!(
            "{} of {} games have other lines or prices than the odds of this release, the first is {}: {} {} here and {} there; \
             the record has those of the predictions",
            others.count() + 1,
            compared.len(),
            first.game.key,
            column.name(),
            written(&first.own),
            written(odds)
        );
        Some(Finding::of(FindingKind::OtherPrices, Severity::Warning, release.season, &first.game, message))
    };
    predictions.iter().filter_map(of_file).collect()
}

/// Returns the first line or price that both have and that differs.
fn other_value(own: &GameLines, odds: &GameLines) -> Option<LineColumn> {
    let differs = |column: &LineColumn| {
        let (own, odds) = (own.value(*column), odds.value(*column));
        own.is_some() && odds.is_some() && own != odds
    };
    LineColumn::ALL.into_iter().find(differs)
}

/// Copies the values that `from` has.
fn put(lines: &mut GameLines, from: &GameLines) {
    for column in LineColumn::ALL.into_iter().filter(|column| from.value(*column).is_some()) {
        lines.copy_column(from, column);
    }
}

/// Returns true if the spread or the moneyline of a game names a clear favourite and, in place of the other that it lacks, the odds
/// name another.
pub(crate) fn has_other_favourite(
    sport: Sport,
    (place, key): (&Place, &GameKey),
    own: &GameLines,
    odds: &GameLines,
) -> bool {
    let mut lines = *own;
    match (own.spread.is_some(), own.money.any()) {
        (true, false) => lines.money = odds.money,
        (false, true) => lines.spread = odds.spread,
        _ => return false,
    }
    prices::has_two_favourites(sport, &Game::quoted(key, place, lines)) == Some(true)
}

/// Judges a file by the values that it has itself.
fn file_findings(release: &Release, rows: &[SlateRow<'_>], named: &Named<'_>) -> Vec<Finding> {
    let (sport, season) = (release.sport, release.season);
    let having = |has: &dyn Fn(&GameLines) -> bool| {
        rows.iter().filter(|row| has(&row.own)).map(|row| &row.game).collect::<Vec<_>>()
    };
    let vig = ModelType::ALL.into_iter().filter_map(|model_type| {
        prices::vig_of_slate(season, model_type, &having(&|own| own.prices(model_type).any()))
    });
    let spreads = having(&|own| own.spread.is_some());
    let mut moneylines = having(&|own| own.spread.is_none() && own.money.any());
    moneylines.retain(|game| !named.contains(game.key));
    let own: Vec<_> = rows.iter().map(|row| Game { lines: row.own, ..row.game.clone() }).collect();
    let own: Vec<_> = own.iter().collect();
    prices::spread_signs_of_slate(sport, season, Judged::Spread, &spreads)
        .into_iter()
        .chain(prices::spread_signs_of_slate(sport, season, Judged::Moneyline, &moneylines))
        .chain(vig)
        .chain(prices::equal_lines(sport, season, &own, prices::EQUAL_IN_SLATE))
        .chain(line_bounds(release, &having(&|own| own.spread.is_some() || own.total.is_some())))
        .collect()
}

/// Refuses a slate with a game whose spread is larger than its total.
fn line_bounds(release: &Release, games: &[&Game<'_>]) -> Option<Finding> {
    let first = games.iter().find(|game| game.lines.is_spread_above_total())?;
    let message = format!("{}: the spread is larger than the total", first.key);
    Some(Finding::of(FindingKind::LineBounds, Severity::Refusal, release.season, first, message))
}
