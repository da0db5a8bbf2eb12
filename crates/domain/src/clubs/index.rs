use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::{Club, ClubName};
use crate::{Season, Sport, TeamSlug};

/// A row a name, today's before the former ones of the same club. `also` has other ways to write it.
const TABLE: &str = include_str!("clubs.csv");

/// How else the cities of clubs are written.
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

/// One league's clubs by everything they are called.
#[derive(Debug, Default)]
pub(super) struct League {
    pub(super) clubs: Vec<Club>,
    /// Names in full: one club's each.
    full: HashMap<TeamSlug, Place>,
    /// Full names with the city written another way: one club's each, of one of its seasons or of several.
    respelt: HashMap<TeamSlug, Vec<Place>>,
    /// Nicknames, cities and abbreviations, each with all that may be meant.
    short: HashMap<TeamSlug, Vec<Place>>,
    /// What a misspelt name may have been meant as.
    guesses: Vec<(TeamSlug, Place)>,
}

/// Which club, and which of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    club: usize,
    name: usize,
}

impl League {
    pub(super) fn of(sport: Sport) -> Option<&'static Self> {
        LEAGUES.get(&sport)
    }

    pub(super) fn named(&self, team: &TeamSlug) -> Option<(&Club, &ClubName)> {
        self.full.get(team).map(|place| (&self.clubs[place.club], self.name(*place)))
    }

    pub(super) fn has_in_full(&self, team: &TeamSlug) -> bool {
        self.full.contains_key(team) || self.respelt.contains_key(team)
    }

    /// The only club that may be meant, under its name of the season. Names of the season go before today's,
    /// and today's before others.
    pub(super) fn short(&self, season: Season, team: &TeamSlug) -> Option<&ClubName> {
        let places = self.respelt.get(team).or_else(|| self.short.get(team))?;
        let of_season = |place: &Place| std::ptr::eq(self.name(*place), self.clubs[place.club].name_in(season));
        let ranks: [&dyn Fn(&Place) -> bool; 3] = [&of_season, &|place| place.name == 0, &|_| true];
        let rank = ranks.into_iter().find(|rank| places.iter().any(rank))?;
        let mut meant = places.iter().filter(|place| rank(place)).map(|place| place.club);
        let club = meant.next()?;
        meant.all(|other| other == club).then(|| self.clubs[club].name_in(season))
    }

    pub(super) fn guesses(&self) -> impl Iterator<Item = (&str, &ClubName)> {
        self.guesses.iter().map(|(word, place)| (word.as_str(), self.name(*place)))
    }

    fn name(&self, place: Place) -> &ClubName {
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
        let place = Place { club: self.clubs.len() - 1, name };
        self.full.insert(slug.clone(), place);
        let respelt: Vec<_> = row.respelt().collect();
        let words = [slug].into_iter().chain(respelt.iter().cloned()).chain(slug_of(row.nickname));
        self.guesses.extend(words.map(|word| (word, place)));
        for other in respelt {
            self.respelt.entry(other).or_default().push(place);
        }
        for short in row.short() {
            self.short.entry(short).or_default().push(place);
        }
    }
}

/// One row of the table.
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
        Some(ClubName { slug: slug_of(&display)?, display, abbreviation: self.abbreviation, years })
    }

    /// The city's other spellings.
    fn cities(&self) -> impl Iterator<Item = &'static str> {
        let city = slug_of(self.city);
        CITIES
            .into_iter()
            .filter(move |(of, _)| city.as_ref().is_some_and(|city| city.as_str() == *of))
            .map(|(_, other)| other)
    }

    /// Ways to write the whole name: the nickname after the city in short, and what the table has.
    fn respelt(&self) -> impl Iterator<Item = TeamSlug> {
        let cities: BTreeSet<_> = self.cities().chain([self.abbreviation]).filter_map(slug_of).collect();
        let in_full = cities.into_iter().filter_map(|city| slug_of(&format!("{city} {}", self.nickname)));
        in_full.chain(self.also().filter(|also| also.contains('_')).filter_map(slug_of))
    }

    /// Parts of the name, each of which may be several clubs'.
    fn short(&self) -> impl Iterator<Item = TeamSlug> {
        let parts = [self.city, self.nickname, self.abbreviation].into_iter().chain(self.cities());
        parts.chain(self.also().filter(|also| !also.contains('_'))).filter_map(slug_of)
    }

    fn also(&self) -> impl Iterator<Item = &'static str> {
        self.also.split(' ')
    }
}

fn slug_of(name: &str) -> Option<TeamSlug> {
    TeamSlug::normalise(name).ok()
}
