use std::collections::BTreeMap;

use chrono::NaiveDate;
use sports_domain::{ModelColumn, rounded};

use crate::{FOUR_WEEKS, SeasonGame, Tally, Window};

/// A day on which a model had a graded pick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurvePoint {
    /// The day.
    pub date: NaiveDate,
    /// Days since the season's first game, which is played on day 0.
    pub day: u32,
    /// The model's picks on this day and the 27 days before it.
    pub trailing: Tally,
}

/// A model's points of a season, in the order of dates; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    /// The model.
    pub model: ModelColumn,
    /// Its points.
    pub points: Vec<CurvePoint>,
}

/// The four-week curves of a season: one for each model with a graded pick, in the order of models.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Curves(Vec<Curve>);

impl Curves {
    /// Computes the curves of a season's games in one market.
    #[must_use]
    pub fn from_games(games: &[SeasonGame<'_>]) -> Self {
        let days = tallies_by_day(games);
        let Some(first) = games.iter().map(SeasonGame::date).min() else { return Self::default() };
        let mut curves = ModelColumn::ALL.map(|model| Curve { model, points: Vec::new() });
        // The tallies in the window, and the index of its first day.
        let (mut trailing, mut left) = ([[0; 2]; ModelColumn::ALL.len()], 0);
        for (date, tallies) in &days {
            let window = Window::ending_on(*date, FOUR_WEEKS);
            for (_, gone) in days[left..].iter().take_while(|(date, _)| !window.contains(*date)) {
                left += 1;
                each(&mut trailing, gone, |count, gone| *count -= gone);
            }
            each(&mut trailing, tallies, |count, new| *count += new);
            let day = u32::try_from((*date - first).num_days()).unwrap_or(u32::MAX);
            for ((curve, [losses, wins]), today) in curves.iter_mut().zip(trailing).zip(tallies) {
                if *today != [0, 0] {
                    curve.points.push(CurvePoint { date: *date, day, trailing: Tally { wins, losses } });
                }
            }
        }
        Self(curves.into_iter().filter(|curve| !curve.points.is_empty()).collect())
    }

    /// Returns the curves.
    pub fn iter(&self) -> impl Iterator<Item = &Curve> {
        self.0.iter()
    }

    /// Returns the points of one model; an empty slice without a graded pick.
    #[must_use]
    pub fn points(&self, model: ModelColumn) -> &[CurvePoint] {
        self.iter().find(|curve| curve.model == model).map_or(&[], |curve| &curve.points)
    }
}

/// Losses and wins of each model.
type DayTallies = [[u32; 2]; ModelColumn::ALL.len()];

/// Returns the tallies of each day with a game, in the order of dates.
fn tallies_by_day(games: &[SeasonGame<'_>]) -> Vec<(NaiveDate, DayTallies)> {
    let mut days: BTreeMap<NaiveDate, DayTallies> = BTreeMap::new();
    // Games are mostly in the order of dates, so most days are looked up once.
    for day in games.chunk_by(|one, next| one.date() == next.date()) {
        let mut tallies = DayTallies::default();
        for graded in day.iter().filter_map(SeasonGame::graded) {
            for (tally, pick) in tallies.iter_mut().zip(graded.picks()) {
                tally[0] += u32::from(*pick == Some(graded.outcome().opposite()));
                tally[1] += u32::from(*pick == Some(graded.outcome()));
            }
        }
        each(days.entry(day[0].date()).or_default(), &tallies, |count, new| *count += new);
    }
    days.into_iter().collect()
}

/// Applies a change to each count and its counterpart.
fn each(counts: &mut DayTallies, by: &DayTallies, change: impl Fn(&mut u32, u32)) {
    for (count, by) in counts.as_flattened_mut().iter_mut().zip(by.as_flattened()) {
        change(count, *by);
    }
}

/// The average of earlier seasons on one day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AveragePoint {
    /// Days since a season's first game.
    pub day: u32,
    /// The number of seasons with a point on that day.
    pub seasons: u32,
    /// The unweighted mean of their win shares, 0 to 1, rounded to six places.
    pub win_share: f64,
}

/// A model's average points, in the order of days; never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct AverageCurve {
    /// The model.
    pub model: ModelColumn,
    /// Its points.
    pub points: Vec<AveragePoint>,
}

/// Averages several seasons' curves, day by day, for each model that has a point.
#[must_use]
pub fn historical_average(seasons: &[&Curves]) -> Vec<AverageCurve> {
    let averaged = ModelColumn::ALL.into_iter().map(|model| AverageCurve { model, points: average(seasons, model) });
    averaged.filter(|curve| !curve.points.is_empty()).collect()
}

fn average(seasons: &[&Curves], model: ModelColumn) -> Vec<AveragePoint> {
    let mut days: BTreeMap<u32, (u32, f64)> = BTreeMap::new();
    for point in seasons.iter().flat_map(|curves| curves.points(model)) {
        let (seasons, sum) = days.entry(point.day).or_default();
        *seasons += 1;
        *sum += f64::from(point.trailing.wins) / f64::from(point.trailing.games());
    }
    let mean = |(day, (seasons, sum)): (u32, (u32, f64))| AveragePoint {
        day,
        seasons,
        win_share: rounded(sum / f64::from(seasons), 6),
    };
    days.into_iter().map(mean).collect()
}
