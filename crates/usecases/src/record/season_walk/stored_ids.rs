//! The identities of games that were stored without one, by the newest archives.

use std::collections::HashMap;

use sports_domain::{GameKey, ModelType, Sport, TeamSlug};
use sports_movement::SeasonRows;
use sports_publication::identity::{Start, first_id};
use sports_publication::{Odds, PredictedGame, Predictions, RepeatedKey};
use sports_slate::OddsGame;

/// The identities of a season's games by pairing and start, earlier starts included.
pub(super) struct StoredIds {
    sport: Sport,
    ids: HashMap<(TeamSlug, TeamSlug, Start), String>,
}

impl StoredIds {
    /// Collects the identities of recorded games.
    pub(super) fn of(sport: Sport, rows: &SeasonRows) -> Self {
        let mut ids = HashMap::new();
        for model_type in ModelType::ALL {
            for (id, row) in rows.iter(model_type) {
                for start in [Start::of(&row.key)].iter().chain(&row.former_starts) {
                    let place = (row.key.away.clone(), row.key.home.clone(), *start);
                    ids.entry(place).or_insert_with(|| id.to_owned());
                }
            }
        }
        Self { sport, ids }
    }

    /// Returns the identity of a game with this key; that of a new game if no archive has it.
    fn id(&self, key: &GameKey) -> String {
        let place = (key.away.clone(), key.home.clone(), Start::of(key));
        self.ids.get(&place).cloned().unwrap_or_else(|| first_id(self.sport, key))
    }

    /// Returns the odds with an identity for each game.
    pub(super) fn odds(&self, odds: &Odds) -> Result<Odds, RepeatedKey> {
        let identified = |game: &OddsGame| OddsGame {
            game_id: game.game_id.clone().or_else(|| Some(self.id(&game.key))),
            ..game.clone()
        };
        Odds::new(odds.games().iter().map(identified).collect())
    }

    /// Returns the predictions with an identity for each game.
    pub(super) fn predictions(&self, predictions: &Predictions) -> Result<Predictions, RepeatedKey> {
        let identified = |game: &PredictedGame| {
            let mut game = game.clone();
            let key = &game.game.key;
            game.game.game_id = game.game.game_id.or_else(|| Some(self.id(key)));
            game
        };
        let games = predictions.games().iter().map(identified).collect();
        Predictions::new(predictions.model_type(), predictions.season(), games)
    }
}
