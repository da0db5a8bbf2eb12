//! The identities of all real games: seasons as they are, seasons with moved starts, doubleheaders and consecutive dates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use rayon::prelude::*;
use sports_domain::{GameKey, Market, ModelType, Season, Sport, TeamSlug};
use sports_publication::identity::{Distance, Doubtful, OnRecord, Resolution, Start};
use sports_publication::registry::ReleaseModels;
use sports_publication::{GamesFile, LeagueRecord, Located, Release, ReportedGame, SeasonHistory, merge_history};
use sports_testkit::programs::{copy_folder, real_data};

use crate::folder::Folder;

const LEAGUES: [Sport; 5] = [Sport::Nfl, Sport::Nba, Sport::Mlb, Sport::Ncaaf, Sport::Ncaab];
const MARKET: ModelType = ModelType::OverUnder;
/// The minutes by which starts are moved.
const SHIFTS: [i64; 8] = [-5, 5, 30, -60, 60, -300, 300, 24 * 60];
/// Of a season, one game in so many is moved, or each game.
const EVERY: [usize; 2] = [1, 20];
/// A season is moved in one of so many ways of each kind; with `SPORTS_EVERY_SHIFT`, in all of them.
const TURNS: usize = 4;

type Row = Located<ReportedGame>;

fn now() -> DateTime<Utc> {
    "2026-01-01T12:00:00Z".parse().expect("an instant")
}

/// A league's games in files, and the record after their publication.
struct League {
    sport: Sport,
    release: Release,
    on_record: OnRecord,
}

impl League {
    /// Reads the games of a league and records them; checks that each counted row becomes a game.
    fn read(data: &Path, sport: Sport) -> Self {
        let folder = Folder::for_sport(sport.code());
        copy_folder(&data.join("games").join(sport.code()), &folder.path().join("games"));
        let mut release = folder.read().unwrap_or_else(|error| panic!("{sport}: {error:?}")).release;
        for rows in release.history.iter_mut().flat_map(|season| &mut season.shared).map(|file| &mut file.rows) {
            rows.retain(|row| row.value.game_type.counts_in(sport));
        }
        let on_record = recorded(&release, &OnRecord::default());
        Self { sport, release, on_record }
    }

    fn seasons(&self) -> impl Iterator<Item = (Season, &[Row])> {
        self.release.history.iter().map(|history| (history.season, &*history.shared[0].rows))
    }

    /// Returns a release of some rows of a season.
    fn release_of(&self, season: Season, rows: Vec<Row>) -> Release {
        let file = GamesFile { given: Vec::new(), gives_game_type: true, rows };
        let history = SeasonHistory { shared: vec![file], ..SeasonHistory::empty(season) };
        Release { history: vec![history], ..self.bare() }
    }

    fn bare(&self) -> Release {
        let Release { sport, slate_date, source_as_of, content, .. } = self.release;
        Release {
            zero_spread_openers: None,
            models: ReleaseModels::default(),
            sport,
            slate_date,
            run: None,
            source_as_of,
            season: None,
            odds: None,
            predictions: BTreeMap::new(),
            held_games: BTreeMap::new(),
            moved: Vec::new(),
            history: Vec::new(),
            content,
        }
    }
}

fn resolved<'r>(release: &'r Release, on_record: &OnRecord) -> Resolution<'r> {
    let live = Season::around(release.sport, release.slate_date);
    Resolution::of(release, on_record, live, now())
}

/// Returns the games on record after the first release of a league.
fn recorded(release: &Release, on_record: &OnRecord) -> OnRecord {
    let resolution = resolved(release, on_record);
    assert_eq!(resolution.problems(), [], "{}", release.sport);
    let mut record = LeagueRecord::default();
    let market = Market::new(release.sport, MARKET);
    for history in &release.history {
        let merged = merge_history(market, None, history, &resolution, None, now()).expect("merges");
        assert_eq!(merged.archive.games().len(), history.shared[0].rows.len(), "{} {}", release.sport, history.season);
        record.archives.insert((MARKET, history.season), merged.archive);
    }
    OnRecord::of_archives(&record.archives)
}

/// Returns the rows of a release of one season that are new games, and those that were refused.
fn new_and_refused(release: &Release, resolution: &Resolution<'_>) -> (usize, usize) {
    let SeasonHistory { season, shared, .. } = &release.history[0];
    let games = || shared[0].rows.iter().map(|row| resolution.game(*season, &row.value.key));
    let new = games().flatten().filter(|game| game.known.is_none()).count();
    (new, games().filter(Option::is_none).count())
}

fn moved(row: &Row, minutes: i64) -> Row {
    let mut row = row.clone();
    let key = &mut row.value.key;
    if let Some(time) = key.time {
        let start = key.date.and_time(time) + TimeDelta::minutes(minutes);
        (key.date, key.time) = (start.date(), Some(start.time()));
    } else {
        key.date += TimeDelta::days(minutes / (24 * 60));
    }
    row
}

/// Returns the later game of each two of a pairing on one date or, outside mlb, 12 to 36 hours apart. A later game with the
/// final of the earlier game is left out: alone it reads as that game, or is refused.
fn seconds(sport: Sport, rows: &[Row]) -> BTreeSet<GameKey> {
    let mut pairings: BTreeMap<(&TeamSlug, &TeamSlug), Vec<&ReportedGame>> = BTreeMap::new();
    for game in rows.iter().map(|row| &row.value) {
        pairings.entry((&game.key.away, &game.key.home)).or_default().push(game);
    }
    let is_near = |one: &GameKey, other: &GameKey| match sport {
        Sport::Mlb => one.date == other.date,
        _ => Start::of(one).distance(Start::of(other)) == Distance::Doubtful,
    };
    let is_close = |one: &ReportedGame, other: &ReportedGame| {
        is_near(&one.key, &other.key) && one.ending.score != other.ending.score
    };
    let later = pairings.into_values().flat_map(|mut games| {
        games.sort_by(|one, other| one.key.cmp(&other.key));
        let pairs = games.windows(2).filter(|pair| is_close(pair[0], pair[1]));
        pairs.map(|pair| pair[1].key.clone()).collect::<Vec<_>>()
    });
    later.collect()
}

fn named(rows: &[Row]) -> Vec<Row> {
    let name = |(number, row): (usize, &Row)| {
        let mut row = row.clone();
        row.value.match_id = Some(format!("g-{number}"));
        row
    };
    rows.iter().enumerate().map(name).collect()
}

/// Checks that a season with moved starts has no game more, or is refused.
fn check_moved(league: &League, (season, rows): (Season, &[Row]), (minutes, every): (i64, usize)) {
    let row = |(number, row): (usize, &Row)| if number % every == 0 { moved(row, minutes) } else { row.clone() };
    let release = league.release_of(season, rows.iter().enumerate().map(row).collect());
    let resolution = resolved(&release, &league.on_record);
    let (new, _) = new_and_refused(&release, &resolution);
    let way = format!("{} {season}: one in {every} by {minutes} minutes", league.sport);
    assert!(new == 0 || !resolution.problems().is_empty(), "{way}: {new} new games");
}

/// Checks that games which are close together stay two games each, listed together and one after the other.
fn check_apart(league: &League, season: Season, rows: &[Row], has_ids: bool) {
    let later = seconds(league.sport, rows);
    let (second, first): (Vec<_>, Vec<_>) = rows.iter().cloned().partition(|row| later.contains(&row.value.key));
    let again = league.release_of(season, rows.to_vec());
    let resolution = resolved(&again, &league.on_record);
    assert_eq!((new_and_refused(&again, &resolution), resolution.problems()), ((0, 0), &[][..]), "{season}");
    let first = league.release_of(season, first);
    let before = recorded(&first, &OnRecord::default());
    let (expected, second) = (second.len(), league.release_of(season, second));
    let resolution = resolved(&second, &before);
    let (new, refused) = new_and_refused(&second, &resolution);
    let of = format!("{} {season}, ids {has_ids}: {expected}", league.sport);
    assert_eq!(new + refused, expected, "{of}: {new} new, {refused} refused");
    // Games of a doubleheader without times need their number or the whole date.
    let is_timed = rows.iter().all(|row| row.value.key.time.is_some());
    assert!(refused == 0 || (league.sport == Sport::Mlb && !is_timed), "{of}: {:?}", resolution.problems());
}

fn check_league(data: &Path, sport: Sport) -> usize {
    let league = League::read(data, sport);
    let every_shift = std::env::var_os("SPORTS_EVERY_SHIFT").is_some();
    let ways: Vec<_> = EVERY.iter().flat_map(|every| SHIFTS.map(|minutes| (minutes, *every))).collect();
    let seasons: Vec<_> = league.seasons().enumerate().collect();
    seasons.par_iter().for_each(|(place, (season, rows))| {
        let is_turn = |number: &usize| every_shift || (number + place).is_multiple_of(TURNS);
        let turns = (0..ways.len()).filter(is_turn);
        turns.for_each(|number| check_moved(&league, (*season, rows), ways[number]));
        check_apart(&league, *season, rows, false);
        check_apart(&league, *season, &named(rows), true);
    });
    let resolution = resolved(&league.release, &OnRecord::default());
    check_listed_twice(sport, resolution.doubtful());
    league.on_record.games().count()
}

/// Checks the pairs of games that the data lists on consecutive dates with one final.
fn check_listed_twice(sport: Sport, doubtful: &[Doubtful]) {
    let expected = match sport {
        Sport::Ncaaf => 15,
        Sport::Ncaab => 2,
        _ => 0,
    };
    assert_eq!(doubtful.len(), expected, "{sport}: {doubtful:?}");
    for Doubtful(one, other) in doubtful.iter().filter(|_| sport == Sport::Ncaaf) {
        assert_eq!([one.date, other.date].map(|date| date.to_string()), ["2018-11-22", "2018-11-23"]);
    }
}

#[test]
fn real_games_stay_one_game_each_however_their_starts_move() {
    let Some(data) = real_data() else { return };
    let games: usize = LEAGUES.into_iter().map(|sport| check_league(&data, sport)).sum();
    assert!(games > 60_000, "{games}");
}
