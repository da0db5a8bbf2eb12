//! Conversions of files that are written by hand.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_domain::{Season, Sport};
use sports_publisher_files::convert::tables::{
    ColumnMap, Conversion, ConvertError, GameSelection, InputFile, Postseason, Preset, Request, convert,
};

pub const NOW: &str = "2026-11-23T12:00:00Z";

/// A conversion under construction.
pub struct Trial {
    sport: Sport,
    preset: Option<&'static str>,
    map: Option<String>,
    season: Option<String>,
    postseason: Option<Postseason>,
    selection: GameSelection,
    now: DateTime<Utc>,
}

impl Trial {
    pub fn of(sport: Sport) -> Self {
        let now = NOW.parse().expect("an instant");
        Self { sport, preset: None, map: None, season: None, postseason: None, selection: GameSelection::History, now }
    }

    pub fn preset(mut self, name: &'static str) -> Self {
        self.preset = Some(name);
        self
    }

    pub fn map(mut self, toml: &str) -> Self {
        self.map = Some(toml.to_owned());
        self
    }

    pub fn season(mut self, label: &str) -> Self {
        self.season = Some(label.to_owned());
        self
    }

    /// Names the first date of the postseason; `none` for a file without one.
    pub fn postseason_from(mut self, date: &str) -> Self {
        self.postseason = Some(date.parse().expect("a date"));
        self
    }

    pub fn slate(mut self, now: &str) -> Self {
        self.selection = GameSelection::Slate;
        self.now = now.parse().expect("an instant");
        self
    }

    pub fn run(&self, files: &[(&str, &[u8])]) -> Result<Conversion, ConvertError> {
        let preset = self.preset.map(|name| Preset::named(name, Some(self.sport))).transpose()?;
        let map = ColumnMap::load(preset.map(|preset| preset.text), self.map.as_deref())?;
        let file = |(name, bytes): &(&str, &[u8])| InputFile {
            name: (*name).to_owned(),
            bytes: Bytes::copy_from_slice(bytes),
        };
        let files: Vec<_> = files.iter().map(file).collect();
        let season = self.season.as_ref().map(|label| Season::parse(self.sport, label).expect("a season"));
        let (postseason, selection, now) = (self.postseason, self.selection, self.now);
        convert(
            &Request { map: &map, sport: self.sport, season, postseason, selection, public: false, run: None, now },
            &files,
        )
    }

    pub fn converted(&self, text: &str) -> Conversion {
        self.run(&[("file.csv", text.as_bytes())]).unwrap_or_else(|error| panic!("{}", told(error).join("\n")))
    }

    /// Returns the messages of a conversion that is refused.
    pub fn refused(&self, text: &str) -> Vec<String> {
        told(self.run(&[("file.csv", text.as_bytes())]).expect_err("it cannot be converted"))
    }
}

/// Returns the messages of an error.
pub fn told(error: ConvertError) -> Vec<String> {
    match error {
        ConvertError::Problems(problems) => problems.iter().map(ToString::to_string).collect(),
        error => vec![error.to_string()],
    }
}

/// Returns the text of a converted file.
pub fn file<'c>(conversion: &'c Conversion, path: &str) -> &'c str {
    let paths: Vec<_> = conversion.files.iter().map(|file| file.path.as_str()).collect();
    let file = conversion.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} in {paths:?}"));
    std::str::from_utf8(&file.bytes).expect("text")
}

/// Returns the cells of a column, one for each row.
pub fn column(text: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header");
    let index = header.iter().position(|known| known == name).unwrap_or_else(|| panic!("{name} in {header:?}"));
    reader.records().map(|record| record.expect("a row")[index].to_owned()).collect()
}
