use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::{Club, ClubName};
use crate::{Season, Sport, TeamSlug};

/// A table with a row for each name. Today's name of a club comes before its former names. `also` has other
/// spellings.
const TABLE: &str = include_str!("clubs.csv");

/// Other spellings of the clubs' cities.
const CITIES: [(&str, &str); 12] = [
    ("golden_state", "gs"),
    ("los_angeles", "la"),
    ("new_jersey", "nj"),
    ("new_orleans", "no"),
    ("new_york", "ny"),
    ("san_antonio", "sa"),
    ("san_jose", "sj"),
    ("st_louis", "saint_louis"),
    ("tampa_bay", "tampa"),
    ("tampa_bay", "tb"),
    ("washington", "was"),
    ("washington", "wsh"),
];

static LEAGUES: LazyLock<HashMap<Sport, League>> = LazyLock::new(|| {
    let mut leagues: HashMap<Sport, League> = HashMap::new();
    for row in TABLE.lines().skip(1).filter_map(Row::read) {
        leagues.entry(row.sport).or_default().add(&row);
    }
    leagues
});

/// The clubs of a league, indexed by all their names.
#[derive(Debug, Default)]
pub(super) struct League {
    pub(super) clubs: Vec<Club>,
    /// Full names; each belongs to one club.
    full: HashMap<TeamSlug, NameIndex>,
    /// Other spellings of full names. Each belongs to one club, and to one or more of its names.
    respelt: HashMap<TeamSlug, Vec<NameIndex>>,
    /// Nicknames and abbreviations, with every club that they may refer to.
    short: HashMap<TeamSlug, Vec<NameIndex>>,
    /// Cities, with every club that they may refer to.
    cities: HashMap<TeamSlug, Vec<NameIndex>>,
    /// Candidates for misspelt names.
    guesses: Vec<Guess>,
}

/// A candidate for a misspelt name.
#[derive(Debug)]
struct Guess {
    word: TeamSlug,
    place: NameIndex,
    is_nickname: bool,
}

/// The indices of a club and of one of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NameIndex {
    club: usize,
    name: usize,
}

impl League {
    pub(super) fn for_sport(sport: Sport) -> Option<&'static Self> {
        LEAGUES.get(&sport)
    }

    pub(super) fn named(&self, team: &TeamSlug) -> Option<(&Club, &ClubName)> {
        self.full.get(team).map(|place| (&self.clubs[place.club], self.name(*place)))
    }

    pub(super) fn has_in_full(&self, team: &TeamSlug) -> bool {
        self.full.contains_key(team) || self.respelt.contains_key(team)
    }

    pub(super) fn has_in_short(&self, team: &TeamSlug) -> bool {
        self.short.contains_key(team)
    }

    /// Returns the clubs that a name may refer to, each once. Names of the season have precedence over today's names,
    /// and these over other names.
    pub(super) fn clubs_named(&self, season: Season, team: &TeamSlug) -> impl Iterator<Item = &Club> {
        let maps = [&self.respelt, &self.short, &self.cities];
        let places = maps.into_iter().find_map(|map| map.get(team)).map_or(&[][..], Vec::as_slice);
        let of_season = |place: &NameIndex| self.is_of_season(*place, season);
        let ranks: [&dyn Fn(&NameIndex) -> bool; 3] = [&of_season, &|place| place.name == 0, &|_| true];
        let rank = ranks.into_iter().find(|rank| places.iter().any(rank)).unwrap_or(&|_| false);
        let clubs: BTreeSet<_> = places.iter().filter(|place| rank(place)).map(|place| place.club).collect();
        clubs.into_iter().map(|club| &self.clubs[club])
    }

    /// Returns candidates for a misspelt name and their clubs. Nicknames must be of the season.
    pub(super) fn guesses(&self, season: Season) -> impl Iterator<Item = (&str, &ClubName)> {
        let valid =
            self.guesses.iter().filter(move |guess| !guess.is_nickname || self.is_of_season(guess.place, season));
        valid.map(move |guess| (guess.word.as_str(), self.clubs[guess.place.club].name_in(season)))
    }

    fn is_of_season(&self, place: NameIndex, season: Season) -> bool {
        std::ptr::eq(self.name(place), self.clubs[place.club].name_in(season))
    }

    fn name(&self, place: NameIndex) -> &ClubName {
        &self.clubs[place.club].names[place.name]
    }

    fn add(&mut self, row: &Row) {
        let Some(name) = row.name() else { return };
        let slug = name.slug.clone();
        if name.years.is_none() {
            self.clubs.push(Club { names: Vec::new() });
        }
        let Some(club) = self.clubs.last_mut() else { return };
        club.names.push(name);
        let name = club.names.len() - 1;
        let place = NameIndex { club: self.clubs.len() - 1, name };
        self.full.insert(slug.clone(), place);
        let in_full = [slug].into_iter().chain(row.respelt()).map(|word| Guess { word, place, is_nickname: false });
        self.guesses.extend(in_full);
        self.guesses.extend(slug_of(row.nickname).map(|word| Guess { word, place, is_nickname: true }));
        note(&mut self.respelt, row.respelt().chain(row.with_other_words()), place);
        note(&mut self.short, row.short(), place);
        note(&mut self.cities, row.in_places(), place);
    }
}

fn note(words: &mut HashMap<TeamSlug, Vec<NameIndex>>, added: impl Iterator<Item = TeamSlug>, place: NameIndex) {
    for word in added {
        words.entry(word).or_default().push(place);
    }
}

/// A row of the table.
struct Row {
    sport: Sport,
    since: &'static str,
    until: &'static str,
    city: &'static str,
    nickname: &'static str,
    abbreviation: &'static str,
    also: &'static str,
}

impl Row {
    fn read(line: &'static str) -> Option<Self> {
        let cells: Vec<_> = line.split(',').collect();
        let [sport, since, until, city, nickname, abbreviation, also] = cells[..] else { return None };
        Some(Self { sport: sport.parse().ok()?, since, until, city, nickname, abbreviation, also })
    }

    fn name(&self) -> Option<ClubName> {
        let display = format!("{} {}", self.city, self.nickname).trim_start().to_owned();
        let years = self.since.parse().ok().zip(self.until.parse().ok()).map(|(since, until)| since..=until);
        Some(ClubName {
            slug: slug_of(&display)?,
            display,
            nickname: self.nickname,
            abbreviation: self.abbreviation,
            years,
        })
    }

    /// Returns other spellings of the city.
    fn cities(&self) -> impl Iterator<Item = &'static str> {
        let city = slug_of(self.city);
        CITIES
            .into_iter()
            .filter(move |(of, _)| city.as_ref().is_some_and(|city| city.as_str() == *of))
            .map(|(_, other)| other)
    }

    /// Returns other spellings of the full name: another spelling of the city with the nickname, and those in the
    /// table.
    fn respelt(&self) -> impl Iterator<Item = TeamSlug> {
        let cities: BTreeSet<_> = self.cities().chain([self.abbreviation]).filter_map(slug_of).collect();
        let in_full = cities.into_iter().filter_map(|city| slug_of(&format!("{city} {}", self.nickname)));
        in_full.chain(self.also().filter(|also| also.contains('_')).filter_map(slug_of))
    }

    /// Returns each other word of the table before the nickname, and after the city.
    fn with_other_words(&self) -> impl Iterator<Item = TeamSlug> {
        let has_city = !self.city.is_empty();
        let pairs = |word| [(self.city, word), (word, self.nickname)];
        let pairs = self.other_words().filter(move |_| has_city).flat_map(pairs);
        pairs.filter_map(|(first, last)| slug_of(&format!("{first} {last}")))
    }

    /// Returns the nickname, the abbreviation and the other short names.
    fn short(&self) -> impl Iterator<Item = TeamSlug> {
        [self.nickname, self.abbreviation].into_iter().chain(self.other_words()).filter_map(slug_of)
    }

    /// Returns all spellings of the city.
    fn in_places(&self) -> impl Iterator<Item = TeamSlug> {
        [self.city].into_iter().chain(self.cities()).filter_map(slug_of)
    }

    fn other_words(&self) -> impl Iterator<Item = &'static str> {
        self.also().filter(|also| !also.contains('_'))
    }

    fn also(&self) -> impl Iterator<Item = &'static str> {
        self.also.split_whitespace()
    }
}

fn slug_of(name: &str) -> Option<TeamSlug> {
    TeamSlug::normalise(name).ok()
}
