//! Comparisons of a season's lines with its finals, which show a column of the other sign also where no other column does.

use sports_domain::{FinalScore, LineBounds, LineColumn, Sport};

use super::prices::expected_margin;
use super::report::{mean, percent, ratio};
use super::season_games::{Game, SeasonGames};
use super::{Finding, FindingKind, Severity};

/// Returns the findings of a season's finals.
pub(crate) fn of_season(season: &SeasonGames<'_>) -> Vec<Finding> {
    [against_spread(season), against_moneyline(season), against_total(season)].into_iter().flatten().collect()
}

/// The largest distance of the favourites that covered from one half, in standard errors. The widest of 70 seasons is 2.8.
const FARTHEST_COVERS: f64 = 4.5;

/// The largest mean margin against the spread, in standard errors. The widest of 70 seasons is 3.2 for favourites; for home teams 2.4
/// (ncaab 2022-23), where ten points more make 9.9 or more.
const FARTHEST_MARGIN: f64 = 5.0;

/// The number of games from which margins have a standard error of use.
const FEWEST_MARGINS: usize = 30;

/// The mean margin of some teams against the spread.
struct Margin {
    /// In points.
    points: f64,
    /// In standard errors.
    errors: f64,
}

impl Margin {
    fn of(beyond: &[f64]) -> Self {
        let points = mean(beyond.iter().copied()).unwrap_or_default();
        let variance = mean(beyond.iter().map(|beyond| (beyond - points).powi(2))).unwrap_or_default();
        let errors = if beyond.len() < FEWEST_MARGINS || variance <= 0.0 {
            0.0
        } else {
            points / (variance * ratio(1, beyond.len())).sqrt()
        };
        Self { points, errors }
    }
}

/// The results against the spread.
struct Covers {
    /// Favourites that covered.
    won: usize,
    decided: usize,
    /// The distance of the share that covered from one half, in standard errors.
    won_errors: f64,
    favourites: Margin,
    home: Margin,
}

impl Covers {
    /// Judges spreads of the home team beside the home team's margins.
    fn of(games: &[(f64, f64)]) -> Self {
        let home: Vec<_> = games.iter().map(|(spread, margin)| margin + spread).collect();
        let beyond: Vec<_> = home.iter().zip(games).map(|(beyond, (spread, _))| beyond * -spread.signum()).collect();
        let won = beyond.iter().filter(|beyond| **beyond > 0.0).count();
        let decided = won + beyond.iter().filter(|beyond| **beyond < 0.0).count();
        let (won_errors, favourites, home) = (standard_errors(won, decided), Margin::of(&beyond), Margin::of(&home));
        Self { won, decided, won_errors, favourites, home }
    }

    /// Returns the distance from what is expected, as a multiple of the largest that is accepted.
    const fn distance(&self) -> f64 {
        let margin = self.favourites.errors.abs().max(self.home.errors.abs());
        (self.won_errors.abs() / FARTHEST_COVERS).max(margin / FARTHEST_MARGIN)
    }

    /// Returns the probable cause of a distance: the change of the spreads that would leave less than half of it.
    fn cause(&self, games: &[(f64, f64)]) -> String {
        let after = |change: &dyn Fn(f64) -> f64| {
            let games: Vec<_> = games.iter().map(|(spread, margin)| (change(*spread), *margin)).collect();
            Self::of(&games).distance()
        };
        let (negated, moved) = (after(&|spread| -spread), after(&|spread| spread - self.home.points));
        // If the part of the column that is wrong were half of it, its negative would be as far off.
        if negated.min(moved) >= self.distance() / 2.0 {
            "part of the rows may have the other sign, or the lines are of other games".to_owned()
        } else if negated <= moved {
            format!("{}; or the scores of home and away are exchanged", expected_margin())
        } else {
            let points = self.home.points;
            format!("a number may have been added to the spreads, about {points:+.0}, or they are of other games")
        }
    }
}

/// Returns the distance of a share from one half, in standard errors.
fn standard_errors(with: usize, known: usize) -> f64 {
    if known == 0 { 0.0 } else { (ratio(with, known) - 0.5) * 2.0 * ratio(known, 1).sqrt() }
}

/// Refuses spreads that favourites cover too rarely or too often, or by margins that lean to one side: to favourites, or to home
/// teams. The fixed spreads of baseball and hockey are left out, since their prices tell the favourite.
fn against_spread(season: &SeasonGames<'_>) -> Option<Finding> {
    let value = |game: &Game<'_>| {
        let (spread, score) = (game.lines.spread?.home(), game.score?);
        let is_judged = spread.abs() > 0.0 && !LineBounds::is_fixed_spread(season.sport, spread);
        is_judged.then(|| (spread, f64::from(score.home_margin())))
    };
    let games: Vec<_> = season.listed.iter().filter_map(value).collect();
    let found = Covers::of(&games);
    if found.distance() <= 1.0 {
        return None;
    }
    let first = season.listed.iter().find(|game| value(game).is_some())?;
    let Covers { won, decided, favourites, home, .. } = &found;
    let message = format!(
        "column {}: favourites covered in {won} of {decided} games ({}), {:.1} standard errors from one half ({FARTHEST_COVERS} are \
         accepted), and by {:.1} points in the mean, {:.1} standard errors ({FARTHEST_MARGIN}); home teams by {:.1} points, {:.1} \
         standard errors ({FARTHEST_MARGIN}); {}",
        LineColumn::HomePointSpread.name(),
        percent(ratio(*won, (*decided).max(1))),
        found.won_errors.abs(),
        favourites.points,
        favourites.errors.abs(),
        home.points,
        home.errors.abs(),
        found.cause(&games),
    );
    Some(Finding::of(FindingKind::FinalsAgainstSpread, Severity::Refusal, Some(season.season), first, message))
}

/// Below this distance from one half, in standard errors, home favourites won too rarely.
const FEWEST_WINS: f64 = 2.0;

/// The distance below the moneylines' own expectation that is chance, in standard errors.
const CHANCE: f64 = 3.0;

/// Warns of moneylines whose home favourites hardly won more often than they lost, over games without a spread that finals could
/// judge.
fn against_moneyline(season: &SeasonGames<'_>) -> Option<Finding> {
    let value = |game: &Game<'_>| {
        let (share, margin) = (game.lines.money.no_vig()?.get(), game.score?.home_margin());
        let has_spread =
            game.lines.spread.is_some_and(|spread| !LineBounds::is_fixed_spread(season.sport, spread.home()));
        (!has_spread && share > 0.5 && margin != 0).then_some((share, margin > 0))
    };
    let games: Vec<_> = season.listed.iter().filter_map(value).collect();
    let won = games.iter().filter(|(_, has_won)| *has_won).count();
    let expected = mean(games.iter().map(|(share, _)| share * 2.0 - 1.0))? * ratio(games.len(), 1).sqrt();
    let wins = standard_errors(won, games.len());
    if wins >= FEWEST_WINS.min(expected - CHANCE) {
        return None;
    }
    let first = season.listed.iter().find(|game| value(game).is_some())?;
    let message = format!(
        "columns home_money_line and away_money_line: home favourites won {won} of {} games, {wins:.1} standard errors from one half, \
         and {expected:.1} are expected; the prices may be those of the other team, or the scores of home and away exchanged",
        games.len(),
    );
    Some(Finding::of(FindingKind::FinalsAgainstMoneyline, Severity::Warning, Some(season.season), first, message))
}

/// The number of games from which totals are compared with scores.
const FEWEST_TOTALS: usize = 200;

/// Returns the largest mean difference of totals and scores; the widest of 70 seasons are 0.69 (mlb), 0.34 (nhl), 2.15 (nfl), 1.32
/// (nba), 0.84 (ncaaf) and 0.87 (ncaab).
const fn farthest_total(sport: Sport) -> f64 {
    match sport {
        Sport::Mlb => 1.0,
        Sport::Nhl => 0.6,
        Sport::Nfl => 3.5,
        Sport::Nba => 2.5,
        Sport::Ncaaf | Sport::Ncaab => 2.0,
    }
}

/// Warns of totals that are higher or lower than the scores in the mean.
fn against_total(season: &SeasonGames<'_>) -> Option<Finding> {
    let value = |game: &Game<'_>| Some(game.lines.total?.get() - f64::from(game.score.map(FinalScore::combined)?));
    let beyond: Vec<_> = season.listed.iter().filter_map(value).collect();
    let (difference, farthest) = (mean(beyond.iter().copied())?, farthest_total(season.sport));
    if beyond.len() < FEWEST_TOTALS || difference.abs() <= farthest {
        return None;
    }
    let first = season.listed.iter().find(|game| value(game).is_some())?;
    let message = format!(
        "column {}: it is {difference:.2} points above the scores in the mean of {} games, and {farthest} either way are accepted; the \
         totals or the scores may be of a part of the game, or of other games",
        LineColumn::OverUnder.name(),
        beyond.len(),
    );
    Some(Finding::of(FindingKind::FinalsAgainstTotal, Severity::Warning, Some(season.season), first, message))
}
