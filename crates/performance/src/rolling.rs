use std::collections::{BTreeMap, VecDeque};

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
    /// The model's picks of this day and the 27 before it.
    pub trailing: Tally,
}

/// One model's points of a season, in order of date; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    /// The model.
    pub model: ModelColumn,
    /// Its points.
    pub points: Vec<CurvePoint>,
}

/// The four-week curves of a season: one for each model with a graded pick, in the order models are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Curves(Vec<Curve>);

impl Curves {
    /// Draws the curves of a season's games of one market.
    #[must_use]
    pub fn from_games(games: &[SeasonGame<'_>]) -> Self {
        let Some(first) = games.iter().map(SeasonGame::date).min() else { return Self::default() };
        let drawn = ModelColumn::ALL.into_iter().map(|model| Curve { model, points: points(games, model, first) });
        Self(drawn.filter(|curve| !curve.points.is_empty()).collect())
    }

    /// The curves.
    pub fn iter(&self) -> impl Iterator<Item = &Curve> {
        self.0.iter()
    }

    /// The points of one model; none without a graded pick.
    #[must_use]
    pub fn points(&self, model: ModelColumn) -> &[CurvePoint] {
        self.iter().find(|curve| curve.model == model).map_or(&[], |curve| &curve.points)
    }
}

fn points(games: &[SeasonGame<'_>], model: ModelColumn, first: NaiveDate) -> Vec<CurvePoint> {
    let mut days: BTreeMap<NaiveDate, Tally> = BTreeMap::new();
    for game in games {
        if let Some(won) = game.graded().and_then(|graded| graded.won(model)) {
            days.entry(game.date()).or_default().add(won);
        }
    }
    let (mut recent, mut points) = (VecDeque::new(), Vec::with_capacity(days.len()));
    for (date, tally) in days {
        recent.push_back((date, tally));
        let window = Window::ending_on(date, FOUR_WEEKS);
        while recent.front().is_some_and(|(date, _)| !window.contains(*date)) {
            recent.pop_front();
        }
        let mut trailing = Tally::default();
        for (_, tally) in &recent {
            trailing.add_all(*tally);
        }
        let day = u32::try_from((date - first).num_days()).unwrap_or(u32::MAX);
        points.push(CurvePoint { date, day, trailing });
    }
    points
}

/// What earlier seasons had on one day, on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AveragePoint {
    /// Days since a season's first game.
    pub day: u32,
    /// How many seasons have a point that day.
    pub seasons: u32,
    /// The plain mean of their win shares, 0 to 1, rounded to six places.
    pub win_share: f64,
}

/// One model's average points, in order of day; never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct AverageCurve {
    /// The model.
    pub model: ModelColumn,
    /// Its points.
    pub points: Vec<AveragePoint>,
}

/// The mean of several seasons' curves, day by day, for each model that has a point.
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
