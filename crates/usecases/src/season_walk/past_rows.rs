//! The rows of games in the archives of earlier entries.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use sports_content::ObjectHash;
use sports_domain::{Season, Sport};
use sports_movement::{RecordedRow, SeasonMovement, SeasonRows, UnlistedSpan};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonRef;
use sports_publication::Generation;

use super::archives::{archives_of, read_archive};
use crate::record::{Archives, WorkQueue, run_queued};

/// The rows of some games in the archives of a season's entries. Each entry and each archive is read once.
pub(super) struct PastRows<'r> {
    log: &'r Arc<dyn PublicationLog>,
    archives: &'r Archives,
    queue: &'r dyn WorkQueue,
    sport: Sport,
    season: Season,
    games: HashSet<&'r str>,
    generations: Vec<Generation>,
    /// The archives of an entry.
    named: BTreeMap<Generation, Vec<SeasonRef>>,
    rows: HashMap<ObjectHash, HashMap<String, RecordedRow>>,
}

impl<'r> PastRows<'r> {
    /// Creates a reader of the rows of unlisted games.
    pub(super) fn new(
        (log, archives, queue): (&'r Arc<dyn PublicationLog>, &'r Archives, &'r dyn WorkQueue),
        movement: &SeasonMovement,
        spans: &'r [UnlistedSpan],
    ) -> Self {
        let generations = if spans.is_empty() { &[] } else { movement.entries() };
        Self {
            log,
            archives,
            queue,
            sport: movement.sport(),
            season: movement.season(),
            games: spans.iter().map(|span| &*span.game_id).collect(),
            generations: generations.iter().map(|entry| entry.generation).collect(),
            named: BTreeMap::new(),
            rows: HashMap::new(),
        }
    }

    /// Returns the rows of a game with other starts than in the entry before, each with its entry, oldest first. Rows keep
    /// earlier starts, so entries between two equal rows are not read. Of a game that goes to and fro between two starts more
    /// than once, moves can be missing.
    pub(super) async fn moves(&mut self, span: &UnlistedSpan) -> Result<Vec<(Generation, RecordedRow)>, PortError> {
        let index = |generation| self.generations.partition_point(|known| *known < generation);
        let (mut moves, mut open) = (Vec::new(), vec![(index(span.from), index(span.through))]);
        while let Some((first, last)) = open.pop() {
            if first >= last {
                continue;
            }
            let before = self.row(self.generations[first], &span.game_id).await?;
            let after = self.row(self.generations[last], &span.game_id).await?;
            let is_equal = |(one, other): (&RecordedRow, &RecordedRow)| one.has_starts_of(other);
            if before.as_ref().zip(after.as_ref()).map_or(after.is_none(), is_equal) {
                continue;
            }
            if last - first == 1 {
                moves.extend(after.map(|row| (self.generations[last], row)));
            } else {
                let middle = first.midpoint(last);
                open.extend([(middle, last), (first, middle)]);
            }
        }
        Ok(moves)
    }

    /// Returns the row of a game in an entry, of any market.
    async fn row(&mut self, generation: Generation, game_id: &str) -> Result<Option<RecordedRow>, PortError> {
        if !self.named.contains_key(&generation) {
            let named = self.archives_of(generation).await?;
            self.named.insert(generation, named);
        }
        for place in self.named[&generation].clone() {
            if !self.rows.contains_key(&place.object) {
                let rows = self.rows_of(place).await?;
                self.rows.insert(place.object, rows);
            }
            if let Some(row) = self.rows[&place.object].get(game_id) {
                return Ok(Some(row.clone()));
            }
        }
        Ok(None)
    }

    async fn archives_of(&self, generation: Generation) -> Result<Vec<SeasonRef>, PortError> {
        let (log, sport, season) = (Arc::clone(self.log), self.sport, self.season);
        let entry = run_queued(self.queue, async move { log.entry(sport, generation).await }).await?;
        let missing = || PortError::corrupt("the publication log", format!("entry {generation} of {sport} is missing"));
        Ok(archives_of(&entry.ok_or_else(missing)?.catalog, season).collect())
    }

    async fn rows_of(&self, place: SeasonRef) -> Result<HashMap<String, RecordedRow>, PortError> {
        let mut rows = SeasonRows::default();
        rows.read(&read_archive(self.archives, self.queue, place).await?);
        let of_games = rows.iter(place.market.model_type).filter(|(id, _)| self.games.contains(id));
        Ok(of_games.map(|(id, row)| (id.to_owned(), row.clone())).collect())
    }
}
