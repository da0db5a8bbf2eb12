use sports_grading::{MarketGame, Verdict};

use crate::{ArchivedGame, SeasonArchive};

/// One game with its verdict: what a served row is read from.
#[derive(Debug, Clone, Copy)]
pub struct GradedGame<'a> {
    pub(super) game: &'a ArchivedGame,
    pub(super) season: &'a str,
    pub(super) market: MarketGame,
    pub(super) verdict: Verdict,
}

impl<'a> GradedGame<'a> {
    /// A game of an archive whose season is called `season`, with the verdict that grading gave it.
    #[must_use]
    pub fn new(archive: &SeasonArchive, season: &'a str, game: &'a ArchivedGame, verdict: Verdict) -> Self {
        let market = game.market_game(archive.market().model_type);
        Self { game, season, market, verdict }
    }
}
