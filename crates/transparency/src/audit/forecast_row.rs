//! One live row against the leaves of its game and market.

use sports_domain::{GameLines, eastern_instant};

use crate::audit::evidence::Evidence;
use crate::audit::leaf_history::{MarketLeaf, StatedLeaves};
use crate::audit::payload_numbers::PayloadNumbers;
use crate::audit::row::{LocatedOpening, ResultRow};
use crate::{Leaf, Payload};

/// The judgement on a live row.
pub(crate) enum RowVerdict {
    /// A witness had received the forecast before the start.
    Proven {
        /// The number of values of models that were declared after the forecast.
        not_committed: u64,
    },
    /// The forecast is in the tree, without a trusted witness' time before the start.
    NotAttested {
        /// The number of values of models that were declared after the forecast.
        not_committed: u64,
        /// The reason.
        sentence: String,
    },
    /// The log has nothing about the row.
    NotRecorded,
    /// The row is not what the log has.
    Differs(String),
}

/// A live row, and everything that is compared with it.
pub(crate) struct ForecastRow<'a> {
    pub(crate) leaves: &'a StatedLeaves,
    pub(crate) evidence: &'a Evidence,
    pub(crate) row: &'a ResultRow,
    /// The release that the row names.
    pub(crate) run: &'a str,
    /// True if the forecasts of that release have leaves.
    pub(crate) is_recorded: bool,
    pub(crate) opening: Option<&'a LocatedOpening>,
}

impl ForecastRow<'_> {
    pub(crate) fn verdict(&self) -> RowVerdict {
        let stated = self.stated();
        let Some(LocatedOpening { index, .. }) = self.opening else {
            return match stated.last() {
                Some(leaf) if !leaf.is_withdrawal => {
                    RowVerdict::Differs(format!("leaf {} commits to a forecast that is not opened", leaf.index))
                }
                _ if self.is_recorded => {
                    RowVerdict::Differs(format!("its release {} has leaves, and none of this game", self.run))
                }
                _ => RowVerdict::NotRecorded,
            };
        };
        match self.opens() {
            Ok(not_committed) => self.dated(*index, not_committed),
            Err(sentence) => RowVerdict::Differs(sentence),
        }
    }

    /// Returns the leaves about the game in the market.
    fn stated(&self) -> &[MarketLeaf] {
        let game = self.leaves.game(&self.row.game);
        game.and_then(|game| game.markets.get(&self.row.model_type)).map_or(&[], Vec::as_slice)
    }

    /// Judges the time of the forecast, which opens.
    fn dated(&self, index: u64, not_committed: u64) -> RowVerdict {
        let key = &self.row.game;
        let Some(time) = key.time else {
            return RowVerdict::NotAttested { not_committed, sentence: "the game has no time".to_owned() };
        };
        let start = eastern_instant(key.date, time).timestamp();
        let later = self.stated().iter().find(|leaf| leaf.index > index && self.evidence.is_before(leaf.index, start));
        if let Some(later) = later {
            let sentence = format!("leaf {} is of a later forecast from before the start", later.index);
            return RowVerdict::Differs(sentence);
        }
        if self.evidence.is_before(index, start) {
            return RowVerdict::Proven { not_committed };
        }
        let sentence = match self.evidence.time_of(index) {
            Some(_) => format!("no trusted witness had received leaf {index} before the start"),
            None => format!("no trusted witness has received leaf {index}"),
        };
        RowVerdict::NotAttested { not_committed, sentence }
    }

    /// Checks that the opening is that of a leaf of the game, and has the numbers of the row; returns the number of values that
    /// it cannot have.
    fn opens(&self) -> Result<u64, String> {
        let Some(LocatedOpening { index, opening }) = self.opening else { return Err("it has no opening".to_owned()) };
        let is_of_game = self.stated().iter().any(|leaf| leaf.index == *index && !leaf.is_withdrawal);
        let leaf = self.leaves.leaf(*index).filter(|_| is_of_game);
        let Some(leaf) = leaf else { return Err(format!("leaf {index} is no forecast of the game in this market")) };
        if leaf.to_text() != opening.entry {
            return Err(format!("the opening has another text than leaf {index}"));
        }
        let committed = opening.salt.commit(opening.payload.as_bytes());
        if !matches!(leaf, Leaf::Forecast { commitment, .. } if *commitment == committed) {
            return Err(format!("salt and payload do not give the commitment of leaf {index}"));
        }
        let start = self.payload_start(leaf).ok_or("no release leaf of its entry is in the tree")?;
        let rest = opening.payload.strip_prefix(&start);
        let rest = rest.ok_or("the payload is of another game, market, release or time than its leaf")?;
        let numbers = PayloadNumbers::read(rest).ok_or("the payload does not end with lines and probabilities")?;
        self.compare(*index, &numbers)
    }

    /// Returns the bytes with which the payload begins, up to its first line.
    fn payload_start(&self, leaf: &Leaf) -> Option<String> {
        let Leaf::Forecast { sport, model_type, season, generation, game, .. } = leaf else { return None };
        let Leaf::Release { published_at, clock, .. } = self.leaves.release(*generation)? else { return None };
        let empty = Payload {
            sport: *sport,
            model_type: *model_type,
            season: *season,
            game,
            release_id: self.run,
            published_at: *published_at,
            clock: *clock,
            lines: &GameLines::default(),
            probabilities: &[],
        };
        empty.to_json().strip_suffix("},\"probabilities\":{}}").map(str::to_owned)
    }

    /// Compares the numbers of the payload with those of the row.
    fn compare(&self, index: u64, payload: &PayloadNumbers<'_>) -> Result<u64, String> {
        let row = self.row;
        let differs = |name: &str, committed: Option<f64>, served: Option<f64>| {
            let shown = |number: Option<f64>| number.map_or_else(|| "nothing".to_owned(), |number| number.to_string());
            format!("{name} is {} in results and {} in leaf {index}", shown(served), shown(committed))
        };
        let served = |name: &str| row.standard.get(name).or_else(|| row.own.get(name)).copied();
        for (name, number) in &payload.probabilities {
            if served(name) != Some(*number) {
                return Err(differs(name, Some(*number), served(name)));
            }
        }
        for (name, number) in &payload.lines {
            let line = row.lines.get(*name).copied();
            if line != Some(*number) {
                return Err(differs(name, Some(*number), line));
            }
        }
        let mut more = row.lines.iter().filter(|(name, _)| !payload.lines.contains_key(name.as_str()));
        let mut models = row.standard.iter().filter(|(name, _)| !payload.probabilities.contains_key(name.as_str()));
        if let Some((name, number)) = more.next().or_else(|| models.next()) {
            return Err(differs(name, None, Some(*number)));
        }
        let later: Vec<_> =
            row.own.iter().filter(|(name, _)| !payload.probabilities.contains_key(name.as_str())).collect();
        match later.iter().find(|(name, _)| self.leaves.knew_model(name, index)) {
            Some((name, number)) => Err(differs(name, None, Some(**number))),
            None => Ok(later.len() as u64),
        }
    }
}
