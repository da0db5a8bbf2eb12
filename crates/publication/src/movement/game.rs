use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{Forecasts, GameKey, GameLines, ModelType, OwnForecasts};

use crate::Generation;
use crate::identity::Start;
use crate::movement::publications::{Published, ReadEntry};
use crate::movement::row::RecordedRow;
use crate::slate::SlateGame;

/// The published lines and forecasts of one game, changes only.
#[derive(Debug, Clone)]
pub struct GameMovement {
    game_id: String,
    /// The names under which the game was published, each once.
    listings: Vec<Listing>,
    /// The changes of the start or the id, oldest first.
    names: Vec<Naming>,
    pub(crate) quotes: Versions<GameLines>,
    pub(crate) forecasts: BTreeMap<ModelType, Versions<Forecast>>,
    pub(crate) membership: Membership,
}

/// The relation of a game to the season that is read. Of several, the greatest holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Membership {
    /// It was published while another season was current.
    Other,
    /// It was quoted while the season was current.
    Quoted,
    /// It was predicted for the season.
    Predicted,
}

/// An entry that changed the start of a game, or gave it an id.
#[derive(Debug, Clone, Copy)]
pub struct Naming {
    pub generation: Generation,
    published_at: DateTime<Utc>,
    pub start: Start,
    /// The index of the name in the game's listings.
    listing: usize,
}

/// A name of a game: its key and the publisher's id.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    pub key: GameKey,
    pub match_id: Option<String>,
}

/// The content of a published forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The index of the game's name in its listings.
    listing: usize,
    lines: GameLines,
    forecasts: Forecasts<'static>,
    own: OwnForecasts,
}

/// The versions of a game in the publications of one kind: of each the index of the publication that began it. `None` is a
/// publication without the game.
#[derive(Debug, Clone, PartialEq)]
pub struct Versions<T>(Vec<(usize, Option<T>)>);

impl<T> Default for Versions<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> Versions<T> {
    /// Notes the game's content in a publication, which is later than those before.
    pub fn note(&mut self, publication: usize, content: Option<T>) {
        let is_known = match self.0.last() {
            Some((_, known)) => *known == content,
            None => content.is_none(),
        };
        if !is_known {
            self.0.push((publication, content));
        }
    }
}

impl<T> Versions<T> {
    /// Returns every version with the first publication that has it, and the first that has it no longer; `end` is the number
    /// of publications.
    pub fn spans(&self, end: usize) -> impl DoubleEndedIterator<Item = (std::ops::Range<usize>, Option<&T>)> {
        self.0.iter().enumerate().map(move |(place, (first, content))| {
            let next = self.0.get(place + 1).map_or(end, |(next, _)| *next);
            (*first..next, content.as_ref())
        })
    }

    /// Returns the version in a publication.
    pub fn in_publication(&self, publication: usize) -> Option<&T> {
        let later = self.0.partition_point(|(first, _)| *first <= publication);
        self.0.get(later.checked_sub(1)?)?.1.as_ref()
    }

    /// Removes the versions from a publication on.
    fn cut_from(&mut self, publication: usize) {
        self.0.retain(|(first, _)| *first < publication);
    }

    const fn len(&self) -> usize {
        self.0.len()
    }
}

impl GameMovement {
    pub(crate) fn new(game_id: &str) -> Self {
        Self {
            game_id: game_id.to_owned(),
            listings: Vec::new(),
            names: Vec::new(),
            quotes: Versions::default(),
            forecasts: BTreeMap::new(),
            membership: Membership::Other,
        }
    }

    /// Returns the game up to an entry and to these numbers of publications; `None` if it was not published by then.
    pub(crate) fn up_to(
        &self,
        generation: Generation,
        odds: usize,
        of_market: impl Fn(ModelType) -> usize,
    ) -> Option<Self> {
        let mut then = self.clone();
        then.names.retain(|naming| naming.generation <= generation);
        if then.names.is_empty() {
            return None;
        }
        then.quotes.cut_from(odds);
        then.forecasts.retain(|of, versions| {
            versions.cut_from(of_market(*of));
            versions.len() > 0
        });
        Some(then)
    }

    /// Returns the identity of the game.
    pub fn game_id(&self) -> &str {
        &self.game_id
    }

    /// Notes the name of the game in a publication, and returns its index.
    pub(crate) fn list(&mut self, published: Published, key: &GameKey, match_id: Option<&String>) -> usize {
        let listing = self.listing(key, match_id);
        let start = Start::of(key);
        let changes = |last: &Naming| {
            last.start != start || match_id.is_some_and(|id| self.listings[last.listing].match_id.as_ref() != Some(id))
        };
        if self.names.last().is_none_or(changes) {
            let Published { generation, published_at, .. } = published;
            self.names.push(Naming { generation, published_at, start, listing });
        }
        listing
    }

    /// Notes the start that an entry gave the game in the archives, unless the game was listed with that start already.
    pub(crate) fn move_to(&mut self, entry: &ReadEntry, row: &RecordedRow) {
        let (start, generation, published_at) = (Start::of(&row.key), entry.generation, entry.published_at);
        let later = self.names.partition_point(|naming| naming.generation <= generation);
        let Some(before) = later.checked_sub(1).map(|last| self.names[last]).filter(|last| last.start != start) else {
            return;
        };
        let match_id = row.match_id.clone().or_else(|| self.listings[before.listing].match_id.clone());
        let listing = self.listing(&row.key, match_id.as_ref());
        self.names.insert(later, Naming { generation, published_at, start, listing });
    }

    /// Returns the index of a name.
    fn listing(&mut self, key: &GameKey, match_id: Option<&String>) -> usize {
        let is_it = |listing: &Listing| listing.key == *key && listing.match_id.as_ref() == match_id;
        self.listings.iter().position(is_it).unwrap_or_else(|| {
            self.listings.push(Listing { key: key.clone(), match_id: match_id.cloned() });
            self.listings.len() - 1
        })
    }

    /// Notes a forecast of the game.
    pub(crate) fn predict(&mut self, published: Published, place: (ModelType, usize), game: &SlateGame) {
        let listing = self.list(published, &game.key, game.match_id.as_ref());
        let forecast = Forecast {
            listing,
            lines: game.lines.of_market(place.0),
            forecasts: game.forecasts,
            own: game.own.clone(),
        };
        self.forecasts.entry(place.0).or_default().note(place.1, Some(forecast));
    }

    /// Returns the newest name with the present start: one with an id, if any has it.
    pub(crate) fn newest_listing(&self) -> Option<&Listing> {
        let last = self.names.last()?;
        let mut present = self.names.iter().rev().filter(|naming| naming.start == last.start);
        let named = present.find_map(|naming| Some(&self.listings[naming.listing]).filter(|of| of.match_id.is_some()));
        named.or_else(|| self.listings.get(last.listing))
    }

    /// Returns the changes of the start or the id, oldest first.
    pub(crate) fn names(&self) -> &[Naming] {
        &self.names
    }

    /// Returns the ids that the publisher gave the game, each with the entry that gave it and the identity of the game.
    pub(crate) fn ids(&self) -> impl Iterator<Item = (Generation, &str, &str)> {
        self.names.iter().filter_map(|naming| {
            let id = self.listings[naming.listing].match_id.as_deref()?;
            Some((naming.generation, id, &*self.game_id))
        })
    }

    /// Returns the starts, each with the time of the publication that changed it; some repeat.
    pub(crate) fn starts(&self) -> impl Iterator<Item = (DateTime<Utc>, Start)> + Clone {
        self.names.iter().map(|naming| (naming.published_at, naming.start))
    }

    /// Returns a published forecast as a game of a slate.
    pub(crate) fn slate_game(&self, forecast: &Forecast) -> SlateGame {
        let Listing { key, match_id } = self.listings[forecast.listing].clone();
        SlateGame {
            key,
            game_id: Some(self.game_id.clone()),
            match_id,
            lines: forecast.lines,
            forecasts: forecast.forecasts,
            own: forecast.own.clone(),
        }
    }

    /// Returns the approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let forecasts = self.forecasts.values().map(Versions::len).sum::<usize>();
        size_of::<Self>()
            + self.listings.len() * (size_of::<Listing>() + TEXTS)
            + self.names.len() * size_of::<Naming>()
            + self.quotes.len() * size_of::<(usize, Option<GameLines>)>()
            + forecasts * size_of::<(usize, Option<Forecast>)>()
    }
}

impl Forecast {
    /// Returns true if both have the same probabilities and lines, whatever the game's name.
    pub fn is_like(&self, other: &Self) -> bool {
        self.lines == other.lines && self.forecasts == other.forecasts && self.own == other.own
    }

    /// Returns true if no model has a probability.
    pub fn is_empty(&self) -> bool {
        self.forecasts.is_empty() && self.own.is_empty()
    }
}

/// The approximate memory of the texts of a name, in bytes.
const TEXTS: usize = 64;
