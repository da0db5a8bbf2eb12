//! The statements of a row beside its numbers, which follow from its leaf, its lines and its final.

use chrono::{DateTime, SecondsFormat, Utc};
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, LineColumn, ModelColumn, ModelType, OwnBlock,
    Probability, Total, VoidMarkets,
};
use sports_grading::{MarketGame, Verdict};

use super::releases::{ResultRow, RowStatements};
use crate::RecordedEnding;

impl RowStatements {
    /// The method behind probabilities that were published before the game.
    const RECORDED: &str = "recorded";

    /// Derives the statements of a row whose forecast was published at this instant.
    pub(crate) fn of(row: &ResultRow, published_at: DateTime<Utc>) -> Self {
        let own = own_blocks(row);
        let lines = lines_of(|column: LineColumn| row.lines.get(&column).copied());
        let game = MarketGame::new(
            row.model_type,
            &lines,
            score_in(&row.ending, row.model_type),
            forecasts(row).with_own(&own),
        );
        let ungraded = if let Verdict::Ungraded(reason) = game.verdict() { Some(reason.code()) } else { None };
        Self {
            season: row.season.to_string(),
            published_at: Some(published_at),
            probability_source: Some(Self::RECORDED.to_owned()),
            positive_won: game.positive_won(),
            push: game.push(),
            graded: ungraded.is_none(),
            ungraded_reason: ungraded.map(str::to_owned),
        }
    }

    /// Returns a sentence about the first statement that differs from the expected one.
    pub(crate) fn difference(&self, expected: &Self) -> Option<String> {
        if self == expected {
            return None;
        }
        let differing = self.texts().into_iter().zip(expected.texts()).find(|(stated, expected)| stated != expected);
        differing.map(|((name, stated), (_, expected))| {
            format!("{name} is {stated} in results; the leaf and the final make it {expected}")
        })
    }

    fn texts(&self) -> [(&'static str, String); 7] {
        fn or_null(value: Option<impl ToString>) -> String {
            value.map_or_else(|| "null".to_owned(), |value| value.to_string())
        }
        let published_at = self.published_at.map(|instant| instant.to_rfc3339_opts(SecondsFormat::Millis, true));
        [
            ("season", self.season.clone()),
            ("forecast_published_at", or_null(published_at)),
            ("model_probability_source", or_null(self.probability_source.as_ref())),
            ("the outcome", or_null(self.positive_won)),
            ("push", or_null(self.push)),
            ("graded", self.graded.to_string()),
            ("ungraded_reason", or_null(self.ungraded_reason.as_ref())),
        ]
    }
}

/// Returns the score by which a market is settled.
pub(crate) fn score_in(ending: &RecordedEnding, market: ModelType) -> Option<FinalScore> {
    let RecordedEnding::Final { score, status } = ending else { return None };
    let (_, void) = VoidMarkets::split(status.as_str());
    Some(*score).filter(|_| !void.contains(market))
}

/// Returns the lines and prices of these numbers.
pub fn lines_of(number: impl Fn(LineColumn) -> Option<f64>) -> GameLines {
    let spread = number(LineColumn::HomePointSpread).and_then(|points| HomeSpread::new(points).ok());
    let total = number(LineColumn::OverUnder).and_then(|points| Total::new(points).ok());
    let mut lines = GameLines { spread, total, ..GameLines::default() };
    for column in LineColumn::ALL {
        // Prices are whole numbers of a few digits.
        #[expect(clippy::cast_possible_truncation, reason = "no price is served with decimals")]
        lines.set_price(column, number(column).and_then(|price| AmericanPrice::new(price as i32).ok()));
    }
    lines
}

fn forecasts(row: &ResultRow) -> Forecasts<'static> {
    let standard = ModelColumn::FORECASTS.into_iter().filter_map(|model| {
        let probability = Probability::new(*row.probabilities.get(model.name())?).ok()?;
        Some((model, probability))
    });
    standard.fold(Forecasts::default(), |forecasts, (model, probability)| forecasts.with(model, probability))
}

fn own_blocks(row: &ResultRow) -> Vec<OwnBlock> {
    let own = row.probabilities.iter().filter(|(name, _)| name.column().is_none());
    let numbers: Vec<_> = own.map(|(_, number)| *number).collect();
    let blocks = numbers.chunks(OwnBlock::default().len()).map(|chunk| {
        let mut block = [f64::NAN; 8];
        block[..chunk.len()].copy_from_slice(chunk);
        block
    });
    blocks.collect()
}
