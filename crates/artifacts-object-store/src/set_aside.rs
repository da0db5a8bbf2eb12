//! Numbers that were moved out of a log.

use async_trait::async_trait;
use object_store::ObjectStoreExt;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogRepairs, SetAside};
use sports_publication::Generation;

use crate::{ArtifactStore, layout};

const PORT: &str = "the publication log";

fn unavailable(source: object_store::Error) -> PortError {
    PortError::unavailable(PORT, source)
}

#[async_trait]
impl LogRepairs for ArtifactStore {
    async fn set_aside(&self, sport: Sport, generation: Generation) -> Result<SetAside, PortError> {
        let before = self.all_set_aside(sport).await?;
        let count = before.iter().filter(|moved| moved.generation == generation).count() + 1;
        let name = layout::set_aside_name(generation, count);
        let (from, to) = (layout::entry(sport, generation), layout::set_aside(sport).join(name.as_str()));
        self.in_time(self.store.rename(&from, &to)).await.map_err(unavailable)?;
        Ok(SetAside { generation, name })
    }

    async fn all_set_aside(&self, sport: Sport) -> Result<Vec<SetAside>, PortError> {
        let names = self.names(&layout::set_aside(sport), None).await.map_err(unavailable)?;
        let moved = names
            .into_iter()
            .filter_map(|name| Some(SetAside { generation: layout::set_aside_generation(&name)?, name }));
        let mut moved: Vec<_> = moved.collect();
        moved.sort_unstable();
        Ok(moved)
    }
}
