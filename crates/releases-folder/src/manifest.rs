use chrono::{DateTime, Days, NaiveDate, Utc};
use serde_json::{Map, Value};
use sports_domain::{Season, Sport, eastern_date};
use sports_publication::{Run, Slate, SourceTimes};

use crate::cells::{DATE, INSTANT, written_date, written_instant};
use crate::columns::{self, Column};
use crate::findings::Findings;
use crate::hint;
use crate::table::without_mark;

/// How far ahead of today a release may be.
const DAYS_AHEAD: u64 = 7;

/// What `release.json` says; anything missing here that it must say stands among the problems.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    pub(crate) sport: Option<Sport>,
    pub(crate) slate_date: Option<NaiveDate>,
    pub(crate) run: Option<Run>,
    pub(crate) source_as_of: SourceTimes,
}

/// Reads the text of `release.json`.
pub(crate) fn read(bytes: &[u8], now: DateTime<Utc>, found: &mut Findings) -> Manifest {
    match serde_json::from_slice(without_mark(bytes)) {
        Ok(Value::Object(object)) => Fields { object: &object, within: "" }.manifest(now, found),
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

/// The fields of one JSON object, and the path to it.
#[derive(Clone, Copy)]
struct Fields<'j> {
    object: &'j Map<String, Value>,
    within: &'static str,
}

impl<'j> Fields<'j> {
    fn manifest(self, now: DateTime<Utc>, found: &mut Findings) -> Manifest {
        self.refuse_unknown(&columns::MANIFEST, found);
        let sport = self.sport(found);
        if let Some(sport) = sport {
            self.parsed("season", &season_form(sport), found, |label| Season::parse(sport, label).ok());
        }
        let slate = self.parsed("slate", "`active` or `none`", found, |word| {
            [Slate::Active, Slate::None].into_iter().find(|slate| slate.word() == word)
        });
        for unsupported in ["held_games", "moved"] {
            self.refuse_filled(unsupported, found);
        }
        Manifest {
            sport,
            slate_date: self.slate_date(now, found),
            run: self.inner("run", "run.", found).and_then(|run| run.run(slate.unwrap_or(Slate::Active), found)),
            source_as_of: self.source_times(found),
        }
    }

    fn sport(self, found: &mut Findings) -> Option<Sport> {
        let known = Sport::ALL.map(Sport::code);
        let given = self.text("sport").unwrap_or_default();
        let expected = format!("one of {}{}", known.join(", "), hint::did_you_mean(given, known));
        self.needed("sport", &expected, found, |code| code.parse().ok())
    }

    fn slate_date(self, now: DateTime<Utc>, found: &mut Findings) -> Option<NaiveDate> {
        let date = self.needed("slate_date", DATE, found, written_date)?;
        let latest = eastern_date(now).checked_add_days(Days::new(DAYS_AHEAD));
        if latest.is_some_and(|latest| date > latest) {
            let expected = format!("a date no more than {DAYS_AHEAD} days from today ({})", eastern_date(now));
            found.column("slate_date", Some(date.to_string()), expected);
        }
        Some(date)
    }

    fn run(self, slate: Slate, found: &mut Findings) -> Option<Run> {
        self.refuse_unknown(&columns::RUN, found);
        let named = |id: &str| Some(id.trim().to_owned()).filter(|id| !id.is_empty());
        let id = self.needed("id", "the id of the run", found, named);
        let started_at = self.needed("started_at", INSTANT, found, written_instant);
        let completed_at = self.parsed("completed_at", INSTANT, found, written_instant);
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
            odds: times.parsed("odds", INSTANT, found, written_instant),
            predictions: times.parsed("predictions", INSTANT, found, written_instant),
        }
    }

    /// A field that is there and not null.
    fn given(self, name: &str) -> Option<&'j Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn text(self, name: &str) -> Option<&'j str> {
        self.given(name)?.as_str()
    }

    /// A field that may be missing.
    fn parsed<T>(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let value = self.given(name)?;
        let parsed = value.as_str().and_then(parse);
        if parsed.is_none() {
            self.refuse(name, expected, found);
        }
        parsed
    }

    /// A field that must be there.
    fn needed<T>(
        self,
        name: &str,
        expected: &str,
        found: &mut Findings,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if self.given(name).is_none() {
            self.refuse(name, expected, found);
        }
        self.parsed(name, expected, found, parse)
    }

    /// The fields of an object within this one.
    fn inner(self, name: &str, within: &'static str, found: &mut Findings) -> Option<Self> {
        let value = self.given(name)?;
        if value.as_object().is_none() {
            self.refuse(name, "an object", found);
        }
        value.as_object().map(|object| Self { object, within })
    }

    fn refuse(self, name: &str, expected: &str, found: &mut Findings) {
        let value = self.given(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        found.column(&format!("{}{name}", self.within), value, expected);
    }

    fn refuse_unknown(self, known: &[Column], found: &mut Findings) {
        let names: Vec<_> = known.iter().map(|column| column.name).collect();
        for name in self.object.keys().filter(|name| !names.contains(&name.as_str())) {
            let hint = hint::did_you_mean(name, names.iter().copied());
            self.refuse(name, &format!("one of the fields {}{hint}", names.join(", ")), found);
        }
    }

    fn refuse_filled(self, name: &str, found: &mut Findings) {
        let is_empty = |value: &Value| match value {
            Value::Array(list) => list.is_empty(),
            Value::Object(lists) => lists.values().all(|list| list.as_array().is_some_and(Vec::is_empty)),
            _ => false,
        };
        if self.given(name).is_some_and(|value| !is_empty(value)) {
            self.refuse(name, "nothing here: it is about predictions, which this version does not publish yet", found);
        }
    }
}

/// What a season of `sport` is called.
pub(crate) fn season_form(sport: Sport) -> String {
    let form =
        if sport.splits_years() { "YYYY-YY with consecutive years, such as 2024-25" } else { "YYYY, such as 2024" };
    format!("a season of {sport} as {form}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let now = "2024-11-24T03:00:00Z".parse().expect("an instant");
        let mut found = Findings::of("release.json");
        read(text.as_bytes(), now, &mut found);
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
    fn every_unknown_field_is_named_with_what_may_have_been_meant() {
        assert_eq!(
            problems(
                r#"{"sport":"nfl","slate_date":"2024-11-24","seasons":1,"run":{"id":"a","started_at":"2024-11-24T01:00:00Z","compleeted_at":null}}"#
            ),
            [
                "seasons: `1`: expected one of the fields sport, season, slate_date, slate, run, source_as_of, held_games, \
                 moved (did you mean `season`?)",
                "run.compleeted_at: expected one of the fields id, started_at, completed_at (did you mean `completed_at`?)",
            ]
        );
    }

    #[test]
    fn a_field_of_another_form_is_a_problem() {
        assert_eq!(
            problems(
                r#"{"sport":"NFL","slate_date":20241124,"season":"2024","slate":"off","run":{"id":" ","started_at":"now"},
                    "source_as_of":{"odds":"2024-11-24T01:00:00"},"held_games":{"won_on_points":[{}]},"moved":[]}"#
            ),
            [
                "season: `2024`: expected a season of nfl as YYYY-YY with consecutive years, such as 2024-25",
                "slate: `off`: expected `active` or `none`",
                "held_games: `{\"won_on_points\":[{}]}`: expected nothing here: it is about predictions, which this \
                 version does not publish yet",
                "slate_date: `20241124`: expected a date as YYYY-MM-DD",
                "run.id: ` `: expected the id of the run",
                "run.started_at: `now`: expected a time with its offset from UTC, such as 2026-10-03T14:00:00Z",
                "source_as_of.odds: `2024-11-24T01:00:00`: expected a time with its offset from UTC, such as \
                 2026-10-03T14:00:00Z",
            ]
        );
    }

    #[test]
    fn text_that_is_no_json_object_is_one_problem() {
        for text in ["", "[]", "{\"sport\":", "nfl"] {
            assert_eq!(problems(text).len(), 1, "{text}");
        }
    }
}
