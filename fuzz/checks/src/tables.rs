//! Tables and maps that `sportsctl convert csv` reads.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_domain::{Season, Sport};
use sports_publisher_files::convert::tables::{
    ColumnMap, Conversion, GameSelection, InputFile, Postseason, Preset, Request,
};
use sports_publisher_files::{ReadError, read};

use crate::published;
use crate::scratch::Scratch;

/// The instant of conversions.
const NOW: &str = "2022-01-08T12:00:00Z";

#[derive(Clone, Copy)]
enum Map {
    Preset(usize),
    /// A map of the publisher's own; a blank line separates it from the table.
    Own,
}

/// Reads any bytes as a table under a preset, or as a map and a table. A converted table is a release without a problem.
pub fn convert(bytes: &[u8]) {
    let maps = [Map::Preset(0), Map::Preset(1), Map::Preset(2), Map::Preset(3), Map::Own];
    let Some((map, rest)) = published::choice(&maps, bytes) else { return };
    let Some((selection, rest)) = published::choice(&[GameSelection::History, GameSelection::Slate], rest) else {
        return;
    };
    let Some((sport, rest)) = published::sport(rest) else { return };
    let (map, table) = match map {
        Map::Preset(place) => (ColumnMap::load(Some(Preset::ALL[place].text), None), rest),
        Map::Own => {
            let text = String::from_utf8_lossy(rest);
            let (map, table) = text.split_once("\n\n").unwrap_or((&text, ""));
            (ColumnMap::load(None, Some(map)), &rest[rest.len().saturating_sub(table.len())..])
        }
    };
    let Ok(map) = map else { return };
    let files = [InputFile { name: "table".to_owned(), bytes: Bytes::copy_from_slice(table) }];
    let season = Season::starting_in(sport, 2021);
    let postseason = "2022-01-15".parse::<Postseason>().ok();
    let request = Request { map: &map, sport, season, postseason, selection, public: false, run: None, now: now() };
    if let Ok(conversion) = sports_publisher_files::convert::tables::convert(&request, &files) {
        is_a_release(sport, &conversion);
    }
}

fn is_a_release(sport: Sport, conversion: &Conversion) {
    // A map may name models that a league cannot declare together, such as two names that differ in case alone.
    if !conversion.own_models.is_empty() {
        return;
    }
    let scratch = Scratch::new();
    for file in &conversion.files {
        scratch.write(&file.path, &file.bytes);
    }
    match read(scratch.path(), now()) {
        Ok(read) => {
            assert_eq!(read.release.sport, sport);
            let tables = read.release.history.iter().flat_map(|season| &season.shared);
            let games: usize = tables.map(|table| table.rows.len()).sum();
            let converted: u64 = conversion.seasons.iter().map(|season| season.counts[0].1).sum();
            assert!(read.release.history.is_empty() || games as u64 == converted, "games are lost");
        }
        Err(ReadError::Problems(problems)) => panic!("what was converted is no release: {problems:?}"),
        Err(error) => panic!("the folder is there: {error:?}"),
    }
}

fn now() -> DateTime<Utc> {
    NOW.parse().expect("an instant")
}
