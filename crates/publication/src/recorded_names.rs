//! The rule that a club has one name in a season: its name on record.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use sports_domain::{Club, GameKey, Season, Sport, TeamSlug};

use crate::{LeagueRecord, MarketHistory, Odds, Predictions, Release, SeasonArchive, SeasonHistory};

/// Returns the release with each club under its recorded name of the same season. Under two names a club would have two
/// records, and a game might be on both. `live` is the season in which the slate is recorded.
///
/// A name that is on record in the season stays. A name also stays if the release uses the recorded name as well.
pub fn as_recorded<'r>(release: &'r Release, record: &LeagueRecord, live: Option<Season>) -> Cow<'r, Release> {
    if !release.sport.is_professional() {
        return Cow::Borrowed(release);
    }
    let seasons: BTreeSet<_> = release.history.iter().map(|history| history.season).chain(live).collect();
    let teams = seasons.into_iter().map(|season| (season, teams_on_record(record, season, live == Some(season))));
    let on_record: Vec<_> = teams.filter(|(_, teams)| !teams.is_empty()).collect();
    if on_record.is_empty() {
        return Cow::Borrowed(release);
    }
    let (mut renamed, mut changed) = (release.clone(), false);
    for (season, on_record) in on_record {
        let mut keys = keys(&mut renamed, |of| of == season, live == Some(season));
        let names = other_names(release.sport, &keys, &on_record);
        changed |= !names.is_empty();
        for team in keys.iter_mut().flat_map(|key| [&mut key.away, &mut key.home]) {
            if let Some(name) = names.get(team) {
                team.clone_from(name);
            }
        }
    }
    if changed { Cow::Owned(renamed) } else { Cow::Borrowed(release) }
}

/// Returns the recorded names of clubs whose names in these games differ.
fn other_names(sport: Sport, keys: &[&mut GameKey], on_record: &BTreeSet<TeamSlug>) -> BTreeMap<TeamSlug, TeamSlug> {
    let teams: BTreeSet<_> = keys.iter().flat_map(|key| [&key.away, &key.home]).collect();
    let name = |team: &TeamSlug| {
        let mut names = on_record.iter().filter(|name| !teams.contains(name));
        names.find(|name| Club::is_same(sport, name, team)).cloned()
    };
    let strange = teams.iter().filter(|team| !on_record.contains(**team));
    strange.filter_map(|team| Some(((*team).clone(), name(team)?))).collect()
}

/// Returns the teams of every game on record in a season; games of the slate are of the live season.
fn teams_on_record(record: &LeagueRecord, season: Season, is_live: bool) -> BTreeSet<TeamSlug> {
    let archives = record.archives.iter().filter(|((_, of), _)| *of == season).map(|(_, archive)| archive);
    let recorded = archives.flat_map(SeasonArchive::games).map(|game| &game.facts.key);
    let predicted = record.predictions.values().flat_map(Predictions::games).map(|game| &game.game.key);
    let quoted = record.odds.iter().flat_map(Odds::games).map(|game| &game.key);
    let slate = predicted.chain(quoted).filter(|_| is_live);
    recorded.chain(slate).flat_map(|key| [key.away.clone(), key.home.clone()]).collect()
}

/// Returns every key of a game in a release: those of the history of some seasons and, if `is_live`, of the slate.
pub(crate) fn keys(release: &mut Release, of: impl Fn(Season) -> bool, is_live: bool) -> Vec<&mut GameKey> {
    let history = release.history.iter_mut().filter(|history| of(history.season)).flat_map(keys_of_history);
    let odds = release.odds.iter_mut().flatten().map(|row| &mut row.value.key);
    let rows = release.predictions.values_mut().flat_map(|file| &mut file.rows);
    let held = release.held_games.values_mut().flatten().map(|held| &mut held.value);
    let moved = release.moved.iter_mut().flat_map(|row| row.value.keys_mut());
    let slate = odds.chain(rows.map(|row| &mut row.value.game.key)).chain(held).chain(moved);
    history.chain(slate.filter(|_| is_live)).collect()
}

fn keys_of_history(history: &mut SeasonHistory) -> impl Iterator<Item = &mut GameKey> {
    let SeasonHistory { shared, markets, .. } = history;
    let (mut files, mut forecasts) = (Vec::from_iter(shared), Vec::new());
    for MarketHistory { games, forecasts: rows } in markets.values_mut() {
        files.extend(games);
        forecasts.extend(rows);
    }
    let games = files.into_iter().flat_map(|file| &mut file.rows).map(|row| &mut row.value.key);
    games.chain(forecasts.into_iter().map(|row| &mut row.value.key))
}
