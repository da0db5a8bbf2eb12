use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use actix_web::HttpRequest;
use chrono::NaiveDate;
use sports_domain::Season;
use sports_publication::Generation;

use super::RawQuery;
use crate::error::ApiError;
use crate::paths::{Segments, calendar_date};

/// The parameter that names a season.
pub const SEASON: &str = "season";

/// A reader of parameter values, whose refusals all have the same form.
#[derive(Debug, Clone, Copy)]
pub struct ParamReader<'a> {
    query: &'a RawQuery,
    path: Segments<'a>,
}

impl<'a> ParamReader<'a> {
    pub(super) const fn new(query: &'a RawQuery, request: &'a HttpRequest) -> Self {
        Self { query, path: Segments::of(request) }
    }

    /// Returns the text of a parameter, if it was given.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.query.first(name)
    }

    /// Parses a parameter with `read`; `allowed` ends the sentence "`name` must be …".
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] if the parameter was given and `read` returns `None`.
    pub fn read<T>(
        &self,
        name: &str,
        allowed: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ApiError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        read(text).map(Some).ok_or_else(|| ApiError::bad_parameter(name, allowed))
    }

    /// Parses `true` or `false`, in any letter case.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for anything else.
    pub fn boolean(&self, name: &str) -> Result<Option<bool>, ApiError> {
        self.read(name, "true or false", |text| text.to_ascii_lowercase().parse().ok())
    }

    /// Parses a whole number in a range.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for anything else.
    pub fn whole_number(&self, name: &str, range: RangeInclusive<usize>) -> Result<Option<usize>, ApiError> {
        let allowed = match (*range.start(), *range.end()) {
            (start, usize::MAX) => format!("a whole number, {start} or more"),
            (start, end) => format!("a whole number from {start} to {end}"),
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        self.read(name, &allowed, |text| text.parse().ok().filter(|number| digits(text) && range.contains(number)))
    }

    /// Parses the size of a tree, of at least this many leaves.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for anything else, and for a number above those that every generated client can send.
    pub fn tree_size(&self, name: &str, least: usize) -> Result<Option<usize>, ApiError> {
        // Every generated client can send a signed number of 64 bits.
        self.whole_number(name, least..=usize::MAX >> 1)
    }

    /// Parses the number of a log entry.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for anything else, and for a number above those that every generated client can send.
    pub fn generation(&self, name: &str) -> Result<Option<Generation>, ApiError> {
        self.read(name, "a whole number from 1", |text| {
            let has_digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
            // Every generated client can send a signed number of 64 bits.
            let number = text.parse::<i64>().ok().filter(|_| has_digits_only)?;
            u64::try_from(number).ok().and_then(Generation::new)
        })
    }

    /// Parses a date, `YYYY-MM-DD`.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for anything else.
    pub fn date(&self, name: &str) -> Result<Option<NaiveDate>, ApiError> {
        self.read(name, "a date, YYYY-MM-DD", calendar_date)
    }

    /// Parses the label of `season`, in the form of the league in the path.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for a label of another form, or a path without a league.
    pub fn season(&self) -> Result<Option<Season>, ApiError> {
        self.text(SEASON).map(|label| self.season_labelled(label)).transpose()
    }

    /// Parses one label of `season`, in the form of the league in the path.
    pub(super) fn season_labelled(&self, label: &str) -> Result<Season, ApiError> {
        let season = Season::parse(self.path.parsed("sport")?, label);
        season.map_err(|reason| ApiError::BadRequest(format!("`{SEASON}`: {reason}")))
    }

    /// Parses a value of a domain type, whose error has the allowed values.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] with the type's reason.
    pub fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, ApiError> {
        let parse = |text: &str| text.parse().map_err(|reason| ApiError::BadRequest(format!("`{name}`: {reason}")));
        self.text(name).map(parse).transpose()
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn reading<T>(query: &str, read: impl FnOnce(&ParamReader<'_>) -> T) -> T {
        let (query, request) = (RawQuery::parse(query), TestRequest::default().param("sport", "mlb").to_http_request());
        read(&ParamReader::new(&query, &request))
    }

    fn detail<T: std::fmt::Debug>(outcome: Result<T, ApiError>) -> String {
        outcome.expect_err("refused").to_string()
    }

    #[test]
    fn a_parameter_that_was_not_given_is_none() {
        reading("season=2024&limits=3", |params| {
            assert_eq!(params.whole_number("limit", 1..=10).expect("fine"), None);
            assert_eq!(params.boolean("upcoming_only").expect("fine"), None);
            assert_eq!(params.text("season"), Some("2024"));
        });
    }

    #[test]
    fn values_are_parsed_by_their_kind() {
        reading("limit=10&offset=0&upcoming_only=TRUE&sport=NFL&season=2024%2D25&to=2024-02-29", |params| {
            assert_eq!(params.whole_number("limit", 1..=10).expect("fine"), Some(10));
            assert_eq!(params.whole_number("offset", 0..=usize::MAX).expect("fine"), Some(0));
            assert_eq!(params.boolean("upcoming_only").expect("fine"), Some(true));
            assert_eq!(params.parsed("sport").expect("fine"), Some(sports_domain::Sport::Nfl));
            assert_eq!(params.text("season"), Some("2024-25"));
            assert_eq!(params.date("to").expect("fine"), NaiveDate::from_ymd_opt(2024, 2, 29));
        });
    }

    #[test]
    fn a_season_has_the_form_of_the_league_in_the_path() {
        reading("season=2024", |params| {
            let season = params.season().expect("fine").expect("given");
            assert_eq!(season.to_string(), "2024");
        });
        reading("", |params| assert_eq!(params.season().expect("fine"), None));
        let refused = reading("season=2024-25", |params| detail(params.season()));
        assert!(refused.starts_with("`season`: "), "{refused}");
    }

    #[test]
    fn a_malformed_value_is_refused_with_the_name_and_what_is_allowed() {
        for limit in ["0", "11", "-1", "+1", "1.0", "ten", "", "99999999999999999999999"] {
            reading(&format!("limit={}", limit.replace('+', "%2B")), |params| {
                let refused = detail(params.whole_number("limit", 1..=10));
                assert_eq!(refused, "`limit` must be a whole number from 1 to 10", "{limit}");
            });
        }
        for date in ["2024-1-5", "2024-02-30", "20240105", "today", "", "2024-01-05T00:00:00Z"] {
            let refused = reading(&format!("from={date}"), |params| detail(params.date("from")));
            assert_eq!(refused, "`from` must be a date, YYYY-MM-DD", "{date}");
        }
        reading("offset=x&upcoming_only=yes&sport=cricket", |params| {
            let offset = params.whole_number("offset", 0..=usize::MAX);
            assert_eq!(detail(offset), "`offset` must be a whole number, 0 or more");
            assert_eq!(detail(params.boolean("upcoming_only")), "`upcoming_only` must be true or false");
            let sport = detail(params.parsed::<sports_domain::Sport>("sport"));
            assert!(sport.starts_with("`sport`: `cricket` is not a sport; known sports: mlb"), "{sport}");
        });
    }
}
