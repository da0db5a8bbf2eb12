use sports_domain::GameKey;

use crate::csv::Csv;
use crate::game::GameResult;

/// A game's outcome, as input for `sportsctl settle`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub key: GameKey,
    /// The outcome of the game.
    pub outcome: GameResult,
}

impl Settlement {
    /// Returns the settlement file of a list of outcomes.
    pub fn file(settlements: &[Self]) -> String {
        let mut csv = Csv::with_header([
            "date",
            "time_est",
            "away_team",
            "home_team",
            "away_score",
            "home_score",
            "settlement_status",
        ]);
        for settlement in settlements {
            csv.key(&settlement.key);
            let score = settlement.outcome.score();
            csv.optional(score.map(|score| score.away));
            csv.optional(score.map(|score| score.home));
            csv.cell(settlement.outcome.word());
            csv.end_row();
        }
        csv.into_text()
    }
}
