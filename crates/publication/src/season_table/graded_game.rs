use sports_grading::{MarketGame, Verdict};

use crate::{ArchivedGame, SeasonArchive};

/// A game with its verdict, the source of a served row.
#[derive(Debug, Clone, Copy)]
pub struct GradedGame<'a> {
    pub(super) game: &'a ArchivedGame,
    pub(super) season: &'a str,
    pub(super) market: MarketGame<'static>,
    pub(super) verdict: Verdict,
}

impl<'a> GradedGame<'a> {
    /// Combines a game of an archive with its verdict; `season` is the archive's season label.
    pub fn new(archive: &SeasonArchive, season: &'a str, game: &'a ArchivedGame, verdict: Verdict) -> Self {
        let market = game.market_game(archive.market().model_type);
        Self { game, season, market, verdict }
    }
}
