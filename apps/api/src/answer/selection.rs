//! Answers with rows of whole seasons: of several seasons of a market, or of all markets of a league beside each other.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use sports_domain::paging::{GameFilter, Limit, NoSuchTeam, Order, PageRows, Snapshot};
use sports_http_transport::{Encoding, KeptBody};
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_tables::{JoinedSeason, JsonPage, SeasonTable, TabularSeason, UnitedHeads, json_objects};
use sports_usecases::record::off_thread;
use sports_usecases::season_tables::{TableSeason, TableSubject, snapshot, snapshot_started_by};

use super::{Answer, Body, BodyForm, Cost};
use crate::arguments::{Argument, from_request};
use crate::error::ApiError;
use crate::format::Format;
use crate::near::team_hint;
use crate::state::State;

/// The rows that a request selects from seasons.
#[derive(Debug, Clone, Hash)]
pub struct Selection {
    /// The league or market.
    pub subject: TableSubject,
    /// The seasons, oldest first.
    pub seasons: Vec<TableSeason>,
    /// The filter by dates, team and state.
    pub filter: GameFilter,
    /// The order of the rows of a season.
    pub order: Order,
    /// The first row; 0 for several seasons.
    pub offset: usize,
    /// The most rows; the largest limit for several seasons.
    pub limit: Limit,
}

#[derive(Debug, Clone)]
pub struct SelectedRows {
    /// The rows of each season, as positions in the order of the selection.
    pub seasons: Vec<PageRows>,
    /// The number of rows that the filter keeps, on this page or not.
    pub total: usize,
    /// The offset of the next page; `None` on the last page.
    pub next_offset: Option<usize>,
}

/// The seasons that rows are selected from.
#[derive(Clone)]
pub struct SelectionTables(Arc<dyn SeasonViews<TabularSeason>>);

/// The selected rows as a body: a table, or a page of JSON.
struct SelectedBody {
    tables: SelectionTables,
    selection: Arc<Selection>,
    rows: Vec<PageRows>,
    /// The JSON around the rows of a page, and its encoding; `None` for a table.
    page: Option<(JsonPage, Encoding)>,
}

/// The number of rows that are columns in memory at a time while a table is written.
const ROWS_AT_A_TIME: usize = 5_000;

/// The number of rows of JSON above which writing and compression take more than a few milliseconds.
pub(crate) const LONG_PAGE: usize = 500;

from_request! { SelectionTables, request => {
    State::of(request).map(|state| Self(Arc::clone(&state.published.tabular)))
} }

impl Argument for SelectionTables {}

impl SelectionTables {
    /// Answers with the rows of a selection. A page of JSON has the text that `around` returns around its rows; a table has the
    /// address of the next page, which `next` makes of its offset, without the key.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if no season has the team, a season cannot be read, or the answer does not have the requested part.
    pub async fn respond(
        self,
        answer: Answer,
        selection: Selection,
        around: impl FnOnce(&SelectedRows) -> Result<JsonPage, ApiError>,
        next: impl FnOnce(&HttpRequest, usize) -> String,
    ) -> Result<HttpResponse, ApiError> {
        let answer = answer
            .graded()
            .called(selection.file_name())
            .with_header("X-Results-Season", &selection.labels().join(","))
            .with_header("X-Results-Snapshot", &selection.snapshot());
        let key = (Arc::new(selection), answer.encoding());
        if let Some(unchanged) = answer.unchanged(&key) {
            return Ok(unchanged);
        }
        let selection = Arc::clone(&key.0);
        let rows = self.rows(&answer, &selection).await?;
        let (page, is_expensive) = if answer.format() == Format::Json {
            (Some((around(&rows)?, key.1)), rows.seasons.iter().map(PageRows::len).sum::<usize>() > LONG_PAGE)
        } else {
            (None, true)
        };
        let mut answer = answer;
        if let (Some(offset), None) = (rows.next_offset, &page) {
            let address = next(answer.request(), offset);
            answer = answer.with_header("Link", &format!("<{address}>; rel=\"next\""));
        }
        answer = answer.with_header("X-Results-Total", &rows.total);
        if let Some(offset) = rows.next_offset {
            answer = answer.with_header("X-Results-Next-Offset", &offset);
        }
        let body = SelectedBody { tables: self, selection, rows: rows.seasons, page };
        answer.queued_if(is_expensive).respond(&key, async move { Ok(body) }).await
    }

    /// Returns the filter with the last instant at which a game that it keeps started, where the reader may not see those that have
    /// not; without an instant where there are none.
    ///
    /// # Errors
    ///
    /// [`ApiError`] as for [`Self::respond`].
    pub async fn started(
        &self,
        answer: &Answer,
        subject: TableSubject,
        seasons: &[TableSeason],
        filter: GameFilter,
    ) -> Result<GameFilter, ApiError> {
        let Some(now) = filter.started_by else { return Ok(filter) };
        let mut last = None;
        for season in seasons {
            let (tables, season, filter) = (self.clone(), season.clone(), filter.clone());
            let searched = answer.run(Cost::Cheap, async move {
                let table = tables.table(subject, &season).await?;
                off_thread("a filter", move || table.index().last_start(&filter, now)).await
            });
            // Another of several seasons may have the team.
            last = last.max(searched.await?.unwrap_or_default());
        }
        Ok(GameFilter { started_by: last, ..filter })
    }

    /// Selects the rows. All games of one market are selected without opening an archive.
    async fn rows(&self, answer: &Answer, selection: &Arc<Selection>) -> Result<SelectedRows, ApiError> {
        if let Some(rows) = selection.everything() {
            return Ok(rows);
        }
        let cost = if answer.format() == Format::Json { Cost::Cheap } else { Cost::Expensive };
        let selected = answer.run(cost, self.clone().selected(Arc::clone(selection))).await?;
        selected.map_err(|error| answer.moment.failure(refusal(selection.subject, error)))
    }
}

impl Body for SelectedBody {
    async fn write(self, form: BodyForm) -> Result<KeptBody, PortError> {
        match self.page {
            Some((page, encoding)) => self.tables.page(self.selection, self.rows, page, encoding).await,
            None => self.tables.file(self.selection, self.rows, form.expect_table()?).await,
        }
    }
}

impl Selection {
    /// Selects every game of some seasons that a filter keeps, oldest first.
    pub const fn whole(subject: TableSubject, seasons: Vec<TableSeason>, filter: GameFilter) -> Self {
        Self { subject, seasons, filter, order: Order::OldestFirst, offset: 0, limit: Limit::MOST }
    }

    /// Returns the rows if they are all games of one market, which the catalog has counted.
    fn everything(&self) -> Option<SelectedRows> {
        let is_everything = self.filter.leaves_all() && self.offset == 0 && self.limit == Limit::MOST;
        if !is_everything || !matches!(self.subject, TableSubject::Market(_)) {
            return None;
        }
        let seasons: Vec<_> = self.seasons.iter().map(|season| PageRows::Run(0..season.games)).collect();
        Some(SelectedRows { total: seasons.iter().map(PageRows::len).sum(), seasons, next_offset: None })
    }

    fn snapshot(&self) -> Snapshot {
        let snapshot = snapshot(self.subject, &self.seasons);
        match self.filter.started_by {
            Some(instant) => snapshot_started_by(&snapshot, instant),
            None => snapshot,
        }
    }

    fn labels(&self) -> Vec<String> {
        self.seasons.iter().map(|season| season.season.to_string()).collect()
    }

    /// Returns the name of a file of the rows: league, market and seasons.
    fn file_name(&self) -> String {
        let of = match self.subject {
            TableSubject::Market(market) => format!("{}-{}", market.sport, market.model_type),
            TableSubject::League(sport) => format!("{sport}-games"),
        };
        match &self.labels()[..] {
            [first, .., last] => format!("{of}-{first}-to-{last}"),
            labels => format!("{of}-{}", labels.concat()),
        }
    }
}

impl SelectionTables {
    async fn table(&self, subject: TableSubject, season: &TableSeason) -> Result<Arc<dyn SeasonTable>, PortError> {
        let mut markets = Vec::with_capacity(season.archives.len());
        for archive in &season.archives {
            markets.push(self.0.view(archive).await?);
        }
        let label = season.season;
        match (subject, &*markets) {
            (TableSubject::Market(_), [only]) => Ok(Arc::<TabularSeason>::clone(only)),
            _ => {
                off_thread("joining", move || -> Arc<dyn SeasonTable> {
                    Arc::new(JoinedSeason::new(subject.sport(), label, &markets))
                })
                .await
            }
        }
    }

    async fn selected(self, selection: Arc<Selection>) -> Result<Result<SelectedRows, NoSuchTeam>, PortError> {
        let mut selected = SelectedRows { seasons: Vec::new(), total: 0, next_offset: None };
        let (mut has_team, mut unknown) = (false, None);
        for season in &selection.seasons {
            let (table, selection) = (self.table(selection.subject, season).await?, Arc::clone(&selection));
            let found = off_thread("a filter", move || {
                let index = table.index();
                let kept = index.filtered(&selection.filter)?;
                Ok((kept.total(), kept.page(selection.order, selection.offset, selection.limit)))
            });
            let rows = match found.await? {
                Ok((total, (rows, next_offset))) => {
                    has_team = true;
                    selected.total += total;
                    selected.next_offset = next_offset;
                    rows
                }
                Err(error @ NoSuchTeam::Ambiguous { .. }) => return Ok(Err(error)),
                Err(error @ NoSuchTeam::Unknown { .. }) => {
                    unknown = Some(error);
                    PageRows::Run(0..0)
                }
            };
            selected.seasons.push(rows);
        }
        Ok(match unknown {
            Some(error) if !has_team => Err(error),
            _ => Ok(selected),
        })
    }

    /// Writes a table, some rows at a time. Its columns are those of the newest season first.
    async fn file(
        self,
        selection: Arc<Selection>,
        rows: Vec<PageRows>,
        tables: Arc<dyn TableFormat>,
    ) -> Result<KeptBody, PortError> {
        let (subject, order, mut heads) = (selection.subject, selection.order, UnitedHeads::default());
        for season in selection.seasons.iter().rev() {
            heads.add(self.table(subject, season).await?.heads());
        }
        let (mut parts, heads) = (tables.begin(heads.heads())?, Arc::new(heads));
        for (season, rows) in selection.seasons.iter().zip(rows) {
            let (table, heads) = (self.table(subject, season).await?, Arc::clone(&heads));
            let writing = off_thread("a table", move || {
                for rows in rows.pieces(ROWS_AT_A_TIME) {
                    parts.add(heads.aligned(table.table(order, &rows)))?;
                }
                Ok::<_, PortError>(parts)
            });
            parts = writing.await??;
        }
        off_thread("a table", move || parts.finish()).await?.map(KeptBody::from_table)
    }

    /// Writes a page of JSON.
    async fn page(
        self,
        selection: Arc<Selection>,
        rows: Vec<PageRows>,
        page: JsonPage,
        encoding: Encoding,
    ) -> Result<KeptBody, PortError> {
        let mut objects = Vec::new();
        for (season, rows) in selection.seasons.iter().zip(rows) {
            let (table, order) = (self.table(selection.subject, season).await?, selection.order);
            let writing = off_thread("a page", move || json_objects(&table.table(order, &rows)));
            objects.extend_from_slice(&writing.await??);
        }
        Ok(KeptBody::json_in(encoding, page.around(objects.into())).await)
    }
}

/// Returns the refusal of a team that no season has, or that may be several.
fn refusal(subject: TableSubject, error: NoSuchTeam) -> ApiError {
    match error {
        NoSuchTeam::Unknown { team, season, .. } => ApiError::NotFound(format!(
            "No game of the requested seasons of {subject} has a team `{team}`; rows have the names of teams in `away_team` and \
             `home_team`{}",
            team_hint(subject.sport(), Some(season), &team)
        )),
        ambiguous @ NoSuchTeam::Ambiguous { .. } => ApiError::BadRequest(format!("`team`: {ambiguous}")),
    }
}
