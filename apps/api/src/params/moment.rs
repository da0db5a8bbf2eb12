use chrono::{DateTime, Utc};
use sports_publication::{Generation, parse_instant};
use sports_usecases::moment::RequestedMoment;

use super::given::digits;
use super::{Given, RawQuery};
use crate::error::ApiError;
use crate::query_params;

/// The end of the refusal of an instant.
const AN_INSTANT: &str = "an RFC 3339 instant with an offset, such as 2024-01-06T15:00:00Z (write + as %2B)";

/// The most decimals of a second.
const MOST_DECIMALS: usize = 9;

query_params! {
    /// The moment that an answer is of; the present one without a parameter.
    #[derive(Debug, Clone)]
    pub struct MomentQuery {
        /// The answer as of this instant, RFC 3339 with an offset: the data that was published at or before it, under the rules
        /// and the program of today. The instant also takes the place of the clock. Excludes `generation`.
        #[param(value_type = Option<DateTime<Utc>>)]
        as_of: Option<SentInstant> = SentInstant::read,
        /// The answer from this entry of the league's log, as of its publication. Excludes `as_of`.
        #[param(value_type = Option<u64>, minimum = 1)]
        generation: Option<Generation> = |given| generation(given, as_of.is_some()),
    }
}

/// An instant and its text in the request.
#[derive(Debug, Clone)]
pub struct SentInstant {
    pub text: String,
    pub instant: DateTime<Utc>,
}

impl SentInstant {
    /// Reads an instant.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for another text.
    pub fn read(given: Given<'_>) -> Result<Option<Self>, ApiError> {
        given.parse(AN_INSTANT, Self::parse)
    }

    fn parse(text: &str) -> Option<Self> {
        let decimals = text.split_once('.').map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
        let instant = parse_instant(text).filter(|_| decimals <= MOST_DECIMALS)?;
        Some(Self { text: text.to_owned(), instant })
    }
}

fn generation(given: Given<'_>, has_instant: bool) -> Result<Option<Generation>, ApiError> {
    let generation = given.parse("a whole number from 1", |text| Generation::new(digits(text)?.parse().ok()?))?;
    if has_instant && generation.is_some() {
        return Err(ApiError::BadRequest("`as_of` and `generation` exclude each other".to_owned()));
    }
    Ok(generation)
}

impl MomentQuery {
    /// Returns the requested moment; `None` for the present one.
    pub fn requested(&self) -> Option<RequestedMoment> {
        let as_of = self.as_of.as_ref().map(|sent| RequestedMoment::At(sent.instant));
        as_of.or_else(|| self.generation.map(RequestedMoment::Generation))
    }

    /// Returns the text of the instant in the request.
    pub fn sent(&self) -> Option<&str> {
        self.as_of.as_ref().map(|sent| sent.text.as_str())
    }

    /// Returns true unless the text of a query shows that it requests no moment: the names can be in it only as they are, or
    /// encoded.
    pub fn may_be_in(query: &str) -> bool {
        query.contains('%') || Self::NAMES.iter().any(|name| query.contains(name))
    }

    /// Returns true if a query requests a moment, valid or not.
    pub fn is_in(query: &RawQuery) -> bool {
        Self::NAMES.iter().any(|name| query.first(name).is_some())
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::params::FromParams;
    use crate::paths::Segments;

    fn read(query: &str) -> Result<MomentQuery, String> {
        let request = TestRequest::default().to_http_request();
        MomentQuery::read(&RawQuery::parse(query), Segments::of(&request)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_instant_has_an_offset_and_at_most_nine_decimals() {
        let same = [
            "2024-01-06T15:00:00Z",
            "2024-01-06T16:00:00%2B01:00",
            "2024-01-06T10:00:00-05:00",
            "2024-01-06T15:00:00.000000000Z",
        ];
        for text in same {
            let requested = read(&format!("as_of={text}")).expect(text).requested();
            assert_eq!(requested, "2024-01-06T15:00:00Z".parse().ok().map(RequestedMoment::At), "{text}");
        }
        let refused = [
            "yesterday",
            "",
            "2024-01-06",
            "2024-01-06T15:00:00",
            "2024-01-06T16:00:00+01:00",
            "10000-01-06T15:00:00Z",
            "2016-12-31T23:59:60Z",
            "2024-01-06T15:00:00.0000000000Z",
            "2024-02-30T15:00:00Z",
            "2024-01-06T10:00:00%E2%88%9205:00",
        ];
        for text in refused {
            let detail = read(&format!("as_of={text}")).expect_err(text);
            assert_eq!(detail, format!("`as_of` must be {AN_INSTANT}"), "{text}");
        }
    }

    #[test]
    fn a_generation_is_a_whole_number_from_one() {
        assert_eq!(
            read("generation=42").expect("valid").requested(),
            Generation::new(42).map(RequestedMoment::Generation)
        );
        for text in ["0", "-1", "%2B1", "1.5", "", "x", "18446744073709551616"] {
            let detail = read(&format!("generation={text}")).expect_err(text);
            assert_eq!(detail, "`generation` must be a whole number from 1", "{text}");
        }
    }

    #[test]
    fn an_instant_and_a_generation_exclude_each_other() {
        let detail = read("as_of=2024-01-06T15:00:00Z&generation=1").expect_err("refused");
        assert_eq!(detail, "`as_of` and `generation` exclude each other");
        assert_eq!(read("").expect("valid").requested(), None);
    }
}
