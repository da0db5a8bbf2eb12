//! The translation of a release and a record into the games that the release was resolved to.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;
use sports_domain::{GameKey, Market, ModelType, Season, Sport};

use super::resolution::{Move, Resolution};
use super::start::Start;
use crate::slate::OddsGame;
use crate::{
    ArchivedGame, LeagueRecord, Located, Place, Predictions, PredictionsFile, Problem, Release, RepeatedKey,
    SeasonArchive,
};

/// Moves by the identity of their games.
struct Moves<'m>(HashMap<&'m str, &'m Move, RandomState>);

impl<'m> Moves<'m> {
    fn of(&self, id: Option<&str>) -> Option<&'m Move> {
        self.0.get(id?).copied()
    }
}

/// Returns the slate of a release with each game under its recorded key and identity, without refused rows. The result
/// has no history, which is merged with the resolution separately.
pub fn in_terms_of_record(release: &Release, resolution: &Resolution<'_>, live: Season) -> Release {
    let mut held_games = release.held_games.clone();
    for held in held_games.values_mut().flatten() {
        if let Some(key) = resolution.game(live, &held.value).and_then(|resolved| resolved.key.clone()) {
            held.value = key;
        }
    }
    Release {
        sport: release.sport,
        slate_date: release.slate_date,
        run: release.run.clone(),
        source_as_of: release.source_as_of,
        season: release.season,
        odds: odds_on_record(release, resolution, live),
        predictions: predictions_on_record(release, resolution, live),
        held_games,
        moved: release.moved.clone(),
        history: Vec::new(),
        zero_spread_openers: release.zero_spread_openers,
        models: release.models.clone(),
        content: release.content,
    }
}

fn odds_on_record(release: &Release, resolution: &Resolution<'_>, live: Season) -> Option<Vec<Located<OddsGame>>> {
    let mut odds = release.odds.clone()?;
    odds.retain(|row| !resolution.is_refused(live, &row.value.key));
    for game in odds.iter_mut().map(|row| &mut row.value) {
        let Some(resolved) = resolution.game(live, &game.key) else { continue };
        game.game_id = Some(resolved.id.to_string());
        // Each game has at most one name, the name on record.
        game.match_id = resolved.match_id.clone().or_else(|| game.match_id.take());
        if let Some(key) = &resolved.key {
            game.listed_start = game.key.time.map(|time| game.key.date.and_time(time));
            game.key = key.clone();
        }
    }
    Some(odds)
}

fn predictions_on_record(
    release: &Release,
    resolution: &Resolution<'_>,
    live: Season,
) -> BTreeMap<ModelType, PredictionsFile> {
    let mut predictions = release.predictions.clone();
    for file in predictions.values_mut() {
        file.rows.retain(|row| !resolution.is_refused(live, &row.value.game.key));
        for game in file.rows.iter_mut().map(|row| &mut row.value.game) {
            let Some(resolved) = resolution.game(live, &game.key) else { continue };
            game.game_id = Some(resolved.id.to_string());
            game.match_id = resolved.match_id.clone().or_else(|| game.match_id.take());
            game.key = resolved.key.clone().unwrap_or_else(|| game.key.clone());
        }
    }
    predictions
}

impl LeagueRecord {
    /// Returns the record with games under the keys, seasons and names of a resolution.
    ///
    /// # Errors
    ///
    /// Returns a problem if two games would have one key.
    pub fn following(mut self, sport: Sport, resolution: &Resolution<'_>) -> Result<Self, Vec<Problem>> {
        let names = resolution.new_names();
        if resolution.moves().is_empty() && names.is_empty() {
            return Ok(self);
        }
        let moves = Moves(resolution.moves().iter().map(|made| (&*made.id, made)).collect());
        let followed = self.move_rows(sport, &moves).and_then(|()| self.move_predictions(&moves));
        followed.map_err(|repeated| vec![moved_together(&repeated)])?;
        self.move_quotes(&moves);
        let rename = |id: Option<&str>, name: &mut Option<String>| {
            if let (Some(new), Some(_)) = (id.and_then(|id| names.get(id)), &name) {
                *name = Some(new.clone());
            }
        };
        for archive in self.archives.values_mut() {
            archive.change_all(|game| rename(game.facts.game_id.as_deref(), &mut game.facts.match_id));
        }
        for predictions in self.predictions.values_mut() {
            predictions.change_all(|game| rename(game.game_id.as_deref(), &mut game.match_id));
        }
        if let Some(odds) = &mut self.odds {
            odds.change_all(|game| rename(game.game_id.as_deref(), &mut game.match_id));
        }
        Ok(self)
    }

    fn move_rows(&mut self, sport: Sport, moves: &Moves<'_>) -> Result<(), RepeatedKey> {
        let mut leaving: BTreeMap<(ModelType, Season), Vec<ArchivedGame>> = BTreeMap::new();
        let touched: BTreeSet<Season> = moves.0.values().flat_map(|made| [made.seasons.0, made.seasons.1]).collect();
        for ((model_type, season), archive) in &mut self.archives {
            if !touched.contains(season) {
                continue;
            }
            let mut stay = Vec::with_capacity(archive.games().len());
            for mut game in archive.games().iter().cloned() {
                let made = moves.of(game.facts.game_id.as_deref());
                if let Some(made) = made {
                    reschedule(&mut game, &made.made.to);
                }
                match made.filter(|made| made.seasons.1 != *season) {
                    Some(made) => leaving.entry((*model_type, made.seasons.1)).or_default().push(game),
                    None => stay.push(game),
                }
            }
            *archive = SeasonArchive::new(archive.market(), *season, stay)?;
        }
        for ((model_type, season), mut games) in leaving {
            let existing = self.archives.get(&(model_type, season)).map(SeasonArchive::games).unwrap_or_default();
            games.extend_from_slice(existing);
            let archive = SeasonArchive::new(Market::new(sport, model_type), season, games)?;
            self.archives.insert((model_type, season), archive);
        }
        Ok(())
    }

    fn move_predictions(&mut self, moves: &Moves<'_>) -> Result<(), RepeatedKey> {
        for predictions in self.predictions.values_mut() {
            // A slate is of one season: a game that changes its season takes the other games of the slate along.
            let mut made = predictions.games().iter().filter_map(|game| moves.of(game.game.game_id.as_deref()));
            let corrected = made.find(|made| made.seasons.0 != made.seasons.1);
            let new_season = corrected.map_or(predictions.season(), |made| made.seasons.1);
            let games = predictions.games().iter().cloned().map(|mut game| {
                if let Some(made) = moves.of(game.game.game_id.as_deref()) {
                    game.game.key = made.made.to.clone();
                }
                game
            });
            let renamed = Predictions::new(predictions.model_type(), new_season, games.collect())?;
            *predictions = renamed.naming(predictions.names().clone());
        }
        Ok(())
    }

    fn move_quotes(&mut self, moves: &Moves<'_>) {
        // A quote without a game of its own is of the game that has its start now.
        let takers: HashMap<&GameKey, &Move, RandomState> =
            moves.0.values().map(|made| (&made.made.to, *made)).collect();
        let take = |key: &GameKey, id: &mut Option<String>| {
            let taker = takers.get(key).filter(|_| moves.of(id.as_deref()).is_none());
            if let Some(taker) = taker {
                *id = Some(taker.id.to_string());
            }
        };
        if let Some(odds) = &mut self.odds {
            odds.change_all(|game| take(&game.key, &mut game.game_id));
        }
        self.openers.change_all(|key, opener| take(key, &mut opener.game_id));
        let target = |id: Option<&str>| moves.of(id).map(|made| made.made.to.clone());
        self.odds = self.odds.take().map(|odds| odds.renamed(|game| target(game.game_id.as_deref())));
        self.openers = std::mem::take(&mut self.openers).renamed(|opener| target(opener.game_id.as_deref()));
    }
}

fn reschedule(game: &mut ArchivedGame, to: &GameKey) {
    let before = Start::of(&game.facts.key);
    if before != Start::of(to) && before.time.is_some() {
        before.add_to(&mut game.facts.former_starts);
    }
    game.facts.key = to.clone();
    Start::of(to).remove_from(&mut game.facts.former_starts);
}

fn moved_together(repeated: &RepeatedKey) -> Problem {
    Problem::at(Place { file: "release.json".into(), row: None }, repeated.to_string())
}
