use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use sports_domain::{FinalScore, GameKey, Season, TeamSlug};

use super::start::{Distance, Start};
use crate::{GameFacts, LeagueRecord, SeasonArchives};

/// The part of the record that has a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordPart {
    /// Odds or first quotes alone.
    Quoted,
    /// An archive, without a live forecast.
    Recorded,
    /// An archive with a live forecast, or the predictions.
    Live,
}

/// A game on record, collected from archives and slate.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownGame {
    /// Its identity.
    pub id: Arc<str>,
    /// The season in which it is recorded.
    pub season: Season,
    /// Its key, with its present start.
    pub key: GameKey,
    /// Its earlier starts.
    pub former: Vec<Start>,
    /// The publisher's id for it; `None` once the game was called off.
    pub match_id: Option<String>,
    pub score: Option<FinalScore>,
    /// True if it was called off.
    pub is_called_off: bool,
    /// The part of the record that has it.
    pub part: RecordPart,
    /// True if it closed at an earlier start; its present start may lie ahead.
    pub closed_before: bool,
    /// The start in the current odds, if it differs from the start on record.
    pub quoted_at: Option<Start>,
}

impl KnownGame {
    /// Returns the present start.
    pub const fn start(&self) -> Start {
        Start::of(&self.key)
    }

    /// Returns the present start, then the earlier starts.
    pub fn starts(&self) -> impl Iterator<Item = Start> + '_ {
        std::iter::once(self.start()).chain(self.former.iter().copied())
    }

    /// Returns true if a start is near a present or earlier start of the game.
    pub fn is_near(&self, start: Start) -> bool {
        self.starts().any(|known| known.distance(start) == Distance::Near)
    }

    /// Returns true if an archive or the predictions have the game.
    pub fn is_recorded(&self) -> bool {
        self.part >= RecordPart::Recorded
    }

    /// Returns true if the game has a live forecast in a market, or is among the predictions.
    pub fn is_live(&self) -> bool {
        self.part == RecordPart::Live
    }

    /// Returns true if a start of the game passed before `now` while it was the start on record.
    pub fn has_closed(&self, now: DateTime<Utc>) -> bool {
        self.closed_before || self.key.has_started(now)
    }

    /// Returns true if the game has its final or was called off.
    pub const fn is_over(&self) -> bool {
        self.score.is_some() || self.is_called_off
    }
}

/// The visiting and the home team.
type Pairing = (TeamSlug, TeamSlug);

/// The games on record, by identity, `match_id`, key and pairing.
#[derive(Debug, Default)]
pub struct OnRecord {
    games: Vec<KnownGame>,
    by_id: HashMap<Arc<str>, usize, RandomState>,
    by_match_id: HashMap<String, Vec<usize>, RandomState>,
    by_pairing: HashMap<Pairing, Vec<usize>, RandomState>,
}

impl OnRecord {
    /// Collects the games of a record whose games all have identities. Games of the slate are of the `live` season.
    pub fn of(record: &LeagueRecord, live: Option<Season>) -> Self {
        let mut games = Self::default();
        games.note_archives(&record.archives);
        for predictions in record.predictions.values() {
            for game in predictions.games().iter().map(|game| &game.game) {
                let id = game.game_id.as_deref();
                games.note(id, predictions.season(), &game.key, game.match_id.as_ref(), |known| {
                    known.part = RecordPart::Live;
                });
            }
        }
        if let Some(live) = live {
            for game in record.odds.iter().flat_map(crate::slate_artifacts::Odds::games) {
                let quoted_at = game.listed_start.map(|at| Start { date: at.date(), time: Some(at.time()) });
                let listed = quoted_at.or(Some(Start::of(&game.key)));
                games.note(game.game_id.as_deref(), live, &game.key, game.match_id.as_ref(), |known| {
                    known.quoted_at = listed.filter(|listed| *listed != known.start());
                });
            }
            for (key, opener) in record.openers.iter() {
                games.note(opener.game_id.as_deref(), live, key, opener.match_id.as_ref(), |_| {});
            }
        }
        games.index_names();
        games
    }

    /// Collects the games of archives whose games all have identities.
    pub fn of_archives(archives: &SeasonArchives) -> Self {
        let mut games = Self::default();
        games.note_archives(archives);
        games.index_names();
        games
    }

    /// Marks the games with these keys in the `live` season as closed.
    pub fn with_closed(mut self, live: Season, keys: &BTreeSet<GameKey>) -> Self {
        for game in self.games.iter_mut().filter(|game| game.season == live) {
            game.closed_before = keys.contains(&game.key);
        }
        self
    }

    fn note_archives(&mut self, archives: &SeasonArchives) {
        for ((_, season), archive) in archives {
            for game in archive.games() {
                self.note_row(*season, &game.facts, game.forecast.is_live());
            }
        }
    }

    fn note_row(&mut self, season: Season, facts: &GameFacts, is_live: bool) {
        self.note(facts.game_id.as_deref(), season, &facts.key, facts.match_id.as_ref(), |known| {
            known.part = known.part.max(if is_live { RecordPart::Live } else { RecordPart::Recorded });
            known.score = known.score.or_else(|| facts.score());
            known.is_called_off |= facts.is_called_off();
            if known.former.is_empty() {
                known.former.extend(Start::list(facts.former_starts.as_deref()));
            }
        });
    }

    fn note(
        &mut self,
        id: Option<&str>,
        season: Season,
        key: &GameKey,
        match_id: Option<&String>,
        change: impl FnOnce(&mut KnownGame),
    ) {
        let Some(id) = id else { return };
        let place = self.by_id.get(id).copied().unwrap_or_else(|| self.add(id.into(), season, key));
        let known = &mut self.games[place];
        if known.match_id.is_none() {
            known.match_id = match_id.cloned();
        }
        change(known);
    }

    fn add(&mut self, id: Arc<str>, season: Season, key: &GameKey) -> usize {
        let place = self.games.len();
        self.by_id.insert(Arc::clone(&id), place);
        self.by_pairing.entry((key.away.clone(), key.home.clone())).or_default().push(place);
        self.games.push(KnownGame {
            id,
            season,
            key: key.clone(),
            former: Vec::new(),
            match_id: None,
            score: None,
            is_called_off: false,
            part: RecordPart::Quoted,
            closed_before: false,
            quoted_at: None,
        });
        place
    }

    /// Indexes games by name. A game with a final in one market was played, whatever the other markets have; a game
    /// that was called off has no `match_id`.
    fn index_names(&mut self) {
        for (place, game) in self.games.iter_mut().enumerate() {
            game.is_called_off &= game.score.is_none();
            if game.is_called_off {
                game.match_id = None;
            }
            if let Some(id) = &game.match_id {
                self.by_match_id.entry(id.clone()).or_default().push(place);
            }
        }
    }

    /// Returns every game.
    pub fn games(&self) -> impl Iterator<Item = &KnownGame> {
        self.games.iter()
    }

    /// Returns the game with an identity.
    pub fn get(&self, id: &str) -> Option<&KnownGame> {
        self.by_id.get(id).map(|place| &self.games[*place])
    }

    /// Returns the games with a `match_id`; only records of earlier versions have more than one game.
    pub fn named(&self, match_id: &str) -> impl Iterator<Item = &KnownGame> + use<'_> {
        self.by_match_id.get(match_id).into_iter().flatten().map(|place| &self.games[*place])
    }

    /// Returns every `match_id` by its lower-case form.
    pub(super) fn folded_names(&self) -> HashMap<String, &str, RandomState> {
        self.by_match_id.keys().map(|id| (id.to_ascii_lowercase(), id.as_str())).collect()
    }

    /// Returns the games in which `away` visits `home`.
    pub fn pairing(&self, away: &TeamSlug, home: &TeamSlug) -> impl Iterator<Item = &KnownGame> + use<'_> {
        let games = self.by_pairing.get(&(away.clone(), home.clone()));
        games.into_iter().flatten().map(|place| &self.games[*place])
    }

    /// Returns the game with this key in a season.
    pub fn at(&self, season: Season, key: &GameKey) -> Option<&KnownGame> {
        self.pairing(&key.away, &key.home).find(|game| game.season == season && game.key == *key)
    }
}
