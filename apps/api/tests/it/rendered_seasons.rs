//! The contract of the port for rendered seasons, without their cache.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use sports_api::render_seasons::RenderSeasons;
use sports_domain::paging::Order;
use sports_ports::PortError;
use sports_ports::publication::Objects;
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_tables::RenderedSeason;
use sports_testkit::publication::SlateCodecFake;
use sports_testkit::seasons;
use sports_usecases::record::{Archives, Slates};

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
    let view = |objects: Arc<dyn Objects>, codec| {
        let slates = Slates::new(Arc::clone(&objects), Arc::new(SlateCodecFake::default()));
        Rows(RenderSeasons { archives: Archives::new(objects, codec), slates })
    };
    seasons::contract(view).await;
}
