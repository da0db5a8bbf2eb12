use sports_domain::{LineColumn, ModelColumn, Sport};
use sports_publication::ProbabilitySource;

/// A kind of table in a release folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// `games/{season}`: lines, prices and finals, told for all three markets.
    Games,
    /// `probabilities/{model_type}/{season}`: a market's model probabilities.
    Probabilities,
    /// `results/{model_type}/{season}`: both at once, told for one market.
    Results,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Games, Self::Probabilities, Self::Results];

    /// The folder such files are in.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Probabilities => "probabilities",
            Self::Results => "results",
        }
    }

    /// Whether there is such a file for each market.
    #[must_use]
    pub const fn is_of_one_market(self) -> bool {
        !matches!(self, Self::Games)
    }
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// `YYYY-MM-DD`.
    Date,
    /// `HH:MM:SS` or `HH:MM`.
    Time,
    /// A time with its offset from UTC (RFC 3339).
    Instant,
    /// `YYYY` for mlb, else `YYYY-YY`.
    Season,
    /// A display name or slug.
    Team,
    /// A whole number, 1 to 9.
    GameNumber,
    /// A whole number, 0 or more.
    Score,
    /// American odds; 0 for none.
    Price,
    /// A spread in points; 0 is a pick'em.
    Points,
    /// A total in points; 0 for none.
    Total,
    /// From 0 to 1.
    Probability,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Anything.
    Text,
    /// Fields of its own: only in `release.json`.
    Object,
    /// A list: only in `release.json`.
    List,
}

/// A column of a table, or a field of `release.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name, spelt and cased like this.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: ColumnKind,
    /// Whether a file must have it.
    pub required: bool,
    /// What it means, in a sentence.
    pub explanation: &'static str,
    pub(crate) field: Field,
}

/// What the reader takes a column for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Date,
    Time,
    Season,
    AwayTeam,
    HomeTeam,
    GameNumber,
    GameType,
    MatchId,
    AwayScore,
    HomeScore,
    Line(LineColumn),
    QuoteSource,
    SettlementStatus,
    Model(ModelColumn),
    ForecastSource,
    ForecastRun,
    ForecastPublishedAt,
    ProbabilitySource,
    TrainingThrough,
    ReconstructionMethod,
    /// A field of `release.json`.
    Manifest,
}

/// Another name of `time_est`.
pub(crate) const TIME_ALIAS: &str = "time";

/// Columns the service computes itself, whatever a file says.
pub(crate) const COMPUTED: [&str; 7] =
    [ModelColumn::Implied.name(), "push", "graded", "ungraded_reason", "over", "won_on_points", "won_on_spread"];

pub(crate) const FORECAST_SOURCES: [&str; 2] = ["live", "walk_forward"];
const PROBABILITY_SOURCES: [&str; 3] = [
    ProbabilitySource::Recorded.word(),
    ProbabilitySource::WalkForward.word(),
    ProbabilitySource::ReconstructedOos.word(),
];

/// The columns of one kind of file, in the order a template lists them.
pub(crate) fn columns_of(kind: FileKind) -> impl Iterator<Item = &'static Column> {
    let of_games: [&[Column]; 2] = match kind {
        FileKind::Games | FileKind::Results => [&GAME, &LINES],
        FileKind::Probabilities => [&[], &[]],
    };
    let of_forecasts: [&[Column]; 2] = match kind {
        FileKind::Probabilities | FileKind::Results => [&MODELS, &PROVENANCE],
        FileKind::Games => [&[], &[]],
    };
    KEY.iter().chain(of_games.into_iter().flatten()).chain(of_forecasts.into_iter().flatten())
}

const fn column(field: Field, name: &'static str, kind: ColumnKind, explanation: &'static str) -> Column {
    Column { name, kind, required: false, explanation, field }
}

const fn required(column: Column) -> Column {
    Column { required: true, ..column }
}

static KEY: [Column; 6] = [
    required(column(Field::Date, "date", ColumnKind::Date, "Eastern date of the start.")),
    column(
        Field::Time,
        "time_est",
        ColumnKind::Time,
        "Eastern wall-clock time of the start, empty if unknown; a column called `time` is read alike.",
    ),
    column(Field::Season, "season", ColumnKind::Season, "The season; must agree with the file's name."),
    required(column(Field::AwayTeam, "away_team", ColumnKind::Team, "The visiting team.")),
    required(column(Field::HomeTeam, "home_team", ColumnKind::Team, "The home team.")),
    column(
        Field::GameNumber,
        "game_number",
        ColumnKind::GameNumber,
        "Tells apart games of the same teams and date whose times are unknown, in playing order.",
    ),
];

static GAME: [Column; 6] = [
    column(
        Field::GameType,
        "game_type",
        ColumnKind::Text,
        "`regular`, `postseason` or another word such as `preseason`; empty counts as regular.",
    ),
    column(Field::MatchId, "match_id", ColumnKind::Text, "The publisher's own id of the game."),
    column(Field::AwayScore, "away_score", ColumnKind::Score, "Final score of the away team, empty before the final."),
    column(Field::HomeScore, "home_score", ColumnKind::Score, "Final score of the home team, empty before the final."),
    column(Field::QuoteSource, "quote_source", ColumnKind::Text, "Where the recorded prices come from."),
    column(
        Field::SettlementStatus,
        "settlement_status",
        ColumnKind::Text,
        "`settled`, `cancelled`, `postponed` or another word; empty counts as settled once there is a final.",
    ),
];

const fn line(column: LineColumn, kind: ColumnKind, explanation: &'static str) -> Column {
    self::column(Field::Line(column), column.name(), kind, explanation)
}

static LINES: [Column; 14] = [
    line(LineColumn::HomeMoneyLine, ColumnKind::Price, "Closing price of a home win."),
    line(LineColumn::AwayMoneyLine, ColumnKind::Price, "Closing price of an away win."),
    line(LineColumn::OpenHomeMoneyLine, ColumnKind::Price, "Opening price of a home win."),
    line(LineColumn::OpenAwayMoneyLine, ColumnKind::Price, "Opening price of an away win."),
    line(
        LineColumn::HomePointSpread,
        ColumnKind::Points,
        "Closing spread of the home team, negative when it gives points; 0 is a pick'em.",
    ),
    line(
        LineColumn::AwayPointSpread,
        ColumnKind::Points,
        "Closing spread of the away team, the opposite of the home team's; one of the two is enough.",
    ),
    line(LineColumn::HomePointSpreadLine, ColumnKind::Price, "Closing price of the home team on the spread."),
    line(LineColumn::AwayPointSpreadLine, ColumnKind::Price, "Closing price of the away team on the spread."),
    line(LineColumn::OpenHomePointSpread, ColumnKind::Points, "Opening spread of the home team."),
    line(LineColumn::OpenAwayPointSpread, ColumnKind::Points, "Opening spread of the away team."),
    line(LineColumn::OverUnder, ColumnKind::Total, "Closing total."),
    line(LineColumn::OverLine, ColumnKind::Price, "Closing price of the over."),
    line(LineColumn::UnderLine, ColumnKind::Price, "Closing price of the under."),
    line(LineColumn::OpenOverUnder, ColumnKind::Total, "Opening total."),
];

const fn model(column: ModelColumn, explanation: &'static str) -> Column {
    self::column(Field::Model(column), column.name(), ColumnKind::Probability, explanation)
}

static MODELS: [Column; ModelColumn::FORECASTS.len()] = [
    model(ModelColumn::Ai, "The AI model's probability of the over, the home win or the home cover."),
    model(ModelColumn::Blend, "The ensemble blend's probability of the same side."),
    model(ModelColumn::Catb, "The gradient-boosted trees' probability."),
    model(ModelColumn::Rf, "The random forest's probability."),
    model(ModelColumn::Lgb, "The light gradient boosting's probability."),
    model(ModelColumn::Logr, "The logistic regression's probability."),
    model(ModelColumn::Xgb, "The extreme gradient boosting's probability."),
    model(ModelColumn::Xt, "The extra trees' probability."),
];

static PROVENANCE: [Column; 6] = [
    column(
        Field::ForecastSource,
        "forecast_source",
        ColumnKind::Word(&FORECAST_SOURCES),
        "Recorded before the game, or by a backtest; empty counts as a backtest's.",
    ),
    column(
        Field::ForecastRun,
        "forecast_run",
        ColumnKind::Text,
        "The release that made a live forecast, or the backtest run; empty is the run of release.json.",
    ),
    column(
        Field::ForecastPublishedAt,
        "forecast_published_at",
        ColumnKind::Instant,
        "When a live forecast was published; only beside `live`.",
    ),
    column(
        Field::ProbabilitySource,
        "model_probability_source",
        ColumnKind::Word(&PROBABILITY_SOURCES),
        "How the probabilities were made; empty follows from the forecast's source.",
    ),
    column(
        Field::TrainingThrough,
        "model_training_through",
        ColumnKind::Text,
        "The last date or season a reconstruction's models were trained on.",
    ),
    column(
        Field::ReconstructionMethod,
        "model_reconstruction_method",
        ColumnKind::Text,
        "How a reconstruction was made.",
    ),
];

const fn field(name: &'static str, kind: ColumnKind, explanation: &'static str) -> Column {
    column(Field::Manifest, name, kind, explanation)
}

const SPORTS: [&str; Sport::ALL.len()] = [
    Sport::Mlb.code(),
    Sport::Nba.code(),
    Sport::Nfl.code(),
    Sport::Nhl.code(),
    Sport::Ncaaf.code(),
    Sport::Ncaab.code(),
];

/// The fields of `release.json`.
pub(crate) static MANIFEST: [Column; 8] = [
    required(field("sport", ColumnKind::Word(&SPORTS), "The league everything in the folder is of.")),
    field("season", ColumnKind::Season, "The season predictions are recorded in."),
    required(field("slate_date", ColumnKind::Date, "Eastern date the release is for.")),
    field(
        "slate",
        ColumnKind::Word(&["active", "none"]),
        "Whether the league has games to serve; `none` is a confirmed off-day. Default `active`.",
    ),
    field("run", ColumnKind::Object, "The run of the models that made the release."),
    field("source_as_of", ColumnKind::Object, "As of when the sources spoke."),
    field(
        "held_games",
        ColumnKind::Object,
        "Per model type, games whose previous predictions stay. Not taken yet: must be empty.",
    ),
    field(
        "moved",
        ColumnKind::List,
        "Games whose start changed, each with `from` and `to`. Not taken yet: must be empty.",
    ),
];

/// The fields of `run` in `release.json`.
pub(crate) static RUN: [Column; 3] = [
    required(field("id", ColumnKind::Text, "The publisher's id of the run.")),
    required(field("started_at", ColumnKind::Instant, "When it started.")),
    field("completed_at", ColumnKind::Instant, "When it ended; left out while it runs."),
];

/// The fields of `source_as_of` in `release.json`.
pub(crate) static SOURCE_TIMES: [Column; 2] =
    [field("odds", ColumnKind::Instant, "The odds."), field("predictions", ColumnKind::Instant, "The predictions.")];

#[cfg(test)]
mod tests {
    use super::*;
    use sports_domain::ModelType;

    #[test]
    fn no_file_has_a_column_twice_and_no_known_column_is_computed() {
        for kind in FileKind::ALL {
            let names: Vec<_> = columns_of(kind).map(|column| column.name).collect();
            let once: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(once.len(), names.len());
            assert!(names.iter().all(|name| !COMPUTED.contains(name) && *name != TIME_ALIAS));
        }
    }

    #[test]
    fn every_line_model_outcome_and_league_is_here() {
        let names = |columns: &[Column]| columns.iter().map(|column| column.name).collect::<Vec<_>>();
        assert_eq!(names(&LINES), LineColumn::ALL.map(LineColumn::name));
        assert_eq!(names(&MODELS), ModelColumn::FORECASTS.map(ModelColumn::name));
        assert!(ModelType::ALL.iter().all(|model_type| COMPUTED.contains(&model_type.outcome_column())));
        assert_eq!(SPORTS, Sport::ALL.map(Sport::code));
        for column in &LINES {
            let Field::Line(line) = column.field else { panic!("{} is a line", column.name) };
            assert_eq!(column.kind == ColumnKind::Price, line.holds_prices(), "{}", column.name);
        }
    }
}
