use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use csv::StringRecord;
use foldhash::fast::RandomState;
use sports_domain::{FormError, GameKey, LineColumn, ModelType, NearName, Season, Sport, eastern_date};
use sports_publication::{ListedTwice, ProblemGroup, Run};

use super::entry::Game;
use super::field::{Misread, NameForm};
use super::findings::{Teams, resemblances};
use super::pairs::BothRows;
use super::percentages::Percentages;
use super::release::{declarations, manifest};
use super::source::{Cells, Header, NumberedRow};
use crate::convert::tables::binding::{Supplied, bind};
use crate::convert::tables::findings::{Findings, Reason};
use crate::convert::tables::map::ColumnMap;
use crate::convert::tables::pairs::Pairs;
use crate::convert::tables::patterns::Years;
use crate::convert::tables::plan::{FilterColumn, GameTypeOrigin, Origin, Plan};
use crate::convert::tables::postseason::Postseason;
use crate::convert::tables::reader::{GameReader, GameSelection, Rules, season_of};
use crate::convert::tables::release::{Optional, ReleaseFile, Shape, tables};
use crate::convert::tables::source::{Source, cell};
use crate::convert::tables::starts::Starts;
use crate::convert::tables::zone::Zone;

/// A conversion: the map, and the values that flags supply.
#[derive(Debug)]
pub struct Request<'a> {
    /// The map of the files' columns.
    pub map: &'a ColumnMap,
    pub sport: Sport,
    /// The season of files that do not name one; of other files, the season whose rows are converted.
    pub season: Option<Season>,
    /// The beginning of the postseason, in files without game types.
    pub postseason: Option<Postseason>,
    pub selection: GameSelection,
    /// True to declare the own models as public.
    pub public: bool,
    /// The run of the models, which `release.json` gets if there are predictions.
    pub run: Option<Run>,
    /// The present, which decides whether a game has started.
    pub now: DateTime<Utc>,
}

#[derive(Debug)]
pub struct InputFile {
    /// The name for messages.
    pub name: String,
    /// The content: CSV or Parquet.
    pub bytes: Bytes,
}

/// A release folder, and an account of its conversion.
#[derive(Debug)]
pub struct Conversion {
    /// The files of the folder, `release.json` last.
    pub files: Vec<ReleaseFile>,
    /// The rows and games of each file.
    pub read: Vec<FileSummary>,
    /// The games of each season.
    pub seasons: Vec<SeasonSummary>,
    /// The rows or games that were left out.
    pub left_out: BTreeMap<Reason, u64>,
    /// Cells that were not read: the column, the reason and their number.
    pub unread: Vec<(String, &'static str, u64)>,
    /// The values that the map names and a file does not have.
    pub absent: Vec<String>,
    /// Declarations of the models that are not standard, as `models` of `release.json` has them.
    pub own_models: serde_json::Map<String, serde_json::Value>,
    /// Warnings for the publisher.
    pub warnings: Vec<String>,
}

impl Conversion {
    /// Keeps the newest season, its tables and its figures.
    #[must_use]
    pub fn of_newest_season(mut self) -> Self {
        self.seasons.drain(..self.seasons.len().saturating_sub(1));
        let table = self.seasons.last().map(|season| format!("/{}.csv", season.season));
        self.files.retain(|file| !file.path.contains('/') || table.as_ref().is_some_and(|it| file.path.ends_with(it)));
        self
    }

    /// Returns true if there are forecasts of games to come.
    #[must_use]
    pub fn has_predictions(&self) -> bool {
        self.files.iter().any(|file| is_predictions(&file.path))
    }
}

/// Returns true for the path of a table of forecasts of games to come.
fn is_predictions(path: &str) -> bool {
    path.starts_with("predictions/")
}

/// The error for files that cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The map has a value that cannot be used.
    #[error(transparent)]
    Map(#[from] FormError),
    /// The map is for other leagues.
    #[error("the map is for {}, not for {sport}", map.join(", "))]
    OtherSport {
        /// The leagues of the map.
        map: Vec<String>,
        /// The requested league.
        sport: Sport,
    },
    /// Problems of the files.
    #[error("problems in the files: {}", .0.len())]
    Problems(Vec<ProblemGroup>),
    /// No row is left.
    #[error("every row was left out")]
    NothingKept {
        rows: u64,
        /// The reasons with their numbers of rows.
        left_out: BTreeMap<Reason, u64>,
    },
}

/// Converts files into a release folder.
///
/// # Errors
///
/// [`ConvertError`] with all problems of all files, or with the reasons if no row is left.
pub fn convert(request: &Request<'_>, files: &[InputFile]) -> Result<Conversion, ConvertError> {
    let (map, sport) = (request.map, request.sport);
    if !map.has(sport) {
        return Err(ConvertError::OtherSport { map: map.sports.clone(), sport });
    }
    let mut teams = Teams::new(sport, &map.teams, map.names.unwrap_or(NameForm::Spaced))?;
    let (mut found, mut converted) = (Findings::default(), Converted::default());
    for (place, file) in files.iter().enumerate() {
        found.begin(&file.name);
        let before = converted.games.len();
        let rows = read_file(request, place, file, &mut teams, &mut converted, &mut found);
        if let Err(expected) = &rows {
            found.file_problem(None, expected.clone());
        }
        let games = converted.games.len() - before;
        converted.read.push(FileSummary {
            file: file.name.clone(),
            rows: rows.unwrap_or_default(),
            games: games as u64,
        });
    }
    check_keys(sport, &converted.games, files, &mut found);
    if request.selection == GameSelection::Slate {
        check_one_season(&converted.games, files, &mut found);
    }
    if found.problem_count() > 0 {
        return Err(ConvertError::Problems(found.into_problems()));
    }
    let rows = converted.read.iter().map(|read| read.rows).sum();
    if converted.games.is_empty() {
        return Err(ConvertError::NothingKept { rows, left_out: found.left_out });
    }
    Ok(conversion(request, converted, found))
}

/// The games of the files read so far.
#[derive(Debug, Default)]
struct Converted {
    games: Vec<Game>,
    shape: Shape,
    read: Vec<FileSummary>,
}

/// Reads the games of a file; returns the number of its rows.
fn read_file(
    request: &Request<'_>,
    place: usize,
    file: &InputFile,
    teams: &mut Teams,
    converted: &mut Converted,
    found: &mut Findings,
) -> Result<u64, String> {
    let map = request.map;
    let mut source = Source::open(&file.bytes, map.header.unwrap_or(true))?;
    let mut header = Header::of(&source.header);
    let supplied = Supplied {
        season: request.season,
        postseason: request.postseason,
        needs_game_type: request.selection == GameSelection::History,
    };
    let Some(plan) = bind(map, &mut header, supplied, found) else { return Ok(0) };
    for (column, meant) in resemblances(header.unused(), map) {
        found.warn(&format!("column {column} is not read; it looks like `{meant}`, which the map takes from nowhere"));
    }
    converted.shape.add(&plan, map);
    let zones = zones(map)?;
    let rules = Rules { sport: request.sport, season: request.season, selection: request.selection, now: request.now };
    let constant = plan.season.as_ref().and_then(|(origin, form)| match origin {
        Origin::Constant(text) => season_of(request.sport, text, *form).ok(),
        Origin::Column { .. } => None,
    });
    let years = Years::begin(request.sport, request.season.or(constant), &days(file, map, &plan)?);
    let starts = Starts::new(&plan.starts, zones, years);
    let models = converted.shape.models.len();
    let both_rows = BothRows::of(&plan);
    let (counted, percentages) = (BTreeMap::new(), Percentages::of(&plan));
    let reader = GameReader { plan: &plan, rules, starts, both_rows, teams, file: place, models, counted, percentages };
    let columns = header.len();
    read_rows(&mut source, reader, &map.missing, columns, found, &mut converted.games)
}

/// Returns the month and day of each date without a year, in the order of the file.
fn days(file: &InputFile, map: &ColumnMap, plan: &Plan) -> Result<Vec<(u32, u32)>, String> {
    let mut days = Vec::new();
    if let Some((Origin::Column { index, .. }, patterns)) = &plan.starts.date {
        let (mut source, mut record) = (Source::open(&file.bytes, map.header.unwrap_or(true))?, StringRecord::new());
        while source.read(&mut record)?.is_some() {
            days.extend(patterns.iter().find_map(|pattern| pattern.month_and_day(cell(&record, *index))));
        }
    }
    Ok(days)
}

fn zones(map: &ColumnMap) -> Result<BTreeMap<&str, Zone>, String> {
    let zone = |(venue, word): (&'_ String, &'_ String)| {
        Zone::named(word).ok_or_else(|| format!("time zones under [zones] of the map; `{word}` of {venue} is none"))
    };
    map.zones.iter().map(|entry| zone(entry).map(|zone| (entry.0.as_str(), zone))).collect()
}

fn read_rows(
    source: &mut Source<'_>,
    mut reader: GameReader<'_>,
    missing: &[String],
    columns: usize,
    found: &mut Findings,
    games: &mut Vec<Game>,
) -> Result<u64, String> {
    let plan = reader.plan;
    let (mark, header) = (source.mark, source.header.clone());
    let mut pairs = Pairs::of(plan, mark, missing);
    let mut record = StringRecord::new();
    let mut rows = 0;
    while let Some(number) = source.read(&mut record)? {
        let row = NumberedRow { number, record: &record };
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        rows += 1;
        if !has_length(&record, columns) {
            let expected = format!("{columns} cells, as many as the header has");
            let hint = format!("this row has {}", record.len());
            found.cell(number, None, None, Misread::new(expected).with_hint(Some(hint)));
        } else if record.iter().eq(header.iter()) {
            found.leave_out(Reason::RepeatedHeader);
        } else if is_kept(&plan.filters, &record, found) {
            match &mut pairs {
                None => games.extend(reader.read(&Cells { away: row, home: None, mark, missing }, found)),
                Some(pairs) => {
                    let pair = pairs.add(number, &record, found);
                    games.extend(pair.and_then(|pair| reader.read(&pair.cells(pairs), found)));
                }
            }
        }
    }
    if let Some(pairs) = pairs {
        pairs.finish(found);
    }
    reader.percentages.finish(found);
    Ok(rows)
}

/// Returns true for a row with a cell for each column, and none but blank ones beyond.
fn has_length(record: &StringRecord, columns: usize) -> bool {
    record.len() >= columns && record.iter().skip(columns).all(|cell| cell.trim().is_empty())
}

/// Returns false for a row that a filter leaves out, and counts it.
fn is_kept(filters: &[FilterColumn], record: &StringRecord, found: &mut Findings) -> bool {
    for FilterColumn { name, index, filter } in filters {
        let word = cell(record, *index);
        let is = |known: &String| known == word;
        let is_dropped = filter.drop.iter().any(is);
        if is_dropped || !(filter.keep.is_empty() || filter.keep.iter().any(is)) {
            let keep = if is_dropped { Vec::new() } else { filter.keep.clone() };
            found.leave_out(Reason::Filtered { column: name.clone(), word: word.to_owned(), keep });
            return false;
        }
    }
    true
}

/// Records games that the files have twice.
fn check_keys(sport: Sport, games: &[Game], files: &[InputFile], found: &mut Findings) {
    let mut rows: HashMap<_, &Game, RandomState> = HashMap::default();
    for game in games {
        let time = game.time.filter(|time| !sport.is_placeholder(game.date, *time));
        let number = game.number.filter(|_| time.is_none());
        let key = (game.season, game.date, time, &game.away, &game.home, number);
        let Some(first) = rows.insert(key, game) else { continue };
        let column = if time.is_some() { None } else { Some("game_number") };
        let expected = if time.is_some() {
            "each game once; another row has it already"
        } else {
            "a start time or a game number that tells games of the same teams and date apart; \
             { is = \"order-in-file\" } as columns.game_number counts them"
        };
        let hint = format!(
            "{} {} at {}, as in row {} of {}",
            game.date, game.away, game.home, first.row, files[first.file].name
        );
        found.begin(&files[game.file].name);
        found.cell(game.row, column, None, Misread::new(expected).with_hint(Some(hint)));
    }
}

/// Records a game of a slate that is of another season than the first: a release records predictions in one.
fn check_one_season(games: &[Game], files: &[InputFile], found: &mut Findings) {
    let first = games.first().map(|game| game.season);
    if let Some(other) = games.iter().find(|game| Some(game.season) != first) {
        found.begin(&files[other.file].name);
        let expected = "games of one season in a slate; --season names it";
        found.cell(other.row, None, Some(&other.season.to_string()), Misread::new(expected));
    }
}

fn conversion(request: &Request<'_>, mut converted: Converted, found: Findings) -> Conversion {
    converted.games.sort_by(Game::compared);
    let (games, shape) = (&converted.games, &converted.shape);
    let mut files = tables(games, shape, request.selection);
    let season = games.first().map(|game| game.season).filter(|_| request.selection == GameSelection::Slate);
    let own_models = declarations(&shape.models, request.public);
    let run = request.run.as_ref().filter(|_| files.iter().any(|file| is_predictions(&file.path)));
    files.push(manifest(request.sport, eastern_date(request.now), season, run, &own_models));
    let mut warnings = found.warnings;
    warnings.extend(unusual_months(request.sport, games));
    warnings.extend(near_names(request.sport, games));
    warnings.extend(listed_twice(games, eastern_date(request.now)));
    Conversion {
        seasons: summaries(games, &shape.models),
        own_models,
        files,
        read: converted.read,
        left_out: found.left_out,
        unread: found.unread.into_iter().map(|((column, reason), count)| (column, reason, count)).collect(),
        absent: found.absent,
        warnings,
    }
}

/// Warns of dates outside of the usual months of a season: the year of a sheet's dates may be wrong.
fn unusual_months(sport: Sport, games: &[Game]) -> Vec<String> {
    let mut unusual: BTreeMap<Season, (u64, NaiveDate)> = BTreeMap::new();
    for game in games.iter().filter(|game| &*game.part != "preseason" && !game.season.usually_has(sport, game.date)) {
        unusual.entry(game.season).or_insert((0, game.date)).0 += 1;
    }
    let warning = |(season, (count, first)): (Season, (u64, NaiveDate))| {
        format!("dates outside the usual months of {sport} {season}: {count}, the first is {first}")
    };
    unusual.into_iter().map(warning).collect()
}

/// Warns of colleges that probably have two names in a season.
fn near_names(sport: Sport, games: &[Game]) -> Vec<String> {
    let mut teams: BTreeMap<Season, Vec<_>> = BTreeMap::new();
    for game in games.iter().filter(|_| !sport.is_professional()) {
        teams.entry(game.season).or_default().extend([&game.away, &game.home]);
    }
    let near =
        teams.into_iter().flat_map(|(season, teams)| NearName::among(teams).into_iter().map(move |it| (season, it)));
    near.map(|(season, near)| format!("{sport} {season}: {near}; [teams] of a map gives one team one name")).collect()
}

/// Warns of games without a final that another date has with one.
fn listed_twice(games: &[Game], today: NaiveDate) -> Vec<String> {
    let mut seasons: BTreeMap<Season, [Vec<GameKey>; 2]> = BTreeMap::new();
    for game in games.iter().filter(|game| game.score.is_some() || game.status.is_empty()) {
        seasons.entry(game.season).or_default()[usize::from(game.score.is_some())].push(game.key());
    }
    let twice = |(season, [open, played]): (Season, [Vec<GameKey>; 2])| {
        let twice = ListedTwice::among(&open, &played, today).into_iter();
        twice.map(move |twice| format!("{season}: {twice}")).collect::<Vec<_>>()
    };
    seasons.into_iter().flat_map(twice).collect()
}

impl Shape {
    /// Adds the columns of a file.
    fn add(&mut self, plan: &Plan, map: &ColumnMap) {
        let given = [
            (Optional::Time, plan.starts.start.is_some() || plan.starts.time.is_some()),
            (Optional::GameNumber, plan.game_number.is_some()),
            (Optional::GameType, !matches!(plan.game_type, GameTypeOrigin::NotNeeded)),
            (Optional::Scores, plan.score.is_some() || plan.scores.iter().all(Option::is_some)),
            (Optional::Status, plan.status.is_some()),
        ];
        self.optional.extend(given.into_iter().filter(|(_, is_given)| *is_given).map(|(column, _)| column));
        let texts = plan.texts.iter().map(|(text, _)| *text);
        self.texts.extend(texts.filter(|text| !self.texts.contains(text)).collect::<Vec<_>>());
        let given: Vec<_> =
            plan.prices.iter().map(|(line, ..)| *line).chain(plan.totals.iter().map(|(line, _)| *line)).collect();
        let spreads: Vec<_> = plan.spreads.iter().flat_map(|(line, ..)| both_sides(*line)).collect();
        let has = |line: &LineColumn| self.lines.contains(line) || given.contains(line) || spreads.contains(line);
        self.lines = LineColumn::ALL.into_iter().filter(has).collect();
        self.extras.clone_from(&map.extras);
        let models = ModelType::ALL
            .into_iter()
            .flat_map(|market| map.models_of(market).map(move |(name, _)| (market, name.to_owned())));
        self.models = models.collect();
    }
}

/// Returns the columns of both teams: they are written together.
fn both_sides(line: LineColumn) -> [LineColumn; 2] {
    match line {
        LineColumn::OpenHomePointSpread | LineColumn::OpenAwayPointSpread => {
            [LineColumn::OpenHomePointSpread, LineColumn::OpenAwayPointSpread]
        }
        _ => [LineColumn::HomePointSpread, LineColumn::AwayPointSpread],
    }
}

/// The rows and games of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSummary {
    pub file: String,
    /// The rows, without the header and blank rows.
    pub rows: u64,
    pub games: u64,
}

/// The converted games of a season, and the values that they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonSummary {
    pub season: Season,
    /// The number of games, and of games with each kind of value.
    pub counts: Vec<(&'static str, u64)>,
    /// The number of games with a probability, by market and model.
    pub models: Vec<(ModelType, String, u64)>,
}

/// Counts the games of each season.
pub(crate) fn summaries(games: &[Game], models: &[(ModelType, String)]) -> Vec<SeasonSummary> {
    let mut seasons: BTreeMap<Season, Vec<&Game>> = BTreeMap::new();
    for game in games {
        seasons.entry(game.season).or_default().push(game);
    }
    seasons.into_iter().map(|(season, games)| summary(season, &games, models)).collect()
}

fn summary(season: Season, games: &[&Game], models: &[(ModelType, String)]) -> SeasonSummary {
    let count = |has: &dyn Fn(&Game) -> bool| games.iter().filter(|game| has(game)).count() as u64;
    let priced =
        |one: LineColumn, other: LineColumn| count(&|game| game.price(one).is_some() && game.price(other).is_some());
    let opens = |game: &Game| {
        let line = [LineColumn::OpenHomeMoneyLine, LineColumn::OpenAwayMoneyLine]
            .iter()
            .any(|line| game.price(*line).is_some());
        line || game.spreads.opening.is_some() || game.total(LineColumn::OpenOverUnder).is_some()
    };
    let counts = vec![
        ("games", count(&|_| true)),
        ("postseason", count(&|game| &*game.part == "postseason")),
        ("times", count(&|game| game.time.is_some())),
        ("finals", count(&|game| game.score.is_some())),
        ("money_lines", priced(LineColumn::HomeMoneyLine, LineColumn::AwayMoneyLine)),
        ("spreads", count(&|game| game.spreads.closing.is_some())),
        ("spread_prices", priced(LineColumn::HomePointSpreadLine, LineColumn::AwayPointSpreadLine)),
        ("totals", count(&|game| game.total(LineColumn::OverUnder).is_some())),
        ("total_prices", priced(LineColumn::OverLine, LineColumn::UnderLine)),
        ("openers", count(&opens)),
    ];
    let forecast = |(place, (market, name)): (usize, &(ModelType, String))| {
        (*market, name.clone(), count(&|game| game.models[place].is_some()))
    };
    SeasonSummary { season, counts, models: models.iter().enumerate().map(forecast).collect() }
}
