use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{Forecasts, GameKey, GameLines, ModelType, OwnForecasts};
use sports_publication::identity::Start;
use sports_slate::SlateGame;

/// The published lines and forecasts of one game, changes only.
#[derive(Debug, Clone)]
pub struct GameMovement {
    game_id: String,
    /// The names under which the game was published, each once.
    listings: Vec<Listing>,
    /// The starts of the game, each with the time of the publication that changed it, oldest first.
    starts: Vec<(DateTime<Utc>, Start)>,
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
            starts: Vec::new(),
            quotes: Versions::default(),
            forecasts: BTreeMap::new(),
            membership: Membership::Other,
        }
    }

    /// Returns the game up to an instant and to these numbers of publications; `None` if it was not published by then.
    pub(crate) fn up_to(
        &self,
        instant: DateTime<Utc>,
        odds: usize,
        of_market: impl Fn(ModelType) -> usize,
    ) -> Option<Self> {
        let mut then = self.clone();
        then.starts.retain(|(since, _)| *since <= instant);
        if then.starts.is_empty() {
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
    #[must_use]
    pub fn game_id(&self) -> &str {
        &self.game_id
    }

    /// Notes the name of the game in a publication, and returns its index.
    pub(crate) fn list(&mut self, at: DateTime<Utc>, key: &GameKey, match_id: Option<&String>) -> usize {
        let start = Start::of(key);
        if self.starts.last().is_none_or(|(_, known)| *known != start) {
            self.starts.push((at, start));
        }
        let is_it = |listing: &Listing| listing.key == *key && listing.match_id.as_ref() == match_id;
        self.listings.iter().position(is_it).unwrap_or_else(|| {
            self.listings.push(Listing { key: key.clone(), match_id: match_id.cloned() });
            self.listings.len() - 1
        })
    }

    /// Notes a forecast of the game.
    pub(crate) fn predict(&mut self, at: DateTime<Utc>, place: (ModelType, usize), game: &SlateGame) {
        let listing = self.list(at, &game.key, game.match_id.as_ref());
        let forecast = Forecast {
            listing,
            lines: game.lines.of_market(place.0),
            forecasts: game.forecasts,
            own: game.own.clone(),
        };
        self.forecasts.entry(place.0).or_default().note(place.1, Some(forecast));
    }

    /// Returns the newest name of the game that a publication has.
    pub(crate) fn newest_listing(&self) -> Option<&Listing> {
        let (_, start) = self.starts.last()?;
        let newest = self.listings.iter().rev().filter(|listing| Start::of(&listing.key) == *start);
        newest.max_by_key(|listing| listing.match_id.is_some())
    }

    /// Returns the starts, each with the time of the publication that changed it.
    pub(crate) fn starts(&self) -> &[(DateTime<Utc>, Start)] {
        &self.starts
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
            + self.starts.len() * size_of::<(DateTime<Utc>, Start)>()
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
