//! A season as it was known some time before each start, as a table.

use sports_domain::{LineColumn, LineValue, ModelColumn, ModelName, ModelType, Probability, rounded};
use sports_ports::tables::TableColumn;
use sports_publication::movement::{KnownGame, KnownSeason};

use crate::{TableOf, Tabular};

/// The decimals of IMPLIED, as in predictions.
const IMPLIED_PLACES: u8 = 12;

/// The columns of the odds.
const ODDS: [(&str, LineColumn); 9] = [
    ("odds_away_point_spread", LineColumn::AwayPointSpread),
    ("odds_away_point_spread_line", LineColumn::AwayPointSpreadLine),
    ("odds_home_point_spread", LineColumn::HomePointSpread),
    ("odds_home_point_spread_line", LineColumn::HomePointSpreadLine),
    ("odds_away_money_line", LineColumn::AwayMoneyLine),
    ("odds_home_money_line", LineColumn::HomeMoneyLine),
    ("odds_over_under", LineColumn::OverUnder),
    ("odds_over_line", LineColumn::OverLine),
    ("odds_under_line", LineColumn::UnderLine),
];

/// Rows are games; each model of the season or of a row is a column.
impl Tabular for KnownSeason {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let model_type = self.market.model_type;
        let table = names_and_times(TableOf::rows(&self.games));
        let lines = LineColumn::of_market(model_type).iter().map(|column| (column.name(), *column));
        let table = lines.fold(table, |table, (name, column)| {
            with_line(table, name, column, move |game| game.game.lines.value(column))
        });
        let table = ODDS
            .into_iter()
            .fold(table, |table, (name, column)| with_line(table, name, column, move |game| game.odds.value(column)));
        let standard = ModelColumn::FORECASTS.into_iter().map(|model| (model.name(), ModelName::of(model)));
        let models = standard.chain(self.models.iter().map(|model| (model.as_str(), *model)));
        let table = models.fold(table, |table, (name, model)| {
            table.column(name, move |game| game.game.probability(model_type, model).map(Probability::get))
        });
        let table = table.column(ModelColumn::Implied.name(), move |game| {
            let implied = game.game.probability(model_type, ModelColumn::Implied);
            implied.map(|implied| rounded(implied.get(), IMPLIED_PLACES))
        });
        if self.has_finals { with_finals(table, model_type).columns() } else { table.columns() }
    }
}

/// Adds the columns that name a game and the moment of its row.
fn names_and_times<'a>(table: TableOf<'a, &'a KnownGame>) -> TableOf<'a, &'a KnownGame> {
    table
        .column("game_id", |game| game.game.game_id.as_deref())
        .column("date", |game| game.game.key.date)
        .column("time_est", |game| game.game.key.time)
        .column("away_team", |game| game.game.key.away.as_str())
        .column("home_team", |game| game.game.key.home.as_str())
        .column("match_id", |game| game.game.match_id.as_deref())
        .column("starts_at", |game| game.starts_at)
        .column("known_at", |game| game.known_at)
        .column("generation", |game| game.generation.get())
        .column("predictions_published_at", |game| game.predictions_published_at)
        .column("odds_published_at", |game| game.odds_published_at)
}

/// Adds a column of lines or prices.
fn with_line<'a>(
    table: TableOf<'a, &'a KnownGame>,
    name: &'static str,
    column: LineColumn,
    value: impl Fn(&KnownGame) -> Option<LineValue>,
) -> TableOf<'a, &'a KnownGame> {
    if column.holds_prices() {
        table.column(name, |game| match value(game)? {
            LineValue::Price(price) => Some(price.get()),
            LineValue::Points(_) => None,
        })
    } else {
        table.column(name, |game| match value(game)? {
            LineValue::Points(points) => Some(points),
            LineValue::Price(_) => None,
        })
    }
}

/// Adds the final and the outcome by the line of the row.
fn with_finals<'a>(table: TableOf<'a, &'a KnownGame>, model_type: ModelType) -> TableOf<'a, &'a KnownGame> {
    table
        .column("away_score", |game| game.score.map(|score| u32::from(score.away)))
        .column("home_score", |game| game.score.map(|score| u32::from(score.home)))
        .column("push", move |game| game.market_game(model_type).push())
        .column(model_type.outcome_column(), move |game| game.market_game(model_type).positive_won().map(u32::from))
}
