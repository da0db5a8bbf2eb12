//! The columns of tables, in groups that several kinds of file share.

use sports_domain::{LineColumn, ModelColumn};
use sports_publication::ProbabilitySource;

use super::{ColumnKind, FORECAST_SOURCES, Field, InputColumn, column, required};
use crate::file_kind::FileKind;

const PROBABILITY_SOURCES: [&str; 3] = [
    ProbabilitySource::Recorded.word(),
    ProbabilitySource::WalkForward.word(),
    ProbabilitySource::ReconstructedOos.word(),
];

/// What a kind of file is made of.
pub(super) const fn of(kind: FileKind) -> &'static [&'static [InputColumn]] {
    match kind {
        FileKind::Games => const { &[&KEY, &GAME, &CLOSING, &OPENING] },
        FileKind::Probabilities => const { &[&KEY, &MODELS, &PROVENANCE] },
        FileKind::Results => const { &[&KEY, &GAME, &CLOSING, &OPENING, &MODELS, &PROVENANCE] },
        FileKind::Odds => const { &[&SLATE_KEY, &CURRENT, &QUOTE] },
        FileKind::Predictions => const { &[&SLATE_KEY, &PREDICTION, &CURRENT, &OPENING, &MODELS] },
        FileKind::Finals => const { &[&FINALS] },
    }
}

const DATE: InputColumn = required(column(Field::Date, "date", ColumnKind::Date, "Eastern date of the start."));
const AWAY_TEAM: InputColumn = required(column(Field::AwayTeam, "away_team", ColumnKind::Team, "The visiting team."));
const HOME_TEAM: InputColumn = required(column(Field::HomeTeam, "home_team", ColumnKind::Team, "The home team."));
const GAME_NUMBER: InputColumn = column(
    Field::GameNumber,
    "game_number",
    ColumnKind::GameNumber,
    "Tells apart games of the same teams and date whose times are unknown, in playing order.",
);
const MATCH_ID: InputColumn =
    column(Field::MatchId, "match_id", ColumnKind::Text, "The publisher's own id of the game.");
const QUOTE_SOURCE: InputColumn =
    column(Field::QuoteSource, "quote_source", ColumnKind::Text, "Where the recorded prices come from.");

static KEY: [InputColumn; 6] = [
    DATE,
    column(
        Field::Time,
        "time_est",
        ColumnKind::Time,
        "Eastern wall-clock time of the start, empty if unknown; a column called `time` is read alike.",
    ),
    column(Field::Season, "season", ColumnKind::Season, "The season; must agree with the file's name."),
    AWAY_TEAM,
    HOME_TEAM,
    GAME_NUMBER,
];

static GAME: [InputColumn; 6] = [
    column(
        Field::GameType,
        "game_type",
        ColumnKind::Text,
        "`regular`, `postseason` or another word such as `preseason`; empty counts as regular.",
    ),
    MATCH_ID,
    column(Field::AwayScore, "away_score", ColumnKind::Score, "Final score of the away team, empty before the final."),
    column(Field::HomeScore, "home_score", ColumnKind::Score, "Final score of the home team, empty before the final."),
    QUOTE_SOURCE,
    column(
        Field::SettlementStatus,
        "settlement_status",
        ColumnKind::Text,
        "`settled`, `cancelled`, `postponed` or another word; empty counts as settled once there is a final.",
    ),
];

static SLATE_KEY: [InputColumn; 5] = [
    DATE,
    required(column(
        Field::Time,
        "time",
        ColumnKind::Time,
        "Eastern wall-clock time of the start; a column called `time_est` is read alike.",
    )),
    AWAY_TEAM,
    HOME_TEAM,
    MATCH_ID,
];

static PREDICTION: [InputColumn; 3] = [
    column(Field::Season, "season", ColumnKind::Season, "The season; must agree with release.json."),
    column(
        Field::GameType,
        "game_type",
        ColumnKind::Text,
        "The part of the season; professional leagues take regular-season and postseason games only.",
    ),
    QUOTE_SOURCE,
];

static QUOTE: [InputColumn; 2] = [
    QUOTE_SOURCE,
    column(
        Field::LastUpdated,
        "last_updated",
        ColumnKind::WallClock,
        "Eastern date and time at which the book was last looked at, as YYYY-MM-DD HH:MM:SS.",
    ),
];

static FINALS: [InputColumn; 9] = [
    DATE,
    column(
        Field::Time,
        "time_est",
        ColumnKind::Time,
        "Eastern wall-clock time of the start; without it, the only game of these teams on this date is meant.",
    ),
    AWAY_TEAM,
    HOME_TEAM,
    GAME_NUMBER,
    column(Field::AwayScore, "away_score", ColumnKind::Score, "Final score of the away team, empty without a final."),
    column(Field::HomeScore, "home_score", ColumnKind::Score, "Final score of the home team, empty without a final."),
    column(
        Field::SettlementStatus,
        "settlement_status",
        ColumnKind::Text,
        "`settled`, which empty means beside a final; without one `cancelled`, `postponed` or another word.",
    ),
    column(Field::Sport, "sport", ColumnKind::Text, "The league; must be the one that is settled."),
];

const fn line(column: LineColumn, kind: ColumnKind, explanation: &'static str) -> InputColumn {
    self::column(Field::Line(column), column.name(), kind, explanation)
}

static CLOSING: [InputColumn; 9] = [
    line(LineColumn::HomeMoneyLine, ColumnKind::Price, "Closing price of a home win."),
    line(LineColumn::AwayMoneyLine, ColumnKind::Price, "Closing price of an away win."),
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
    line(LineColumn::OverUnder, ColumnKind::Total, "Closing total."),
    line(LineColumn::OverLine, ColumnKind::Price, "Closing price of the over."),
    line(LineColumn::UnderLine, ColumnKind::Price, "Closing price of the under."),
];

static CURRENT: [InputColumn; 9] = [
    line(LineColumn::HomeMoneyLine, ColumnKind::Price, "Price of a home win now; 0 or empty for none."),
    line(LineColumn::AwayMoneyLine, ColumnKind::Price, "Price of an away win now."),
    line(
        LineColumn::HomePointSpread,
        ColumnKind::Points,
        "Spread of the home team now, negative when it gives points; 0 is a pick'em.",
    ),
    line(
        LineColumn::AwayPointSpread,
        ColumnKind::Points,
        "Spread of the away team now, the opposite of the home team's; one of the two is enough.",
    ),
    line(LineColumn::HomePointSpreadLine, ColumnKind::Price, "Price of the home team on the spread now."),
    line(LineColumn::AwayPointSpreadLine, ColumnKind::Price, "Price of the away team on the spread now."),
    line(LineColumn::OverUnder, ColumnKind::Total, "Total now; 0 or empty for none."),
    line(LineColumn::OverLine, ColumnKind::Price, "Price of the over now."),
    line(LineColumn::UnderLine, ColumnKind::Price, "Price of the under now."),
];

static OPENING: [InputColumn; 5] = [
    line(LineColumn::OpenHomeMoneyLine, ColumnKind::Price, "Opening price of a home win."),
    line(LineColumn::OpenAwayMoneyLine, ColumnKind::Price, "Opening price of an away win."),
    line(LineColumn::OpenHomePointSpread, ColumnKind::Points, "Opening spread of the home team."),
    line(LineColumn::OpenAwayPointSpread, ColumnKind::Points, "Opening spread of the away team."),
    line(LineColumn::OpenOverUnder, ColumnKind::Total, "Opening total."),
];

const fn model(column: ModelColumn, explanation: &'static str) -> InputColumn {
    self::column(Field::Model(column), column.name(), ColumnKind::Probability, explanation)
}

static MODELS: [InputColumn; ModelColumn::FORECASTS.len()] = [
    model(ModelColumn::Ai, "The AI model's probability of the over, the home win or the home cover."),
    model(ModelColumn::Blend, "The ensemble blend's probability of the same side."),
    model(ModelColumn::Catb, "The gradient-boosted trees' probability."),
    model(ModelColumn::Rf, "The random forest's probability."),
    model(ModelColumn::Lgb, "The light gradient boosting's probability."),
    model(ModelColumn::Logr, "The logistic regression's probability."),
    model(ModelColumn::Xgb, "The extreme gradient boosting's probability."),
    model(ModelColumn::Xt, "The extra trees' probability."),
];

static PROVENANCE: [InputColumn; 6] = [
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
