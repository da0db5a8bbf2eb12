use utoipa::OpenApi;

use super::headers;
use super::security::add_schemes;
use crate::codes::{AccountingCode, CountedForecastsCode, ModelTypeCode, PublicMarketCode, SportCode};
use crate::error::ErrorBody;
use crate::format::{Format, TableForm};

/// The base document. Schemas that only `Failures` and parameters use are not collected, so they are listed here.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sports model data",
        description = include_str!("description.md"),
        contact(name = "Sports model data service"),
        license(name = "MIT", identifier = "MIT"),
    ),
    servers((url = "/", description = "This server")),
    components(schemas(ErrorBody, SportCode, ModelTypeCode, PublicMarketCode, Format, AccountingCode, CountedForecastsCode, TableForm)),
    tags(
        (name = "service", description = "The server, its state, and the freshness of its data. Public."),
        (name = "record", description = "The releases and their times, and the tree of each league for later verification. Public, but for proofs and openings. The bytes of leaves, commitments, checkpoints and proofs are in `docs/record-format.md`."),
        (name = "discovery", description = "The leagues, the model types, and the models and teams of a league."),
        (name = "predictions", description = "The models' probabilities for the current slate, market by market."),
        (name = "public", description = "Free picks, readable without a key from any page of the web."),
        (name = "odds", description = "The current odds for the games of the current slate."),
        (name = "account", description = "Your account, your usage, your API keys and your webhooks."),
        (name = "datasets", description = "Historical datasets you own, bought apart from the API plan."),
        (name = "results", description = "Graded history, one row a game, and the list of seasons."),
        (name = "performance", description = "The records of models and teams, from the same graded rows as the results."),
        (name = "strategies", description = "Backtests of betting rules of your own; sixteen fixed rules over line moves and model edges, and their replay."),
        (name = "markets", description = "Moneylines at the model, the sportsbook and the prediction market, side by side."),
        (name = "picks", description = "Kept for old clients: no betting selector is active, so every answer is empty."),
    ),
)]
struct Base;

pub(super) fn document() -> utoipa::openapi::OpenApi {
    let mut document = Base::openapi();
    let components = document.components.get_or_insert_default();
    add_schemes(components);
    headers::describe(components);
    document
}
