//! The slate of a league: the three markets of each game and its odds in one answer.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDateTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelName, ModelType, Sport, eastern_reading};
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_publication::slate::{OddsGame, SlateGame};
use sports_usecases::slate_changes::SlateChanges;
use sports_usecases::today::{self, CurrentOdds, CurrentPredictions, NamedOdds};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, ModelNameCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{ChangedQuery, FormatQuery, ModelQuery, MomentQuery, Params};
use crate::paths::{Path, SportPath};
use crate::routes::moves::{Earlier, earlier_slate};
use crate::routes::odds::{PostedLines, as_wall_clock, changes_of_odds};
use crate::routes::predictions::{
    ListedMarket, MoneylinePredictionValues, PredictedGame, SlateQuery, SpreadPredictionValues, TotalPredictionValues,
    changes_of_market, models_used, own_in_use,
};
use crate::wire::{Field, Subject, TableOf, Tabular, wire};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_slate));
}

/// The parameters of the operation.
type Query = (SlateQuery, ModelQuery, FormatQuery, ChangedQuery, MomentQuery);

/// List the slate of a league
///
/// The three markets of each game in one answer: models, lines, openers and expected values as the predictions of that market have
/// them, and the current lines of the odds beside them. The games are those that the predictions of at least one market list; a
/// market that does not list a game is null, and so are `odds` that do not quote it. In tables the fields of a market or of the
/// odds are columns that begin with `moneyline_`, `spread_`, `total_` or `odds_`. With `changed_after` only the games that changed
/// since that generation, and the `game_id` of those that are gone.
#[utoipa::path(
    get, path = "/api/v1/slate/{sport}",
    tag = "predictions",
    params(SportPath),
    responses(
        (status = 200, description = "The games", body = SlateResponse,
            example = json!(read_example(include_str!("slate/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_slate(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((slate, ModelQuery { model }, FormatQuery { format }, since, query))) = (path, params);
    let reach = slate.reach();
    let at = moments.at_after(sport, &query, "changed_after", since.changed_after).await?;
    let earlier = earlier_slate(&moments, sport, since).await?;
    let published = at.moment().catalog().into_iter().flat_map(|catalog| catalog.predictions.keys().copied());
    let mut markets = BTreeMap::new();
    for model_type in published {
        let market = Market::new(sport, model_type);
        let listed = ListedMarket::find(&at, market, reach, model).await?;
        let before = match &earlier {
            Some(earlier) => Some(ListedMarket::earlier(earlier, market, reach, model).await?),
            None => None,
        };
        markets.insert(model_type, (Box::new(listed), before));
    }
    if markets.is_empty() {
        return Err(at.failure(ApiError::NotFound(format!("No predictions are published for {sport}"))));
    }
    let odds = today::odds(at.moment()).ok();
    let odds_before = earlier.map(|earlier| earlier.odds());
    let keys = markets.iter().map(|(model_type, (listed, before))| {
        (*model_type, listed.key(), before.as_ref().map(ListedMarket::earlier_key))
    });
    let artifact = |odds: Option<&NamedOdds>| odds.map(NamedOdds::artifact).cloned();
    let artifact_then = odds_before.as_ref().map(|Earlier(odds)| artifact(odds.as_ref()));
    let key = (sport, reach, keys.collect::<Vec<_>>(), artifact(odds.as_ref()), artifact_then);
    let page = async move { Ok(Rows(SlateResponse::read(sport, markets, odds, odds_before).await?)) };
    answer.in_format(format).at(&at).respond(&key, Box::pin(page)).await
}

/// A market as it is now, and with `changed_after` as it was then.
type MarketThenAndNow = (Box<ListedMarket>, Option<Earlier<Box<ListedMarket>>>);

/// The games of a league's slate, each with its three markets.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeagueSlate)]
pub struct SlateResponse {
    /// The league.
    sport: SportCode,
    /// The models of each market.
    markets: SlateMarkets,
    /// The time at which the odds were published, UTC; null without odds.
    #[schema(required)]
    odds_updated: Option<DateTime<Utc>>,
    /// The games, by date, then Eastern time.
    games: Vec<SlateItem>,
    /// With `changed_after`: the `game_id` of each game that was listed then and no longer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    gone: Option<Vec<String>>,
    /// The own models in use of each market, each a column of the table.
    #[serde(skip)]
    own: BTreeMap<ModelType, Vec<ModelName>>,
    /// The names of the columns of markets and odds, once the table is made.
    #[serde(skip)]
    names: OnceLock<Vec<String>>,
}

/// The predictions of a market as they were read.
pub struct ReadMarket {
    current: CurrentPredictions,
    model: ModelName,
    /// The own models with a probability.
    own: Vec<ModelName>,
    games: Vec<SlateGame>,
}

/// A game in each market that lists it, and its odds.
pub struct GameParts<'a> {
    /// The game in the first of its markets.
    game: &'a SlateGame,
    markets: BTreeMap<ModelType, (&'a SlateGame, &'a ReadMarket)>,
    odds: Option<&'a OddsGame>,
    /// The source time of the odds, on the Eastern wall clock.
    odds_read: NaiveDateTime,
}

impl SlateResponse {
    async fn read(
        sport: Sport,
        markets: BTreeMap<ModelType, MarketThenAndNow>,
        odds: Option<NamedOdds>,
        odds_before: Option<Earlier<NamedOdds>>,
    ) -> Result<Self, PortError> {
        let (mut read, mut of_markets, mut own_columns) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        for (model_type, (listed, before)) in markets {
            let ListedMarket { named, model } = *listed;
            own_columns.insert(model_type, own_in_use(&named, model_type));
            let current = named.read().await?;
            if let Some(before) = before {
                of_markets.push(changes_of_market(&current, model, before).await?);
            }
            let games = current.games().map(|game| game.game.clone()).collect();
            read.insert(model_type, ReadMarket { own: current.own_models(), model, games, current });
        }
        let odds = match odds {
            Some(odds) => Some(odds.read().await?),
            None => None,
        };
        let odds_changes = match (&odds, odds_before) {
            (Some(odds), Some(before)) => changes_of_odds(odds, before).await?,
            _ => SlateChanges::default(),
        };
        let games = parts(&read, odds.as_ref());
        let is_listed = |id: &String| games.iter().any(|game| game.game.game_id.as_ref() == Some(id));
        let changes = (!of_markets.is_empty()).then(|| SlateChanges::of_markets(of_markets, odds_changes, is_listed));
        let is_changed =
            |game: &&GameParts<'_>| changes.as_ref().is_none_or(|changes| changes.has(game.game.game_id.as_deref()));
        Ok(Self {
            sport: Code(sport),
            markets: SlateMarkets::new(&read),
            odds_updated: odds.as_ref().map(|odds| odds.artifact().published_at),
            games: games.iter().filter(is_changed).map(SlateItem::new).collect(),
            gone: changes.as_ref().map(SlateChanges::gone),
            own: own_columns,
            names: OnceLock::new(),
        })
    }
}

/// Returns the games of all markets with their odds, by date and time.
fn parts<'a>(markets: &'a BTreeMap<ModelType, ReadMarket>, odds: Option<&'a CurrentOdds>) -> Vec<GameParts<'a>> {
    let quoted = odds.into_iter().flat_map(|odds| odds.odds().games()).map(|game| (&game.game_id, game));
    let quoted: HashMap<_, _> = quoted.collect();
    let odds_read = odds.map(|odds| eastern_reading(odds.artifact().source_as_of)).unwrap_or_default();
    let mut games: HashMap<_, GameParts<'_>> = HashMap::new();
    for (model_type, read) in markets {
        for game in &read.games {
            let odds = quoted.get(&game.game_id).copied();
            let parts = games.entry(&game.game_id).or_insert_with(|| GameParts {
                game,
                markets: BTreeMap::new(),
                odds,
                odds_read,
            });
            parts.markets.insert(*model_type, (game, read));
        }
    }
    let mut games: Vec<_> = games.into_values().collect();
    games.sort_by(|one, other| one.game.key.cmp(&other.game.key));
    games
}

impl GameParts<'_> {
    /// Returns the values of the game in a market; `None` if the market does not list the game.
    fn in_market<V>(&self, model_type: ModelType, new: impl Fn(&SlateGame, ModelName, &[ModelName]) -> V) -> Option<V> {
        self.markets.get(&model_type).map(|(game, read)| new(game, read.model, &read.own))
    }
}

wire! {
    /// The markets of a slate.
    pub struct SlateMarkets(markets: &BTreeMap<ModelType, ReadMarket>) {
        let market = |model_type| markets.get(&model_type).map(|read| SlateMarket::new(model_type, read));

        /// The moneyline; null if no predictions of it are published.
        #[schema(required)]
        moneyline: Option<SlateMarket> = market(ModelType::WonOnPoints),
        /// The spread; null if no predictions of it are published.
        #[schema(required)]
        spread: Option<SlateMarket> = market(ModelType::WonOnSpread),
        /// The total; null if no predictions of it are published.
        #[schema(required)]
        total: Option<SlateMarket> = market(ModelType::OverUnder),
    }
}

wire! {
    /// The models of a market of a slate.
    pub struct SlateMarket(model_type: ModelType, read: &ReadMarket) {
        /// The time at which the predictions of this market were published, UTC.
        predictions_date: DateTime<Utc> = read.current.named().entry().artifact.published_at,
        /// The model of the expected values.
        #[schema(example = "BLEND")]
        model: ModelNameCode = Code(read.model),
        /// The models with a probability for at least one game of the slate.
        models_used: Vec<ModelNameCode> = models_used(model_type, &read.games, &read.own),
        /// The note of a market in which the model has no value although others have, which it names; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = "ELO has no value here; models with one: BLEND, XGB")]
        message: Option<String> = read.current.missing(read.model).as_ref().map(ToString::to_string),
    }
}

wire! {
    /// A game of the slate.
    #[schema(as = LeagueSlateGame)]
    pub struct SlateItem(parts: &GameParts<'_>) {
        #[serde(flatten)]
        game: PredictedGame = PredictedGame::new(parts.game),
        /// The moneyline; null if its predictions do not list the game.
        #[schema(required)]
        moneyline: Option<MoneylinePredictionValues> = parts.in_market(ModelType::WonOnPoints, MoneylinePredictionValues::new),
        /// The spread; null if its predictions do not list the game.
        #[schema(required)]
        spread: Option<SpreadPredictionValues> = parts.in_market(ModelType::WonOnSpread, SpreadPredictionValues::new),
        /// The total; null if its predictions do not list the game.
        #[schema(required)]
        total: Option<TotalPredictionValues> = parts.in_market(ModelType::OverUnder, TotalPredictionValues::new),
        /// The current odds; null if they do not quote the game.
        #[schema(required)]
        odds: Option<SlateOdds> = parts.odds.map(|game| SlateOdds::new(game, parts.odds_read)),
    }
}

wire! {
    /// The current lines and prices of a game in the odds. Prices are American odds.
    pub row SlateOdds(game: &OddsGame, source_read: NaiveDateTime) {
        #[serde(flatten)]
        lines: PostedLines = PostedLines::new(&game.lines),
        /// The Eastern time at which the sportsbook's prices of this game were last read, `YYYY-MM-DD HH:MM:SS`; the source time of
        /// the odds if the publisher gives none.
        #[serde(serialize_with = "as_wall_clock")]
        #[schema(value_type = String, example = "2025-01-15 09:45:00")]
        last_updated: NaiveDateTime = game.last_updated.unwrap_or(source_read),
    }
}

/// Rows are games; the columns of a market and of the odds have its name before them.
impl Tabular for SlateResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let rows = || TableOf::rows(&self.games);
        let subject =
            |model_type| Subject { model_type: None, own: self.own.get(&model_type).map_or(&[], Vec::as_slice) };
        let games = rows().constant("sport", self.sport);
        let mut columns = PredictedGame::add_to(games, "", Subject::default(), |item| Some(&item.game)).columns();
        let [moneyline, spread, total] =
            [ModelType::WonOnPoints, ModelType::WonOnSpread, ModelType::OverUnder].map(subject);
        let parts = [
            ("moneyline", Field::add_to(rows(), "", moneyline, |item: &SlateItem| Some(&item.moneyline))),
            ("spread", Field::add_to(rows(), "", spread, |item: &SlateItem| Some(&item.spread))),
            ("total", Field::add_to(rows(), "", total, |item: &SlateItem| Some(&item.total))),
            ("odds", Field::add_to(rows(), "", Subject::default(), |item: &SlateItem| Some(&item.odds))),
        ];
        let parts =
            parts.into_iter().flat_map(|(part, table)| table.columns().into_iter().map(move |column| (part, column)));
        let parts: Vec<_> = parts.collect();
        let names =
            self.names.get_or_init(|| parts.iter().map(|(part, column)| format!("{part}_{}", column.name)).collect());
        columns.extend(parts.into_iter().zip(names).map(|((_, column), name)| TableColumn { name, ..column }));
        columns
    }
}
