//! A game as its leaves count: a withdrawal, a new start and a calling-off count from the evidence of their leaf, and only
//! before the start that was in force before their own entry. Otherwise what stood before stays in force.

use std::collections::BTreeMap;

use sports_domain::{GameKey, ModelType, Sport, eastern_instant};

use super::leaf_history::{MarketLeaf, Said, StatedGame, StatedLeaves, Statement, start_of};
use super::{Evidence, FindingKind};
use crate::RecordedEnding;

/// The leaves of a tree with the times of its voices.
#[derive(Clone, Copy)]
pub(crate) struct DatedLeaves<'a> {
    pub(crate) sport: Sport,
    pub(crate) leaves: &'a StatedLeaves,
    pub(crate) evidence: &'a Evidence,
}

/// A game with the statements about it that count.
pub(crate) struct JudgedGame<'a> {
    dated: DatedLeaves<'a>,
    /// The game with the start in force.
    pub(crate) key: GameKey,
    /// The starts that were in force before, in seconds since 1970.
    former: Vec<i64>,
    markets: BTreeMap<ModelType, Vec<MarketLeaf>>,
    pub(crate) ending: Option<RecordedEnding>,
    /// True while the game is called off, and has no other start since.
    is_off: bool,
    /// The ending before this entry of a game without forecasts that the entry forecasts again.
    restated: Option<RecordedEnding>,
    /// The last leaf that changed a final.
    pub(crate) corrected: Option<u64>,
    pub(crate) late: Vec<LateStatement>,
}

/// A statement that came too late to count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LateStatement {
    pub(crate) kind: FindingKind,
    /// The market of a withdrawal.
    pub(crate) market: Option<ModelType>,
    pub(crate) leaf: u64,
    /// False if a witness that was away leaves the same trace.
    pub(crate) is_proven: bool,
}

/// The forecast of a market that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The last leaf that was in time, or the last of all.
    Forecast(u64),
    /// The leaf that withdrew it in time.
    Withdrawn(u64),
}

impl Standing {
    pub(crate) const fn leaf(self) -> u64 {
        let (Self::Forecast(leaf) | Self::Withdrawn(leaf)) = self;
        leaf
    }
}

impl DatedLeaves<'_> {
    /// Returns `true` if a quorum had a leaf, or its own entry states that it was published, in a second before `start`. A service can
    /// hide a cosignature.
    pub(crate) fn is_in_time(self, leaf: u64, start: i64) -> bool {
        self.evidence.is_before(leaf, start) || self.own_time(leaf).is_some_and(|own| own < start)
    }

    /// Returns the publication of the entry of a leaf, in seconds since 1970, as it states it.
    pub(crate) fn own_time(self, leaf: u64) -> Option<i64> {
        let generation = self.leaves.leaf(leaf)?.generation;
        self.leaves.published(generation).map(|(published_at, _)| published_at.timestamp())
    }

    fn is_proven_late(self, leaf: u64, start: i64) -> bool {
        self.own_time(leaf).is_some_and(|own| own >= start) || self.evidence.was_absent(leaf, start)
    }
}

impl<'a> JudgedGame<'a> {
    pub(crate) fn of(dated: DatedLeaves<'a>, game: &StatedGame) -> Self {
        let mut judged = Self {
            dated,
            key: game.first.clone(),
            former: Vec::new(),
            markets: BTreeMap::new(),
            ending: None,
            is_off: false,
            restated: None,
            corrected: None,
            late: Vec::new(),
        };
        for entry in game.statements.chunk_by(|one, other| one.generation == other.generation) {
            let start = judged.closed_from();
            for statement in entry {
                judged.apply(statement, start);
            }
            judged.restated = None;
        }
        // What was taken back, such as a start or a final that was mistyped, hides nothing.
        let (key, ending) = (&judged.key, judged.ending.as_ref());
        judged.late.retain(|late| match late.kind {
            FindingKind::LateMove => *key != game.key,
            FindingKind::LateCallOff => ending != game.ending.as_ref(),
            _ => true,
        });
        judged
    }

    /// Returns the instant from which statements are late, in seconds since 1970: the start in force; of a game without a time the
    /// hour from which publishers leave it as it is.
    fn closed_from(&self) -> i64 {
        let earliest = eastern_instant(self.key.date, self.dated.sport.earliest_start()).timestamp();
        self.start().unwrap_or(earliest)
    }

    /// Applies a statement of an entry, before which `start` was in force.
    fn apply(&mut self, statement: &Statement, start: i64) {
        let leaf = statement.index;
        match &statement.said {
            Said::Forecast(market) => {
                let mut last = self.markets.values().filter_map(|leaves| leaves.last());
                if !self.markets.is_empty() && last.all(|leaf| leaf.is_withdrawal) {
                    // A `final` leaf of the same entry states the ending that it has.
                    (self.restated, self.is_off) = (self.ending.take(), false);
                }
                self.note(*market, MarketLeaf { index: leaf, is_withdrawal: false });
            }
            Said::Withdrawn(market) => {
                if self.counts(FindingKind::LateWithdrawal, leaf, start) {
                    self.note(*market, MarketLeaf { index: leaf, is_withdrawal: true });
                } else if let Some(late) = self.late.last_mut() {
                    late.market = Some(*market);
                }
            }
            Said::Moved(to) => {
                // A start that was not known may be filled in on its day. Which of the games that were called off are played
                // must not be chosen after them.
                let start = if self.key.time.is_none() { start_of(&self.key) } else { start };
                if self.counts(FindingKind::LateMove, leaf, start) {
                    self.former.push(start_of(&self.key));
                    (self.key, self.is_off) = (to.clone(), false);
                }
            }
            Said::Ended(ending) => self.end(leaf, ending, start),
        }
    }

    fn note(&mut self, market: ModelType, leaf: MarketLeaf) {
        self.markets.entry(market).or_default().push(leaf);
    }

    fn end(&mut self, leaf: u64, ending: &RecordedEnding, start: i64) {
        let has_final = matches!(self.ending, Some(RecordedEnding::Final { .. }));
        let counts = match ending {
            RecordedEnding::Final { .. } => {
                if has_final && self.ending.as_ref().and_then(RecordedEnding::score) != ending.score() {
                    self.corrected = Some(leaf);
                }
                // Which of the games that were called off count must not be chosen after them.
                !self.is_off || self.counts(FindingKind::LateCallOff, leaf, start)
            }
            RecordedEnding::CalledOff { .. } => {
                let is_known = self.is_off || self.restated.as_ref() == Some(ending);
                is_known || self.counts(FindingKind::LateCallOff, leaf, start)
            }
            RecordedEnding::Gone => !(has_final || self.is_off) || self.counts(FindingKind::LateCallOff, leaf, start),
        };
        if counts {
            self.is_off = matches!(ending, RecordedEnding::CalledOff { .. });
            self.ending = Some(ending.clone());
        }
    }

    /// Returns `true` if a quorum had a leaf before `start`; notes the statement as late otherwise.
    fn counts(&mut self, kind: FindingKind, leaf: u64, start: i64) -> bool {
        let is_in_time = self.dated.evidence.is_before(leaf, start);
        if !is_in_time {
            let is_proven = self.dated.is_proven_late(leaf, start);
            self.late.push(LateStatement { kind, market: None, leaf, is_proven });
        }
        is_in_time
    }

    /// Returns the start in force; `None` without a time.
    pub(crate) fn start(&self) -> Option<i64> {
        self.key.time.map(|_| start_of(&self.key))
    }

    /// Returns `true` if it was moved in time.
    pub(crate) fn is_moved(&self) -> bool {
        !self.former.is_empty()
    }

    /// Returns `true` if the game was called off in time.
    pub(crate) fn is_called_off(&self) -> bool {
        matches!(self.ending, Some(RecordedEnding::CalledOff { .. }))
    }

    /// Returns `true` if a statement about a market came too late.
    pub(crate) fn is_late_in(&self, market: ModelType) -> bool {
        self.late.iter().any(|late| late.market.is_none_or(|of| of == market))
    }

    pub(crate) fn markets(&self) -> impl Iterator<Item = ModelType> {
        self.markets.keys().copied()
    }

    /// Returns what counts in a market; `None` without a forecast. It is what stood when the game began: a start that was brought
    /// back undoes what was published behind it.
    pub(crate) fn standing(&self, market: ModelType) -> Option<Standing> {
        let leaves = self.markets.get(&market)?;
        let start = self.start().unwrap_or(i64::MAX);
        let standing = |leaf: &MarketLeaf| {
            if leaf.is_withdrawal { Standing::Withdrawn(leaf.index) } else { Standing::Forecast(leaf.index) }
        };
        let in_time = leaves.iter().rfind(|leaf| self.dated.is_in_time(leaf.index, start));
        in_time.or(leaves.last()).map(standing)
    }

    /// Returns the forecasts of a market, the newest first.
    pub(crate) fn forecasts_of(&self, market: ModelType) -> impl Iterator<Item = u64> {
        let leaves = self.markets.get(&market).map_or(&[][..], Vec::as_slice).iter().rev();
        leaves.filter(|leaf| !leaf.is_withdrawal).map(|leaf| leaf.index)
    }

    /// Returns the forecasts of a market up to one, the newest first, back to a withdrawal.
    pub(crate) fn forecasts_up_to(&self, market: ModelType, leaf: u64) -> impl Iterator<Item = u64> {
        let leaves = self.markets.get(&market).map_or(&[][..], Vec::as_slice).iter().rev();
        let up_to = leaves.skip_while(move |before| before.index > leaf);
        up_to.take_while(|before| !before.is_withdrawal).map(|before| before.index)
    }

    /// Returns `true` if a quorum had a leaf after a start that was in force before, and not before it.
    pub(crate) fn is_after_former_start(&self, leaf: u64) -> bool {
        self.former.iter().any(|former| !self.dated.evidence.is_before(leaf, *former))
    }
}
