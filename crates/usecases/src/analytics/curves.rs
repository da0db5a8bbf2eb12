use sports_domain::Season;
use sports_performance::{AverageCurve, Curves, historical_average};
use sports_ports::PortError;

use super::question::{QuestionKind, SeasonFigures};
use super::{ListedModels, PublishedSeason};

/// The models' four-week curves of every season of a market.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketCurves {
    /// The newest season.
    pub latest: PublishedSeason,
    /// Each season and its curves, newest first.
    pub seasons: Vec<(PublishedSeason, Curves)>,
    /// The mean of the seasons before the current one, for each model that has a point in them.
    pub average: Vec<AverageCurve>,
}

#[derive(Hash)]
pub(super) struct CurvesQuestion {
    pub(super) latest: PublishedSeason,
    pub(super) newest_first: Vec<PublishedSeason>,
    /// The current season, or the newest if no season is current.
    pub(super) answering: Season,
    pub(super) models: ListedModels,
}

impl QuestionKind for CurvesQuestion {
    type Answer = MarketCurves;

    async fn answer(self, figures: &SeasonFigures) -> Result<MarketCurves, PortError> {
        let opened = figures.open_all(&self.newest_first).await?;
        let curves = opened.iter().map(|season| season.curves.listing(|model| self.models.include(model.as_str())));
        let seasons: Vec<_> = self.newest_first.into_iter().zip(curves).collect();
        let earlier = seasons.iter().filter(|(season, _)| season.archive.season < self.answering);
        let average = historical_average(&earlier.map(|(_, curves)| curves).collect::<Vec<_>>());
        Ok(MarketCurves { latest: self.latest, seasons, average })
    }
}
