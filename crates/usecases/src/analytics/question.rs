use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt, TryStreamExt};
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;

use super::{PublishedSeason, SeasonAnalytics};

/// How many archives are read at once for a figure over many seasons.
const READ_AT_ONCE: usize = 4;

/// A question about graded games: what its answer depends on, and the answer for a caller that needs it. No season is
/// opened before [`Self::answer`].
pub struct Question<T> {
    identity: String,
    is_expensive: bool,
    answer: BoxFuture<'static, Result<T, PortError>>,
}

impl<T> Question<T> {
    pub(super) fn new<A: QuestionKind<Answer = T>>(asked: A, figures: &SeasonFigures) -> Self {
        let (identity, figures) = (format!("{asked:?}"), figures.clone());
        let is_expensive = A::IS_EXPENSIVE;
        Self { identity, is_expensive, answer: Box::pin(async move { asked.answer(&figures).await }) }
    }

    /// Everything the answer depends on beside the grading rules: the archives by their hashes, publication times,
    /// dates and parameters. Questions of one identity have one answer.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Returns whether the answer takes tens of milliseconds of a core, so that a server should compute few of them at once.
    #[must_use]
    pub const fn is_expensive(&self) -> bool {
        self.is_expensive
    }

    /// Opens the seasons and computes the answer.
    ///
    /// # Errors
    ///
    /// [`PortError`] where a season cannot be opened.
    pub async fn answer(self) -> Result<T, PortError> {
        self.answer.await
    }
}

/// What is asked, complete: an answer is computed from this and from archives it names, and its `Debug` text is the
/// question's identity.
pub(super) trait QuestionKind: Debug + Send + 'static {
    /// What is answered.
    type Answer;

    /// True for an answer that draws thousands of seasons, lists the bets of a season, or opens many seasons.
    const IS_EXPENSIVE: bool = false;

    /// Opens the seasons and computes the answer.
    fn answer(self, figures: &SeasonFigures) -> impl Future<Output = Result<Self::Answer, PortError>> + Send;
}

/// Where the figures of seasons come from.
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

    /// Opens several seasons, a few at a time; they come in the order they were asked for.
    pub(super) async fn open_all(&self, seasons: &[PublishedSeason]) -> Result<Vec<Arc<SeasonAnalytics>>, PortError> {
        let opening: Vec<_> = seasons.iter().map(|season| self.open(season)).collect();
        stream::iter(opening).buffered(READ_AT_ONCE).try_collect().await
    }
}
