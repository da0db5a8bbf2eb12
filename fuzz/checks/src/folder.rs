//! Release folders and files of finals.

use std::fmt::Debug;

use bytes::Bytes;
use chrono::{DateTime, NaiveTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{Season, Sport};
use sports_ports::publication::SlateCodec as _;
use sports_publication::registry::{Declaring, Moment, RegistryOnRecord};
use sports_publication::{Generation, Problem, SlateArtifact};
use sports_publisher_files::{ReadError, ReadRelease, read, read_finals, read_under};
use sports_store::JsonSlates;

use crate::published;
use crate::published::publishes;
use crate::runtime::block_on;
use crate::scratch::Scratch;

/// The kind of a table.
#[derive(Debug, Clone, Copy)]
enum Table {
    Games,
    Probabilities,
    Results,
    Odds,
    Predictions,
    Finals,
}

/// Tables that may be CSV or Parquet: all of them.
const TABLES: [Table; 6] =
    [Table::Games, Table::Probabilities, Table::Results, Table::Odds, Table::Predictions, Table::Finals];

/// Tables that may be JSON.
const SLATE: [Table; 3] = [Table::Odds, Table::Predictions, Table::Finals];

/// The slate of `fixtures/nfl-2023-week-18-slate`: the other files beside a manifest.
const PREDICTIONS: &str =
    include_str!("../../../fixtures/nfl-2023-week-18-slate/release/predictions/won_on_spread.csv");

const ODDS: &str = include_str!("../../../fixtures/nfl-2023-week-18-slate/release/odds.json");

/// Reads any bytes as a table in CSV. The result is a release or problems of this file, and the same a second time. A
/// release can be published, or is refused for its rows.
pub fn csv(bytes: &[u8]) {
    let _ = table(&TABLES, "csv", bytes);
}

/// Reads any bytes as a table in JSON, like [`csv`].
pub fn json(bytes: &[u8]) {
    let _ = table(&SLATE, "json", bytes);
}

/// Reads any bytes as a table in Parquet, like [`csv`].
pub fn parquet(bytes: &[u8]) {
    let _ = table(&TABLES, "parquet", bytes);
}

/// A registry with models in use, a retired model, and a name that is no model's.
const REGISTRY: &[u8] = include_bytes!("../../../fuzz/seeds/slate/registry_everything");

/// Reads any bytes as `release.json`, beside a valid slate: in a league without models, then in one with a registry. Its
/// declarations either can be made or are problems of that file.
pub fn manifest(bytes: &[u8]) {
    let now = "2024-01-06T15:00:00Z".parse().expect("an instant");
    let folder = Folder::new(bytes);
    folder.scratch.write("predictions/won_on_spread.csv", PREDICTIONS);
    folder.scratch.write("odds.json", ODDS);
    folder.reads(now, |_| true);
    let models = registry_on_record();
    let read = same(|| read_under(folder.scratch.path(), now, &models).map(|read| read.release).map_err(problems));
    if let Ok(release) = read {
        let moment = Moment { generation: models.next, at: now };
        let made = models.registry.declare(&release.models.declarations, &Declaring { moment, before: models.object });
        assert_eq!(made.as_ref(), Ok(&release.models.read_under), "declared otherwise than read");
    }
}

fn registry_on_record() -> RegistryOnRecord {
    let (sport, bytes) = published::sport(REGISTRY).expect("a league");
    let artifact = JsonSlates.decode(sport, &Bytes::from_static(bytes)).expect("the seed is a registry");
    let SlateArtifact::Models(registry) = artifact else { panic!("the seed is no registry") };
    let next = Generation::new(4).expect("not zero");
    RegistryOnRecord { registry, object: Some(ObjectHash::from_bytes(bytes)), next }
}

fn table(tables: &[Table], ending: &str, bytes: &[u8]) -> Option<()> {
    let (table, rest) = published::choice(tables, bytes)?;
    let (sport, season, bytes) = published::season(rest)?;
    let name = match table {
        Table::Games => format!("games/{season}.{ending}"),
        Table::Probabilities => format!("probabilities/won_on_points/{season}.{ending}"),
        Table::Results => format!("results/over_under/{season}.{ending}"),
        Table::Odds => format!("odds.{ending}"),
        Table::Predictions => format!("predictions/won_on_spread.{ending}"),
        Table::Finals => {
            finals(sport, &format!("finals.{ending}"), bytes);
            return Some(());
        }
    };
    let first_week = opening(sport, season);
    let slate_date = first_week.date_naive();
    let manifest = format!(r#"{{"sport": "{sport}", "season": "{season}", "slate_date": "{slate_date}"}}"#);
    let folder = Folder::new(manifest.as_bytes());
    folder.scratch.write(&name, bytes);
    folder.reads(first_week, |problem| *problem.place.file == *name);
    Some(())
}

fn finals(sport: Sport, name: &str, bytes: &[u8]) {
    let scratch = Scratch::new();
    let path = scratch.write(name, bytes);
    let _ = same(|| match read_finals(&path, sport) {
        Ok(read) => {
            assert!(read.rows.iter().all(|row| row.place.row.is_some()), "a final of no row");
            Ok(read)
        }
        Err(error) => Err(problems(error)),
    });
}

/// Returns the Saturday of the fixtures' slate, moved to another season, so that rows of that season are near it.
fn opening(sport: Sport, season: Season) -> DateTime<Utc> {
    let year = i32::from(season.first_year()) + i32::from(sport.splits_years());
    let day = chrono::NaiveDate::from_ymd_opt(year, if sport.splits_years() { 1 } else { 7 }, 6);
    day.expect("a day of every year").and_time(NaiveTime::from_hms_opt(15, 0, 0).expect("a time")).and_utc()
}

struct Folder {
    scratch: Scratch,
}

impl Folder {
    fn new(manifest: &[u8]) -> Self {
        let scratch = Scratch::new();
        scratch.write("release.json", manifest);
        Self { scratch }
    }

    fn reads(&self, now: DateTime<Utc>, belongs: impl Fn(&Problem) -> bool) {
        let outcome = same(|| match read(self.scratch.path(), now) {
            Ok(ReadRelease { release, warnings }) => Ok((release, warnings)),
            Err(error) => Err(problems(error)),
        });
        match outcome {
            Ok((release, _)) => block_on(publishes(&release, now)),
            Err(problems) => {
                assert!(!problems.is_empty(), "refused without a problem");
                let stray = problems.iter().find(|problem| !belongs(problem));
                assert!(stray.is_none(), "a problem of another file: {stray:?}");
            }
        }
    }
}

fn problems(error: ReadError) -> Vec<Problem> {
    match error {
        ReadError::Problems(problems) => problems,
        error @ ReadError::Io { .. } => panic!("the file is there: {error:?}"),
    }
}

/// Reads twice, and checks that both results are equal.
fn same<T: Debug + PartialEq>(read: impl Fn() -> T) -> T {
    let (one, other) = (read(), read());
    assert_eq!(one, other, "read twice, the results differ");
    one
}
