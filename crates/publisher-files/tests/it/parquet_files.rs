use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int16Array,
    Int64Array, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray, StringViewArray,
    Time64MicrosecondArray, TimestampMicrosecondArray, TimestampNanosecondArray, UInt64Array,
};
use chrono::{NaiveDate, NaiveTime};
use parquet::arrow::ArrowWriter;
use sports_domain::{ModelColumn, ModelType};
use sports_publication::{ForecastOrigin, ReportedGame, Value};

use crate::folder::Folder;

const DAY: i64 = 86_400_000_000_000;

/// Encodes columns as a Parquet file.
pub fn file(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .expect("columns of one length");
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.into_inner().expect("closed")
}

fn days_since_epoch(date: &str) -> i64 {
    let date: NaiveDate = date.parse().expect("a date");
    date.signed_duration_since(NaiveDate::default()).num_days()
}

fn texts(texts: [&str; 2]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

fn key() -> Vec<(&'static str, ArrayRef)> {
    vec![
        ("date", texts(["2024-09-08", "2024-09-09"])),
        ("away_team", texts(["bills", "jets"])),
        ("home_team", texts(["dolphins", "bills"])),
    ]
}

fn games(more: Vec<(&'static str, ArrayRef)>) -> Folder {
    let columns = key().into_iter().chain(more).collect();
    Folder::for_sport("nfl").with("games/2024-25.parquet", file(columns))
}

#[test]
fn whole_columns_of_numbers_and_text_read_like_their_csv() {
    let day = days_since_epoch("2024-09-08");
    let teams: DictionaryArray<Int8Type> = vec!["Miami Dolphins", "Buffalo Bills"].into_iter().collect();
    let midnight = vec![day * DAY, (day + 1) * DAY];
    let folder = Folder::for_sport("nfl").with(
        "games/2024-25.parquet",
        file(vec![
            ("date", Arc::new(TimestampNanosecondArray::from(midnight))),
            ("time_est", Arc::new(Time64MicrosecondArray::from(vec![Some(46_800_000_000), None]))),
            ("away_team", Arc::new(LargeStringArray::from(vec![" Buffalo Bills ", "New York Jets"]))),
            ("home_team", Arc::new(teams)),
            ("season", Arc::new(StringViewArray::from(vec![Some("2024-25"), None]))),
            ("home_score", Arc::new(Float64Array::from(vec![24.0, f64::NAN]))),
            ("away_score", Arc::new(Int16Array::from(vec![Some(20), None]))),
            ("home_money_line", Arc::new(Float64Array::from(vec![Some(-110.0), None]))),
            ("over_under", Arc::new(Float32Array::from(vec![44.5, f32::NAN]))),
            (
                "open_over_under",
                Arc::new(Decimal128Array::from(vec![455, 0]).with_precision_and_scale(4, 1).expect("fits")),
            ),
            ("quote_source", Arc::new(NullArray::new(2))),
            ("__index_level_0__", Arc::new(Int64Array::from(vec![7, 8]))),
        ]),
    );
    let csv = Folder::for_sport("nfl").with(
        "games/2024-25.csv",
        "date,time_est,away_team,home_team,season,home_score,away_score,home_money_line,over_under,open_over_under\n\
         2024-09-08,13:00:00,Buffalo Bills,Miami Dolphins,2024-25,24,20,-110,44.5,45.5\n\
         2024-09-09,,New York Jets,Buffalo Bills,,,,,,0\n",
    );
    assert_eq!(folder.games(), csv.games());
    assert_eq!(folder.season().shared[0].rows[1].place.row, Some(3));
}

/// The fixture has the defaults of pandas: dates as timestamps, a category column and an index column.
#[test]
fn a_file_as_pandas_leaves_it_reads_like_its_csv() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/nfl-2023-week-18/release/games/2023-24.csv");
    let csv = Folder::for_sport("nfl").with("games/2023-24.csv", std::fs::read(fixture).expect("the fixture"));
    let pandas = Folder::for_sport("nfl").with("games/2023-24.parquet", include_bytes!("../data/pandas.parquet"));
    let sorted = |folder: &Folder| {
        let mut games = folder.games();
        games.sort_by(|a, b| a.key.cmp(&b.key));
        games
    };
    assert_eq!(sorted(&pandas), sorted(&csv));
}

#[test]
fn extra_columns_keep_their_type() {
    let games = games(vec![
        ("number", texts(["7", ""])),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), None]))),
        ("share", Arc::new(Float32Array::from(vec![0.52, f32::INFINITY]))),
        ("large", Arc::new(UInt64Array::from(vec![u64::MAX, 3]))),
        ("day", Arc::new(Date32Array::from(vec![Some(0), None]))),
        ("seen", Arc::new(TimestampMicrosecondArray::from(vec![Some(0), None]).with_timezone("+00:00"))),
        ("exact", Arc::new(Decimal128Array::from(vec![125, 0]).with_precision_and_scale(5, 2).expect("fits"))),
    ])
    .games();
    let extras = |game: &ReportedGame| {
        game.extras.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect::<Vec<_>>()
    };
    let text = |text: &str| Value::Text(text.to_owned());
    let named = |pairs: Vec<(&str, Value<String>)>| {
        pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
    };
    assert_eq!(
        extras(&games[0]),
        named(vec![
            ("day", text("1970-01-01")),
            ("exact", Value::Number(1.25)),
            ("flag", Value::Flag(true)),
            ("large", text("18446744073709551615")),
            ("number", text("7")),
            ("seen", text("1970-01-01T00:00:00Z")),
            ("share", Value::Number(0.52)),
        ])
    );
    assert_eq!(
        extras(&games[1]),
        named(vec![("exact", Value::Number(0.0)), ("large", Value::Integer(3)), ("share", text("inf")),])
    );
}

#[test]
fn a_missing_number_is_no_probability_and_no_problem() {
    let published = TimestampMicrosecondArray::from(vec![Some(1_725_796_800_000_000), None]).with_timezone("UTC");
    let columns = key().into_iter().chain(vec![
        ("BLEND", Arc::new(Float64Array::from(vec![0.55, f64::NAN])) as ArrayRef),
        ("forecast_source", Arc::new(StringArray::from(vec![Some("live"), None]))),
        ("forecast_published_at", Arc::new(published)),
    ]);
    let folder = Folder::for_sport("nfl").with("probabilities/won_on_points/2024-25.parquet", file(columns.collect()));
    let season = folder.season();
    let forecasts = &season.markets[&ModelType::WonOnPoints].forecasts;
    let record = |row: usize| &forecasts[row].value.record;
    assert!(record(0).forecasts.get(ModelColumn::Blend).is_some() && record(1).forecasts.is_empty());
    let published_at = "2024-09-08T12:00:00Z".parse().ok();
    assert_eq!(record(0).origin, Some(ForecastOrigin::Live { run: None, published_at }));
}

#[test]
fn a_wrong_cell_is_named_by_row_column_and_value() {
    let moment = days_since_epoch("2024-09-08") * DAY + 1_000_000_000;
    let columns = vec![
        ("date", Arc::new(TimestampNanosecondArray::from(vec![moment, 0])) as ArrayRef),
        ("away_team", texts(["bills", "jets"])),
        ("home_team", texts(["dolphins", "bills"])),
        ("home_money_line", Arc::new(Float64Array::from(vec![-110.5, f64::INFINITY]))),
        ("time", Arc::new(NullArray::new(2))),
        ("game_number", Arc::new(BooleanArray::from(vec![Some(true), None]))),
    ];
    let folder = Folder::for_sport("nfl").with("games/2024-25.parquet", file(columns));
    let problems: Vec<_> = folder
        .problems()
        .into_iter()
        .map(|problem| (problem.place.row, problem.column.unwrap_or_default(), problem.value.unwrap_or_default()))
        .collect();
    let cell = |row, column: &str, value: &str| (Some(row), column.to_owned(), value.to_owned());
    assert_eq!(
        problems,
        [
            cell(2, "date", "2024-09-08T00:00:01"),
            cell(2, "game_number", "true"),
            cell(2, "home_money_line", "-110.5"),
            cell(3, "date", "1970-01-01T00:00:00"),
            cell(3, "home_money_line", "inf"),
        ]
    );
}

#[test]
fn a_column_of_lists_is_no_column_of_cells() {
    let lists = ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([Some(vec![Some(1)]), None]);
    let problems = games(vec![("quarters", Arc::new(lists))]).problems();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].column.as_deref(), Some("quarters"));
}

#[test]
fn a_time_of_day_between_seconds_is_no_start() {
    let nearly = NaiveTime::from_hms_micro_opt(13, 0, 0, 1).expect("a time");
    let micros = nearly.signed_duration_since(NaiveTime::MIN).num_microseconds().expect("small");
    let problems = games(vec![("time", Arc::new(Time64MicrosecondArray::from(vec![micros, 0])))]).problems();
    assert_eq!(problems.len(), 1);
}

/// Flipping the lowest bit turns, among other things, lengths and offsets in the footer negative.
#[test]
fn a_file_with_one_wrong_bit_is_read_or_refused() {
    let whole = file(key());
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        let problems = Folder::for_sport("nfl").with("games/2024-25.parquet", damaged).problems();
        assert!(problems.iter().all(|problem| problem.place.file.ends_with("2024-25.parquet")), "byte {at}");
    }
}

#[test]
fn a_slate_reads_from_parquet_as_pandas_keeps_it() {
    let updated = days_since_epoch("2024-09-08") * DAY + 28_510_000_000_000;
    let more: Vec<(&str, ArrayRef)> = vec![
        ("time", texts(["13:00:00", "16:25:00"])),
        ("match_id", Arc::new(Int64Array::from(vec![7, 8]))),
        ("over_under", Arc::new(Float64Array::from(vec![44.5, f64::NAN]))),
        ("last_updated", Arc::new(TimestampNanosecondArray::from(vec![Some(updated), None]))),
    ];
    let columns = key().into_iter().chain(more).collect();
    let odds = Folder::for_sport("nfl").with("odds.parquet", file(columns)).release().odds.expect("odds");
    assert_eq!(odds[0].value.last_updated, "2024-09-08T07:55:10".parse().ok());
    assert_eq!(odds[0].value.match_id.as_deref(), Some("7"));
    assert_eq!((odds[1].value.last_updated, odds[1].value.lines.total), (None, None));
    assert_eq!(odds[1].place.row, Some(3));
}
