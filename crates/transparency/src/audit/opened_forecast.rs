//! The opening of a forecast leaf: the numbers that it commits to.

use std::collections::BTreeMap;

use sports_domain::{GameLines, LineColumn, ModelName, Probability};

use super::leaf_history::StatedLeaves;
use super::releases::LocatedOpening;
use super::row_statements::lines_of;
use crate::payload::{self, Payload};
use crate::{Leaf, LeafFact};

/// A forecast whose opening holds.
#[derive(Debug)]
pub(crate) struct OpenedForecast<'o> {
    pub(crate) index: u64,
    /// The name of its release, as the payload has it.
    release: &'o str,
    /// Its lines and probabilities, as the payload has them.
    pub(crate) text: &'o str,
    pub(crate) numbers: PayloadNumbers<'o>,
}

impl<'o> OpenedForecast<'o> {
    /// Checks that an opening is that of its leaf.
    ///
    /// # Errors
    ///
    /// The reason for which it is not.
    pub(crate) fn of(leaves: &StatedLeaves, located: &'o LocatedOpening) -> Result<Self, String> {
        let LocatedOpening { index, opening } = located;
        let forecast = leaves.forecast(*index).zip(leaves.leaf(*index));
        let Some((_, leaf)) = forecast else { return Err(format!("leaf {index} is no forecast")) };
        if leaf.to_text() != opening.entry {
            return Err(format!("the opening has another text than leaf {index}"));
        }
        let committed = opening.salt.commit(opening.payload.as_bytes());
        if !matches!(&leaf.fact, LeafFact::Forecast { commitment, .. } if *commitment == committed) {
            return Err(format!("salt and payload do not give the commitment of leaf {index}"));
        }
        let (release, text) = split(leaves, leaf, &opening.payload)
            .ok_or("the payload is of another game, market or time than its leaf")?;
        let numbers = PayloadNumbers::read(text).ok_or("the payload does not end with lines and probabilities")?;
        Ok(Self { index: *index, release, text, numbers })
    }

    /// Returns `true` if the payload names a release.
    pub(crate) fn is_of(&self, release: &str) -> bool {
        let mut written = String::new();
        payload::push_text(&mut written, release);
        written.trim_matches('"') == self.release
    }

    /// Returns the lines and prices.
    pub(crate) fn lines(&self) -> GameLines {
        lines_of(|column: LineColumn| self.numbers.lines.get(column.name()).copied())
    }

    /// Returns the probabilities by the name of the model.
    pub(crate) fn probabilities(&self) -> Vec<(ModelName, Probability)> {
        let probabilities = self.numbers.probabilities.iter();
        let read =
            probabilities.filter_map(|(name, number)| Some((name.parse().ok()?, Probability::new(*number).ok()?)));
        read.collect()
    }
}

/// Splits a payload of a leaf: returns the name of its release, as JSON has it, and the rest behind `"lines":{`.
fn split<'p>(leaves: &StatedLeaves, leaf: &Leaf, payload: &'p str) -> Option<(&'p str, &'p str)> {
    const RELEASE: &str = "~";
    let LeafFact::Forecast { model_type, season, game, .. } = &leaf.fact else { return None };
    let (published_at, clock) = leaves.published(leaf.generation)?;
    let empty = Payload {
        sport: leaf.sport,
        model_type: *model_type,
        season: *season,
        game,
        release_id: RELEASE,
        published_at,
        clock,
        lines: &GameLines::default(),
        probabilities: &[],
    };
    let empty = empty.to_json();
    let (before, behind) = empty.strip_suffix("},\"probabilities\":{}}")?.rsplit_once(RELEASE)?;
    let rest = payload.strip_prefix(before)?;
    let end = rest.find(behind)?;
    Some((&rest[..end], &rest[end + behind.len()..]))
}

// The numbers at the end of a payload: its lines and its probabilities, in their one form.

/// The numbers of a payload by name.
#[derive(Debug)]
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
