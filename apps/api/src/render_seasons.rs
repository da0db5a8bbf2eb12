//! Reading, grading and writing of a season, behind the port that a cache decorates.

use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::ModelName;
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_publication::SeasonArchive;
use sports_tables::{RenderedSeason, TabularSeason};
use sports_usecases::record::{Archives, Slates, off_thread};

/// A view that reads, grades and writes the season on every call: for use behind a cache.
#[derive(Clone)]
pub struct RenderSeasons {
    pub archives: Archives,
    /// The source of the registries that name hidden models.
    pub slates: Slates,
}

impl RenderSeasons {
    /// Reads the archive of a season, and the models that are left out.
    async fn read(&self, season: &SeasonRef) -> Result<(SeasonArchive, Vec<ModelName>), PortError> {
        let archive = self.archives.read(season).await?;
        let Some(named) = &season.public_in else { return Ok((archive, Vec::new())) };
        let registry = self.slates.models(season.market.sport, named).await?;
        Ok((archive, registry.hidden().collect()))
    }
}

#[async_trait]
impl SeasonViews<RenderedSeason> for RenderSeasons {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<RenderedSeason>, PortError> {
        let (archive, hidden) = self.read(season).await?;
        off_thread("rendering", move || Arc::new(RenderedSeason::without(archive, &hidden))).await
    }
}

#[async_trait]
impl SeasonViews<TabularSeason> for RenderSeasons {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<TabularSeason>, PortError> {
        let (archive, hidden) = self.read(season).await?;
        off_thread("grading", move || Arc::new(TabularSeason::without(archive, &hidden))).await
    }
}
