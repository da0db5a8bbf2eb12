use std::collections::HashMap;

use sports_domain::LineColumn;

use crate::Odds;

/// The changes of a release to the odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OddsReport {
    /// Quoted games.
    pub games: usize,
    /// Games without a quote before.
    pub new: usize,
    /// Games quoted before, with other lines or prices now.
    pub changed: usize,
    /// Lines and prices that changed in those games; a spread counts once.
    pub prices_changed: usize,
    /// Games of the release that had started: their prices are not taken.
    pub started: usize,
}

impl OddsReport {
    pub(super) fn compare(before: Option<&Odds>, after: &Odds) -> Self {
        let mut report = Self { games: after.games().len(), ..Self::default() };
        let before: HashMap<_, _> =
            before.iter().flat_map(|odds| odds.games()).map(|game| (&game.game_id, game)).collect();
        // The away team's spread is the opposite of the home team's: one line.
        let columns = LineColumn::ALL.iter().filter(|column| **column != LineColumn::AwayPointSpread);
        for game in after.games() {
            match before.get(&game.game_id) {
                None => report.new += 1,
                Some(known) => {
                    let differs = |column: &&LineColumn| known.lines.value(**column) != game.lines.value(**column);
                    let prices = columns.clone().filter(differs).count();
                    report.changed += usize::from(prices > 0);
                    report.prices_changed += prices;
                }
            }
        }
        report
    }
}
