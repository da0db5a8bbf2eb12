use std::fmt;

use sports_domain::{ModelColumn, Side};
use sports_grading::Outcome;

use crate::staked::Wager;
use crate::{FOUR_WEEKS, ONE_WEEK, SeasonGame, Staked, Tally, Window, ensemble};

/// Whose picks are summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Summarised {
    /// One column of probabilities.
    Model(ModelColumn),
    /// The agreement of the six individual models.
    Ensemble,
}

impl Summarised {
    /// `ENSEMBLE`, or the model column's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model(model) => model.name(),
            Self::Ensemble => "ENSEMBLE",
        }
    }

    /// The side taken on a graded game, and whether it won.
    fn pick(self, game: &SeasonGame<'_>) -> Option<(Side, bool)> {
        let graded = game.graded()?;
        let side = match self {
            Self::Model(model) => graded.pick(model),
            Self::Ensemble => ensemble::pick(graded),
        };
        side.map(|side| (side, side == graded.outcome()))
    }

    /// The bet on a game; an agreement has no probability to bet by.
    fn wager(self, game: &SeasonGame<'_>) -> Option<Wager> {
        match self {
            Self::Model(model) => Wager::on(game.market(), model),
            Self::Ensemble => None,
        }
    }
}

impl fmt::Display for Summarised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is counted over one span of days.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Span {
    /// Every pick.
    pub all: Tally,
    /// Picks of the over or the home side.
    pub on_positive: Tally,
    /// Picks of the under or the away side.
    pub on_negative: Tally,
    /// One unit a game on the side with the higher expected value, pushes included.
    pub staked: Staked,
}

impl Span {
    fn add_pick(&mut self, side: Side, won: bool) {
        self.all.add(won);
        match side {
            Side::Positive => self.on_positive.add(won),
            Side::Negative => self.on_negative.add(won),
        }
    }
}

/// How one model did in a season.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelSummary {
    /// Whose picks.
    pub of: Summarised,
    /// The whole season.
    pub season: Span,
    /// The seven days that end on the date of the latest decided game.
    pub one_week: Span,
    /// The twenty-eight days that end on the same date.
    pub four_weeks: Span,
    /// Of the season's stakes, those whose expected value was above zero.
    pub valued: Staked,
}

/// How every model with a graded pick did in a season's games of one market: models in the order they are listed, then
/// the ensemble.
#[must_use]
pub fn summarise(games: &[SeasonGame<'_>]) -> Vec<ModelSummary> {
    let decided = games.iter().filter(|game| matches!(game.market().outcome(), Some(Outcome::Decided(_))));
    let Some(last) = decided.map(SeasonGame::date).max() else { return Vec::new() };
    let windows = [Window::ending_on(last, ONE_WEEK), Window::ending_on(last, FOUR_WEEKS)];
    let everyone = ModelColumn::ALL.into_iter().map(Summarised::Model).chain([Summarised::Ensemble]);
    everyone.map(|of| summary(of, games, windows)).filter(|summary| summary.season.all.games() > 0).collect()
}

fn summary(of: Summarised, games: &[SeasonGame<'_>], windows: [Window; 2]) -> ModelSummary {
    let (mut season, mut spans, mut valued) = (Span::default(), [Span::default(); 2], Staked::default());
    for game in games {
        let inside = windows.map(|window| window.contains(game.date()));
        let touched = spans.iter_mut().zip(inside).filter(|(_, inside)| *inside).map(|(span, _)| span);
        let (pick, wager) = (of.pick(game), of.wager(game));
        for span in touched.chain([&mut season]) {
            if let Some((side, won)) = pick {
                span.add_pick(side, won);
            }
            if let Some(wager) = &wager {
                span.staked.add(wager);
            }
        }
        if let Some(wager) = wager.filter(Wager::has_value) {
            valued.add(&wager);
        }
    }
    let [one_week, four_weeks] = spans;
    ModelSummary { of, season, one_week, four_weeks, valued }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ensemble_is_named_beside_the_model_columns() {
        let blend = Summarised::Model(ModelColumn::Blend);
        assert_eq!((blend.name(), Summarised::Ensemble.name()), ("BLEND", "ENSEMBLE"));
        assert_eq!((blend.to_string(), Summarised::Ensemble.to_string()), ("BLEND".into(), "ENSEMBLE".into()));
    }
}
