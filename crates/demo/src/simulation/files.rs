use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::path::Path;
use std::{fs, io};

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use sports_domain::{
    Forecasts, GameKey, GameLines, LineColumn, LineValue, ModelColumn, ModelType, Season, Sport, eastern_date,
};

/// The files of a release folder, by their relative path.
///
/// [`Self::write`] is the only function of this crate that accesses a disk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReleaseFiles(BTreeMap<String, String>);

impl ReleaseFiles {
    pub(crate) fn add(&mut self, path: impl Into<String>, text: String) {
        self.0.insert(path.into(), text);
    }

    /// Returns the paths, with forward slashes, and the contents.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the content of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Writes the files into a folder, which is created if necessary; other files are kept.
    ///
    /// # Errors
    ///
    /// The file system's error.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        for (path, text) in self.iter() {
            let file = folder.join(path);
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(file, text)?;
        }
        Ok(())
    }
}

/// A writer of CSV. No simulated cell contains a comma, a quote or a line break.
#[derive(Debug)]
pub(crate) struct Csv {
    text: String,
    at_start: bool,
}

impl Csv {
    /// Creates a file with this header.
    pub(crate) fn with_header<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut csv = Self { text: String::new(), at_start: true };
        names.into_iter().for_each(|name| csv.cell(name));
        csv.end_row();
        csv
    }

    pub(crate) fn cell(&mut self, value: impl Display) {
        if !std::mem::replace(&mut self.at_start, false) {
            self.text.push(',');
        }
        write!(self.text, "{value}").expect("a string takes any text");
    }

    /// Writes a cell; empty for a missing value.
    pub(crate) fn optional(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.cell(value),
            None => self.cell(""),
        }
    }

    pub(crate) fn end_row(&mut self) {
        self.text.push('\n');
        self.at_start = true;
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Writes date, time and teams; the caller writes the game number.
    pub(crate) fn key(&mut self, key: &GameKey) {
        self.cell(key.date);
        self.optional(key.time);
        self.cell(&key.away);
        self.cell(&key.home);
    }

    /// Writes the lines and prices of these columns.
    pub(crate) fn lines(&mut self, lines: &GameLines, columns: &[LineColumn], zeros: Zeros) {
        for column in columns {
            match lines.value(*column) {
                Some(LineValue::Price(price)) => self.cell(price.get()),
                Some(LineValue::Points(points)) => self.cell(format_args!("{points:.1}")),
                None if zeros == Zeros::InOpeners && is_zeroed(*column) => self.cell(0),
                None => self.cell(""),
            }
        }
    }

    /// Writes the probabilities of these models with four decimals each.
    pub(crate) fn models(&mut self, forecasts: &Forecasts<'_>, columns: &[ModelColumn]) {
        for column in columns {
            self.optional(forecasts.get(*column).map(|probability| format!("{:.4}", probability.get())));
        }
    }
}

/// The text for missing openers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zeros {
    Nowhere,
    InOpeners,
}

const fn is_zeroed(column: LineColumn) -> bool {
    matches!(column, LineColumn::OpenHomeMoneyLine | LineColumn::OpenAwayMoneyLine | LineColumn::OpenOverUnder)
}

/// The content of a `release.json`.
#[derive(Debug)]
pub(crate) struct Manifest<'m> {
    pub(crate) sport: Sport,
    pub(crate) season: Option<Season>,
    /// The time of the release, which belongs to this instant's Eastern day.
    pub(crate) instant: DateTime<Utc>,
    pub(crate) slate: Option<SlateActivity>,
    /// The run that made the release; `None` for an odds refresh.
    pub(crate) run: Option<RunOf>,
    pub(crate) odds_as_of: Option<DateTime<Utc>>,
    pub(crate) held: &'m [(ModelType, GameKey)],
    /// The object `models`: declarations of own models.
    pub(crate) models: Option<String>,
}

/// A run of the models.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunOf {
    /// The kind of run, a word of its id.
    pub(crate) kind: &'static str,
    pub(crate) started: DateTime<Utc>,
    pub(crate) completed: Option<DateTime<Utc>>,
}

/// The presence of games on the slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlateActivity {
    Active,
    None,
}

impl RunOf {
    /// The duration of a run.
    const DURATION: Duration = Duration::minutes(12);

    /// Creates a run that ends at `instant`.
    pub(crate) fn done(kind: &'static str, instant: DateTime<Utc>) -> Self {
        Self { kind, started: instant - Self::DURATION, completed: Some(instant) }
    }

    /// Creates a run that begins at `instant`.
    pub(crate) const fn begun(kind: &'static str, instant: DateTime<Utc>) -> Self {
        Self { kind, started: instant, completed: None }
    }

    /// Creates a run that is half complete at `instant`.
    pub(crate) fn underway(kind: &'static str, instant: DateTime<Utc>) -> Self {
        Self::begun(kind, instant - Self::DURATION / 2)
    }
}

impl Manifest<'_> {
    /// Returns the file's text. Every value is a word, a slug, a date or a time, so nothing needs escaping.
    pub(crate) fn text(&self) -> String {
        let date = eastern_date(self.instant);
        let mut fields = vec![format!("\"sport\": \"{}\"", self.sport)];
        fields.extend(self.season.map(|season| format!("\"season\": \"{season}\"")));
        fields.push("\"zero_spread_openers\": \"placeholder\"".to_owned());
        fields.push(format!("\"slate_date\": \"{date}\""));
        fields.extend(self.slate.map(|slate| format!("\"slate\": \"{}\"", slate.word())));
        fields.extend(self.run.map(|run| self.run(run)));
        fields.extend(self.sources());
        if !self.held.is_empty() {
            fields.push(self.held_games());
        }
        fields.extend(self.models.as_ref().map(|models| format!("\"models\": {models}")));
        format!("{{\n  {}\n}}\n", fields.join(",\n  "))
    }

    fn run(&self, run: RunOf) -> String {
        let id = format!("{}-{}-{}", self.sport, run.kind, self.instant.format("%Y%m%dT%H%M%SZ"));
        let completed =
            run.completed.map(|at| format!(", \"completed_at\": \"{}\"", to_rfc3339(at))).unwrap_or_default();
        format!("\"run\": {{\"id\": \"{id}\", \"started_at\": \"{}\"{completed}}}", to_rfc3339(run.started))
    }

    fn sources(&self) -> Option<String> {
        let odds = self.odds_as_of.map(|odds| format!("\"odds\": \"{}\"", to_rfc3339(odds)))?;
        let predictions = self.run.map(|_| format!(", \"predictions\": \"{}\"", to_rfc3339(self.instant)));
        Some(format!("\"source_as_of\": {{{odds}{}}}", predictions.unwrap_or_default()))
    }

    fn held_games(&self) -> String {
        let mut lists = Vec::new();
        for model_type in ModelType::ALL {
            let of_market = self.held.iter().filter(|(held, _)| *held == model_type);
            let games: Vec<_> = of_market.map(|(_, key)| game(key)).collect();
            if !games.is_empty() {
                lists.push(format!("\"{model_type}\": [\n    {}\n  ]", games.join(",\n    ")));
            }
        }
        format!("\"held_games\": {{{}}}", lists.join(", "))
    }
}

fn game(key: &GameKey) -> String {
    let mut text = format!("{{\"date\": \"{}\"", key.date);
    if let Some(time) = key.time {
        write!(text, ", \"time_est\": \"{time}\"").expect("a string takes any text");
    }
    text + &format!(", \"away_team\": \"{}\", \"home_team\": \"{}\"}}", key.away, key.home)
}

fn to_rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl SlateActivity {
    const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::None => "none",
        }
    }
}
