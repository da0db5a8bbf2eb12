use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameKey, GameType, LineColumn, Sport};
use sports_publication::season_table::{
    FORECAST_PUBLISHED_AT, FORECAST_RUN, FORECAST_SOURCE, GAME_TYPE, PROBABILITY_SOURCE, SEASON_COLUMNS, SeasonColumn,
};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::{
    ArchivedGame, ForecastOrigin, GameFacts, Located, PredictedGame, PredictionsFile, ProbabilitySource, Value,
};

use crate::bounds::{self, LinedRow};
use crate::cells;
use crate::columns::{Field, FileKind};
use crate::findings::Findings;
use crate::game_columns::{GameColumns, GameRow};
use crate::key::{KeyRules, Keys, MatchIds};
use crate::layout::{FileMarket, Layout};
use crate::scales;
use crate::table::{Row, Table};

/// Reads a file of odds and records the problems of every row.
pub(crate) fn read(table: &Table, rules: KeyRules, found: &mut Findings) -> Vec<Located<OddsGame>> {
    if table.is_blank() {
        return Vec::new();
    }
    let Some(layout) = Layout::from_columns(FileKind::Odds, FileMarket::none(), table.columns(), found) else {
        return Vec::new();
    };
    let sport = rules.sport;
    let (mut keys, mut match_ids) = (Keys::in_layout(rules, &layout), MatchIds::in_layout(&layout));
    let (columns, spreads) = (GameColumns::in_layout(&layout), SpreadColumns::in_layout(&layout));
    let last_updated = layout.find(Field::LastUpdated);
    let mut games = Vec::new();
    for row in table.rows() {
        // The row is read to its end before an invalid key discards it, so that all problems are reported at once.
        let key = keys.read(row, found);
        let match_id = match_ids.read(row, found);
        let read = columns.read(row, found);
        spreads.check(&read, row, found);
        let last_updated = found.take(row, last_updated, cells::wall_clock).ok().flatten();
        if let Some(ArchivedGame { facts, .. }) = key.and_then(|key| read.game(key, row, found)) {
            let GameFacts { key, game_id, lines, quote_source, .. } = facts;
            let value = OddsGame { key, game_id, listed_start: None, match_id, lines, quote_source, last_updated };
            games.push(Located { place: found.place(Some(row.number())), value });
        }
    }
    if let Some(sport) = sport {
        let lined = games.iter_mut().map(|row| LinedRow::of(&row.place, &row.value.key, &mut row.value.lines));
        bounds::check(sport, FileKind::Odds, &layout.given(), lined.collect(), found);
    }
    games
}

/// The largest difference between home spread and negated away spread: no more than rounding loses.
const OPPOSITE_WITHIN: f64 = 1e-9;

/// The spreads for which a file has the away side, which must be the negated home side.
#[derive(Debug)]
pub(crate) struct SpreadColumns(Vec<SpreadColumn>);

#[derive(Debug)]
struct SpreadColumn {
    home: &'static SeasonColumn,
    away: &'static SeasonColumn,
    place_of_away: usize,
}

impl SpreadColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        let both_sides = [
            (LineColumn::HomePointSpread, LineColumn::AwayPointSpread),
            (LineColumn::OpenHomePointSpread, LineColumn::OpenAwayPointSpread),
        ];
        let column = |line| SEASON_COLUMNS.iter().find(|column| column.line_column() == Some(line));
        let spread = |(home, away)| {
            let (home, away) = (column(home)?, column(away)?);
            Some(SpreadColumn { home, away, place_of_away: layout.find(away)? })
        };
        Self(both_sides.into_iter().filter_map(spread).collect())
    }

    /// Records a problem if the two sides of a spread are not opposites; a single side is valid.
    pub(crate) fn check(&self, read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) {
        for SpreadColumn { home, away, place_of_away } in &self.0 {
            let points = |column| read.get(column).ok().flatten().as_ref().and_then(Value::number);
            if let (Some(home), Some(away)) = (points(home), points(away))
                && (home + away).abs() > OPPOSITE_WITHIN
            {
                let expected = format!("{}, the opposite of the home team's spread", 0.0 - home);
                found.cell(row, *place_of_away, expected);
            }
        }
    }
}

/// Reads a file of predictions and records the problems of every row.
pub(crate) fn read_predictions(
    table: &Table,
    market: FileMarket<'_>,
    rules: KeyRules,
    found: &mut Findings,
) -> PredictionsFile {
    if table.is_blank() {
        return PredictionsFile::default();
    }
    let Some(layout) = Layout::from_columns(FileKind::Predictions, market, table.columns(), found) else {
        return PredictionsFile::default();
    };
    found.undeclared = layout.undeclared(table);
    scales::check(&layout, table, found);
    let sport = rules.sport;
    let (mut keys, mut match_ids) = (Keys::in_layout(rules, &layout), MatchIds::in_layout(&layout));
    let (columns, spreads) = (GameColumns::in_layout(&layout), SpreadColumns::in_layout(&layout));
    let game_type = layout.find(GAME_TYPE);
    let mut file = PredictionsFile { given: layout.given(), ..PredictionsFile::default() };
    for row in table.rows() {
        // The row is read to its end before an invalid key discards it, so that all problems are reported at once.
        let key = keys.read(row, found);
        let match_id = match_ids.read(row, found);
        let read = columns.read(row, found);
        spreads.check(&read, row, found);
        let extras = layout.extras(row, found);
        let game_type = read_game_type(row, game_type, sport, found);
        if let Some(ArchivedGame { facts, forecast }) = key.and_then(|key| read.game(key, row, found)) {
            let GameFacts { key, game_id, lines, quote_source, .. } = facts;
            let game = SlateGame { key, game_id, match_id, lines, forecasts: forecast.forecasts, own: forecast.own };
            let value = PredictedGame { game, game_type, quote_source, extras };
            file.rows.push(Located { place: found.place(Some(row.number())), value });
        }
    }
    if let Some(sport) = sport {
        let games = file.rows.iter_mut().map(|row| (&row.place, &mut row.value.game));
        let lined = games.map(|(place, game)| LinedRow::of(place, &game.key, &mut game.lines));
        bounds::check(sport, FileKind::Predictions, &file.given, lined.collect(), found);
    }
    file.names = keys.into_names();
    file
}

/// Reads the game type; records a problem if games of this type do not count, since predictions become part of the
/// record.
fn read_game_type(row: Row<'_>, column: Option<usize>, sport: Option<Sport>, found: &mut Findings) -> Option<GameType> {
    let word = row.cell(column?).written()?;
    let game_type = GameType::from_word(&word);
    if let (Some(column), Some(sport)) = (column, sport)
        && !game_type.counts_in(sport)
    {
        found.cell(row, column, format!("`regular` or `postseason`: other games of {sport} are not in the record"));
    }
    Some(game_type)
}

/// The first date on which every live forecast must name its release and publication time.
const COMPLETE_SINCE: NaiveDate = match NaiveDate::from_ymd_opt(2026, 10, 3) {
    Some(date) => date,
    None => NaiveDate::MAX,
};

/// The rules for the origin columns of forecasts, which must agree with each other.
#[derive(Debug)]
pub(crate) struct ForecastRules {
    published_at: Option<usize>,
    probability_source: Option<usize>,
}

impl ForecastRules {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self { published_at: layout.find(FORECAST_PUBLISHED_AT), probability_source: layout.find(PROBABILITY_SOURCE) }
    }

    /// Sets the source of a row's forecast if it follows from the other columns, and records contradictions. Without a
    /// key the start time is not checked.
    pub(crate) fn complete(&self, read: &mut GameRow<'_>, key: Option<&GameKey>, row: Row<'_>, found: &mut Findings) {
        let Ok(source) = read.get(FORECAST_SOURCE) else { return };
        let source = source.and_then(Value::text);
        let recorded = read.text(PROBABILITY_SOURCE).map(|made| made == ProbabilitySource::Recorded.word());
        let run = read.text(FORECAST_RUN);
        let published_at = read.get(FORECAST_PUBLISHED_AT).map(|at| at.as_ref().and_then(Value::instant));
        // A forecast recorded before the game is live, even without its source.
        let live = source.map_or(recorded == Some(true), |source| source == ForecastOrigin::LIVE);
        if live {
            if let (Ok(published_at), Some(key)) = (published_at, key) {
                self.check_live(run, published_at, key, row, found);
            }
        } else if published_at.is_ok_and(|at| at.is_some())
            && let Some(column) = self.published_at
        {
            found.cell(row, column, "no publication time unless forecast_source is `live`");
        }
        // A run without a source belongs to a backtest: live rows always have a source.
        let implied = if live { ForecastOrigin::LIVE } else { ForecastOrigin::WALK_FORWARD };
        if live || source.is_some() || run.is_some() {
            self.check_pair(live, recorded, row, found);
            read.complete(FORECAST_SOURCE, implied);
        }
    }

    /// Checks that a live forecast was published before its game started, and that it names its time and release if the
    /// game is from [`COMPLETE_SINCE`] or later.
    fn check_live(
        &self,
        run: Option<&str>,
        published_at: Option<DateTime<Utc>>,
        key: &GameKey,
        row: Row<'_>,
        found: &mut Findings,
    ) {
        if published_at.is_some_and(|at| key.has_started(at))
            && let Some(column) = self.published_at
        {
            found.cell(row, column, "a time before the game's start: a live forecast is recorded before play");
        }
        if key.date >= COMPLETE_SINCE && (run.is_none() || published_at.is_none()) {
            let missing = if run.is_none() { FORECAST_RUN } else { FORECAST_PUBLISHED_AT };
            let expected = format!("a value: live rows from {COMPLETE_SINCE} on have one");
            found.named_cell(row.number(), missing.name, None, expected);
        }
    }

    /// Checks that the probability source agrees with the forecast source.
    fn check_pair(&self, live: bool, recorded: Option<bool>, row: Row<'_>, found: &mut Findings) {
        let (Some(recorded), Some(column)) = (recorded, self.probability_source) else { return };
        if live && !recorded {
            found.cell(row, column, "`recorded`, as forecast_source is `live`");
        } else if !live && recorded {
            found.cell(row, column, "`walk_forward` or `reconstructed_oos`, as forecast_source is `walk_forward`");
        }
    }
}
