use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde_json::{Value, json};
use sports_domain::{Season, Sport};
use sports_publisher_files::convert::tables::{
    ColumnMap, Conversion, ConvertError, GameSelection, InputFile, Preset, Request, completed_manifest, convert,
    text_over,
};

use super::{InFile, cannot_write};
use crate::cli::Tables;
use crate::failure::{Failure, problem_json};
use crate::places::Places;
use crate::report::Report;
use crate::whole_file;

/// The largest size of a table, in bytes.
const LARGEST_TABLE: u64 = 512 << 20;

/// The largest size of a map, in bytes.
const LARGEST_MAP: u64 = 1 << 20;

/// Converts tables into a release folder, or prints maps.
pub fn run(places: &Places<'_>, arguments: &Tables) -> Result<Report, Failure> {
    if arguments.preset.as_deref() == Some("list") {
        return Ok(presets());
    }
    let own = arguments.map.as_deref().map(read_map).transpose()?;
    let preset = arguments.preset.as_deref().map(|name| Preset::named(name, arguments.sport)).transpose();
    let preset = preset.map_err(Failure::bad_input)?.map(|preset| preset.text);
    // The presets are maps, so an error is one of the publisher's own map.
    let in_map = |error| {
        arguments.map.as_deref().map_or_else(|| Failure::bad_input("a preset"), |map| InFile::failure(map, error))
    };
    if arguments.print_map {
        let text = text_over(preset, own.as_deref()).map_err(in_map)?;
        return Ok(Report::new(text.lines().map(str::to_owned).collect(), json!({ "map": text })));
    }
    let files = tables(&arguments.files)?;
    let Some(sport) = arguments.sport else { return Err(missing("--sport SPORT names the league")) };
    let Some(out) = &arguments.out else { return Err(missing("--out FOLDER names the release folder to write")) };
    if preset.is_none() && own.is_none() {
        return Err(without_map(&files, sport));
    }
    let map = ColumnMap::load(preset, own.as_deref()).map_err(in_map)?;
    let season = arguments.season.as_deref().map(|label| Season::parse(sport, label)).transpose();
    let request = Request {
        map: &map,
        sport,
        season: season.map_err(Failure::bad_input)?,
        postseason: arguments.postseason_from,
        selection: if arguments.slate { GameSelection::Slate } else { GameSelection::History },
        now: places.clock.now(),
    };
    let conversion = convert(&request, &files).map_err(|error| failure(error, sport))?;
    write(out, sport, &conversion)?;
    Ok(super::account_report(out, sport, &conversion))
}

fn missing(what: &str) -> Failure {
    Failure::bad_input(format!("a value is missing: {what}"))
}

fn presets() -> Report {
    let lines = Preset::ALL.map(|preset| format!("{:<24} {}", preset.name, preset.title()));
    let json = Preset::ALL.map(|preset| json!({ "name": preset.name, "title": preset.title() }));
    Report::new(lines.into(), json!({ "presets": json }))
}

fn read_map(path: &Path) -> Result<String, Failure> {
    let bytes = sports_program::regular_file::read(path, LARGEST_MAP).map_err(|error| InFile::failure(path, error))?;
    String::from_utf8(bytes).map_err(|error| InFile::failure(path, error.utf8_error()))
}

fn tables(paths: &[PathBuf]) -> Result<Vec<InputFile>, Failure> {
    if paths.is_empty() {
        return Err(missing("FILE names a table to convert"));
    }
    let read = |path: &PathBuf| {
        let bytes =
            sports_program::regular_file::read(path, LARGEST_TABLE).map_err(|error| InFile::failure(path, error))?;
        Ok(InputFile { name: path.display().to_string(), bytes: Bytes::from(bytes) })
    };
    paths.iter().map(read).collect()
}

fn without_map(files: &[InputFile], sport: Sport) -> Failure {
    let fitting = files.first().and_then(|file| Preset::fitting(&file.bytes, Some(sport)).map(|name| (file, name)));
    let hint = fitting.map(|(file, name)| format!("; {} has the columns of --preset {name}", file.name));
    let needed = "--preset NAME or --map FILE says what the columns are; --preset list prints the presets";
    missing(&format!("{needed}{}", hint.unwrap_or_default()))
}

fn failure(error: ConvertError, sport: Sport) -> Failure {
    match error {
        ConvertError::Problems(problems) => {
            let lines = problems.iter().map(ToString::to_string).collect();
            let json = problems.iter().map(problem_json).collect();
            Failure::Refused { message: "nothing was written", lines, json }
        }
        ConvertError::NothingKept { rows, left_out } => {
            let lines = super::nothing_kept_lines(rows, &left_out, sport);
            let json = left_out.iter().map(|(reason, count)| super::reason_json(reason, *count)).collect();
            Failure::Refused { message: "nothing was written: every row was left out", lines, json }
        }
        error => Failure::bad_input(error),
    }
}

/// Writes the files of a release folder. A folder may be filled by several conversions of a league, but no file is
/// replaced by another one. A `release.json` that is there gets the declarations that it lacks, and the season of a slate.
fn write(out: &Path, sport: Sport, conversion: &Conversion) -> Result<(), Failure> {
    let mut new = Vec::new();
    for file in &conversion.files {
        let path = out.join(&file.path);
        match sports_program::regular_file::read(&path, LARGEST_TABLE) {
            Ok(there) if there == file.bytes => {}
            Ok(there) if file.path == "release.json" && sport_of(&there) == Some(sport) => {
                let completed = completed_manifest(&there, &file.bytes);
                let completed = completed.map_err(|error| InFile::failure(&path, error))?;
                new.extend(completed.map(|bytes| (path, bytes)));
            }
            Ok(_) => {
                let message = format!(
                    "{} is there already, with other content; remove it, or name another --out",
                    path.display()
                );
                return Err(Failure::bad_input(message));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => new.push((path, file.bytes.clone())),
            Err(error) => return Err(cannot_write(&path, error)),
        }
    }
    new.iter().try_for_each(|(path, bytes)| whole_file::write(path, bytes).map_err(|error| cannot_write(path, error)))
}

/// Returns the league of a `release.json`.
fn sport_of(manifest: &[u8]) -> Option<Sport> {
    serde_json::from_slice::<Value>(manifest).ok()?["sport"].as_str()?.parse().ok()
}
