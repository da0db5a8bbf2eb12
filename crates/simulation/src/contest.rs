use sports_domain::FinalScore;

use crate::fixture::Fixture;
use crate::league::League;
use crate::quoting::{Quirks, Quoting};
use crate::random::Stream;
use crate::scoring::Belief;
use crate::strength::Strength;

/// A simulated game with its quotes and score, without a date.
#[derive(Debug, Clone)]
pub(crate) struct Contest {
    pub(crate) fixture: Fixture,
    pub(crate) quoting: Quoting,
    pub(crate) score: FinalScore,
}

/// The minimum expected total of a game, as a fraction of the league's mean.
const LEAST_TOTAL: f64 = 0.55;

impl Contest {
    /// Quotes and plays a game.
    pub(crate) fn play(league: &League, fixture: Fixture, strengths: &[Strength], stream: &mut Stream) -> Self {
        let (away, home) = (strengths[fixture.away], strengths[fixture.home]);
        let (ours, market) = (&league.strengths, &league.market);
        let total = ours.total + home.total + away.total + ours.game_total * stream.bell();
        let close = Belief {
            margin: ours.home_edge + home.margin - away.margin + ours.game_margin * stream.bell(),
            total: total.max(LEAST_TOTAL * ours.total),
        };
        let moved = |stream: &mut Stream, margin: f64, total: f64| Belief {
            margin: close.margin + margin * stream.bell(),
            total: (close.total + total * stream.bell()).max(LEAST_TOTAL * ours.total),
        };
        let open = moved(stream, market.margin_move, market.total_move);
        let truth = moved(stream, market.margin_error, market.total_error);
        let missed = Belief {
            margin: (truth.margin - close.margin) / market.margin_error,
            total: (truth.total - close.total) / market.total_error,
        };
        let score = league.scoring.play(truth, stream);
        let quoting = Quoting { open, close, missed, seed: stream.next(), quirks: Quirks::default() };
        Self { fixture, quoting, score }
    }

    /// Returns the winning team.
    pub(crate) fn winner(&self) -> usize {
        if self.score.home_margin() > 0 { self.fixture.home } else { self.fixture.away }
    }
}
