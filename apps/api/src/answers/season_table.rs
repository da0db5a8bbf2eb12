//! Answers with rows of whole seasons: of several seasons of a market, or of all markets of a league beside each other.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use sports_content::ObjectHash;
use sports_http_transport::{Encoding, Etag, KeptBody};
use sports_paging::{GameFilter, Limit, NoSuchTeam, Order, PageRows};
use sports_ports::PortError;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_row_formats::{JoinedSeason, JsonPage, SeasonTable, TabularSeason, UnitedHeads, json_objects};
use sports_usecases::record::off_thread;
use sports_usecases::season_tables::{TableSeason, TableSubject, snapshot};

use super::{CachedAnswer, Form};
use crate::arguments::{Argument, from_request};
use crate::error::ApiError;
use crate::format::Format;
use crate::moments::AnswerMoment;
use crate::provided::provided;

/// The answer of a handler to a request for rows of whole seasons.
pub struct SeasonTableAnswer {
    answer: CachedAnswer,
    seasons: SeasonTables,
}

/// The rows that a request selects from seasons.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The league or market.
    pub subject: TableSubject,
    /// The seasons, oldest first.
    pub seasons: Vec<TableSeason>,
    /// The filter by dates and team.
    pub filter: GameFilter,
    /// The order of the rows of a season.
    pub order: Order,
    /// The first row; 0 for several seasons.
    pub offset: usize,
    /// The most rows; the largest limit for several seasons.
    pub limit: Limit,
}

/// The answer to a selection, in its form and with its validator.
pub struct SelectionAnswer {
    answer: CachedAnswer,
    tables: SeasonTables,
    selection: Arc<Selection>,
    form: Form,
    etag: Etag,
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

/// The seasons of tables, as they are loaded.
#[derive(Clone)]
struct SeasonTables(Arc<dyn SeasonViews<TabularSeason>>);

/// The number of rows that are columns in memory at a time while a table is written.
const ROWS_AT_A_TIME: usize = 5_000;

/// The number of rows of JSON above which writing and compression take more than a few milliseconds.
const LONG: usize = 500;

from_request! { SeasonTableAnswer, request => Self::to(request) }

impl Argument for SeasonTableAnswer {}

impl SeasonTableAnswer {
    fn to(request: &HttpRequest) -> Result<Self, ApiError> {
        let seasons = provided::<dyn SeasonViews<TabularSeason>>(request, "seasons")?.clone().into_inner();
        Ok(Self { answer: CachedAnswer::graded(request)?, seasons: SeasonTables(seasons) })
    }

    /// Sets the moment that the answer is of.
    pub fn at(self, moment: &AnswerMoment) -> Self {
        Self { answer: self.answer.at(moment), ..self }
    }

    /// Returns the form of the answer: the named one, else the one that the client accepts.
    pub fn form(&self, named: Option<Format>) -> Form {
        Form::chosen(self.answer.request(), named)
    }

    /// Begins the answer to a selection.
    pub fn to_selection(self, selection: Selection, form: Form) -> SelectionAnswer {
        let (form, labels) = (form.called(selection.file_name()), selection.labels().join(","));
        let etag = form.etag(&[&format!("{selection:?}")]);
        let snapshot = snapshot(selection.subject, &selection.seasons);
        let answer = self.answer.with_header("X-Results-Season", &labels).with_header("X-Results-Snapshot", &snapshot);
        SelectionAnswer { answer, tables: self.seasons, selection: Arc::new(selection), form, etag }
    }
}

impl SelectionAnswer {
    /// Returns the answer to a client that has the rows already.
    pub fn unchanged(&self) -> Option<HttpResponse> {
        let is_current = self.etag.is_current(self.answer.request());
        is_current.then(|| self.answer.response(&self.form, &self.etag).finish())
    }

    /// Selects the rows. All games of one market are selected without opening an archive.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if no season has the team, or a season cannot be read.
    pub async fn rows(&self) -> Result<SelectedRows, ApiError> {
        if let Some(rows) = self.selection.everything() {
            return Ok(rows);
        }
        let selecting = self.tables.clone().selected(Arc::clone(&self.selection));
        let selected = match self.form.format() {
            Format::Json => self.answer.in_turn(selecting).await?,
            _ => self.answer.queued(selecting).await?,
        };
        selected.map_err(|error| self.answer.moment.failure(refusal(self.selection.subject, error)))
    }

    /// Answers with rows as a table; `next` makes the address of the page at an offset, without the key.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the table cannot be made, or does not have the requested part.
    pub async fn give_table(
        self,
        rows: SelectedRows,
        next: impl FnOnce(&HttpRequest, usize) -> String,
    ) -> Result<HttpResponse, ApiError> {
        let tables = self.form.tables()?;
        let tables = tables.ok_or_else(|| ApiError::bad_parameter("format", "csv, ndjson or parquet here"))?;
        let link = rows.next_offset.map(|offset| next(self.answer.request(), offset));
        let making = self.tables.clone().written(Arc::clone(&self.selection), rows.seasons.clone(), tables);
        let answer = match link {
            Some(address) => self.with_header("Link", &format!("<{address}>; rel=\"next\"")),
            None => self,
        };
        answer.give(&rows, true, making).await
    }

    /// Answers with the rows of one season as a page of JSON.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the page cannot be made.
    pub async fn give_page(self, rows: SelectedRows, page: JsonPage) -> Result<HttpResponse, ApiError> {
        let (selection, seasons) = (Arc::clone(&self.selection), rows.seasons.clone());
        let making = self.tables.clone().written_as_page(selection, seasons, page, self.etag.encoding());
        let is_long = rows.seasons.iter().map(PageRows::len).sum::<usize>() > LONG;
        self.give(&rows, is_long, making).await
    }

    fn with_header(self, name: &'static str, value: &(impl ToString + ?Sized)) -> Self {
        Self { answer: self.answer.with_header(name, value), ..self }
    }

    async fn give(
        self,
        rows: &SelectedRows,
        is_expensive: bool,
        making: impl Future<Output = Result<KeptBody, PortError>> + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let answer = self.with_header("X-Results-Total", &rows.total);
        let answer = match rows.next_offset {
            Some(offset) => answer.with_header("X-Results-Next-Offset", &offset),
            None => answer,
        };
        let content = format!("{:?}", answer.selection);
        let name = [answer.form.format().name(), answer.etag.encoding().name(), &content];
        let name = ObjectHash::from_parts(name.map(str::as_bytes));
        let response = answer.answer.response(&answer.form, &answer.etag);
        let body = answer.answer.body(name, answer.etag.encoding(), is_expensive, making).await?;
        answer.form.send(&body, &answer.etag, response).await
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

impl SeasonTables {
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
    async fn written(
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

    async fn written_as_page(
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
        NoSuchTeam::Unknown { team, .. } => ApiError::NotFound(format!(
            "No game of the requested seasons of {subject} has a team `{team}`; rows have the names of teams in `away_team` and \
             `home_team`"
        )),
        ambiguous @ NoSuchTeam::Ambiguous { .. } => ApiError::BadRequest(format!("`team`: {ambiguous}")),
    }
}
