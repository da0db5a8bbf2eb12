//! The table. A row of results shows its columns in this order; archives and files have their own order of groups.

use sports_domain::{GameType, LineColumn, ModelColumn, ModelType, Placeholder, rounded};
use sports_grading::{UngradedReason, Verdict};

use super::{ColumnGroup as Group, ColumnKind as Kind, SeasonColumn};
use crate::{ForecastOrigin, ProbabilitySource, Value};

impl SeasonColumn {
    /// Returns the columns of these groups, group by group, each in the order of the table. Groups listed together
    /// count as one group.
    pub fn in_groups(groups: &'static [&'static [Group]]) -> impl Iterator<Item = &'static Self> {
        groups.iter().flat_map(|group| SEASON_COLUMNS.iter().filter(|column| group.contains(&column.group)))
    }
}

/// Every column that the service knows.
pub static SEASON_COLUMNS: &[SeasonColumn] = &placed([
    SeasonColumn::key(
        "date",
        Kind::Date,
        Group::Start,
        |game| Some(Value::Date(game.facts.key.date)),
        "Eastern date of the start.",
    )
    .filled(),
    SeasonColumn::key(
        "time_est",
        Kind::Time,
        Group::Start,
        |game| game.facts.key.time.map(Value::Time),
        "Eastern time of the start, `HH:MM:SS`; null where a historical source did not have \
         it.",
    )
    .in_files(
        "Eastern wall-clock time of the start, empty if unknown; a column called `time` is \
         read alike.",
    )
    .example(Value::Text("20:15:00")),
    SeasonColumn::season("season", "The season's label, such as 2023-24, or 2024 in mlb.")
        .filled()
        .in_files("The season; must agree with the file's name.")
        .example(Value::Text("2023-24")),
    SeasonColumn::single(
        "game_type",
        Kind::Text,
        Group::GameType,
        |game| Some(Value::Text(game.facts.game_type.word())),
        |game, value| game.facts.game_type = GameType::from_word(value.text().unwrap_or_default()),
        "The part of the season: `regular`, `postseason`, or the publisher's word, such as \
         `preseason`.",
    )
    .filled()
    .in_files(
        "`regular`, `postseason` or another word such as `preseason`; empty counts as \
         regular.",
    )
    .example(Value::Text("regular")),
    SeasonColumn::key(
        "away_team",
        Kind::Team,
        Group::Teams,
        |game| Some(Value::Text(game.facts.key.away.as_str())),
        "The visiting team's slug.",
    )
    .filled()
    .in_files("The visiting team.")
    .example(Value::Text("buffalo_bills")),
    SeasonColumn::key(
        "home_team",
        Kind::Team,
        Group::Teams,
        |game| Some(Value::Text(game.facts.key.home.as_str())),
        "The home team's slug.",
    )
    .filled()
    .in_files("The home team.")
    .example(Value::Text("miami_dolphins")),
    SeasonColumn::key(
        "game_number",
        Kind::GameNumber,
        Group::GameNumber,
        |game| game.facts.key.game_number.map(|number| Value::Integer(number.into())),
        "The number, in playing order, of a game of a doubleheader whose time is unknown.",
    )
    .of_some_seasons(),
    SeasonColumn::text(
        "game_id",
        Group::MatchId,
        |game| game.facts.game_id.as_deref(),
        |game| &mut game.facts.game_id,
        "The identity of the game in its league: assigned once, the same in all markets, and kept when the start \
         changes.",
    )
    .filled()
    .in_files("The identity of a game on record, or the one that a new game gets; may be empty.")
    .example(Value::Text("nfl-2024-01-07-buffalo_bills-miami_dolphins")),
    SeasonColumn::text(
        "former_starts",
        Group::History,
        |game| game.facts.former_starts.as_deref(),
        |game| &mut game.facts.former_starts,
        "The starts that the game had before its present one, in the order in which it left them.",
    )
    .in_archives_only(),
    SeasonColumn::text(
        "match_id",
        Group::MatchId,
        |game| game.facts.match_id.as_deref(),
        |game| &mut game.facts.match_id,
        "The publisher's own id of the game.",
    )
    .of_some_seasons(),
    SeasonColumn::part(
        "away_score",
        Kind::Score,
        Group::Score,
        |game| game.facts.score().map(|score| Value::Integer(score.away.into())),
        "Final score of the away team; null before the final.",
    )
    .in_files("Final score of the away team, empty before the final."),
    SeasonColumn::part(
        "home_score",
        Kind::Score,
        Group::Score,
        |game| game.facts.score().map(|score| Value::Integer(score.home.into())),
        "Final score of the home team; null before the final.",
    )
    .in_files("Final score of the home team, empty before the final."),
    outcome(
        ModelType::OverUnder,
        "Rows of totals: 1 when the game went over, else 0 (a push is 0); null without a final or a line.",
    ),
    outcome(
        ModelType::WonOnPoints,
        "Rows of moneylines: 1 when the home team won, else 0 (a tie is 0); null without a final.",
    ),
    outcome(
        ModelType::WonOnSpread,
        "Rows of spreads: 1 when the home team covered, else 0 (a push is 0); null without a final or a line.",
    ),
    SeasonColumn::graded(
        ModelColumn::Implied.name(),
        Kind::Probability,
        Group::Models,
        |game| {
            game.market
                .probability(ModelColumn::Implied)
                .map(|probability| Value::Number(rounded(probability.get(), IMPLIED_PLACES)))
        },
        "The market's no-vig probability of the positive side (over, home), rounded to 12 \
         decimals, halves away from zero; null unless both sides are priced.",
    ),
    SeasonColumn::model(
        ModelColumn::Ai,
        "The AI model's probability of the positive side: over, home win or home cover.",
    )
    .of_some_seasons(),
    SeasonColumn::model(
        ModelColumn::Blend,
        "The ensemble blend's probability of the positive side: over, home win or home \
         cover.",
    ),
    SeasonColumn::model(ModelColumn::Catb, "The gradient-boosted trees' probability of the positive side."),
    SeasonColumn::model(ModelColumn::Rf, "The random forest's probability of the positive side."),
    SeasonColumn::model(ModelColumn::Lgb, "The light gradient boosting's probability of the positive side."),
    SeasonColumn::model(ModelColumn::Logr, "The logistic regression's probability of the positive side."),
    SeasonColumn::model(ModelColumn::Xgb, "The extreme gradient boosting's probability of the positive side."),
    SeasonColumn::model(ModelColumn::Xt, "The extra trees' probability of the positive side."),
    closing(LineColumn::HomeMoneyLine, Kind::Price, "Moneyline of the home team, American odds: with a live forecast the one that it was published with, else the closing one.")
        .in_files("Closing moneyline of the home team, American odds; 0 or empty for none.")
        .example(Value::Integer(-120)),
    closing(LineColumn::AwayMoneyLine, Kind::Price, "Moneyline of the away team, American odds: with a live forecast the one that it was published with, else the closing one.")
        .in_files("Closing moneyline of the away team, American odds.")
        .example(Value::Integer(105)),
    opening(LineColumn::OpenHomeMoneyLine, Kind::Price, "Opening moneyline of the home team, American odds."),
    opening(LineColumn::OpenAwayMoneyLine, Kind::Price, "Opening moneyline of the away team, American odds."),
    closing(
        LineColumn::HomePointSpread,
        Kind::Points,
        "Spread of the home team in points, negative when it gives points; 0 is a pick'em. With a live forecast the one that it \
         was published with, else the closing one.",
    )
    .in_files("Closing spread of the home team in points, negative when it gives points; 0 is a pick'em.")
    .example(Value::Number(-2.5)),
    closing(
        LineColumn::AwayPointSpread,
        Kind::Points,
        "Spread of the away team in points, the opposite of the home team's.",
    )
    .in_files(
        "Closing spread of the away team, the opposite of the home team's; one of the two is \
         enough.",
    )
    .example(Value::Number(2.5)),
    closing(
        LineColumn::HomePointSpreadLine,
        Kind::Price,
        "Price of the home team on the spread, American odds: with a live forecast the one that it was published with, else the \
         closing one.",
    )
    .in_files("Closing price of the home team on the spread, American odds."),
    closing(
        LineColumn::AwayPointSpreadLine,
        Kind::Price,
        "Price of the away team on the spread, American odds: with a live forecast the one that it was published with, else the \
         closing one.",
    )
    .in_files("Closing price of the away team on the spread, American odds."),
    opening(LineColumn::OpenHomePointSpread, Kind::Points, "Opening spread of the home team in points."),
    opening(LineColumn::OpenAwayPointSpread, Kind::Points, "Opening spread of the away team in points."),
    closing(
        LineColumn::OverUnder,
        Kind::Total,
        "Total in points: with a live forecast the one that it was published with, else the closing one.",
    )
    .in_files("Closing total in points; 0 or empty for none."),
    closing(
        LineColumn::OverLine,
        Kind::Price,
        "Price of the over, American odds: with a live forecast the one that it was published with, else the closing one.",
    )
    .in_files("Closing price of the over, American odds."),
    closing(
        LineColumn::UnderLine,
        Kind::Price,
        "Price of the under, American odds: with a live forecast the one that it was published with, else the closing one.",
    )
    .in_files("Closing price of the under, American odds."),
    opening(LineColumn::OpenOverUnder, Kind::Total, "Opening total in points."),
    SeasonColumn::text(
        "quote_source",
        Group::Quotes,
        |game| game.facts.quote_source.as_deref(),
        |game| &mut game.facts.quote_source,
        "The source of the recorded prices.",
    ),
    SeasonColumn::part(
        "settlement_status",
        Kind::Text,
        Group::Settlement,
        |game| game.facts.settlement_status().map(Value::Text),
        "`settled` once the final is recorded, else the reason for its absence; void markets of a final follow: \
         `settled void over_under`.",
    )
    .in_files(
        "A word such as `settled`, `final`, `cancelled` or `postponed`; empty counts as settled once there is a final.",
    )
    .example(Value::Text("settled")),
    SeasonColumn::graded(
        "push",
        Kind::Flag,
        Group::Grading,
        |game| game.market.push().map(Value::Flag),
        "True if the final is exactly on the line, so that neither side won; null while \
         final or line is missing.",
    ),
    SeasonColumn::graded(
        "graded",
        Kind::Flag,
        Group::Grading,
        |game| Some(Value::Flag(matches!(game.verdict, Verdict::Graded(_)))),
        "True if at least one model was graded.",
    )
    .filled(),
    SeasonColumn::graded(
        "ungraded_reason",
        Kind::Word(&UNGRADED_REASONS),
        Group::Grading,
        |game| match game.verdict {
            Verdict::Graded(_) => None,
            Verdict::Ungraded(reason) => Some(Value::Text(reason.code())),
        },
        "The reason why no model was graded: `no_final`, `no_line`, `push` or \
         `no_prediction`, the first that holds.",
    ),
    SeasonColumn::single(
        "model_probability_source",
        Kind::Word(&PROBABILITY_SOURCES),
        Group::Making,
        |game| game.forecast.probability_source.map(|source| Value::Text(source.word())),
        |game, value| {
            let known = ProbabilitySource::ALL.into_iter();
            game.forecast.probability_source = known.into_iter().find(|known| Some(known.word()) == value.text());
        },
        "The origin of the probabilities: `recorded` before the game, or reconstructed out \
         of sample, `walk_forward` or `reconstructed_oos`.",
    )
    .in_files("The origin of the probabilities; empty follows from the forecast's source."),
    SeasonColumn::text(
        "model_training_through",
        Group::Making,
        |game| game.forecast.training_through.as_deref(),
        |game| &mut game.forecast.training_through,
        "The last date or season that a reconstruction's models were trained on, in the \
         publisher's words.",
    )
    .of_some_seasons()
    .left_out_where_null(),
    SeasonColumn::text(
        "model_reconstruction_method",
        Group::Making,
        |game| game.forecast.reconstruction_method.as_deref(),
        |game| &mut game.forecast.reconstruction_method,
        "The method of a reconstruction, in the publisher's words.",
    )
    .of_some_seasons()
    .left_out_where_null(),
    SeasonColumn::part(
        "forecast_source",
        Kind::Word(&FORECAST_SOURCES),
        Group::Origin,
        |game| Some(Value::Text(game.forecast.origin.as_ref()?.word())),
        "`live` for a forecast recorded before the game, `walk_forward` for a backtest's; \
         absent for a game without a prediction.",
    )
    .left_out_where_null()
    .in_files("Recorded before the game, or by a backtest; empty counts as a backtest's."),
    SeasonColumn::part(
        "forecast_run",
        Kind::Text,
        Group::Origin,
        |game| game.forecast.origin.as_ref()?.run().map(Value::Text),
        "The release that made a live forecast, or the backtest run.",
    )
    .left_out_where_null()
    .in_files(
        "The release that made a live forecast, or the backtest run; empty is the run of \
         release.json.",
    ),
    SeasonColumn::part(
        "forecast_published_at",
        Kind::Instant,
        Group::Origin,
        |game| game.forecast.origin.as_ref()?.published_at().map(Value::Instant),
        "The instant at which a live forecast was published.",
    )
    .left_out_where_null()
    .in_files("The instant at which a live forecast was published; only beside `live`."),
    SeasonColumn::single(
        "recorded",
        Kind::Flag,
        Group::Record,
        |game| Some(Value::Flag(game.forecast.recorded)),
        |game, value| game.forecast.recorded = value == Value::Flag(true),
        "True if an entry of this log published the forecast before the start; false for a forecast that a file brought, also \
         as `live`, and without a forecast.",
    )
    .filled()
    .example(Value::Flag(true)),
    SeasonColumn::single(
        "open_spread_placeholder",
        Kind::Flag,
        Group::Record,
        |game| game.facts.lines.open_spread_placeholder.0.then_some(Value::Flag(true)),
        |game, value| game.facts.lines.open_spread_placeholder = Placeholder(value == Value::Flag(true)),
        "True where the publisher wrote 0 in place of an opening spread.",
    )
    .in_archives_only(),
]);

/// The order of column groups in an archive.
pub(super) const STORED_ORDER: &[&[Group]] = &[
    &[Group::Start],
    &[Group::GameType],
    &[Group::Teams],
    &[Group::GameNumber],
    &[Group::MatchId],
    &[Group::History],
    &[Group::Score],
    &[Group::Settlement],
    &[Group::Quotes],
    &[Group::Closing, Group::Opening],
    &[Group::Models],
    &[Group::Origin],
    &[Group::Making],
    &[Group::Record],
];

const UNGRADED_REASONS: [&str; 4] = [
    UngradedReason::NoFinal.code(),
    UngradedReason::NoLine.code(),
    UngradedReason::Push.code(),
    UngradedReason::NoPrediction.code(),
];

/// The number of decimals of IMPLIED.
const IMPLIED_PLACES: u8 = 12;

const FORECAST_SOURCES: [&str; 2] = [ForecastOrigin::LIVE, ForecastOrigin::WALK_FORWARD];

const PROBABILITY_SOURCES: [&str; 3] = [
    ProbabilitySource::Recorded.word(),
    ProbabilitySource::WalkForward.word(),
    ProbabilitySource::ReconstructedOos.word(),
];

const fn outcome(model_type: ModelType, documentation: &'static str) -> SeasonColumn {
    SeasonColumn::graded(
        model_type.outcome_column(),
        Kind::Outcome,
        Group::Outcome,
        |game| game.market.positive_won().map(|won| Value::Integer(won.into())),
        documentation,
    )
    .of_market(model_type)
}

const fn closing(line: LineColumn, kind: Kind, documentation: &'static str) -> SeasonColumn {
    SeasonColumn::line(line, kind, Group::Closing, documentation)
}

const fn opening(line: LineColumn, kind: Kind, documentation: &'static str) -> SeasonColumn {
    SeasonColumn::line(line, kind, Group::Opening, documentation)
}

/// Assigns each column its index.
const fn placed<const N: usize>(mut columns: [SeasonColumn; N]) -> [SeasonColumn; N] {
    let mut place = 0;
    while place < N {
        columns[place] = columns[place].at(place);
        place += 1;
    }
    columns
}

// Constants for the columns that rules refer to.

pub(super) const COUNT: usize = SEASON_COLUMNS.len();

/// The Eastern date of the start.
pub const DATE: &SeasonColumn = named("date");

/// The Eastern time of the start.
pub const TIME: &SeasonColumn = named("time_est");

/// The season's label.
pub const SEASON: &SeasonColumn = named("season");

/// The part of the season.
pub const GAME_TYPE: &SeasonColumn = named("game_type");

/// The visiting team.
pub const AWAY_TEAM: &SeasonColumn = named("away_team");

pub const HOME_TEAM: &SeasonColumn = named("home_team");

/// 1 or 2 within a doubleheader whose times are unknown.
pub const GAME_NUMBER: &SeasonColumn = named("game_number");

/// The identity of the game.
pub const GAME_ID: &SeasonColumn = named("game_id");

/// The publisher's own id of the game.
pub const MATCH_ID: &SeasonColumn = named("match_id");

/// The visiting team's final score.
pub const AWAY_SCORE: &SeasonColumn = named("away_score");

/// The home team's final score.
pub const HOME_SCORE: &SeasonColumn = named("home_score");

/// The source of the recorded prices.
pub const QUOTE_SOURCE: &SeasonColumn = named("quote_source");

/// `settled`, or the reason for a missing final.
pub const SETTLEMENT_STATUS: &SeasonColumn = named("settlement_status");

/// The method behind the probabilities.
pub const PROBABILITY_SOURCE: &SeasonColumn = named("model_probability_source");

/// `live` or `walk_forward`.
pub const FORECAST_SOURCE: &SeasonColumn = named("forecast_source");

/// The release or backtest run that made the forecast.
pub const FORECAST_RUN: &SeasonColumn = named("forecast_run");

/// The time at which a live forecast was published.
pub const FORECAST_PUBLISHED_AT: &SeasonColumn = named("forecast_published_at");

/// True for a forecast that this log recorded.
pub const RECORDED: &SeasonColumn = named("recorded");
pub const OPEN_SPREAD_PLACEHOLDER: &SeasonColumn = named("open_spread_placeholder");

/// Returns the column with a name, at compile time.
const fn named(name: &str) -> &'static SeasonColumn {
    let mut place = 0;
    while place < COUNT {
        if is_same(SEASON_COLUMNS[place].name.as_bytes(), name.as_bytes()) {
            return &SEASON_COLUMNS[place];
        }
        place += 1;
    }
    panic!("no column has this name")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut place = 0;
    while place < one.len() {
        if one[place] != other[place] {
            return false;
        }
        place += 1;
    }
    true
}
