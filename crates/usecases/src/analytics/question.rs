use std::any::type_name;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt, TryStreamExt};
use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;

use super::{PublishedSeason, SeasonAnalytics};

/// The number of archives read concurrently for a figure over many seasons.
const READ_AT_ONCE: usize = 4;

/// A query of graded games: the dependencies of its answer, and the computation of the answer. No season is opened
/// before [`Self::answer`].
pub struct Question<T> {
    key: ObjectHash,
    is_expensive: bool,
    reads_log: bool,
    answer: BoxFuture<'static, Result<T, PortError>>,
}

impl<T> Question<T> {
    pub(super) fn new<A: QuestionKind<Answer = T>>(question: A, figures: &SeasonFigures) -> Self {
        let (key, figures) = (ObjectHash::of_key(&(type_name::<A>(), &question)), figures.clone());
        let (is_expensive, reads_log) = (A::IS_EXPENSIVE, A::READS_LOG);
        Self { key, is_expensive, reads_log, answer: Box::pin(async move { question.answer(&figures).await }) }
    }

    /// Returns the key of the answer: a hash of everything that it depends on except the grading rules, that is, the archives by
    /// their hashes, publication times, dates and parameters. Questions with equal keys have equal answers.
    pub const fn key(&self) -> ObjectHash {
        self.key
    }

    /// Returns true if the answer takes tens of milliseconds of a core, so that a server should compute few of them at
    /// once.
    pub const fn is_expensive(&self) -> bool {
        self.is_expensive
    }

    /// Returns true if the key names the newest entry of a log, so that a publication that leaves the answer as it is gives it
    /// another key.
    pub const fn reads_log(&self) -> bool {
        self.reads_log
    }

    /// Opens the seasons and computes the answer.
    ///
    /// # Errors
    ///
    /// [`PortError`] if a season cannot be opened.
    pub async fn answer(self) -> Result<T, PortError> {
        self.answer.await
    }
}

/// The complete parameters of a query: the answer is computed from these and from the archives they name. Their hash is the key of
/// the question.
pub(super) trait QuestionKind: Hash + Send + 'static {
    /// The type of the answer.
    type Answer;

    /// True for an answer that resamples thousands of seasons, lists the bets of a season, or opens many seasons.
    const IS_EXPENSIVE: bool = false;

    /// True for an answer that is computed from the entries of a log.
    const READS_LOG: bool = false;

    /// Opens the seasons and computes the answer.
    fn answer(self, figures: &SeasonFigures) -> impl Future<Output = Result<Self::Answer, PortError>> + Send;
}

/// A value that follows from the other fields of a key, or that no answer depends on: it adds nothing to the hash.
#[derive(Debug, Clone, Copy)]
pub(super) struct Implied<T>(pub T);

impl<T> Hash for Implied<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The source of season figures.
#[derive(Clone)]
pub(super) struct SeasonFigures {
    views: Arc<dyn SeasonViews<SeasonAnalytics>>,
}

impl SeasonFigures {
    pub(super) const fn new(views: Arc<dyn SeasonViews<SeasonAnalytics>>) -> Self {
        Self { views }
    }

    pub(super) async fn open(&self, season: &PublishedSeason) -> Result<Arc<SeasonAnalytics>, PortError> {
        self.views.view(&season.archive).await
    }

    /// Opens several seasons, a few at a time; returns them in the given order.
    pub(super) async fn open_all(&self, seasons: &[PublishedSeason]) -> Result<Vec<Arc<SeasonAnalytics>>, PortError> {
        let opening: Vec<_> = seasons.iter().map(|season| self.open(season)).collect();
        stream::iter(opening).buffered(READ_AT_ONCE).try_collect().await
    }
}
