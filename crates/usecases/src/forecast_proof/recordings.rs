//! The entries that made forecasts, those read last in memory.

use std::sync::Arc;

use sports_ports::PortError;
use sports_ports::answers::Answers;
use sports_publication::Catalog;

use super::opening::Recording;
use super::refusal::NoProof;
use super::row::ForecastRow;
use crate::record::TreeReader;

/// The entries of one store's records that made forecasts.
pub(super) struct Recordings {
    pub(super) reader: Arc<TreeReader>,
    /// The entries in memory, named by their hashes.
    pub(super) kept: Arc<dyn Answers<Recording>>,
}

impl Recordings {
    /// Finds the entry that made the forecast of a row, among the entries up to `newest`.
    pub(super) async fn of(
        &self,
        newest: &Catalog,
        row: &ForecastRow<'_>,
    ) -> Result<Result<Arc<Recording>, NoProof>, PortError> {
        let sport = newest.sport;
        let Some((run, published_at)) = row.release() else { return Ok(Err(NoProof::Imported)) };
        let head = (sport, newest.generation);
        if let Some(facts) = self.reader.facts_at(head, published_at).await?
            && let Some(recording) = self.kept.kept(&facts.digest).await
            && recording.is_of(row)
        {
            return Ok(Ok(recording));
        }
        let Some(entry) = self.reader.entry_of_release(head, (run, published_at)).await? else {
            return Ok(Err(NoProof::Imported));
        };
        let Some(tree) = entry.catalog.tree.clone() else {
            return Ok(Err(NoProof::BeforeTree(entry.catalog.generation)));
        };
        let (digest, leaves) = (entry.digest, self.reader.leaves_of(sport, &tree).await?);
        let recording = Arc::new(Recording::new(entry, tree, leaves));
        self.kept.answer(digest, Box::pin(async { Ok(recording) })).await.map(Ok)
    }
}
