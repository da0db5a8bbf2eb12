mod models;

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use serde_json::{Map, Value};
use sports_accounts::has_key;
use sports_domain::{GameKey, ModelType, NotALabel, Season, Sport, TeamSlug, check_visible, eastern_date, trim_blanks};
use sports_publication::registry::{Declarations, Declaring, Moment, Registry, RegistryOnRecord};
use sports_publication::{Located, MovedBy, MovedGame, Run, SlateActivity, SourceTimes, ZeroSpreadOpeners};

use crate::cells::{DATE, INSTANT, TEAM, TIME, written_date, written_instant, written_time};
use crate::columns::{GAME_KEY, RESCHEDULE, TIMES};
use crate::findings::Findings;
use crate::json::{Json, ONCE};
use crate::key::FileSeason;
use crate::table::{NO_KEY, without_mark};
use crate::teams::{Names, Teams};
use crate::{columns, names};
use models::{Fields, to_text};

/// The maximum number of days between today and the slate date.
const DAYS_AHEAD: u64 = 7;

/// The content of `release.json`; missing required fields are recorded as problems.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    pub(crate) sport: Option<Sport>,
    pub(crate) slate_date: Option<NaiveDate>,
    pub(crate) season: Option<Season>,
    pub(crate) slate: Option<SlateActivity>,
    pub(crate) run: Option<Run>,
    pub(crate) source_as_of: SourceTimes,
    pub(crate) held_games: BTreeMap<ModelType, Vec<Located<GameKey>>>,
    pub(crate) moved: Vec<Located<MovedGame>>,
    pub(crate) zero_spread_openers: Option<ZeroSpreadOpeners>,
    pub(crate) declarations: Declarations,
    /// The registry after the declarations, under which columns are read.
    pub(crate) registry: Registry,
}

/// The context that `release.json` is checked against: the current time and the rest of the folder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ManifestContext<'r> {
    /// The registry that the release changes.
    pub(crate) models: &'r RegistryOnRecord,
    /// The current time, which limits the slate date.
    pub(crate) now: DateTime<Utc>,
    /// True if the season is required, because the folder has predictions to record in it.
    pub(crate) season: bool,
}

/// Reads the text of `release.json`.
pub(crate) fn read(bytes: &[u8], asked: ManifestContext<'_>, found: &mut Findings) -> Manifest {
    match serde_json::from_slice(without_mark(bytes)) {
        Ok(Value::Object(object)) => {
            // A map of fields keeps neither their order nor one that is repeated.
            let written = serde_json::from_slice::<Json>(without_mark(bytes)).unwrap_or(Json::Null);
            for path in written.repeated() {
                found.column(&path, None, ONCE);
            }
            refuse_key(&object, found);
            Fields { object: &object, within: "" }.manifest(asked, written.fields_of("models"), found)
        }
        Ok(_) => {
            found.file("a JSON object");
            Manifest::default()
        }
        Err(error) => {
            found.file(format!("a JSON object; reading it failed: {error}"));
            Manifest::default()
        }
    }
}

/// Records a problem for a whole API key in a text or in the name of a field, however it is escaped in the file.
fn refuse_key(object: &Map<String, Value>, found: &mut Findings) {
    if serde_json::to_string(object).is_ok_and(|text| has_key(&text)) {
        found.file(NO_KEY);
    }
}

impl Manifest {
    /// Returns the season that the rows of odds and predictions must belong to.
    pub(crate) fn file_season(&self) -> Option<FileSeason> {
        self.season.map(|season| FileSeason::of_season(season, SEASON_SOURCE))
    }
}

impl Fields<'_> {
    fn manifest(self, asked: ManifestContext<'_>, models: Vec<String>, found: &mut Findings) -> Manifest {
        self.refuse_unknown(&columns::MANIFEST, found);
        let sport = self.sport(found);
        let season = self.season(sport, asked.season, found);
        let slate = self.parsed("slate", "`active` or `none`", found, |word| {
            SlateActivity::ALL.into_iter().find(|slate| slate.word() == word)
        });
        if slate == Some(SlateActivity::None) {
            self.check_off_day(found);
        }
        let slate_date = self.slate_date(asked.now, found);
        let run =
            self.inner("run", "run.", found).and_then(|run| run.run(slate.unwrap_or(SlateActivity::Active), found));
        let source_as_of = self.source_times(found);
        let mut games = GameReader::in_season(sport, season);
        let held_games = games.held(self, found);
        let moved = games.moved(self, found);
        let zero_spread_openers =
            self.parsed("zero_spread_openers", "`placeholder` or `pickem`", found, ZeroSpreadOpeners::named);
        let declarations = Declarations { order: models, ..self.declarations(found) };
        let registry = declared(&declarations, asked, found);
        Manifest {
            sport,
            slate_date,
            season,
            slate,
            run,
            source_as_of,
            held_games,
            moved,
            zero_spread_openers,
            declarations,
            registry,
        }
    }

    /// Checks that a completed run confirms an off-day; without it the slate would not change.
    fn check_off_day(self, found: &mut Findings) {
        let completed_at = self.given("run").and_then(|run| run.get("completed_at"));
        if completed_at.is_none_or(Value::is_null) {
            self.refuse("slate", "`run` with `completed_at` beside it", found);
        }
    }

    fn season(self, sport: Option<Sport>, needed: bool, found: &mut Findings) -> Option<Season> {
        let form = sport.map_or_else(|| "a season".to_owned(), season_form);
        if needed && self.given("season").is_none() {
            self.refuse("season", &format!("{form}: predictions are recorded in it"), found);
        }
        let sport = sport?;
        self.parsed("season", &form, found, |label| Season::parse(sport, label).ok())
    }

    fn sport(self, found: &mut Findings) -> Option<Sport> {
        let known = Sport::ALL.map(Sport::code);
        let given = self.text("sport").unwrap_or_default();
        let expected = format!("one of {}{}", known.join(", "), names::did_you_mean(given, known));
        self.needed("sport", &expected, found, |code| code.parse().ok())
    }

    fn slate_date(self, now: DateTime<Utc>, found: &mut Findings) -> Option<NaiveDate> {
        let date = self.needed_moment("slate_date", DATE, found, written_date)?;
        let latest = eastern_date(now).checked_add_days(Days::new(DAYS_AHEAD));
        if latest.is_some_and(|latest| date > latest) {
            let expected = format!("a date no more than {DAYS_AHEAD} days from today ({})", eastern_date(now));
            found.column("slate_date", Some(date.to_string()), expected);
        }
        Some(date)
    }

    fn run(self, slate: SlateActivity, found: &mut Findings) -> Option<Run> {
        self.refuse_unknown(&columns::RUN, found);
        let named = |id: &str| Some(trim_blanks(id).to_owned()).filter(|id| !id.is_empty());
        let id = self.needed("id", "the id of the run", found, named);
        if let Some(Err(hidden)) = id.as_deref().map(check_visible) {
            self.refuse("id", &NotALabel::Hidden(hidden).to_string(), found);
        }
        let started_at = self.needed_moment("started_at", INSTANT, found, written_instant);
        let completed_at = self.moment("completed_at", INSTANT, found, written_instant);
        if let (Some(started_at), Some(completed_at)) = (started_at, completed_at)
            && completed_at < started_at
        {
            self.refuse("completed_at", "a time not before started_at", found);
        }
        Some(Run { id: id?, started_at: started_at?, completed_at, slate })
    }

    fn source_times(self, found: &mut Findings) -> SourceTimes {
        let Some(times) = self.inner("source_as_of", "source_as_of.", found) else { return SourceTimes::default() };
        times.refuse_unknown(&columns::SOURCE_TIMES, found);
        SourceTimes {
            odds: times.moment("odds", INSTANT, found, written_instant),
            predictions: times.moment("predictions", INSTANT, found, written_instant),
        }
    }
}

/// Returns the registry after a release's declarations, and records their problems.
fn declared(declarations: &Declarations, asked: ManifestContext<'_>, found: &mut Findings) -> Registry {
    let RegistryOnRecord { registry, object, next } = asked.models;
    let moment = Moment { generation: *next, at: asked.now };
    let (registry, problems) = registry.declare_possible(declarations, &Declaring { moment, before: *object });
    for problem in problems {
        found.column(problem.column.as_deref().unwrap_or_default(), problem.value, problem.expected);
    }
    registry
}

/// Returns the expected form of a season label of `sport`.
pub(crate) fn season_form(sport: Sport) -> String {
    let form =
        if sport.splits_years() { "YYYY-YY with consecutive years, such as 2024-25" } else { "YYYY, such as 2024" };
    format!("a season of {sport} as {form}")
}

/// The source of the season of predictions, for messages.
const SEASON_SOURCE: &str = "the season of release.json";

/// A reader of the games that `release.json` names: held and rescheduled games.
struct GameReader {
    season: Option<FileSeason>,
    teams: Teams,
}

impl GameReader {
    /// Creates a reader for a league and a season, if these are known.
    fn in_season(sport: Option<Sport>, season: Option<Season>) -> Self {
        let teams = Teams::in_season(sport, season, Names::SlateActivity);
        Self { season: season.map(|season| FileSeason::of_season(season, SEASON_SOURCE)), teams }
    }

    fn held(&mut self, manifest: Fields<'_>, found: &mut Findings) -> BTreeMap<ModelType, Vec<Located<GameKey>>> {
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

    fn moved(&mut self, manifest: Fields<'_>, found: &mut Findings) -> Vec<Located<MovedGame>> {
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
        found.column(name, Some(to_text(value)), expected);
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let now = "2024-11-24T03:00:00Z".parse().expect("an instant");
        let mut found = Findings::in_file("release.json");
        let models = RegistryOnRecord::default();
        read(text.as_bytes(), ManifestContext { now, season: false, models: &models }, &mut found);
        found.problems.iter().map(|problem| problem.to_string().replace("release.json, column ", "")).collect()
    }

    #[test]
    fn sport_and_slate_date_are_enough() {
        assert_eq!(problems(r#"{"sport":"nfl","slate_date":"2024-11-24"}"#), [""; 0]);
        assert_eq!(
            problems("{}"),
            ["sport: expected one of mlb, nba, nfl, nhl, ncaaf, ncaab", "slate_date: expected a date as YYYY-MM-DD",]
        );
    }

    #[test]
    fn a_slate_a_week_ahead_of_the_eastern_date_is_the_latest() {
        // At the test's instant it is still the 23rd in New York.
        assert_eq!(problems(r#"{"sport":"nfl","slate_date":"2024-11-30"}"#), [""; 0]);
        assert_eq!(
            problems(r#"{"sport":"nfl","slate_date":"2024-12-01"}"#),
            ["slate_date: `2024-12-01`: expected a date no more than 7 days from today (2024-11-23)"]
        );
    }

    #[test]
    fn an_unknown_field_is_a_problem_with_the_name_that_may_be_meant() {
        assert_eq!(
            problems(
                r#"{"sport":"nfl","slate_date":"2024-11-24","seasons":1,"run":{"id":"a","started_at":"2024-11-24T01:00:00Z","compleeted_at":null}}"#
            ),
            [
                "seasons: `1`: expected one of the fields sport, season, slate_date, slate, run, source_as_of, held_games, \
                 moved, zero_spread_openers, models, headline, markets, slate_days, odds_dependent (did you mean `season`?)",
                "run.compleeted_at: expected one of the fields id, started_at, completed_at (did you mean `completed_at`?)",
            ]
        );
    }

    #[test]
    fn a_field_of_another_form_is_a_problem() {
        assert_eq!(
            problems(
                r#"{"sport":"NFL","slate_date":20241124,"season":"2024","slate":"off","run":{"id":" ","started_at":"now"},
                    "source_as_of":{"odds":"2024-11-24T01:00:00"},"held_games":[],"moved":{}}"#
            ),
            [
                "season: `2024`: expected a season of nfl as YYYY-YY with consecutive years, such as 2024-25",
                "slate: `off`: expected `active` or `none`",
                "slate_date: `20241124`: expected a date as YYYY-MM-DD (2024-11-24)",
                "run.id: ` `: expected the id of the run",
                "run.started_at: `now`: expected a time with its offset from UTC, such as 2026-10-03T14:00:00Z",
                "source_as_of.odds: `2024-11-24T01:00:00`: expected a time with its offset from UTC, such as \
                 2026-10-03T14:00:00Z",
                "held_games: `[]`: expected an object",
                "moved: `{}`: expected a list",
            ]
        );
    }

    #[test]
    fn an_off_day_is_confirmed_by_a_run_that_ended() {
        let of = |run: &str| problems(&format!(r#"{{"sport":"nfl","slate_date":"2024-11-24","slate":"none"{run}}}"#));
        let started = r#""id":"a","started_at":"2024-11-24T01:00:00Z""#;
        let unconfirmed = ["slate: `none`: expected `run` with `completed_at` beside it"];
        assert_eq!(of(""), unconfirmed);
        assert_eq!(of(&format!(r#","run":{{{started}}}"#)), unconfirmed);
        assert_eq!(of(&format!(r#","run":{{{started},"completed_at":null}}"#)), unconfirmed);
        assert_eq!(of(&format!(r#","run":{{{started},"completed_at":"2024-11-24T02:00:00Z"}}"#)), [""; 0]);
        // An invalid time is one problem, not two.
        assert_eq!(of(&format!(r#","run":{{{started},"completed_at":"noon"}}"#)).len(), 1);
    }

    #[test]
    fn a_repeated_field_is_a_problem_at_any_depth() {
        assert_eq!(
            problems(
                r#"{"sport":"nba","sport":"nfl","slate_date":"2024-11-24","source_as_of":{"odds":null,"odds":null}}"#
            ),
            ["sport: expected every field once", "source_as_of.odds: expected every field once"]
        );
    }

    #[test]
    fn text_that_is_no_json_object_is_one_problem() {
        for text in ["", "[]", "{\"sport\":", "nfl"] {
            assert_eq!(problems(text).len(), 1, "{text}");
        }
    }
}
