use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use serde_json::json;
use sports_domain::{FormError, Season, Sport};
use sports_publication::{Run, SlateActivity};
use sports_publisher_files::ReleaseFiles;
use sports_publisher_files::convert::tables::{
    ColumnMap, Conversion, ConvertError, GameSelection, InputFile, Preset, Request, convert, models_text, text_over,
};

use super::written::{self, present_manifest};
use super::{InFile, LARGEST_TABLE, is_stdin, read_input};
use crate::cli::{Source, Tables};
use crate::failure::{Failure, problem_json};
use crate::places::Places;
use crate::report::{Report, written_instant};

/// The largest size of a map, in bytes.
const LARGEST_MAP: u64 = 1 << 20;

/// The longest time between the start of a run that nobody named and its end.
const LONGEST_RUN: TimeDelta = TimeDelta::hours(24);

/// Converts tables into a release folder, or prints maps.
pub fn run(places: &Places<'_>, arguments: &Tables) -> Result<Report, Failure> {
    let source = &arguments.source;
    if source.preset.as_deref() == Some("list") {
        return Ok(presets());
    }
    if arguments.print_map {
        let text = Maps::of(source)?.text()?;
        return Ok(Report::new(text.lines().map(str::to_owned).collect(), json!({ "map": text })));
    }
    let out = || arguments.out.as_deref().ok_or_else(|| missing("--out FOLDER names the release folder to write"));
    let present = arguments.out.as_deref().and_then(present_manifest);
    let has_run = present.is_some_and(|manifest| !manifest["run"].is_null()) && !arguments.replace;
    let (sport, conversion) = converted(places, &arguments.files, source, has_run, || out().map(drop))?;
    written::write(out()?, sport, &conversion, arguments.replace)?;
    Ok(super::account_report(out()?, sport, &conversion))
}

/// Converts tables into the files of a release, and returns them with the warnings; with `finals`, those of the newest season.
pub fn release(
    places: &Places<'_>,
    files: &[PathBuf],
    source: &Source,
    finals: bool,
) -> Result<(ReleaseFiles, Vec<String>), Failure> {
    let (_, mut conversion) = converted(places, files, source, false, || Ok(()))?;
    if finals {
        conversion = conversion.of_newest_season();
    }
    let files = conversion.files.into_iter().map(|file| (file.path, file.bytes.into()));
    Ok((ReleaseFiles::of(files), conversion.warnings))
}

/// Converts tables. A run that no option describes is left out if the folder has one.
fn converted(
    places: &Places<'_>,
    paths: &[PathBuf],
    source: &Source,
    has_run: bool,
    check: impl FnOnce() -> Result<(), Failure>,
) -> Result<(Sport, Conversion), Failure> {
    let maps = Maps::of(source)?;
    let (files, newest) = tables(paths)?;
    let Some(sport) = source.sport else { return Err(missing("--sport SPORT names the league")) };
    check()?;
    if maps.preset.is_none() && source.map.is_none() {
        return Err(without_map(&files, sport));
    }
    let map = maps.loaded()?;
    let season = source.season.as_deref().map(|label| Season::parse(sport, label)).transpose();
    let now = places.clock.now();
    let run = if has_run && !source.names_a_run() { None } else { run_of(source, now, newest)? };
    let request = Request {
        map: &map,
        sport,
        season: season.map_err(Failure::bad_input)?,
        postseason: source.postseason_from,
        selection: if source.slate { GameSelection::Slate } else { GameSelection::History },
        public: source.public,
        run,
        now,
    };
    let conversion = convert(&request, &files).map_err(|error| failure(error, &request))?;
    if source.names_a_run() && !conversion.has_predictions() {
        let remedy = "--model NAME:MARKET=COLUMN names a column of probabilities, or leave the run out";
        return Err(Failure::bad_input(format!("the tables have no forecast that a run could have made: {remedy}")));
    }
    Ok((sport, conversion))
}

/// Returns the run that made a slate.
fn run_of(source: &Source, now: DateTime<Utc>, newest: Option<DateTime<Utc>>) -> Result<Option<Run>, Failure> {
    if !source.slate {
        let options = "--run-id, --run-started and --run-completed are for --slate: a history has no run";
        return if source.names_a_run() { Err(Failure::bad_input(options)) } else { Ok(None) };
    }
    if source.run_completed.is_some_and(|completed| completed > now) {
        return Err(Failure::bad_input("--run-completed is in the future: a run is published once it has ended"));
    }
    let completed = source.run_completed.unwrap_or_else(|| now.trunc_subsecs(0));
    let earliest = completed - LONGEST_RUN;
    let started = || newest.map_or(completed, |newest| newest.trunc_subsecs(0).clamp(earliest, completed));
    let started = source.run_started.unwrap_or_else(started);
    if started > completed {
        let end = if source.run_completed.is_some() {
            "--run-completed"
        } else {
            "now, where the run ends without --run-completed"
        };
        return Err(Failure::bad_input(format!("--run-started is after {end}")));
    }
    let id = source.run_id.clone().unwrap_or_else(|| written_instant(completed));
    Ok(Some(Run { id, started_at: started, completed_at: Some(completed), slate: SlateActivity::Active }))
}

/// A preset, and over it the publisher's own map with the models of the command line.
struct Maps<'a> {
    source: &'a Source,
    preset: Option<&'static str>,
    own: Option<String>,
}

impl<'a> Maps<'a> {
    fn of(source: &'a Source) -> Result<Self, Failure> {
        let own = source.map.as_deref().map(read_map).transpose()?;
        let preset = source.preset.as_deref().map(|name| Preset::named(name, source.sport)).transpose();
        let preset = preset.map_err(Failure::bad_input)?.map(|preset| preset.text);
        let mut maps = Self { source, preset, own };
        if !source.model.is_empty() {
            // An error of the map has the line of its file.
            ColumnMap::load(None, maps.own.as_deref()).map_err(|error| maps.failure(error))?;
            let models = source.model.iter().map(|model| (model.market, model.name.as_str(), model.column.as_str()));
            let models = models_text(models).map_err(|error| Failure::bad_input(format!("--model: {error}")))?;
            maps.own = Some(text_over(maps.own.as_deref(), Some(&models)).map_err(|error| maps.failure(error))?);
        }
        Ok(maps)
    }

    fn text(&self) -> Result<String, Failure> {
        text_over(self.preset, self.own.as_deref()).map_err(|error| self.failure(error))
    }

    fn loaded(&self) -> Result<ColumnMap, Failure> {
        ColumnMap::load(self.preset, self.own.as_deref()).map_err(|error| self.failure(error))
    }

    /// Returns the failure of a map. The presets are maps, so an error is one of the publisher's own map or models.
    fn failure(&self, error: FormError) -> Failure {
        match &self.source.map {
            Some(map) => InFile::failure(map, error),
            None if self.source.model.is_empty() => Failure::bad_input("a preset"),
            None => Failure::bad_input(format!("--model: {error}")),
        }
    }
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

/// Reads the tables; returns the time of the newest file, too.
fn tables(paths: &[PathBuf]) -> Result<(Vec<InputFile>, Option<DateTime<Utc>>), Failure> {
    if paths.is_empty() {
        return Err(missing("FILE names a table to convert"));
    }
    if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Failure::bad_input("`-` is standard input, which is one table: name it once"));
    }
    let read = |path: &PathBuf| {
        let bytes = read_input(path, LARGEST_TABLE)?;
        let name = if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() };
        Ok(InputFile { name, bytes: Bytes::from(bytes) })
    };
    // The time of a file is a hint: without one it counts as new.
    let modified = |path: &PathBuf| {
        let path = if is_stdin(path) { Path::new("/dev/stdin") } else { path };
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(found.modified().ok()?.into())
    };
    let files = paths.iter().map(read).collect::<Result<_, Failure>>()?;
    Ok((files, paths.iter().filter_map(modified).max()))
}

fn without_map(files: &[InputFile], sport: Sport) -> Failure {
    let fitting = files.first().and_then(|file| Preset::fitting(&file.bytes, Some(sport)).map(|name| (file, name)));
    let hint = fitting.map(|(file, name)| format!("; {} has the columns of --preset {name}", file.name));
    let needed = "--preset NAME or --map FILE says what the columns are; --preset list prints the presets";
    missing(&format!("{needed}{}", hint.unwrap_or_default()))
}

/// The way to say that a slate has no games.
const NO_GAMES: &str =
    "if there are no games, a folder whose release.json has `\"slate\": \"none\"` and a completed `run` confirms it";

fn failure(error: ConvertError, request: &Request<'_>) -> Failure {
    match error {
        ConvertError::Problems(problems) => {
            let lines = problems.iter().map(ToString::to_string).collect();
            let json = problems.iter().map(problem_json).collect();
            Failure::Refused { message: "nothing was written", lines, json }
        }
        ConvertError::NothingKept { rows, left_out } => {
            let mut lines = super::nothing_kept_lines(rows, &left_out, request.sport);
            if matches!(request.selection, GameSelection::Slate) {
                lines.push(NO_GAMES.to_owned());
            }
            let json = left_out.iter().map(|(reason, count)| super::reason_json(reason, *count)).collect();
            Failure::Refused { message: "nothing was written: every row was left out", lines, json }
        }
        error => Failure::bad_input(error),
    }
}
