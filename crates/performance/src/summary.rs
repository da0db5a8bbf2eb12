use sports_domain::{ModelColumn, ModelId, ModelSet, Side};
use sports_grading::Graded;

use crate::lanes::{LANES, Lane, OWN_LANES};
use crate::wagers::{StakedLanes, Stakes, Wagers};
use crate::{FOUR_WEEKS, ONE_WEEK, SeasonGame, Staked, Summarised, Tally, Window, lanes, season_game};

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
/// ensemble. `models` are the models of the season.
pub fn summarise(games: &[SeasonGame<'_>], models: &ModelSet) -> Vec<ModelSummary> {
    let decided = games.iter().filter(|game| game.is_decided());
    let Some(last) = decided.map(SeasonGame::date).max() else { return Vec::new() };
    let windows = [FOUR_WEEKS, ONE_WEEK].map(|days| Window::ending_on(last, days));
    let (mut picks, mut wagered) = ([0; 3].map(|_| SidePicks::new(models)), AllStakes::new(models));
    for game in games {
        let within = windows.iter().filter(|window| window.contains(game.date())).count();
        if let Some(graded) = game.graded() {
            picks[within].add(graded);
        }
        wagered.add(game, within);
    }
    let summary = |model: Option<ModelId>| {
        let (staked, valued) = wagered.get(Lane::of(model));
        let [season, four_weeks, one_week] = [0, 1, 2].map(|span| Span::new(&picks[span..], model, staked[span]));
        let of = model.map_or(Summarised::Ensemble, |model| Summarised::Model(models.name(model)));
        ModelSummary { of, season, one_week, four_weeks, valued }
    };
    let everyone = models.ids().map(Some).chain([None]);
    everyone.map(summary).filter(|summary| summary.season.all.games() > 0).collect()
}

impl Span {
    /// Adds the picks of a subject in adjacent spans of days.
    fn new(picks: &[SidePicks], model: Option<ModelId>, staked: Staked) -> Self {
        let [mut on_positive, mut on_negative] = [Tally::default(); 2];
        for [positive, negative] in picks.iter().map(|picks| picks.get(model)) {
            on_positive.add_all(positive);
            on_negative.add_all(negative);
        }
        let mut all = on_positive;
        all.add_all(on_negative);
        Self { all, on_positive, on_negative, staked }
    }
}

/// The picks on each side. In every array the positive side is first.
struct SidePicks {
    /// Indexed by the winning side, then by the picked side.
    taken: [[PickCounts; 2]; 2],
}

impl SidePicks {
    fn new(models: &ModelSet) -> Self {
        Self { taken: [0; 2].map(|_| [0; 2].map(|_| PickCounts::new(models))) }
    }

    #[inline]
    fn add(&mut self, graded: &Graded) {
        let taken = &mut self.taken[graded.outcome() as usize];
        for (counts, side) in taken.iter_mut().zip([Side::Positive, Side::Negative]) {
            counts.add(
                graded.picks().on(side) | if season_game::ensemble_agrees(graded.picks(), side) { ENSEMBLE } else { 0 },
            );
        }
    }

    /// Returns the tallies on the positive and on the negative side of a model; of the ensemble for `None`.
    fn get(&self, model: Option<ModelId>) -> [Tally; 2] {
        let count = |winner: usize, picked: usize| self.taken[winner][picked].get(model);
        [Tally { wins: count(0, 0), losses: count(1, 0) }, Tally { wins: count(1, 1), losses: count(0, 1) }]
    }
}

/// The stakes of all subjects.
struct AllStakes {
    standard: SpanStakes<LANES>,
    /// One item for each block of own models.
    own: Vec<SpanStakes<OWN_LANES>>,
}

impl AllStakes {
    fn new(models: &ModelSet) -> Self {
        let own = vec![SpanStakes::default(); models.own().len().div_ceil(OWN_LANES)];
        Self { standard: SpanStakes::default(), own }
    }

    #[inline]
    fn add(&mut self, game: &SeasonGame<'_>, within: usize) {
        let Some(stakes) = Stakes::on(game) else { return };
        self.standard.add(&stakes.wagers(lanes::standard(game.market())), within);
        for (own, block) in self.own.iter_mut().zip(game.market().forecasts().own_or_nan()) {
            own.add(&stakes.wagers(*block), within);
        }
    }

    fn get(&self, lane: Lane) -> ([Staked; 3], Staked) {
        match lane {
            Lane::Standard(lane) => self.standard.get(lane),
            Lane::Own(block, lane) => self.own[block].get(lane),
        }
    }
}

/// The stakes of several subjects.
#[derive(Clone, Copy, Default)]
struct SpanStakes<const W: usize> {
    /// Over the season, its last four weeks, and its last week: each includes the next.
    spans: [StakedLanes<W>; 3],
    /// Over the season, with an expected value above zero.
    valued: StakedLanes<W>,
}

impl<const W: usize> SpanStakes<W> {
    #[inline]
    fn add(&mut self, wagers: &Wagers<W>, within: usize) {
        for span in &mut self.spans[..=within] {
            span.add(wagers);
        }
        self.valued.add_valued(wagers);
    }

    fn get(&self, lane: usize) -> ([Staked; 3], Staked) {
        (self.spans.each_ref().map(|span| span.get(lane)), self.valued.get(lane))
    }
}

/// The number of bits of the specification: its models, and the ensemble behind them.
const STANDARD: usize = ModelColumn::ALL.len() + 1;

/// The bit of the ensemble in a mask of [`PickCounts::add`], behind those of the largest set of models.
pub const ENSEMBLE: u64 = 1 << 63;

/// The numbers of picks of each model and of the ensemble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickCounts {
    /// IMPLIED, the other models of the specification, the ensemble, and lanes without a use: processors count four at
    /// a time.
    standard: [u32; STANDARD.next_multiple_of(4)],
    /// One item for each block of own models.
    own: Vec<[u32; OWN_LANES]>,
}

impl PickCounts {
    /// Creates counts of zero for these models.
    pub fn new(models: &ModelSet) -> Self {
        Self {
            standard: [0; STANDARD.next_multiple_of(4)],
            own: vec![[0; OWN_LANES]; models.own().len().div_ceil(OWN_LANES)],
        }
    }

    /// Counts a pick of each model in a mask, in which the bit of a model is its place.
    #[inline]
    pub fn add(&mut self, mask: u64) {
        let ensemble = (mask >> 63) << (STANDARD - 1);
        count(&mut self.standard, mask & ((1 << (STANDARD - 1)) - 1) | ensemble);
        for (block, own) in self.own.iter_mut().enumerate() {
            count(own, mask >> (ModelColumn::ALL.len() + block * OWN_LANES) & 0xff);
        }
    }

    /// Changes each count by its counterpart.
    pub fn change(&mut self, by: &Self, change: impl Fn(u32, u32) -> u32) {
        let standard = self.standard.iter_mut().zip(&by.standard);
        let own = self.own.as_flattened_mut().iter_mut().zip(by.own.as_flattened());
        for (count, by) in standard.chain(own) {
            *count = change(*count, *by);
        }
    }

    /// Returns the number of picks of a model; of the ensemble for `None`.
    pub fn get(&self, model: Option<ModelId>) -> u32 {
        let Some(model) = model else { return self.standard[STANDARD - 1] };
        model.own_index().map_or_else(|| self.standard[model.index()], |own| self.own.as_flattened()[own])
    }
}

/// Adds one to the lane of each set bit, without a branch.
#[inline]
fn count<const W: usize>(lanes: &mut [u32; W], mask: u64) {
    #[expect(clippy::cast_possible_truncation, reason = "a mask of at most W bits")]
    let mask = mask as u32;
    for (place, lane) in lanes.iter_mut().enumerate() {
        *lane += u32::from(mask & 1 << place != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_has_a_count_of_its_own() {
        let names = (0..32).map(|index| format!("m{index}").parse().expect("a name"));
        let models = ModelSet::new(names).expect("32 names");
        let mut counts = PickCounts::new(&models);
        // The model at place p is in each mask whose number is divisible by p + 1; the ensemble in every seventh.
        for number in 0..1_000_u64 {
            let divided = (0..41).filter(|place| number.is_multiple_of(place + 1));
            let ensemble = if number.is_multiple_of(7) { ENSEMBLE } else { 0 };
            counts.add(divided.fold(ensemble, |mask, place| mask | 1 << place));
        }
        let divided = |by: u32| (0..1_000_u32).filter(|number| number.is_multiple_of(by)).count();
        for (model, by) in models.ids().zip(1..) {
            assert_eq!(counts.get(Some(model)) as usize, divided(by), "{model:?}");
        }
        assert_eq!(counts.get(None) as usize, divided(7));
        let twice = counts.clone();
        counts.change(&twice, |count, by| count + by);
        assert_eq!(counts.get(models.id("m31")), 2 * twice.get(models.id("m31")));
    }
}
