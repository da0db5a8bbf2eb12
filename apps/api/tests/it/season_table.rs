//! The season table as the one list of a season's columns: files, archives, pages and the document follow it.

use std::borrow::Cow;
use std::fs;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value as Json};
use sports_api::openapi::Document;
use sports_domain::paging::{Order, PageRows};
use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::publication::ArchiveCodec;
use sports_ports::tables::TableFormat;
use sports_publication::identity::{OnRecord, Resolution};
use sports_publication::season_table::{
    ColumnGroup, ColumnKind, GAME_ID, GAME_NUMBER, GAME_TYPE, InSeasons, RowValues, SEASON_COLUMNS, SeasonColumn, TIME,
};
use sports_publication::testing::a_release;
use sports_publication::{ArchivedGame, LeagueRecord, Release, SeasonArchive, SeasonHistory, Value, merge_history};
use sports_publisher_files::{FileKind, TemplateKind, template};
use sports_tables::CsvTables;
use sports_tables::archive::ParquetArchives;
use sports_tables::{RenderedSeason, SeasonTable, TabularSeason};

const MARKET: Market = Market::new(Sport::Nfl, ModelType::OverUnder);
const LABEL: &str = "2024-25";

fn stored() -> impl Iterator<Item = &'static SeasonColumn> {
    SEASON_COLUMNS.iter().filter(|column| column.is_stored())
}

/// Columns that publishers' files have too.
fn in_files() -> impl Iterator<Item = &'static SeasonColumn> {
    stored().filter(|column| column.is_published())
}

/// A value that fits a column and all others beside it.
fn sample(column: &SeasonColumn) -> Value<Cow<'static, str>> {
    match column.kind {
        ColumnKind::Date => Value::Date("2024-09-08".parse().expect("a date")),
        ColumnKind::Time => Value::Time("13:05:00".parse().expect("a time")),
        ColumnKind::WallClock => Value::WallClock("2024-09-08T13:05:00".parse().expect("a date and time")),
        ColumnKind::Instant => Value::Instant("2024-09-07T12:00:00Z".parse().expect("an instant")),
        ColumnKind::Season => Value::Text(LABEL.into()),
        ColumnKind::GameNumber | ColumnKind::Outcome => Value::Integer(1),
        ColumnKind::Score => Value::Integer(24),
        ColumnKind::Price => Value::Integer(-110),
        ColumnKind::Points if column.name.contains("away") => Value::Number(2.5),
        ColumnKind::Points => Value::Number(-2.5),
        ColumnKind::Total => Value::Number(41.5),
        ColumnKind::Probability => Value::Number(0.6),
        ColumnKind::Flag => Value::Flag(true),
        ColumnKind::Word(words) => Value::Text(words[0].into()),
        // A word beside a score.
        ColumnKind::Text if column.name == "settlement_status" => Value::Text("provisional".into()),
        ColumnKind::Team | ColumnKind::Text => Value::Text(column.name.into()),
    }
}

/// Returns a game with a value in each stored column but one: no game has both a time and a number.
fn a_full_game(without: &SeasonColumn) -> ArchivedGame {
    let mut values = RowValues::default();
    for column in stored().filter(|column| *column != without) {
        values.put(column, sample(column));
    }
    values.game(values.key().expect("a key")).expect("a game")
}

fn season() -> Season {
    Season::parse(Sport::Nfl, LABEL).expect("a season")
}

fn full_season() -> SeasonArchive {
    let games = [TIME, GAME_NUMBER].map(a_full_game);
    SeasonArchive::new(MARKET, season(), games.to_vec()).expect("two games")
}

#[test]
fn every_stored_column_survives_an_archive() {
    let archive = full_season();
    let bytes = ArchiveCodec::encode(&ParquetArchives, &archive).expect("encodes");
    let read = ParquetArchives.decode(MARKET, season(), bytes).expect("decodes");
    assert_eq!(read, archive);
    for column in stored() {
        let has = |game: &ArchivedGame| column.stored(game, LABEL).map(|value| value.written().into_owned());
        let values: Vec<_> = read.games().iter().filter_map(has).collect();
        assert!(values.contains(&sample(column).borrowed().written().into_owned()), "{}: {values:?}", column.name);
    }
}

/// Returns the time of publication.
fn now() -> DateTime<Utc> {
    "2024-09-10T12:00:00Z".parse().expect("an instant")
}

/// Reads a folder whose results have a row for each element of `games`: without that column, and with a value in every
/// other column that `has` selects.
fn history_of(games: &[&SeasonColumn], has: impl Fn(&SeasonColumn) -> bool) -> SeasonHistory {
    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("results/over_under");
    fs::create_dir_all(&results).expect("a folder");
    fs::write(folder.path().join("release.json"), r#"{"sport": "nfl", "slate_date": "2024-09-10"}"#).expect("written");
    let header: Vec<_> = template(TemplateKind::Table(FileKind::Results)).columns;
    // Void markets are stored behind the word of the status.
    assert_eq!(header.len(), in_files().count() + 1);
    let mut file = header.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(",") + "\n";
    for without in games {
        let column = |name: &str| stored().find(|column| column.name == name && column != without && has(column));
        let cell =
            |name| column(name).map(|column| sample(column).borrowed().written().into_owned()).unwrap_or_default();
        file += &(header.iter().map(|column| cell(&column.name)).collect::<Vec<_>>().join(",") + "\n");
    }
    fs::write(results.join("2024-25.csv"), file).expect("written");
    let read = sports_publisher_files::read(folder.path(), now()).expect("a release without a problem");
    read.release.history.into_iter().next().expect("a season")
}

#[test]
fn every_stored_column_is_read_from_a_publishers_file() {
    let history = history_of(&[TIME, GAME_NUMBER], |_| true);
    let market = &history.markets[&ModelType::OverUnder];
    let rows = market.games[0].rows.iter().zip(&market.forecasts);
    let games = rows.map(|(row, forecast)| ArchivedGame {
        facts: row.value.clone().recorded(),
        forecast: forecast.value.record.clone(),
    });
    let in_a_file = |without| {
        let mut game = a_full_game(without);
        game.facts.former_starts = None;
        game.forecast.recorded = false;
        game
    };
    assert_eq!(games.collect::<Vec<_>>(), [TIME, GAME_NUMBER].map(in_a_file));
}

#[test]
fn every_stored_column_of_an_import_reaches_a_recorded_game() {
    let of_key = |column: &SeasonColumn| {
        matches!(column.group, ColumnGroup::Start | ColumnGroup::Teams | ColumnGroup::GameNumber)
    };
    let merged = |existing: Option<&SeasonArchive>, history: &SeasonHistory| {
        let archives = existing.into_iter().map(|archive| ((MARKET.model_type, archive.season()), archive.clone()));
        let record = LeagueRecord { archives: archives.collect(), ..LeagueRecord::default() };
        let release = Release { history: vec![history.clone()], ..a_release(MARKET.sport, LABEL, Vec::new()) };
        let resolution = Resolution::of(&release, &OnRecord::of(&record, None), history.season, now());
        merge_history(MARKET, existing, history, &resolution, None, now()).expect("merges").archive
    };
    // The sample of a game type is none that counts in a league; empty is a regular game.
    let all = history_of(&[GAME_NUMBER], |column| column != GAME_TYPE && column != GAME_ID);
    let on_record = merged(None, &history_of(&[GAME_NUMBER], of_key));
    let (updated, added) = (merged(Some(&on_record), &all), merged(None, &all));
    // The identity is that of the game, whatever a file names.
    for column in in_files().filter(|column| !of_key(column) && *column != GAME_ID) {
        let value = |archive: &SeasonArchive| {
            column.stored(&archive.games()[0], LABEL).map(|value| value.written().into_owned())
        };
        assert!(value(&added).is_some(), "{}", column.name);
        assert_eq!(value(&updated), value(&added), "{}", column.name);
    }
}

#[test]
fn every_column_is_in_a_row_and_in_the_header_of_a_csv_page() {
    let rendered = RenderedSeason::from_archive(full_season());
    let rows = [b"[", &rendered.json(Order::OldestFirst).slice(&(0..2))[..], b"]"].concat();
    let rows: Vec<Map<String, Json>> = serde_json::from_slice(&rows).expect("JSON");
    let tabular = TabularSeason::from_archive(full_season());
    let csv = CsvTables.encode(tabular.table(Order::OldestFirst, &PageRows::Run(0..2))).expect("CSV");
    let header = csv.split(|byte| *byte == b'\n').next().expect("a header");
    let header: Vec<_> = std::str::from_utf8(header).expect("text").trim().split(',').collect();
    for column in SEASON_COLUMNS {
        let shown = match column.in_seasons {
            InSeasons::None => false,
            InSeasons::OfMarket(market) => market == MARKET.model_type,
            _ => true,
        };
        assert_eq!(header.contains(&column.name), shown, "{}", column.name);
        assert_eq!(rows.iter().all(|row| row.contains_key(column.name)), shown, "{}", column.name);
        if column.is_stored() && shown {
            let value = Some(sample(column).borrowed().written().into_owned());
            let plain = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let values: Vec<_> = rows.iter().map(|row| row.get(column.name).map(plain)).collect();
            assert!(values.contains(&value), "{}: {values:?}", column.name);
        }
    }
}

#[test]
fn every_column_is_described_in_the_document() {
    let document: Json = serde_json::from_slice(Document::for_routes(sports_api::routes::all).bytes()).expect("JSON");
    let row = &document["components"]["schemas"]["ResultRow"];
    for column in SEASON_COLUMNS.iter().filter(|column| column.in_seasons != InSeasons::None) {
        let property = &row["properties"][column.name];
        // A closed set has a schema of its own, perhaps beside null.
        let property = property["oneOf"].get(0).unwrap_or(property);
        let own = property["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
        let property = own.map_or(property, |own| document.pointer(own).expect("a schema"));
        assert_eq!(property["description"], column.documentation, "{}", column.name);
        if let ColumnKind::Word(words) = column.kind {
            assert_eq!(property["enum"], Json::from(words), "{}", column.name);
        }
    }
}
