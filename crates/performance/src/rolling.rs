use std::collections::BTreeMap;

use chrono::NaiveDate;
use sports_domain::{ModelColumn, ModelId, ModelName, ModelSet, rounded};

use crate::summary::PickCounts;
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
    pub model: ModelName,
    /// Its points.
    pub points: Vec<CurvePoint>,
}

/// The four-week curves of a season: one for each model with a graded pick, in the order of models.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Curves(Vec<Curve>);

impl Curves {
    /// Computes the curves of a season's games in one market. `models` are the models of the season.
    pub fn from_games(games: &[SeasonGame<'_>], models: &ModelSet) -> Self {
        let days = tallies_by_day(games, models);
        let Some(first) = games.iter().map(SeasonGame::date).min() else { return Self::default() };
        let mut curves: Vec<_> =
            models.ids().map(|model| Curve { model: models.name(model), points: Vec::new() }).collect();
        // The tallies in the window, and the index of its first day.
        let (mut trailing, mut left) = (DayTallies::new(models), 0);
        for (date, today) in &days {
            let window = Window::ending_on(*date, FOUR_WEEKS);
            for (_, gone) in days[left..].iter().take_while(|(date, _)| !window.contains(*date)) {
                left += 1;
                trailing.change(gone, |count, gone| count - gone);
            }
            trailing.change(today, |count, new| count + new);
            let day = u32::try_from((*date - first).num_days()).unwrap_or(u32::MAX);
            for (curve, model) in curves.iter_mut().zip(models.ids()) {
                if today.of(model).games() > 0 {
                    curve.points.push(CurvePoint { date: *date, day, trailing: trailing.of(model) });
                }
            }
        }
        curves.retain(|curve| !curve.points.is_empty());
        Self(curves)
    }

    /// Returns the curves of the models for which `is_listed` returns `true`, unchanged.
    pub fn listing(&self, is_listed: impl Fn(ModelName) -> bool) -> Self {
        Self(self.iter().filter(|curve| is_listed(curve.model)).cloned().collect())
    }

    /// Returns the curves.
    pub fn iter(&self) -> impl Iterator<Item = &Curve> {
        self.0.iter()
    }

    /// Returns the points of one model; an empty slice without a graded pick.
    pub fn points(&self, model: impl Into<ModelName>) -> &[CurvePoint] {
        let model = model.into();
        self.iter().find(|curve| curve.model == model).map_or(&[], |curve| &curve.points)
    }
}

/// Wins and losses of each model.
struct DayTallies {
    wins: PickCounts,
    losses: PickCounts,
}

impl DayTallies {
    fn new(models: &ModelSet) -> Self {
        Self { wins: PickCounts::new(models), losses: PickCounts::new(models) }
    }

    /// Changes each count by its counterpart.
    fn change(&mut self, by: &Self, change: impl Fn(u32, u32) -> u32) {
        self.wins.change(&by.wins, &change);
        self.losses.change(&by.losses, &change);
    }

    fn of(&self, model: ModelId) -> Tally {
        Tally { wins: self.wins.get(Some(model)), losses: self.losses.get(Some(model)) }
    }
}

/// Returns the tallies of each day with a game, in the order of dates.
fn tallies_by_day(games: &[SeasonGame<'_>], models: &ModelSet) -> Vec<(NaiveDate, DayTallies)> {
    let mut days = BTreeMap::new();
    // Games are mostly in the order of dates, so most days are looked up once.
    for day in games.chunk_by(|one, next| one.date() == next.date()) {
        let tallies = days.entry(day[0].date()).or_insert_with(|| DayTallies::new(models));
        for graded in day.iter().filter_map(SeasonGame::graded) {
            tallies.wins.add(graded.picks().on(graded.outcome()));
            tallies.losses.add(graded.picks().on(graded.outcome().opposite()));
        }
    }
    days.into_iter().collect()
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
    pub model: ModelName,
    /// Its points.
    pub points: Vec<AveragePoint>,
}

/// Averages several seasons' curves, day by day, for each model that has a point: those of the specification, then own
/// models in the order in which the seasons first have them.
pub fn historical_average(seasons: &[&Curves]) -> Vec<AverageCurve> {
    let mut models: Vec<_> = ModelColumn::ALL.map(ModelName::of).into();
    for curve in seasons.iter().flat_map(|curves| curves.iter()) {
        if !models.contains(&curve.model) {
            models.push(curve.model);
        }
    }
    let averaged = models.into_iter().map(|model| AverageCurve { model, points: average(seasons, model) });
    averaged.filter(|curve| !curve.points.is_empty()).collect()
}

fn average(seasons: &[&Curves], model: ModelName) -> Vec<AveragePoint> {
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
