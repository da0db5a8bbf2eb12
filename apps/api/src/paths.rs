//! Parts of a path, in any letter case, as domain values.

use std::fmt::Display;
use std::num::NonZeroU32;
use std::str::FromStr;

use actix_web::HttpRequest;
use chrono::NaiveDate;
use sports_domain::{Market, ModelType, Sport};
use sports_usecases::record::RecordName;
use utoipa::IntoParams;
use utoipa::openapi::path::Operation;

use crate::arguments::{Argument, from_request};
use crate::codes::{ModelTypeCode, PublicMarket, SportCode};
use crate::error::{ApiError, RequestRefused};
use crate::near::nearest;
use crate::openapi::add_responses;

/// The value that a path names.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

/// A value that a path can name.
pub trait FromPath: Sized {
    /// Parses the value from the segments of the path.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] if a segment names nothing that exists.
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError>;
}

/// The variable segments of a request's path.
#[derive(Debug, Clone, Copy)]
pub struct Segments<'a>(&'a HttpRequest);

impl<'a> Segments<'a> {
    /// Returns the segments of a request's path.
    pub(crate) const fn of(request: &'a HttpRequest) -> Self {
        Self(request)
    }
}

impl Segments<'_> {
    /// Returns the segment that the route calls `name`.
    pub fn text(&self, name: &str) -> &str {
        self.0.match_info().get(name).unwrap_or_default()
    }

    /// Returns the part of the path behind `mark`, as it was sent; `None` if the path was sent in another form.
    pub fn behind(&self, mark: &str) -> Option<&str> {
        self.0.uri().path().split_once(mark).map(|(_, rest)| rest)
    }

    /// Parses the segment as a value of a domain type, whose error has the allowed values.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] with the type's reason.
    pub fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, ApiError> {
        self.text(name).parse().map_err(|reason: T::Err| ApiError::BadRequest(reason.to_string()))
    }

    /// Parses the segment as a market by one of its two names. The refusal of the other name, or of a misspelt one, has the
    /// address that was meant.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] if the segment is not the name of a market.
    pub fn market<T: FromStr<Err: Display> + Copy>(
        &self,
        name: &str,
        code: impl Fn(T) -> &'static str,
        known: &[T],
    ) -> Result<T, ApiError> {
        let text = self.text(name);
        text.parse().map_err(|reason: T::Err| {
            let translated = other_name(text).filter(|other| known.iter().any(|known| code(*known) == *other));
            let meant = translated.or_else(|| nearest(text, known.iter().map(|known| code(*known))));
            let hint = meant.map(|meant| {
                let segments = self.0.path().split('/').map(|segment| if segment == text { meant } else { segment });
                format!("; did you mean `{}`?", segments.collect::<Vec<_>>().join("/"))
            });
            ApiError::BadRequest(format!("{reason}{}", hint.unwrap_or_default()))
        })
    }
}

/// Returns the other name of a market: a code for a public name or for the word of the trade, and the reverse.
fn other_name(text: &str) -> Option<&'static str> {
    if ["total", "totals"].iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Some(ModelType::OverUnder.code());
    }
    let of_code = text.parse().ok().map(|model_type| PublicMarket(model_type).name());
    of_code.or_else(|| text.parse().ok().map(|PublicMarket(model_type)| model_type.code()))
}

impl FromPath for Sport {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        segments.parsed("sport")
    }
}

impl FromPath for Market {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let sport = segments.parsed("sport")?;
        Ok(Self::new(sport, segments.market("model_type", ModelType::code, &ModelType::ALL)?))
    }
}

/// A league's first record; the one with a number where the path has one.
impl FromPath for RecordName {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let (first, text) = (Self::first(segments.parsed("sport")?), segments.text("record"));
        if text.is_empty() {
            return Ok(first);
        }
        let number =
            text.parse().ok().filter(|number: &NonZeroU32| *number > first.number && number.to_string() == text);
        let number =
            number.ok_or_else(|| ApiError::NotFound("Records after a restart are numbered from 2".to_owned()))?;
        Ok(Self { number, ..first })
    }
}

/// The last segment of a path as a calendar date, whatever its name in the route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarDate(pub NaiveDate);

impl FromPath for CalendarDate {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let text = segments.0.match_info().iter().last().map_or("", |(_, text)| text);
        calendar_date(text)
            .map(Self)
            .ok_or_else(|| ApiError::BadRequest(format!("`{text}` is not a date; dates are YYYY-MM-DD")))
    }
}

/// Parses a text of the form `YYYY-MM-DD`.
pub fn calendar_date(text: &str) -> Option<NaiveDate> {
    // The parser would also accept `2025-1-5` and signs.
    let shape = |text: &str| text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    shape(text).then(|| text.parse().ok()).flatten()
}

from_request! { <T: FromPath> Path<T>, request => T::read(&Segments::of(request)).map(Self) }

impl<T> Argument for Path<T> {
    fn describe(operation: &mut Operation) {
        add_responses::<RequestRefused>(operation);
    }
}

/// The documented parameters of a path that names a league.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SportPath {
    /// The league's code, in any letter case.
    #[param(example = "nfl")]
    pub sport: SportCode,
}

/// The documented parameters of a path that names a league and a model type.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct MarketPath {
    /// The league's code, in any letter case.
    #[param(example = "nfl")]
    pub sport: SportCode,
    /// The model type's code, in any letter case.
    #[param(example = "won_on_points")]
    pub model_type: ModelTypeCode,
}
