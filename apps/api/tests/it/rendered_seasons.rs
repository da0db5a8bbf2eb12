//! The contract of the port for rendered seasons, without their cache.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use sports_api::render_seasons::RenderSeasons;
use sports_domain::paging::Order;
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_tables::RenderedSeason;
use sports_testkit::seasons;
use sports_usecases::record::Archives;

/// The rows of rendered seasons, which can be compared.
struct Rows(RenderSeasons);

#[async_trait]
impl SeasonViews<Bytes> for Rows {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<Bytes>, PortError> {
        let rendered: Arc<RenderedSeason> = self.0.view(season).await?;
        let rows = rendered.json(Order::OldestFirst);
        Ok(Arc::new(rows.slice(&(0..rows.len()))))
    }
}

#[tokio::test]
async fn rendered_seasons_fulfil_the_contract() {
    seasons::contract(|objects, codec| Rows(RenderSeasons(Archives::new(objects, codec)))).await;
}
