use sports_domain::{ModelColumn, Side};
use sports_grading::Graded;

use crate::lanes::{ENSEMBLE, IMPLIED, Lanes};
use crate::wagers::{StakedLanes, Stakes};
use crate::{FOUR_WEEKS, ONE_WEEK, SeasonGame, Staked, Summarised, Tally, Window, ensemble};

/// The counts over one span of days.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Span {
    /// Every pick.
    pub all: Tally,
    /// Picks of the over or the home side.
    pub on_positive: Tally,
    /// Picks of the under or the away side.
    pub on_negative: Tally,
    /// One unit for each game on the side with the higher expected value, including pushes.
    pub staked: Staked,
}

/// The summary of a model's or the ensemble's picks in a season.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelSummary {
    /// The subject.
    pub of: Summarised,
    /// The whole season.
    pub season: Span,
    /// The seven days that end on the date of the latest decided game.
    pub one_week: Span,
    /// The twenty-eight days that end on the same date.
    pub four_weeks: Span,
    /// The season's stakes with an expected value above zero.
    pub valued: Staked,
}

/// Summarises a season's games in one market, for each subject with a graded pick: models in their order, then the
/// ensemble.
#[must_use]
pub fn summarise(games: &[SeasonGame<'_>]) -> Vec<ModelSummary> {
    let decided = games.iter().filter(|game| game.is_decided());
    let Some(last) = decided.map(SeasonGame::date).max() else { return Vec::new() };
    let windows = [FOUR_WEEKS, ONE_WEEK].map(|days| Window::ending_on(last, days));
    // The season, its last four weeks, and its last week: each includes the next.
    let (mut spans, mut valued) = ([SpanLanes::default(); 3], StakedLanes::default());
    for game in games {
        let within = windows.iter().filter(|window| window.contains(game.date())).count();
        let spans = &mut spans[..=within];
        if let Some(graded) = game.graded() {
            for span in spans.iter_mut() {
                span.picks.add(graded);
            }
        }
        if let Some(stakes) = Stakes::on(game) {
            let wagers = stakes.wagers(game.market());
            for span in spans {
                span.staked.add(&wagers);
            }
            valued.add_valued(&wagers);
        }
    }
    let everyone = ModelColumn::ALL.into_iter().map(Summarised::Model).chain([Summarised::Ensemble]);
    let summary = |of: Summarised| {
        let [season, four_weeks, one_week] = spans.each_ref().map(|span| span.get(of));
        ModelSummary { of, season, one_week, four_weeks, valued: valued.get(of.lane()) }
    };
    everyone.map(summary).filter(|summary| summary.season.all.games() > 0).collect()
}

/// The counts over one span of days, for all subjects.
#[derive(Clone, Copy, Default)]
struct SpanLanes {
    picks: PickLanes,
    staked: StakedLanes,
}

impl SpanLanes {
    fn get(&self, of: Summarised) -> Span {
        let [on_positive, on_negative] = self.picks.get(of.lane());
        let mut all = on_positive;
        all.add_all(on_negative);
        Span { all, on_positive, on_negative, staked: self.staked.get(of.lane()) }
    }
}

/// The number of picks on each side. In every array the positive side is first.
#[derive(Clone, Copy, Default)]
struct PickLanes {
    /// Indexed by the winning side, then by the picked side.
    taken: [[Lanes<u32>; 2]; 2],
}

impl PickLanes {
    #[inline]
    fn add(&mut self, graded: &Graded) {
        let [on_positive, on_negative] = &mut self.taken[graded.outcome() as usize];
        let mut count = |lane: usize, pick: Option<Side>| {
            on_positive[lane] += u32::from(pick == Some(Side::Positive));
            on_negative[lane] += u32::from(pick == Some(Side::Negative));
        };
        let [implied, forecasts @ ..] = graded.picks();
        for (lane, pick) in forecasts.iter().enumerate() {
            count(lane, *pick);
        }
        count(IMPLIED, *implied);
        count(ENSEMBLE, ensemble::pick(graded));
    }

    /// Returns a subject's tallies on the positive and on the negative side.
    fn get(&self, lane: usize) -> [Tally; 2] {
        let [positive_won, negative_won] = &self.taken;
        [
            Tally { wins: positive_won[0][lane], losses: negative_won[0][lane] },
            Tally { wins: negative_won[1][lane], losses: positive_won[1][lane] },
        ]
    }
}
