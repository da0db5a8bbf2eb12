//! Reading, grading and writing of a season, behind the port that a cache decorates.

use std::sync::Arc;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_tables::{RenderedSeason, TabularSeason};
use sports_usecases::record::{Archives, off_thread};

/// A view that reads, grades and writes the season on every call: for use behind a cache.
#[derive(Clone)]
pub struct RenderSeasons(pub Archives);

#[async_trait]
impl SeasonViews<RenderedSeason> for RenderSeasons {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<RenderedSeason>, PortError> {
        let archive = self.0.read(season).await?;
        off_thread("rendering", move || Arc::new(RenderedSeason::from_archive(archive))).await
    }
}

#[async_trait]
impl SeasonViews<TabularSeason> for RenderSeasons {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<TabularSeason>, PortError> {
        let archive = self.0.read(season).await?;
        off_thread("grading", move || Arc::new(TabularSeason::from_archive(archive))).await
    }
}
