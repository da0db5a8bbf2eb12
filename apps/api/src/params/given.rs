use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use chrono::NaiveDate;
use sports_domain::paging::{Limit, SeasonChoice};
use sports_domain::{Season, Sport, TeamSlug};
use sports_publication::Generation;

use super::RawQuery;
use crate::error::ApiError;
use crate::format::Format;
use crate::paths::{Segments, calendar_date};

/// The seasons of a request for rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedSeasons {
    /// One season, by its label.
    One(Season),
    /// A list of several labels, or `all`.
    Several(SeasonChoice),
}

/// The word for every season.
const ALL: &str = "all";

/// The largest signed number of 32 bits, which every generated client can send.
const LARGEST_OFFSET: usize = 2_147_483_647;

/// A parameter as it was given, or not, and its readings, whose refusals all have the same form.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    name: &'static str,
    text: Option<&'a str>,
    path: Segments<'a>,
}

/// A value; `None` if the parameter was not given.
type Read<T> = Result<Option<T>, ApiError>;

/// Each reading fails with [`ApiError::BadRequest`] for a text that is not allowed.
#[expect(clippy::missing_errors_doc, reason = "all have the same")]
impl<'a> Given<'a> {
    /// Returns the parameter of that name in a request.
    pub fn of(name: &'static str, query: &'a RawQuery, path: Segments<'a>) -> Self {
        Self { name, text: query.first(name), path }
    }

    /// Reads the parameter by a function.
    pub fn read_by<T>(self, read: impl FnOnce(Self) -> Result<T, ApiError>) -> Result<T, ApiError> {
        read(self)
    }

    /// Parses the text with `parse`; `allowed` ends the sentence "`name` must be …".
    pub fn parse<T>(self, allowed: &str, parse: impl FnOnce(&str) -> Option<T>) -> Read<T> {
        let Some(text) = self.text else { return Ok(None) };
        parse(text).map(Some).ok_or_else(|| ApiError::bad_parameter(self.name, allowed))
    }

    /// Parses a value of a domain type, whose error has the allowed values.
    pub fn parsed<T: FromStr<Err: Display>>(self) -> Read<T> {
        self.parse_or_explain(str::parse)
    }

    /// Parses the codes of leagues, with commas between them.
    pub fn leagues(self) -> Result<BTreeSet<Sport>, ApiError> {
        let leagues = self.parse_or_explain(|list| list.split(',').map(|code| code.trim().parse()).collect())?;
        leagues.ok_or_else(|| {
            ApiError::bad_parameter(self.name, "the code of a league, or several with commas between them")
        })
    }

    /// Parses a team's slug, or a name from which one can be made.
    pub fn team(self) -> Read<TeamSlug> {
        self.parse_or_explain(TeamSlug::normalise)
    }

    fn parse_or_explain<T, E: Display>(self, parse: impl FnOnce(&'a str) -> Result<T, E>) -> Read<T> {
        let explained = |reason| ApiError::BadRequest(format!("`{}`: {reason}", self.name));
        self.text.map(|text| parse(text).map_err(explained)).transpose()
    }

    /// Parses `true` or `false`, in any letter case.
    pub fn boolean(self) -> Read<bool> {
        self.parse("true or false", |text| text.to_ascii_lowercase().parse().ok())
    }

    /// Parses a text that is not empty.
    pub fn text(self, allowed: &str) -> Read<String> {
        self.parse(allowed, |text| (!text.is_empty()).then(|| text.to_owned()))
    }

    /// Parses the `snapshot` of a list.
    pub fn snapshot(self) -> Read<String> {
        self.text("the `snapshot` of a first page")
    }

    /// Parses the name of a format.
    pub fn format(self) -> Read<Format> {
        self.parse(Format::ALLOWED, Format::named)
    }

    /// Parses a whole number in a range.
    pub fn whole_number(self, range: RangeInclusive<usize>) -> Read<usize> {
        let allowed = match (*range.start(), *range.end()) {
            (start, usize::MAX) => format!("a whole number, {start} or more"),
            (start, end) => format!("a whole number from {start} to {end}"),
        };
        self.parse(&allowed, |text| digits(text)?.parse().ok().filter(|number| range.contains(number)))
    }

    /// Parses the size of a tree, of at least this many leaves.
    pub fn tree_size(self, least: usize) -> Read<usize> {
        // Every generated client can send a signed number of 64 bits.
        self.whole_number(least..=usize::MAX >> 1)
    }

    /// Parses the largest number of rows of a page.
    pub fn limit(self) -> Read<Limit> {
        Ok(self.whole_number(1..=Limit::LARGEST)?.and_then(|rows| Limit::new(rows).ok()))
    }

    /// Parses the number of the first row of a page.
    pub fn offset(self) -> Read<usize> {
        self.whole_number(0..=LARGEST_OFFSET)
    }

    /// Parses the number of a log entry, which every generated client can send: a signed number of 64 bits.
    pub fn generation(self) -> Read<Generation> {
        self.parse("a whole number from 1", |text| {
            u64::try_from(digits(text)?.parse::<i64>().ok()?).ok().and_then(Generation::new)
        })
    }

    /// Parses a date, `YYYY-MM-DD`.
    pub fn date(self) -> Read<NaiveDate> {
        self.parse("a date, YYYY-MM-DD", calendar_date)
    }

    /// Parses the label of a season, in the form of the league in the path.
    pub fn season(self) -> Read<Season> {
        self.text.map(|label| self.season_labelled(label)).transpose()
    }

    /// Parses one label, several with commas between them, or `all`.
    pub fn seasons(self) -> Read<RequestedSeasons> {
        match self.text {
            Some(ALL) => Ok(Some(RequestedSeasons::Several(SeasonChoice::All))),
            Some(list) if list.contains(',') => {
                let mut seasons = BTreeSet::new();
                for label in list.split(',') {
                    if !seasons.insert(self.season_labelled(label)?) {
                        return Err(ApiError::BadRequest(format!("`{}` names {label} more than once", self.name)));
                    }
                }
                Ok(Some(RequestedSeasons::Several(SeasonChoice::Listed(seasons))))
            }
            _ => Ok(self.season()?.map(RequestedSeasons::One)),
        }
    }

    fn season_labelled(&self, label: &str) -> Result<Season, ApiError> {
        let season = Season::parse(self.path.parsed("sport")?, label);
        season.map_err(|reason| ApiError::BadRequest(format!("`{}`: {reason}", self.name)))
    }
}

/// Returns a text that has digits alone: numbers have no sign.
pub(super) fn digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    /// Calls `read` with a function that returns a parameter by its name, of a request about mlb.
    fn reading<T>(query: &str, read: impl for<'a> FnOnce(&(dyn Fn(&'static str) -> Given<'a> + 'a)) -> T) -> T {
        let (query, request) = (RawQuery::parse(query), TestRequest::default().param("sport", "mlb").to_http_request());
        read(&|name| Given::of(name, &query, Segments::of(&request)))
    }

    fn detail<T: std::fmt::Debug>(outcome: Result<T, ApiError>) -> String {
        outcome.expect_err("refused").to_string()
    }

    #[test]
    fn a_parameter_that_was_not_given_is_none() {
        reading("season=2024&limits=3", |params| {
            assert_eq!(params("limit").whole_number(1..=10).expect("fine"), None);
            assert_eq!(params("upcoming_only").boolean().expect("fine"), None);
            assert_eq!(params("season").text, Some("2024"));
        });
    }

    #[test]
    fn values_are_parsed_by_their_kind() {
        reading("limit=10&offset=0&upcoming_only=TRUE&sport=NFL&season=2024%2D25&to=2024-02-29", |params| {
            assert_eq!(params("limit").whole_number(1..=10).expect("fine"), Some(10));
            assert_eq!(params("offset").whole_number(0..=usize::MAX).expect("fine"), Some(0));
            assert_eq!(params("upcoming_only").boolean().expect("fine"), Some(true));
            assert_eq!(params("sport").parsed().expect("fine"), Some(sports_domain::Sport::Nfl));
            assert_eq!(params("season").text, Some("2024-25"));
            assert_eq!(params("to").date().expect("fine"), NaiveDate::from_ymd_opt(2024, 2, 29));
        });
    }

    #[test]
    fn a_season_has_the_form_of_the_league_in_the_path() {
        reading("season=2024", |params| {
            let season = params("season").season().expect("fine").expect("given");
            assert_eq!(season.to_string(), "2024");
        });
        reading("", |params| assert_eq!(params("season").season().expect("fine"), None));
        let refused = reading("season=2024-25", |params| detail(params("season").season()));
        assert!(refused.starts_with("`season`: "), "{refused}");
    }

    #[test]
    fn a_malformed_value_is_refused_with_the_name_and_what_is_allowed() {
        for limit in ["0", "11", "-1", "+1", "1.0", "ten", "", "99999999999999999999999"] {
            reading(&format!("limit={}", limit.replace('+', "%2B")), |params| {
                let refused = detail(params("limit").whole_number(1..=10));
                assert_eq!(refused, "`limit` must be a whole number from 1 to 10", "{limit}");
            });
        }
        for date in ["2024-1-5", "2024-02-30", "20240105", "today", "", "2024-01-05T00:00:00Z"] {
            let refused = reading(&format!("from={date}"), |params| detail(params("from").date()));
            assert_eq!(refused, "`from` must be a date, YYYY-MM-DD", "{date}");
        }
        reading("offset=x&upcoming_only=yes&sport=cricket", |params| {
            let offset = params("offset").whole_number(0..=usize::MAX);
            assert_eq!(detail(offset), "`offset` must be a whole number, 0 or more");
            assert_eq!(detail(params("upcoming_only").boolean()), "`upcoming_only` must be true or false");
            let sport = detail(params("sport").parsed::<sports_domain::Sport>());
            assert!(sport.starts_with("`sport`: `cricket` is not a sport; known sports: mlb"), "{sport}");
        });
    }

    fn seasons(query: &str) -> Result<Option<RequestedSeasons>, String> {
        let (query, request) = (RawQuery::parse(query), TestRequest::default().param("sport", "nfl").to_http_request());
        Given::of("season", &query, Segments::of(&request)).seasons().map_err(|error| error.to_string())
    }

    #[test]
    fn seasons_are_one_label_or_several_or_all() {
        let season = |label: &str| Season::parse(sports_domain::Sport::Nfl, label).expect("a label");
        let several = |choice| Ok(Some(RequestedSeasons::Several(choice)));
        assert_eq!(seasons(""), Ok(None));
        assert_eq!(seasons("season=2023-24"), Ok(Some(RequestedSeasons::One(season("2023-24")))));
        assert_eq!(seasons("season=all"), several(SeasonChoice::All));
        let two = [season("2022-23"), season("2023-24")].into();
        assert_eq!(seasons("season=2023-24,2022-23"), several(SeasonChoice::Listed(two)));
    }

    #[test]
    fn a_list_of_seasons_has_labels_of_the_league_each_once() {
        for list in ["2023-24,", ",2023-24", "2023-24,2024", "2023-24,all", "2023-24, 2024-25", "ALL", ","] {
            let refused = seasons(&format!("season={list}")).expect_err(list);
            assert!(refused.starts_with("`season`: ") && refused.contains("is not a season of nfl"), "{refused}");
        }
        assert_eq!(seasons("season=2023-24,2023-24"), Err("`season` names 2023-24 more than once".to_owned()));
    }
}
