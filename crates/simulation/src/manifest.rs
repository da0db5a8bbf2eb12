use std::fmt::Write as _;

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use sports_domain::{GameKey, ModelType, Season, Sport, eastern_date};

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
        let completed = run.completed.map(|at| format!(", \"completed_at\": \"{}\"", written(at))).unwrap_or_default();
        format!("\"run\": {{\"id\": \"{id}\", \"started_at\": \"{}\"{completed}}}", written(run.started))
    }

    fn sources(&self) -> Option<String> {
        let odds = self.odds_as_of.map(|odds| format!("\"odds\": \"{}\"", written(odds)))?;
        let predictions = self.run.map(|_| format!(", \"predictions\": \"{}\"", written(self.instant)));
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

fn written(instant: DateTime<Utc>) -> String {
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
