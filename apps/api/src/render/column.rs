use std::collections::BTreeSet;

use chrono::{NaiveTime, SecondsFormat};
use sports_domain::{LineColumn, LineValue, ModelColumn, ModelType, Season};
use sports_grading::{MarketGame, Verdict};
use sports_publication::{ArchivedGame, ForecastOrigin, SeasonArchive, columns};

use crate::figures::model_probability;
use crate::render::Cell;

/// A column of a market's result rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// The Eastern date.
    Date,
    /// The Eastern start time.
    Time,
    /// The season's label.
    Season,
    /// The part of the season.
    GameType,
    /// The visiting team.
    AwayTeam,
    /// The home team.
    HomeTeam,
    /// The game of a doubleheader, where the season has such.
    GameNumber,
    /// The publisher's id, where the season has such.
    MatchId,
    /// The visiting team's score.
    AwayScore,
    /// The home team's score.
    HomeScore,
    /// Whether the positive side won, as 0 or 1.
    Outcome,
    /// A model's probability.
    Model(ModelColumn),
    /// A line or a price.
    Line(LineColumn),
    /// Where the recorded prices come from.
    QuoteSource,
    /// Whether and how the game was settled.
    SettlementStatus,
    /// Whether the final is exactly on the line.
    Push,
    /// Whether a model was graded.
    Graded,
    /// Why none was.
    UngradedReason,
    /// How the probabilities were made.
    ProbabilitySource,
    /// What a reconstruction was trained on, where the publisher says.
    TrainingThrough,
    /// How a reconstruction was made, where the publisher says.
    ReconstructionMethod,
    /// Live or walk-forward.
    ForecastSource,
    /// The release or backtest run.
    ForecastRun,
    /// When a live forecast was published.
    ForecastPublishedAt,
    /// A column of the publisher's own.
    Extra(String),
}

/// One game with its verdict: what a row is read from.
#[derive(Clone, Copy)]
pub struct GradedGame<'a> {
    game: &'a ArchivedGame,
    season: Season,
    market: MarketGame,
    verdict: Verdict,
}

impl<'a> GradedGame<'a> {
    /// A game of an archive with the verdict grading gave it.
    #[must_use]
    pub fn from_game(archive: &SeasonArchive, game: &'a ArchivedGame, verdict: Verdict) -> Self {
        let market = game.market_game(archive.market().model_type);
        Self { game, season: archive.season(), market, verdict }
    }
}

impl Column {
    /// The columns of a season, in the order rows show them. They are the same for each of its rows.
    #[must_use]
    pub fn in_archive(archive: &SeasonArchive) -> Vec<Self> {
        let any = |has: &dyn Fn(&ArchivedGame) -> bool| archive.games().iter().any(has);
        let mut columns = vec![Self::Date, Self::Time, Self::Season, Self::GameType, Self::AwayTeam, Self::HomeTeam];
        columns.extend(any(&|game| game.facts.key.game_number.is_some()).then_some(Self::GameNumber));
        columns.extend(any(&|game| game.facts.match_id.is_some()).then_some(Self::MatchId));
        columns.extend([Self::AwayScore, Self::HomeScore, Self::Outcome]);
        let has_ai = any(&|game| game.forecast.forecasts.get(ModelColumn::Ai).is_some());
        let models = ModelColumn::ALL.into_iter().filter(|model| has_ai || *model != ModelColumn::Ai);
        columns.extend(models.map(Self::Model));
        columns.extend(LineColumn::ALL.map(Self::Line));
        columns.extend([Self::QuoteSource, Self::SettlementStatus, Self::Push, Self::Graded, Self::UngradedReason]);
        columns.push(Self::ProbabilitySource);
        columns.extend(any(&|game| game.forecast.training_through.is_some()).then_some(Self::TrainingThrough));
        columns
            .extend(any(&|game| game.forecast.reconstruction_method.is_some()).then_some(Self::ReconstructionMethod));
        columns.extend([Self::ForecastSource, Self::ForecastRun, Self::ForecastPublishedAt]);
        let extras = archive.games().iter().flat_map(|game| game.facts.extras.iter());
        let extras: BTreeSet<_> = extras.map(|(name, _)| name).collect();
        columns.extend(extras.into_iter().map(|name| Self::Extra(name.to_owned())));
        columns
    }

    /// The column's name; the outcome's depends on the market.
    #[must_use]
    pub fn name(&self, model_type: ModelType) -> &str {
        match self {
            Self::Date => columns::DATE,
            Self::Time => columns::TIME,
            Self::Season => columns::SEASON,
            Self::GameType => columns::GAME_TYPE,
            Self::AwayTeam => columns::AWAY_TEAM,
            Self::HomeTeam => columns::HOME_TEAM,
            Self::GameNumber => columns::GAME_NUMBER,
            Self::MatchId => columns::MATCH_ID,
            Self::AwayScore => columns::AWAY_SCORE,
            Self::HomeScore => columns::HOME_SCORE,
            Self::Outcome => model_type.outcome_column(),
            Self::Model(model) => model.name(),
            Self::Line(line) => line.name(),
            Self::QuoteSource => columns::QUOTE_SOURCE,
            Self::SettlementStatus => columns::SETTLEMENT_STATUS,
            Self::Push => "push",
            Self::Graded => "graded",
            Self::UngradedReason => "ungraded_reason",
            Self::ProbabilitySource => columns::PROBABILITY_SOURCE,
            Self::TrainingThrough => columns::TRAINING_THROUGH,
            Self::ReconstructionMethod => columns::RECONSTRUCTION_METHOD,
            Self::ForecastSource => columns::FORECAST_SOURCE,
            Self::ForecastRun => columns::FORECAST_RUN,
            Self::ForecastPublishedAt => columns::FORECAST_PUBLISHED_AT,
            Self::Extra(name) => name,
        }
    }

    /// Whether a JSON row leaves the field out where there is nothing to say, rather than show a null.
    #[must_use]
    pub const fn is_left_out_when_null(&self) -> bool {
        matches!(
            self,
            Self::TrainingThrough
                | Self::ReconstructionMethod
                | Self::ForecastSource
                | Self::ForecastRun
                | Self::ForecastPublishedAt
        )
    }

    /// What stands in this column for one game.
    #[must_use]
    pub fn cell<'a>(&self, row: &GradedGame<'a>) -> Cell<'a> {
        let (facts, forecast) = (&row.game.facts, &row.game.forecast);
        match self {
            Self::Date => Cell::owned(&facts.key.date),
            Self::Time => Cell::from_option(facts.key.time, clock_reading),
            Self::Season => Cell::owned(&row.season),
            Self::GameType => Cell::borrowed(facts.game_type.word()),
            Self::AwayTeam => Cell::borrowed(facts.key.away.as_str()),
            Self::HomeTeam => Cell::borrowed(facts.key.home.as_str()),
            Self::GameNumber => Cell::from_option(facts.key.game_number, |number| Cell::Integer(number.into())),
            Self::MatchId => Cell::from_option(facts.match_id.as_deref(), Cell::borrowed),
            Self::AwayScore => Cell::from_option(facts.score, |score| Cell::Integer(score.away.into())),
            Self::HomeScore => Cell::from_option(facts.score, |score| Cell::Integer(score.home.into())),
            Self::Outcome => Cell::from_option(row.market.positive_won(), |won| Cell::Integer(won.into())),
            Self::Model(model) => Cell::from_option(row.market.probability(*model), |probability| {
                Cell::Number(model_probability(*model, probability))
            }),
            Self::Line(line) => Cell::from_option(facts.lines.value(*line), line_value),
            Self::QuoteSource => Cell::from_option(facts.quote_source.as_deref(), Cell::borrowed),
            Self::SettlementStatus => Cell::from_option(facts.settlement_status.as_deref(), Cell::borrowed),
            Self::Push => Cell::from_option(row.market.push(), Cell::Flag),
            Self::Graded => Cell::Flag(matches!(row.verdict, Verdict::Graded(_))),
            Self::UngradedReason => match row.verdict {
                Verdict::Graded(_) => Cell::Null,
                Verdict::Ungraded(reason) => Cell::borrowed(reason.code()),
            },
            Self::ProbabilitySource => {
                Cell::from_option(forecast.probability_source, |source| Cell::borrowed(source.word()))
            }
            Self::TrainingThrough => Cell::from_option(forecast.training_through.as_deref(), Cell::borrowed),
            Self::ReconstructionMethod => Cell::from_option(forecast.reconstruction_method.as_deref(), Cell::borrowed),
            Self::ForecastSource => Cell::from_option(forecast.origin.as_ref(), |origin| Cell::borrowed(origin.word())),
            Self::ForecastRun => {
                Cell::from_option(forecast.origin.as_ref().and_then(ForecastOrigin::run), Cell::borrowed)
            }
            Self::ForecastPublishedAt => {
                let published_at = forecast.origin.as_ref().and_then(ForecastOrigin::published_at);
                Cell::from_option(published_at, |at| Cell::owned(&at.to_rfc3339_opts(SecondsFormat::AutoSi, true)))
            }
            Self::Extra(name) => Cell::from_option(facts.extras.get(name), Cell::from),
        }
    }
}

fn clock_reading(time: NaiveTime) -> Cell<'static> {
    Cell::owned(&time.format("%H:%M:%S"))
}

fn line_value(value: LineValue) -> Cell<'static> {
    match value {
        LineValue::Price(price) => Cell::Integer(price.get().into()),
        LineValue::Points(points) => Cell::Number(points),
    }
}
