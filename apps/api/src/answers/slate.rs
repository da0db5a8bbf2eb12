use std::collections::HashMap;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use arc_swap::ArcSwap;
use chrono::NaiveDate;
use serde::Serialize;
use sports_content::ObjectHash;
use sports_domain::{Market, ModelName, ModelType, Sport};
use sports_http_transport::{Audience, KeptBody};
use sports_ports::PortError;
use sports_publication::ArtifactRef;
use sports_usecases::today::SlateScope;

use super::body::{as_json, in_form};
use super::form::Form;
use super::{PastAnswers, give_moment};
use crate::error::ApiError;
use crate::format::Format;
use crate::moments::MomentHead;
use crate::provided::provided;
use crate::tables::Tabular;

/// A cache of the latest answers to every question about a slate, in every format. Each has one place with an answer by
/// each model, so their number is bounded, and a lookup takes no lock. A newer version replaces the older.
pub struct SlateAnswers {
    places: HashMap<(SlateQuestion, Format), ArcSwap<Vec<Kept>>>,
}

/// A question about a slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlateQuestion {
    Predictions(Market, SlateScope),
    /// The public form of the same.
    Picks(Market, SlateScope),
    Odds(Sport),
}

/// The version of an answer: everything that it depends on beside the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlateVersion {
    /// The published content and its origin.
    pub artifact: ArtifactRef,
    /// The first date that is served; `None` for every date.
    pub floor: Option<NaiveDate>,
    /// The model of picks and expected values; `None` for an answer without either.
    pub model: Option<ModelName>,
    /// A hash of the visible declarations of the market's own models; `None` for an answer without own models.
    pub models: Option<ObjectHash>,
}

impl SlateVersion {
    /// Returns true if both are of the same content and may differ in their models alone.
    fn is_beside(&self, other: &Self) -> bool {
        (&self.artifact, self.floor, self.models) == (&other.artifact, other.floor, other.models)
    }
}

#[derive(Clone)]
struct Kept {
    version: SlateVersion,
    body: KeptBody,
}

impl SlateQuestion {
    fn all() -> impl Iterator<Item = Self> {
        Sport::ALL.into_iter().flat_map(|sport| {
            let markets = ModelType::ALL.into_iter().map(move |model_type| Market::new(sport, model_type));
            let of_market = |market| {
                let reaches = [SlateScope::Upcoming, SlateScope::Whole];
                reaches
                    .into_iter()
                    .flat_map(move |reach| [Self::Predictions(market, reach), Self::Picks(market, reach)])
            };
            markets.flat_map(of_market).chain([Self::Odds(sport)])
        })
    }
}

impl Default for SlateAnswers {
    /// Returns an empty cache.
    fn default() -> Self {
        let places = SlateQuestion::all().flat_map(|question| Format::ALL.map(|format| (question, format)));
        Self { places: places.map(|place| (place, ArcSwap::default())).collect() }
    }
}

impl SlateAnswers {
    /// Answers a question as JSON: 304 if the client has this version. `answer` makes one that is not cached.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be made or written.
    pub async fn give<T: Serialize + Send + 'static>(
        &self,
        request: &HttpRequest,
        (audience, moment): (Audience, &MomentHead),
        (question, version): (SlateQuestion, SlateVersion),
        answer: impl Future<Output = Result<T, PortError>> + Send,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::only_json(request);
        let making = async move { as_json(answer.await?).await };
        self.give_in(&form, (audience, moment), (question, version), making).await
    }

    /// Answers a question in the named format, else in the one that the client accepts.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be made or written, [`ApiError::NoSuchRange`] if it does not have the requested part.
    pub async fn give_as<T: Serialize + Tabular + Send + 'static>(
        &self,
        request: &HttpRequest,
        (format, moment): (Option<Format>, &MomentHead),
        (question, version): (SlateQuestion, SlateVersion),
        answer: impl Future<Output = Result<T, PortError>> + Send,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::chosen(request, format);
        let tables = form.tables()?;
        let making = async move { in_form(answer.await?, tables).await };
        self.give_in(&form, (Audience::KeyHolder, moment), (question, version), making).await
    }

    async fn give_in(
        &self,
        form: &Form,
        (audience, moment): (Audience, &MomentHead),
        (question, version): (SlateQuestion, SlateVersion),
        making: impl Future<Output = Result<KeptBody, PortError>> + Send,
    ) -> Result<HttpResponse, ApiError> {
        let request = form.request();
        // Its hash is the name of the answer, and takes its place in the validator.
        let identity = format!("{question:?} {version:?}");
        let name = ObjectHash::from_parts([&*identity, form.format().name()].map(str::as_bytes));
        let etag = form.etag(&[&name.to_string()]);
        let mut response = form.response(&etag, audience);
        give_moment((moment, audience), request, &mut response);
        if etag.is_current(request) {
            return Ok(response.finish());
        }
        if moment.is_requested() {
            let answers = &provided::<PastAnswers>(request, "earlier answers")?.0;
            let body = answers.answer(name, Box::pin(async move { making.await.map(Arc::new) })).await;
            return form.send(&*body.map_err(|error| moment.failure(error))?, &etag, response).await;
        }
        let body = self.body((question, form.format()), version, making).await?;
        form.send(&body, &etag, response).await
    }

    /// Returns the cached body of that version, or replaces the cached one by a new body.
    async fn body(
        &self,
        place: (SlateQuestion, Format),
        version: SlateVersion,
        making: impl Future<Output = Result<KeptBody, PortError>>,
    ) -> Result<KeptBody, ApiError> {
        let place = &self.places[&place];
        if let Some(kept) = place.load().iter().find(|kept| kept.version == version) {
            return Ok(kept.body.clone());
        }
        let body = making.await?;
        let new = Kept { version, body: body.clone() };
        place.rcu(|kept| {
            let beside = |kept: &&Kept| kept.version.is_beside(&new.version) && kept.version != new.version;
            kept.iter().filter(beside).chain([&new]).cloned().collect::<Vec<_>>()
        });
        Ok(body)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use chrono::DateTime;
    use sports_publication::ReleaseId;

    use super::*;

    fn version(content: &[u8], floor: u32, model: &str) -> SlateVersion {
        let artifact = ArtifactRef {
            object: ObjectHash::from_bytes(content),
            bytes: 1,
            published_at: DateTime::UNIX_EPOCH,
            source_as_of: DateTime::UNIX_EPOCH,
            slate_date: NaiveDate::default(),
            release_id: ReleaseId::from_log("r".to_owned()),
        };
        SlateVersion {
            artifact,
            floor: NaiveDate::from_ymd_opt(2024, 11, floor),
            model: model.parse().ok(),
            models: None,
        }
    }

    #[tokio::test]
    async fn each_version_of_an_answer_is_made_once_and_the_latest_is_kept() {
        let (answers, count) = (SlateAnswers::default(), Cell::new(0));
        let make = async || as_json(count.replace(count.get() + 1)).await;
        let question = (SlateQuestion::Odds(Sport::Nfl), Format::Json);
        let mut given = Vec::new();
        let asked = [
            (b"a", 24, "BLEND"),
            (b"a", 24, "BLEND"),
            (b"a", 25, "BLEND"),
            (b"a", 25, "ELO"),
            (b"a", 25, "BLEND"),
            (b"b", 25, "BLEND"),
            (b"b", 25, "BLEND"),
            (b"b", 25, "ELO"),
            (b"a", 24, "BLEND"),
        ];
        for (content, floor, model) in asked {
            let body = answers.body(question, version(content, floor, model), make()).await.expect("written");
            given.push(String::from_utf8(body.bytes().to_vec()).expect("text"));
        }
        assert_eq!(given, ["0", "0", "1", "2", "1", "3", "3", "4", "5"]);
        assert_eq!(answers.places[&question].load().len(), 1, "answers of other content are dropped");
    }

    #[test]
    fn every_question_has_its_place() {
        // Six leagues, each with its odds and three markets, those for two callers and in two reaches, in four formats.
        assert_eq!(SlateAnswers::default().places.len(), 6 * (1 + 3 * 2 * 2) * 4);
    }
}
