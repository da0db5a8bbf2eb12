use std::collections::{BTreeMap, HashSet};

use chrono::{NaiveDate, NaiveTime};
use serde_json::Value;
use sports_domain::{GameKey, ModelType, Season, Sport, TeamSlug};
use sports_publication::{Located, MovedBy, MovedGame};

use super::models::{Fields, written};
use crate::cells::{DATE, TEAM, TIME, written_date, written_time};
use crate::columns::{GAME_KEY, RESCHEDULE, TIMES};
use crate::findings::Findings;
use crate::key::FileSeason;
use crate::names;
use crate::teams::{Names, Teams};

/// The source of the season of predictions, for messages.
pub(super) const SEASON_SOURCE: &str = "the season of release.json";

/// A reader of the games that `release.json` names: held and rescheduled games.
pub(super) struct GameReader {
    season: Option<FileSeason>,
    teams: Teams,
}

impl GameReader {
    /// Creates a reader for a league and a season, if these are known.
    pub(super) fn in_season(sport: Option<Sport>, season: Option<Season>) -> Self {
        let teams = Teams::in_season(sport, season, Names::SlateActivity);
        Self { season: season.map(|season| FileSeason::of_season(season, SEASON_SOURCE)), teams }
    }

    pub(super) fn held(
        &mut self,
        manifest: Fields<'_>,
        found: &mut Findings,
    ) -> BTreeMap<ModelType, Vec<Located<GameKey>>> {
        let mut held = BTreeMap::new();
        let Some(lists) = manifest.inner("held_games", "held_games.", found) else { return held };
        for name in lists.object.keys() {
            let Some(model_type) = ModelType::ALL.into_iter().find(|model_type| model_type.code() == name) else {
                let known = ModelType::ALL.map(ModelType::code);
                let hint = names::did_you_mean(name, known);
                lists.refuse(name, &format!("one of the fields {}{hint}", known.join(", ")), found);
                continue;
            };
            let games = self.held_in(lists, name, found);
            if !games.is_empty() {
                held.insert(model_type, games);
            }
        }
        held
    }

    fn held_in(&mut self, lists: Fields<'_>, market: &str, found: &mut Findings) -> Vec<Located<GameKey>> {
        let mut games = Vec::new();
        let mut seen = HashSet::new();
        for (name, value) in lists.list(market, found) {
            let Some(key) = self.game(&name, value, self.season, found) else { continue };
            if seen.insert(key.clone()) {
                games.push(Located { place: found.place(None), value: key });
            } else {
                found.column(&name, Some(key.to_string()), "each game once in a market");
            }
        }
        games
    }

    pub(super) fn moved(&mut self, manifest: Fields<'_>, found: &mut Findings) -> Vec<Located<MovedGame>> {
        let mut games = Vec::new();
        let (mut left, mut reached) = (HashSet::new(), HashSet::new());
        for (name, value) in manifest.list("moved", found) {
            let Some(moved) = self.one_move(&name, value, found) else { continue };
            let (field, named) = match &moved.by {
                MovedBy::Start(from) => ("from", from.to_string()),
                MovedBy::GameId(id) => ("game_id", id.clone()),
                MovedBy::MatchId(id) => ("match_id", id.clone()),
            };
            let twice = [
                (field, &named, left.insert(named.clone())),
                ("to", &moved.to.to_string(), reached.insert(moved.to.clone())),
            ];
            for (field, key, _) in twice.iter().filter(|(_, _, is_first)| !is_first) {
                found.column(&format!("{name}.{field}"), Some((*key).clone()), "each game rescheduled once");
            }
            games.push(Located { place: found.place(None), value: moved });
        }
        games
    }

    fn one_move(&mut self, name: &str, value: &Value, found: &mut Findings) -> Option<MovedGame> {
        let within = format!("{name}.");
        let ends = object(name, &within, value, "an object with `from` and `to`", found)?;
        ends.refuse_unknown(&RESCHEDULE, found);
        let given: Vec<_> = ["game_id", "match_id", "from"].into_iter().filter(|it| ends.given(it).is_some()).collect();
        if given.len() > 1 {
            let expected = format!("one of `game_id`, `match_id` and `from`, not {}", given.join(" and "));
            found.column(name, None, expected);
            return None;
        }
        let mut id = |field: &str| id_in(ends, &within, field, found);
        let by_id = id("game_id").map(MovedBy::GameId).or_else(|| id("match_id").map(MovedBy::MatchId));
        let mut end = |field: &str| {
            let path = format!("{name}.{field}");
            let Some(value) = ends.given(field) else {
                found.column(&path, None, "a game's key");
                return None;
            };
            // The earlier start is recorded as published, so its date is not checked against the season.
            self.game(&path, value, self.season.filter(|_| field != "from"), found)
        };
        let from = if matches!(*given, [] | ["from"]) { end("from") } else { None };
        let to = end("to")?;
        if let Some(by) = by_id {
            return Some(MovedGame { by, to });
        }
        let from = from?;
        let path = format!("{name}.to");
        if (&from.away, &from.home) != (&to.away, &to.home) {
            let expected = format!("the same teams as in `from`, {} at {}", from.away, from.home);
            found.column(&path, Some(format!("{} at {}", to.away, to.home)), expected);
            return None;
        }
        if from == to {
            found.column(&path, Some(to.to_string()), "another start than in `from`");
            return None;
        }
        Some(MovedGame { by: MovedBy::Start(from), to })
    }

    /// Reads a game's key; records a problem and returns `None` if a field is missing or invalid.
    fn game(&mut self, name: &str, value: &Value, season: Option<FileSeason>, found: &mut Findings) -> Option<GameKey> {
        let within = format!("{name}.");
        let fields = object(name, &within, value, "an object with a game's key", found)?;
        fields.refuse_unknown_but(&GAME_KEY, &TIMES, found);
        let date = date(fields, season, found);
        let time = time(fields, found);
        let (away, home) = (self.team("away_team", date, fields, found), self.team("home_team", date, fields, found));
        let (away, home) = (away?, home?);
        if away == home {
            fields.refuse("home_team", "another team than the away team", found);
            return None;
        }
        Some(GameKey { date: date?, time: Some(time?), away, home, game_number: None })
    }

    fn team(
        &mut self,
        field: &str,
        date: Option<NaiveDate>,
        fields: Fields<'_>,
        found: &mut Findings,
    ) -> Option<TeamSlug> {
        let name = fields.needed(field, TEAM, found, |name| Some(name.to_owned()))?;
        let team = self.teams.read(&name, date).map_err(|expected| fields.refuse(field, &expected, found)).ok()??;
        if let Some(remark) = &team.remark {
            found.unknown_team(&team.slug, remark);
        }
        Some(team.slug)
    }
}

fn date(fields: Fields<'_>, season: Option<FileSeason>, found: &mut Findings) -> Option<NaiveDate> {
    let date = fields.needed_moment("date", DATE, found, written_date)?;
    let checked = season.map_or(Ok(date), |season| season.check(date));
    checked.map_err(|expected| fields.refuse("date", &expected, found)).ok()
}

/// Reads the start time under either of its names. Every prediction has a start time, so the field is required.
fn time(fields: Fields<'_>, found: &mut Findings) -> Option<NaiveTime> {
    let mut given = TIMES.into_iter().filter(|name| fields.given(name).is_some());
    let name = given.next().unwrap_or(TIMES[0]);
    if let Some(second) = given.next() {
        fields.refuse(second, "either `time_est` or `time`, not both", found);
    }
    fields.needed(name, TIME, found, written_time)
}

/// Reads an id of a game, a text that is not empty.
fn id_in(fields: Fields<'_>, within: &str, field: &str, found: &mut Findings) -> Option<String> {
    let value = fields.given(field)?;
    let id = value.as_str().filter(|id| !id.is_empty());
    if id.is_none() {
        found.column(&format!("{within}{field}"), Some(value.to_string()), "a text");
    }
    id.map(str::to_owned)
}

fn object<'j>(
    name: &str,
    within: &'j str,
    value: &'j Value,
    expected: &str,
    found: &mut Findings,
) -> Option<Fields<'j>> {
    let fields = value.as_object().map(|object| Fields { object, within });
    if fields.is_none() {
        found.column(name, Some(written(value)), expected);
    }
    fields
}
