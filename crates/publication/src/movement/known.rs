use chrono::{DateTime, Utc};
use sports_domain::{FinalScore, GameLines, Market, ModelName, ModelType};
use sports_grading::MarketGame;

use crate::Generation;
use crate::movement::{BeforeStart, ForecastItem, GameHistory, RecordedRow, SeasonMovement};
use crate::slate::SlateGame;

/// A season of one market as it was known some time before each start: one row for each game that the predictions had then.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownSeason {
    /// The league and model type.
    pub market: Market,
    /// The publisher's own models with a value in the season or in a row.
    pub models: Vec<ModelName>,
    /// The games, by their present starts.
    pub games: Vec<KnownGame>,
    /// The number of games with a forecast of this log, standing or withdrawn, that the predictions did not have yet.
    pub unknown: usize,
    /// True if the finals were requested.
    pub has_finals: bool,
}

/// A game as it was known.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownGame {
    /// The game as the predictions had it: key, ids, lines and probabilities.
    pub game: SlateGame,
    /// The last start of the game.
    pub starts_at: DateTime<Utc>,
    /// The instant as of which the game is given.
    pub known_at: DateTime<Utc>,
    /// The log entry that was the newest then.
    pub generation: Generation,
    /// The publication time of the predictions.
    pub predictions_published_at: DateTime<Utc>,
    /// The publication time of the odds; `None` if the league had none.
    pub odds_published_at: Option<DateTime<Utc>>,
    /// The lines in these odds; none if they did not quote the game.
    pub odds: GameLines,
    /// The final, if it is requested and on record.
    pub score: Option<FinalScore>,
}

impl KnownGame {
    /// Returns the game as input to grading: the final judged by the line of the row.
    pub fn market_game(&self, model_type: ModelType) -> MarketGame<'static> {
        MarketGame::new(model_type, &self.game.lines, self.score, self.game.forecasts)
    }
}

/// The state of a game some time before its start.
enum Knowledge {
    Known(Box<KnownGame>),
    Unknown,
}

impl KnownSeason {
    /// Returns the same games with the own models that their season or a row has. A later release may have left out a model
    /// that the predictions had. The order is that of the declared models; others of the season follow.
    pub fn with_models(self, season: &[ModelName], declared: impl Iterator<Item = ModelName>) -> Self {
        let mut models: Vec<_> = declared.collect();
        let undeclared: Vec<_> = season.iter().copied().filter(|name| !models.contains(name)).collect();
        models.extend(undeclared);
        models
            .retain(|name| season.contains(name) || self.games.iter().any(|known| known.game.own.get(*name).is_some()));
        Self { models, ..self }
    }

    /// Returns the same games with their finals, each by the identity of its game.
    pub fn with_finals(mut self, score: impl Fn(&str) -> Option<FinalScore>) -> Self {
        for known in &mut self.games {
            known.score = known.game.game_id.as_deref().and_then(&score);
        }
        Self { has_finals: true, ..self }
    }
}

impl SeasonMovement {
    /// Returns the games of one market as they were known `before` their starts, as far as that instant has passed, without
    /// their models and finals. Games without a time, and without a row in the archive, are left out.
    pub fn known_season(&self, model_type: ModelType, before: BeforeStart, now: DateTime<Utc>) -> KnownSeason {
        let (mut games, mut unknown) = (Vec::new(), 0);
        for game in self.games() {
            match self.knowledge(&game, model_type, before, now) {
                Some(Knowledge::Known(known)) => games.push(*known),
                Some(Knowledge::Unknown) => unknown += 1,
                None => {}
            }
        }
        let market = Market::new(self.sport(), model_type);
        KnownSeason { market, models: Vec::new(), games, unknown, has_finals: false }
    }

    /// Returns the instant `before` a game's start, if it has passed.
    pub fn known_at(game: &GameHistory<'_>, before: BeforeStart, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        game.starts_at()?.checked_sub_signed(before.get()).filter(|known_at| *known_at <= now)
    }

    fn knowledge(
        &self,
        game: &GameHistory<'_>,
        model_type: ModelType,
        before: BeforeStart,
        now: DateTime<Utc>,
    ) -> Option<Knowledge> {
        let (row, starts_at) = (game.row(model_type)?, game.starts_at()?);
        let known_at = Self::known_at(game, before, now)?;
        let Some(item) = game.forecast_at(model_type, known_at).filter(ForecastItem::is_listed) else {
            return self.is_of_this_log(game, model_type, row).then_some(Knowledge::Unknown);
        };
        let odds = game.lines_at(known_at);
        Some(Knowledge::Known(Box::new(KnownGame {
            game: item.slate_game()?,
            starts_at,
            known_at,
            generation: self.entry_at(known_at)?.generation,
            predictions_published_at: item.published.published_at,
            odds_published_at: self.odds_at(known_at).map(|odds| odds.published_at),
            odds: odds.map(|(_, lines)| lines).unwrap_or_default(),
            score: None,
        })))
    }

    /// Returns true if the forecast of a row is of these entries, or was withdrawn in them.
    fn is_of_this_log(&self, game: &GameHistory<'_>, model_type: ModelType, row: &RecordedRow) -> bool {
        match row.live_run() {
            Some(run) => self.entry_of(run).is_some(),
            None => row.origin.is_none() && game.was_predicted(model_type),
        }
    }
}
