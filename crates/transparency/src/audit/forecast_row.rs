//! One live row against the leaves of its game and market.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{ClockSource, GameLines, eastern_instant};

use super::Evidence;
use super::releases::{LocatedOpening, ResultRow, RowStatements};
use crate::audit::leaf_history::{MarketLeaf, StatedLeaves};
use crate::{Leaf, LeafFact, Payload};

/// The result of auditing a live row.
pub(crate) enum RowResult {
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
    /// No leaf is about the row.
    NotRecorded,
    /// The row contradicts its leaf.
    Differs(String),
}

/// The result of checking the opening of a row: the number of values that it cannot have, or the reason for which it does not
/// hold. `None` without an opening.
pub(crate) type Opened = Option<Result<u64, String>>;

/// The releases whose forecasts have leaves.
pub(crate) struct RecordedReleases<'a> {
    /// Those of the list of releases, by generation.
    pub(crate) listed: &'a BTreeMap<u64, String>,
    /// Those that the payloads of opened leaves name.
    pub(crate) opened: BTreeSet<&'a str>,
}

/// A live row, and everything that is compared with it.
pub(crate) struct ForecastRow<'a> {
    pub(crate) leaves: &'a StatedLeaves,
    pub(crate) evidence: &'a Evidence,
    pub(crate) row: &'a ResultRow,
    /// The release that the row names.
    pub(crate) run: &'a str,
    pub(crate) opening: Option<&'a LocatedOpening>,
}

impl ForecastRow<'_> {
    /// Returns the result of auditing a row with the result of [`Self::opens`]. `releases` are those whose forecasts have leaves.
    pub(crate) fn result(&self, opened: &Opened, releases: &RecordedReleases<'_>) -> RowResult {
        match (self.opening, opened) {
            (Some(LocatedOpening { index, .. }), Some(Ok(not_committed))) => match self.other_release(*index, releases)
            {
                Some(sentence) => RowResult::Differs(sentence),
                None => self.dated(*index, *not_committed),
            },
            (_, Some(Err(sentence))) => RowResult::Differs(sentence.clone()),
            _ => self.unopened(releases),
        }
    }

    /// Judges a row without an opening.
    fn unopened(&self, releases: &RecordedReleases<'_>) -> RowResult {
        match self.stated().last() {
            Some(leaf) if !leaf.is_withdrawal => {
                RowResult::Differs(format!("leaf {} commits to a forecast that is not opened", leaf.index))
            }
            _ if releases.opened.contains(self.run) || releases.listed.values().any(|listed| listed == self.run) => {
                RowResult::Differs(format!("its release {} has leaves, and none of this game", self.run))
            }
            _ => RowResult::NotRecorded,
        }
    }

    /// Returns a sentence if the entry of a leaf is listed under another release than the one that its payload names.
    fn other_release(&self, index: u64, releases: &RecordedReleases<'_>) -> Option<String> {
        let generation = self.leaves.leaf(index)?.generation;
        let listed = releases.listed.get(&generation).filter(|listed| *listed != self.run)?;
        Some(format!("generation {generation} is {listed} in the list of releases, and {} in the payload", self.run))
    }

    /// Returns the leaves about the game in the market.
    fn stated(&self) -> &[MarketLeaf] {
        let game = self.leaves.game(&self.row.game);
        game.and_then(|game| game.markets.get(&self.row.model_type)).map_or(&[], Vec::as_slice)
    }

    /// Judges the time of the forecast, which opens.
    fn dated(&self, index: u64, not_committed: u64) -> RowResult {
        let key = &self.row.game;
        let Some(time) = key.time else {
            return RowResult::NotAttested { not_committed, sentence: "the game has no time".to_owned() };
        };
        let start = eastern_instant(key.date, time).timestamp();
        // A service can hide a cosignature. The later entry itself states its time, too.
        let is_in_time = |leaf: u64| self.evidence.is_before(leaf, start) || self.is_published_before(leaf, start);
        if let Some(later) = self.stated().iter().find(|leaf| leaf.index > index && is_in_time(leaf.index)) {
            let sentence = format!("leaf {} is of a later forecast from before the start", later.index);
            return RowResult::Differs(sentence);
        }
        if self.evidence.is_before(index, start) {
            return RowResult::Proven { not_committed };
        }
        let sentence = match self.evidence.time_of(index) {
            Some(_) => format!("no trusted witness had received leaf {index} before the start"),
            None => format!("no trusted witness has received leaf {index}"),
        };
        RowResult::NotAttested { not_committed, sentence }
    }

    /// Returns `true` if the entry of a leaf states that it was published in a second before `start`.
    fn is_published_before(&self, index: u64, start: i64) -> bool {
        let published = self.leaves.leaf(index).and_then(|leaf| self.published(leaf));
        published.is_some_and(|(published_at, _)| published_at.timestamp() < start)
    }

    /// Checks the opening of the row, if it has one.
    pub(crate) fn opens(&self) -> Opened {
        self.opening.map(|opening| self.opens_as(opening))
    }

    /// Checks that an opening is that of a leaf of the game, and has the numbers of the row; returns the number of values that
    /// it cannot have.
    fn opens_as(&self, LocatedOpening { index, opening }: &LocatedOpening) -> Result<u64, String> {
        let is_of_game = self.stated().iter().any(|leaf| leaf.index == *index && !leaf.is_withdrawal);
        let leaf = self.leaves.leaf(*index).filter(|_| is_of_game);
        let Some(leaf) = leaf else { return Err(format!("leaf {index} is no forecast of the game in this market")) };
        if leaf.to_text() != opening.entry {
            return Err(format!("the opening has another text than leaf {index}"));
        }
        let committed = opening.salt.commit(opening.payload.as_bytes());
        if !matches!(&leaf.fact, LeafFact::Forecast { commitment, .. } if *commitment == committed) {
            return Err(format!("salt and payload do not give the commitment of leaf {index}"));
        }
        let published = self.published(leaf).ok_or("no release leaf of its entry is in the tree")?;
        let start = self.payload_start(leaf, published);
        let rest = start.and_then(|start| opening.payload.strip_prefix(&start));
        let rest = rest.ok_or("the payload is of another game, market, release or time than its leaf")?;
        let numbers = PayloadNumbers::read(rest).ok_or("the payload does not end with lines and probabilities")?;
        let not_committed = self.compare(*index, &numbers)?;
        let expected = RowStatements::of(self.row, published.0);
        self.row.statements.difference(&expected).map_or(Ok(not_committed), Err)
    }

    /// Returns the publication of the entry of a leaf and the origin of that instant, as its release leaf states them.
    fn published(&self, leaf: &Leaf) -> Option<(DateTime<Utc>, ClockSource)> {
        match self.leaves.release(leaf.generation)?.fact {
            LeafFact::Release { published_at, clock, .. } => Some((published_at, clock)),
            _ => None,
        }
    }

    /// Returns the bytes with which the payload begins, up to its first line.
    fn payload_start(&self, leaf: &Leaf, (published_at, clock): (DateTime<Utc>, ClockSource)) -> Option<String> {
        let LeafFact::Forecast { model_type, season, game, .. } = &leaf.fact else { return None };
        let empty = Payload {
            sport: leaf.sport,
            model_type: *model_type,
            season: *season,
            game,
            release_id: self.run,
            published_at,
            clock,
            lines: &GameLines::default(),
            probabilities: &[],
        };
        empty.to_json().strip_suffix("},\"probabilities\":{}}").map(str::to_owned)
    }

    /// Compares the numbers of the payload with those of the row. Returns the number of models that the row has and the payload lacks.
    fn compare(&self, index: u64, payload: &PayloadNumbers<'_>) -> Result<u64, String> {
        let later = self.compare_probabilities(index, payload)?;
        for (name, number) in &payload.lines {
            let line = self.row.line(name);
            if line != Some(*number) {
                return Err(differs(index, name, Some(*number), line));
            }
        }
        let mut lines = self.row.lines.iter();
        match lines.find(|(column, _)| !payload.lines.contains_key(column.name())) {
            Some((column, number)) => Err(differs(index, column.name(), None, Some(*number))),
            None => Ok(later),
        }
    }

    fn compare_probabilities(&self, index: u64, payload: &PayloadNumbers<'_>) -> Result<u64, String> {
        let (committed, served) = (&payload.probabilities, &self.row.probabilities);
        // Most rows have what was committed to, in the same order.
        let in_order = served.iter().map(|(name, number)| (name.as_str(), number));
        if in_order.eq(committed.iter().map(|(name, number)| (*name, number))) {
            return Ok(0);
        }
        for (name, number) in committed {
            let served = served.get(*name).copied();
            if served != Some(*number) {
                return Err(differs(index, name, Some(*number), served));
            }
        }
        let mut later = 0;
        for (name, number) in served.iter().filter(|(name, _)| !committed.contains_key(name.as_str())) {
            if name.column().is_some() || self.leaves.knew_model(name.as_str(), index) {
                return Err(differs(index, name.as_str(), None, Some(*number)));
            }
            later += 1;
        }
        Ok(later)
    }
}

/// Returns the sentence about a number that is another one in results than in a leaf.
fn differs(index: u64, name: &str, committed: Option<f64>, served: Option<f64>) -> String {
    let shown = |number: Option<f64>| number.map_or_else(|| "nothing".to_owned(), |number| number.to_string());
    format!("{name} is {} in results and {} in leaf {index}", shown(served), shown(committed))
}

// The numbers at the end of a payload: its lines and its probabilities, in their one form.

/// The numbers of a payload by name.
pub(crate) struct PayloadNumbers<'p> {
    pub(crate) lines: BTreeMap<&'p str, f64>,
    pub(crate) probabilities: BTreeMap<&'p str, f64>,
}

const BETWEEN: &str = "},\"probabilities\":{";

impl<'p> PayloadNumbers<'p> {
    /// Reads the rest of a payload behind `"lines":{`; `None` if it is anything but two objects of numbers.
    pub(crate) fn read(rest: &'p str) -> Option<Self> {
        let (lines, probabilities) = rest.strip_suffix("}}")?.split_once(BETWEEN)?;
        Some(Self { lines: numbers(lines)?, probabilities: numbers(probabilities)? })
    }
}

fn numbers(fields: &str) -> Option<BTreeMap<&str, f64>> {
    let mut numbers = BTreeMap::new();
    if fields.is_empty() {
        return Some(numbers);
    }
    for field in fields.split(',') {
        let (name, number) = field.split_once(':')?;
        let name = name.strip_prefix('"')?.strip_suffix('"')?;
        let is_decimal = number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
        let number = number.parse().ok().filter(|_| is_decimal && !name.contains('"'))?;
        if numbers.insert(name, number).is_some() {
            return None;
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_their_one_form_alone() {
        let read = PayloadNumbers::read(r#""home_money_line":130},"probabilities":{"BLEND":0.5661,"ELO":0.5}}"#);
        let read = read.expect("numbers");
        assert_eq!(read.lines, [("home_money_line", 130.0)].into());
        assert_eq!(read.probabilities, [("BLEND", 0.5661), ("ELO", 0.5)].into());
        assert!(PayloadNumbers::read(r#"},"probabilities":{}}"#).is_some_and(|read| read.lines.is_empty()));
        for bad in [
            r#"},"probabilities":{"BLEND":0.5,"BLEND":0.6}}"#,
            r#"},"probabilities":{"BLEND":1e9}}"#,
            r#"},"probabilities":{"BLEND":NaN}}"#,
            r#"},"probabilities":{"BLEND": 0.5}}"#,
            r#"},"probabilities":{}},"more":{}}"#,
            r#"},"probabilities":{}"#,
            "",
        ] {
            assert!(PayloadNumbers::read(bad).is_none(), "{bad}");
        }
    }
}
