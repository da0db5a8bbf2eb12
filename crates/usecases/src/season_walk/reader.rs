//! The reader of a season's entries.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelType, Season, Sport, eastern_instant};
use sports_ledger::{EntryFacts, Ledger, RunEnd, Sought, unreadable_entry};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_ports::seasons::SeasonRef;
use sports_publication::movement::{RecordedRow, SearchedMoves, SeasonMovement, SeasonRows, UnlistedSpan};
use sports_publication::{Catalog, Generation, SeasonArchive};

use super::slates::{self, AT_ONCE, NeededParts, Newest, SlateEntry};
use crate::record::{Archives, Slates, WorkQueue, run_queued};

/// The time before the first year of a season from which its entries are read.
const AHEAD: TimeDelta = TimeDelta::days(120);

/// The time after the last year of a season through which its entries are read.
const BEHIND: TimeDelta = TimeDelta::days(4);

/// A reader of the entries of seasons, and of the objects that they name.
#[derive(Clone)]
pub(super) struct SeasonReader {
    pub(super) slates: Slates,
    pub(super) archives: Archives,
    pub(super) queue: Arc<dyn WorkQueue>,
}

/// The times of the entries of a season. They follow from its name alone: by the dates of its games, which a later entry can
/// change, a moment would have other entries today than it had then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeasonTimes {
    pub(super) from: DateTime<Utc>,
    pub(super) through: DateTime<Utc>,
}

/// The end of the reading of a season.
pub(super) struct SeasonEnd<'e> {
    /// The entry that names the archives.
    pub(super) newest: &'e LogEntry,
    /// The newest entry of the season.
    pub(super) top: EntryFacts,
    /// The parts that are read; `None` for all.
    pub(super) only: Option<NeededParts>,
}

/// The entries of a season that were not read before, oldest first.
struct Unread {
    entries: Vec<EntryFacts>,
    /// True if they continue those that were read before.
    continues: bool,
    /// True if the first of them is the first of the ledger.
    is_first: bool,
}

/// The state of the reading of one season.
#[derive(Default)]
pub(super) struct Progress {
    read: Option<Read>,
}

struct Read {
    movement: SeasonMovement,
    newest: Newest,
    /// The newest entry that was noted.
    through: Option<EntryFacts>,
    /// The archives whose rows were read.
    rows_of: BTreeMap<ModelType, ObjectHash>,
    /// The state up to which the starts of unlisted games were searched for.
    searched: SearchedMoves,
}

impl SeasonTimes {
    /// Returns the times of a season. Every game is in one of its calendar years.
    pub(super) fn of(season: Season) -> Self {
        let begin = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or(NaiveDate::MAX);
        let begin = |year| eastern_instant(begin(year), NaiveTime::MIN);
        let years = season.years();
        Self { from: begin(*years.start()) - AHEAD, through: begin(*years.end() + 1) + BEHIND }
    }
}

impl SeasonReader {
    /// Reads on from the entries that were read before, and returns everything that was read: the needed parts, or all. What was
    /// noted before a failure stays in the progress.
    pub(super) async fn read_on(
        &self,
        mut progress: impl AsMut<Progress> + Send + 'static,
        ledger: &Arc<Ledger>,
        season: Season,
        times: SeasonTimes,
        SeasonEnd { newest, top, only }: SeasonEnd<'_>,
    ) -> Result<SeasonMovement, PortError> {
        let sport = newest.catalog.sport;
        let known = progress.as_mut().read.as_ref().and_then(|read| read.through);
        let Unread { entries, continues, is_first } = unread(ledger, &top, known, times.from).await?;
        if !continues {
            progress.as_mut().read = None;
        }
        let read = progress.as_mut().read.get_or_insert_with(|| Read {
            movement: SeasonMovement::new(sport, season, is_first),
            newest: Newest::default(),
            through: None,
            rows_of: BTreeMap::new(),
            searched: SearchedMoves::default(),
        });
        self.read_rows(season, &newest.catalog, read).await?;
        for entries in entries.chunks(AT_ONCE) {
            progress = self.note(progress, ledger, entries.to_vec(), only).await?;
        }
        progress = self.find_moves(progress, ledger).await?;
        let read = progress.as_mut().read.as_ref().map(|read| read.movement.clone());
        Ok(read.unwrap_or_else(|| SeasonMovement::new(sport, season, is_first)))
    }

    /// Reads the rows of a season's archives.
    pub(super) async fn rows(&self, season: Season, catalog: &Catalog) -> Result<SeasonRows, PortError> {
        let mut rows = SeasonRows::default();
        for place in archives_of(catalog, season) {
            rows.read(&read_archive(&self.archives, &*self.queue, place).await?);
        }
        Ok(rows)
    }

    /// Reads the rows of the season's archives that changed.
    async fn read_rows(&self, season: Season, catalog: &Catalog, read: &mut Read) -> Result<(), PortError> {
        let mut rows: SeasonRows = read.movement.rows().clone();
        for place in archives_of(catalog, season) {
            let model_type = place.market.model_type;
            if read.rows_of.get(&model_type) != Some(&place.object) {
                rows.read(&read_archive(&self.archives, &*self.queue, place).await?);
                read.rows_of.insert(model_type, place.object);
            }
        }
        read.movement.set_rows(rows);
        Ok(())
    }

    /// Notes some entries, and returns the progress.
    async fn note<P: AsMut<Progress> + Send + 'static>(
        &self,
        mut progress: P,
        ledger: &Arc<Ledger>,
        entries: Vec<EntryFacts>,
        only: Option<NeededParts>,
    ) -> Result<P, PortError> {
        let (ledger, slates) = (Arc::clone(ledger), self.slates.clone());
        let noting = async move {
            let reads: Vec<_> = entries.iter().map(|facts| slate_entry(&ledger, facts, only)).collect();
            let read: Vec<_> = stream::iter(reads).buffered(AT_ONCE).try_collect().await?;
            if let Some(progress) = &mut progress.as_mut().read {
                slates::note(&slates, &read, &mut progress.newest, &mut progress.movement).await?;
                progress.through = entries.last().copied().or(progress.through);
            }
            Ok(progress)
        };
        run_queued(&*self.queue, noting).await
    }

    /// Finds the starts that games got while no slate listed them, notes them, and returns the progress.
    async fn find_moves<P: AsMut<Progress> + Send + 'static>(
        &self,
        mut progress: P,
        ledger: &Arc<Ledger>,
    ) -> Result<P, PortError> {
        if let Some(read) = &mut progress.as_mut().read {
            let spans = read.movement.unlisted_spans(&read.searched);
            let mut rows = PastRows::new(self, ledger, &read.movement, &spans);
            for span in &spans {
                for (generation, row) in rows.moves(span).await? {
                    read.movement.note_move(&span.game_id, generation, &row);
                }
            }
            read.searched = read.movement.as_searched();
        }
        Ok(progress)
    }
}

/// Returns the entries above those that are known; all of them if the ledger does not continue the known ones.
async fn unread(
    ledger: &Arc<Ledger>,
    top: &EntryFacts,
    known: Option<EntryFacts>,
    from: DateTime<Utc>,
) -> Result<Unread, PortError> {
    if let Some(known) = known.filter(|known| known.generation <= top.generation) {
        let mut entries = ledger.run(top, move |entry| entry.generation <= known.generation).await?.entries;
        if entries.first() == Some(&known) {
            entries.remove(0);
            return Ok(Unread { entries, continues: true, is_first: false });
        }
    }
    let run = ledger.run(top, move |entry| entry.published_at <= from).await?;
    Ok(Unread { entries: run.entries, continues: false, is_first: run.end == RunEnd::First })
}

/// Reads the parts of an entry about its slate.
async fn slate_entry(ledger: &Ledger, facts: &EntryFacts, only: Option<NeededParts>) -> Result<SlateEntry, PortError> {
    let mut entry = SlateEntry::from(ledger.entry(facts).await?);
    if let Some(needed) = only {
        needed.keep(&mut entry.facts);
    }
    Ok(entry)
}

// The rows of games in the archives of earlier entries.

/// The rows of some games in the archives of a season's entries. Each entry and each archive is read once.
pub(super) struct PastRows<'r> {
    reader: &'r SeasonReader,
    ledger: &'r Arc<Ledger>,
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
        reader: &'r SeasonReader,
        ledger: &'r Arc<Ledger>,
        movement: &SeasonMovement,
        spans: &'r [UnlistedSpan],
    ) -> Self {
        let generations = if spans.is_empty() { &[] } else { movement.entries() };
        Self {
            reader,
            ledger,
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
        let (ledger, sport) = (Arc::clone(self.ledger), self.sport);
        let reading = async move {
            let place = ledger.find(Sought::Number(generation)).await?;
            ledger.entry(&place.map_err(|_| unreadable_entry(sport, generation))?.facts).await
        };
        let entry = run_queued(&*self.reader.queue, reading).await?;
        Ok(archives_of(&entry.catalog, self.season).collect())
    }

    async fn rows_of(&self, place: SeasonRef) -> Result<HashMap<String, RecordedRow>, PortError> {
        let mut rows = SeasonRows::default();
        rows.read(&read_archive(&self.reader.archives, &*self.reader.queue, place).await?);
        let of_games = rows.iter(place.market.model_type).filter(|(id, _)| self.games.contains(id));
        Ok(of_games.map(|(id, row)| (id.to_owned(), row.clone())).collect())
    }
}

// The archives of a season that an entry names.

/// Returns the archives of a season in an entry, one of each market that has the season.
pub(super) fn archives_of(catalog: &Catalog, season: Season) -> impl Iterator<Item = SeasonRef> {
    let results = catalog.results.iter().filter(move |((_, of), _)| *of == season);
    results.map(move |((model_type, _), entry)| {
        SeasonRef::from_artifact(Market::new(catalog.sport, *model_type), season, &entry.artifact)
    })
}

/// Reads an archive when its turn comes.
pub(super) async fn read_archive(
    archives: &Archives,
    queue: &dyn WorkQueue,
    place: SeasonRef,
) -> Result<SeasonArchive, PortError> {
    let archives = archives.clone();
    run_queued(queue, async move { archives.read(&place).await }).await
}
