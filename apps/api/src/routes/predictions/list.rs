use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Serialize, Serializer};
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelColumn, ModelName, ModelType, Probability, Sport};
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_publication::ArtifactRef;
use sports_publication::registry::ShownTo;
use sports_publication::slate::{ExpectedValues, SlateGame};
use sports_usecases::moment::LeagueMoment;
use sports_usecases::slate_changes::SlateChanges;
use sports_usecases::today;
use sports_usecases::today::{CurrentPredictions, NamedPredictions, SlateScope, TodayError};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::lines::{MoneyLines, SpreadLines, TotalLines};
use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{
    Code, Coded, ModelNameCode, MoneylineModelType, MoneylineModelTypeCode, SportCode, SpreadModelType,
    SpreadModelTypeCode, TotalModelType, TotalModelTypeCode,
};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::figures::{computed, model_probability};
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{ChangedQuery, FormatQuery, Given, ModelQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::query_params;
use crate::routes::moves::{Earlier, earlier_slate};
use crate::wire::{Field, Subject, TableOf, Tabular, wire, with_fields_about};

/// The parameters of the operation.
type Query = (SlateQuery, ModelQuery, FormatQuery, ChangedQuery, MomentQuery);

/// List predictions
///
/// The current slate of one market: each model's probability of the over or the home side, the current and the
/// opening lines, and the expected value of one unit on each side by one model. The line and value fields of a game
/// depend on the market, which `model_type` of the answer names. With `changed_after` only the games that changed since that
/// generation, and the `game_id` of those that are gone. Expected values are informational: model outputs are
/// research signals, and no edge is guaranteed.
// In the example IMPLIED is 125/225 over the sum of 125/225 and 100/205, and the values are 0.58 · 0.8 − 0.42 and
// 0.42 · 1.05 − 0.58.
#[utoipa::path(
    get, path = "/api/v1/predictions/{sport}/{model_type}",
    tag = "predictions",
    params(MarketPath),
    responses(
        (status = 200, description = "The games", body = PredictionsResponse,
            example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_predictions(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((slate, ModelQuery { model: asked }, FormatQuery { format }, since, query))) =
        (path, params);
    let reach = slate.reach();
    let at = moments.at_after(market.sport, &query, "changed_after", since.changed_after).await?;
    let listed = ListedMarket::find(&at, market, reach, asked).await?;
    let before = match earlier_slate(&moments, market.sport, since).await? {
        Some(earlier) => Some(ListedMarket::earlier(&earlier, market, reach, asked).await?),
        None => None,
    };
    let key = (market, reach, listed.key(), before.as_ref().map(ListedMarket::earlier_key));
    let page = async move {
        let model = listed.model;
        let current = listed.named.read().await?;
        let changes = match before {
            // In a box: few requests take this way, and all would carry its state.
            Some(before) => Some(Box::pin(changes_of_market(&current, model, before)).await?),
            None => None,
        };
        Ok(Rows(PredictionsResponse::from_current(market, &current, model, changes.as_ref())))
    };
    answer.in_format(format).at(&at).respond(&key, Box::pin(page)).await
}

/// The predictions of a market that an answer lists, and the model of their expected values.
pub struct ListedMarket {
    pub named: NamedPredictions,
    pub model: ModelName,
}

/// Everything that the games of a market in an answer depend on.
pub type MarketKey = (ArtifactRef, Option<NaiveDate>, ModelName, Option<ObjectHash>);

impl ListedMarket {
    /// Finds the predictions of a moment.
    pub async fn find(
        at: &AnswerMoment,
        market: Market,
        reach: SlateScope,
        model: Option<ModelName>,
    ) -> Result<Self, ApiError> {
        let named = at.query(today::predictions(at.moment(), market, reach, ShownTo::Subscribers)).await?;
        let model = named.models().model(model).map_err(|error| at.failure(error))?;
        Ok(Self { named, model })
    }

    /// Finds the predictions of an earlier slate. A model that was not declared then had no expected values:
    /// the default one stands for it.
    pub async fn earlier(
        Earlier(moment): &Earlier<LeagueMoment>,
        market: Market,
        reach: SlateScope,
        model: Option<ModelName>,
    ) -> Result<Earlier<Box<Self>>, ApiError> {
        let Some(moment) = moment else { return Ok(Earlier(None)) };
        // In a box: few requests take this way, and all would carry its state.
        let named = match Box::pin(today::predictions(moment, market, reach, ShownTo::Subscribers)).await {
            Ok(named) => named,
            Err(TodayError::NoPredictions(_)) => return Ok(Earlier(None)),
            Err(error) => return Err(error.into()),
        };
        let model = named.models().model(model).unwrap_or_else(|_| named.models().default_model());
        Ok(Earlier(Some(Box::new(Self { named, model }))))
    }

    /// Returns everything that the games of the market depend on.
    pub fn key(&self) -> MarketKey {
        (self.named.entry().artifact.clone(), self.named.floor(), self.model, self.named.shown_beside())
    }

    /// Returns the key of earlier predictions.
    pub fn earlier_key(Earlier(earlier): &Earlier<Box<Self>>) -> Option<MarketKey> {
        earlier.as_ref().map(|earlier| earlier.key())
    }
}

/// Returns the changes of a market since its earlier predictions.
pub async fn changes_of_market(
    current: &CurrentPredictions,
    model: ModelName,
    Earlier(before): Earlier<Box<ListedMarket>>,
) -> Result<SlateChanges, PortError> {
    let Some(before) = before else { return Ok(current.changes_since(None, true)) };
    let ListedMarket { named, model: model_before } = *before;
    Ok(current.changes_since(Some(&named.read().await?), model == model_before))
}

query_params! {
    /// The part of a slate to return.
    #[derive(Debug)]
    pub struct SlateQuery {
        /// `true` leaves out games before today's slate (Eastern date). As long as today's model run has not completed,
        /// the latest slate stays visible. `false` returns every game.
        #[param(default = true)]
        upcoming_only: Option<bool> = Given::boolean,
    }
}

impl SlateQuery {
    /// Converts the parameter to the scope of the answer.
    pub fn reach(&self) -> SlateScope {
        if self.upcoming_only.unwrap_or(true) { SlateScope::Upcoming } else { SlateScope::Whole }
    }
}

/// One market's predictions. `model_type` names the market, on which the fields of the games depend.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = PredictionsPage)]
pub enum PredictionsResponse {
    /// The predictions of the total market.
    OverUnder(TotalPredictions),
    /// The predictions of the moneyline market.
    WonOnPoints(MoneylinePredictions),
    /// The predictions of the spread market.
    WonOnSpread(SpreadPredictions),
}

/// Defines the page of one market: its model type is a constant, and its games have the lines of that market.
macro_rules! page {
    ($(#[$doc:meta])+ $page:ident, $code:ident, $only:ident, $game:ident) => {
        $(#[$doc])+
        #[derive(Debug, Serialize, ToSchema)]
        pub struct $page {
            /// The league.
            sport: SportCode,
            /// The model type.
            model_type: $code,
            /// The time at which these predictions were published, UTC.
            predictions_date: DateTime<Utc>,
            /// The games, by date, then Eastern time.
            games: Vec<$game>,
            /// The model of the expected values.
            #[schema(example = "BLEND")]
            model: ModelNameCode,
            /// The models with a probability for at least one of these games.
            models_used: Vec<ModelNameCode>,
            /// The note of an answer in which the model has no value although others have, which it names; absent otherwise.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schema(nullable = false, example = "ELO has no value here; models with one: BLEND, XGB")]
            message: Option<String>,
            /// With `changed_after`: the `game_id` of each game that was listed then and no longer is.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schema(nullable = false)]
            gone: Option<Vec<String>>,
            /// The own models in use, each a column of the table.
            #[serde(skip)]
            own: Vec<ModelName>,
        }

        impl $page {
            fn from_current(
                sport: Sport,
                current: &CurrentPredictions,
                model: ModelName,
                changes: Option<&SlateChanges>,
            ) -> Self {
                let games = current.games().map(|game| &game.game);
                let is_listed = |game: &&SlateGame| changes.is_none_or(|changes| changes.has(game.game_id.as_deref()));
                let games: Vec<_> = games.filter(is_listed).cloned().collect();
                let given = current.own_models();
                Self {
                    sport: Code(sport),
                    model_type: Code($only),
                    predictions_date: current.named().entry().artifact.published_at,
                    model: Code(model),
                    models_used: models_used($only::MODEL_TYPE, &games, &given),
                    message: current.missing(model).as_ref().map(ToString::to_string),
                    gone: changes.map(SlateChanges::gone),
                    own: own_in_use(current.named(), $only::MODEL_TYPE),
                    games: games.iter().map(|game| $game::new(game, model, &given)).collect(),
                }
            }
        }
    };
}

page! {
    /// The total market's predictions.
    TotalPredictions, TotalModelTypeCode, TotalModelType, TotalPrediction
}

page! {
    /// The moneyline market's predictions.
    MoneylinePredictions, MoneylineModelTypeCode, MoneylineModelType, MoneylinePrediction
}

page! {
    /// The spread market's predictions.
    SpreadPredictions, SpreadModelTypeCode, SpreadModelType, SpreadPrediction
}

wire! {
    /// The fields that a prediction has in every market.
    pub row PredictedGame(game: &SlateGame) {
        /// The identity of the game in its league: assigned once, and kept when the start changes.
        #[schema(example = "nfl-2025-01-15-buffalo_bills-miami_dolphins")]
        game_id: String = game.game_id.clone().unwrap_or_default(),
        /// The Eastern date of the start.
        date: NaiveDate = game.key.date,
        /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
        #[schema(required, value_type = Option<String>, example = "13:00:00")]
        time: Option<NaiveTime> = game.key.time,
        /// The visiting team's slug.
        #[schema(example = "buffalo_bills")]
        away_team: String = game.key.away.to_string(),
        /// The home team's slug.
        #[schema(example = "miami_dolphins")]
        home_team: String = game.key.home.to_string(),
        /// The publisher's id of the game; absent if the publisher gives no id.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        match_id: Option<String> = game.match_id.clone(),
    }
}

wire! {
    /// Models, lines and expected values of a game in the total market.
    pub row TotalPredictionValues(game: &SlateGame, model: ModelName, own: &[ModelName]) {
        let [ev_pos, ev_neg] = values(ModelType::OverUnder, game, model);
        let lines = TotalLines::new(&game.lines);

        /// The probability of the positive side (over, home) by each model.
        predictions: ModelProbabilities = ModelProbabilities::from_game(ModelType::OverUnder, game, own),
        #[serde(flatten)]
        lines: TotalLines = lines,
        /// The expected value of one unit on the over by the probability of `model` and the posted price, in units, rounded to
        /// 12 decimals, halves away from zero; null without a probability of `model` or a price.
        #[schema(required, example = 0.05)]
        ev_pos: Option<f64> = ev_pos,
        /// The expected value of one unit on the under by the probability of `model` and the posted price, in units, rounded to
        /// 12 decimals, halves away from zero; null without a probability of `model` or a price.
        #[schema(required, example = -0.14)]
        ev_neg: Option<f64> = ev_neg,
    }
}

wire! {
    /// A game of the total market.
    pub row TotalPrediction(game: &SlateGame, model: ModelName, own: &[ModelName]) {
        #[serde(flatten)]
        game: PredictedGame = PredictedGame::new(game),
        #[serde(flatten)]
        values: TotalPredictionValues = TotalPredictionValues::new(game, model, own),
    }
}

wire! {
    /// Models, lines and expected values of a game in the moneyline market.
    pub row MoneylinePredictionValues(game: &SlateGame, model: ModelName, own: &[ModelName]) {
        let [ev_home_ml, ev_away_ml] = values(ModelType::WonOnPoints, game, model);
        let lines = MoneyLines::new(&game.lines);

        /// The probability of the positive side (over, home) by each model.
        predictions: ModelProbabilities = ModelProbabilities::from_game(ModelType::WonOnPoints, game, own),
        #[serde(flatten)]
        lines: MoneyLines = lines,
        /// The expected value of one unit on the away team by the probability of `model` and the posted price, in units, rounded
        /// to 12 decimals, halves away from zero; null without a probability of `model` or a price.
        #[schema(required, example = -0.18)]
        ev_away_ml: Option<f64> = ev_away_ml,
        /// The expected value of one unit on the home team by the probability of `model` and the posted price, in units, rounded
        /// to 12 decimals, halves away from zero; null without a probability of `model` or a price.
        #[schema(required, example = 0.08)]
        ev_home_ml: Option<f64> = ev_home_ml,
    }
}

wire! {
    /// A game of the moneyline market.
    pub row MoneylinePrediction(game: &SlateGame, model: ModelName, own: &[ModelName]) {
        #[serde(flatten)]
        game: PredictedGame = PredictedGame::new(game),
        #[serde(flatten)]
        values: MoneylinePredictionValues = MoneylinePredictionValues::new(game, model, own),
    }
}

wire! {
    /// Models, lines and expected values of a game in the spread market.
    pub row SpreadPredictionValues(game: &SlateGame, model: ModelName, own: &[ModelName]) {
        let [ev_home_spread, ev_away_spread] = values(ModelType::WonOnSpread, game, model);
        let lines = SpreadLines::new(&game.lines);

        /// The probability of the positive side (over, home) by each model.
        predictions: ModelProbabilities = ModelProbabilities::from_game(ModelType::WonOnSpread, game, own),
        #[serde(flatten)]
        lines: SpreadLines = lines,
        /// The expected value of one unit on the away spread by the probability of `model` and the posted price, in units,
        /// rounded to 12 decimals, halves away from zero; null without a probability of `model` or a price.
        #[schema(required, example = -0.07)]
        ev_away_spread: Option<f64> = ev_away_spread,
        /// The expected value of one unit on the home spread by the probability of `model` and the posted price, in units,
        /// rounded to 12 decimals, halves away from zero; null without a probability of `model` or a price.
        #[schema(required, example = -0.02)]
        ev_home_spread: Option<f64> = ev_home_spread,
    }
}

wire! {
    /// A game of the spread market.
    pub row SpreadPrediction(game: &SlateGame, model: ModelName, own: &[ModelName]) {
        #[serde(flatten)]
        game: PredictedGame = PredictedGame::new(game),
        #[serde(flatten)]
        values: SpreadPredictionValues = SpreadPredictionValues::new(game, model, own),
    }
}

impl PredictionsResponse {
    /// Converts the selected games of a market.
    pub fn from_current(
        market: Market,
        current: &CurrentPredictions,
        model: ModelName,
        changes: Option<&SlateChanges>,
    ) -> Self {
        let Market { sport, model_type } = market;
        match model_type {
            ModelType::OverUnder => Self::OverUnder(TotalPredictions::from_current(sport, current, model, changes)),
            ModelType::WonOnPoints => {
                Self::WonOnPoints(MoneylinePredictions::from_current(sport, current, model, changes))
            }
            ModelType::WonOnSpread => {
                Self::WonOnSpread(SpreadPredictions::from_current(sport, current, model, changes))
            }
        }
    }
}

/// Returns the publisher's own models of a market that are not retired, in order of declaration.
pub fn own_in_use(named: &NamedPredictions, model_type: ModelType) -> Vec<ModelName> {
    let in_use = named.models().registry().in_use();
    in_use.filter(|model| model.model_types.contains(&model_type)).map(|model| model.name).collect()
}

/// Returns the expected values of one unit on the positive and on the negative side, by a model.
fn values(model_type: ModelType, game: &SlateGame, model: ModelName) -> [Option<f64>; 2] {
    let probability = game.probability(model_type, model);
    let values = ExpectedValues::from_prices(probability, game.lines.prices(model_type));
    [values.positive, values.negative].map(|value| value.map(computed))
}

/// Rows are games; every model that a game could have is a column, whichever models this slate has.
impl Tabular for PredictionsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        match self {
            Self::OverUnder(page) => columns(page.sport, page.model_type, &page.games, &page.own),
            Self::WonOnPoints(page) => columns(page.sport, page.model_type, &page.games, &page.own),
            Self::WonOnSpread(page) => columns(page.sport, page.model_type, &page.games, &page.own),
        }
    }
}

fn columns<'a, G: Field>(
    sport: SportCode,
    model_type: Code<impl Coded>,
    games: &'a [G],
    own: &'a [ModelName],
) -> Vec<TableColumn<'a>> {
    let games = TableOf::rows(games).constant("sport", sport).constant("model_type", model_type);
    with_fields_about(games, Subject { model_type: None, own }).columns()
}

/// Probabilities of one game by model: of the positive side, in the order of the model columns, then of declaration. A
/// model without a probability is left out.
#[derive(Debug)]
pub struct ModelProbabilities(Vec<(ModelName, Probability)>);

impl ModelProbabilities {
    /// Collects the probabilities of a game in one market.
    pub fn from_game(model_type: ModelType, game: &SlateGame, own: &[ModelName]) -> Self {
        Self(game.probabilities(model_type, own).collect())
    }

    /// Returns the probabilities of a game without any.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Returns a model's probability as it is served; `None` if the model has no probability.
    pub fn figure(&self, model: ModelName) -> Option<f64> {
        let (_, probability) = self.0.iter().find(|(of, _)| *of == model)?;
        Some(model_probability(model, *probability))
    }
}

/// Models have columns of their own names, as in rows of results.
impl Field for ModelProbabilities {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        _: &'static str,
        subject: Subject<'a>,
        get: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        let get = &get;
        let standard = ModelColumn::ALL.into_iter().map(|model| (model.name(), ModelName::of(model)));
        let models = standard.chain(subject.own.iter().map(|model| (model.as_str(), *model)));
        models.fold(table, |table, (name, model)| table.column(name, move |row| get(row)?.figure(model)))
    }
}

/// Returns the models with a probability for at least one of these games.
pub fn models_used(model_type: ModelType, games: &[SlateGame], own: &[ModelName]) -> Vec<ModelNameCode> {
    sports_publication::slate::models_used(model_type, games, own).into_iter().map(Code).collect()
}

impl Serialize for ModelProbabilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0.iter().map(|(model, probability)| (Code(*model), model_probability(*model, *probability))),
        )
    }
}

impl PartialSchema for ModelProbabilities {
    fn schema() -> RefOr<Schema> {
        let probability = || ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0.0)).maximum(Some(1.0));
        let described = ObjectBuilder::new().description(Some(
            "Probabilities of one game by model: of the positive side (over, home), as the publisher gave \
             them. IMPLIED is the market's own no-vig probability, rounded to 12 decimals, halves away from zero, there \
             when both sides are priced. Models that the publisher declared come last. A model without a probability \
             is left out.",
        ));
        let described = described.additional_properties(Some(probability()));
        let models = ModelColumn::ALL.into_iter();
        models.fold(described, |object, model| object.property(model.name(), probability())).into()
    }
}

impl ToSchema for ModelProbabilities {}
