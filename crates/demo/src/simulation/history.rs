use chrono::{DateTime, Utc};
use sports_domain::{GameLines, LineColumn, ModelColumn, ModelType, TwoWayPrices};

use crate::simulation::files::{Csv, ReleaseFiles, Zeros};
use crate::simulation::forecaster::{AiModel, OwnModel, forecasts, own_cell};
use crate::simulation::league::League;
use crate::simulation::quoting::Quote;
use crate::simulation::season::{Coverage, Game, Kept, PlayedSeason};

const KEY: [&str; 4] = ["date", "time_est", "away_team", "home_team"];

const OF_GAMES: [&str; 7] =
    ["season", "game_type", "match_id", "away_score", "home_score", "quote_source", "settlement_status"];

/// The quote source in every row.
pub(crate) const QUOTE_SOURCE: &str = "simulated";

/// A game whose outcome is known, with its closing lines; preseason games have none.
type Known<'g> = (&'g Game, Option<Quote>);

/// Adds the files of one season's games whose outcome is known at `instant`, with these own models; adds no file before
/// the first outcome.
pub(crate) fn add(
    files: &mut ReleaseFiles,
    league: &League,
    season: &PlayedSeason,
    own: &[OwnModel],
    instant: DateTime<Utc>,
) {
    let ended = season.games.iter().filter(|game| game.ends <= instant);
    let known: Vec<Known<'_>> = ended.map(|game| (game, game.closing_quote(league))).collect();
    if known.is_empty() {
        return;
    }
    files.add(format!("games/{}.csv", season.label), games(league, season, &known));
    for model_type in ModelType::ALL {
        let path = format!("probabilities/{model_type}/{}.csv", season.label);
        let own: Vec<_> = own.iter().filter(|model| model.has(model_type)).collect();
        files.add(path, probabilities(league, season.coverage, model_type, &own, &known));
    }
}

fn games(league: &League, season: &PlayedSeason, known: &[Known<'_>]) -> String {
    let numbered = numbered(season.coverage);
    let lines = LineColumn::ALL.map(LineColumn::name);
    let mut csv = Csv::with_header(KEY.into_iter().chain(OF_GAMES).chain(lines).chain(numbered));
    for (game, quote) in known {
        csv.key(&game.key);
        csv.cell(season.label);
        csv.cell(game.stage.word());
        csv.cell(&game.match_id);
        let score = game.outcome.score();
        csv.optional(score.map(|score| score.away));
        csv.optional(score.map(|score| score.home));
        csv.optional(quote.map(|_| QUOTE_SOURCE));
        csv.cell(game.outcome.word());
        let lines = quote.map(|quote| recorded(quote.lines, season.coverage)).unwrap_or_default();
        let zeros = if game.has_zero_prices(league) { Zeros::InOpeners } else { Zeros::Nowhere };
        csv.lines(&lines, &LineColumn::ALL, zeros);
        end_row(&mut csv, game, numbered);
    }
    csv.into_text()
}

fn probabilities(
    league: &League,
    coverage: Coverage,
    model_type: ModelType,
    own: &[&OwnModel],
    known: &[Known<'_>],
) -> String {
    let (ai, columns) = models(coverage);
    let numbered = numbered(coverage);
    let names = columns.iter().map(|column| column.name()).chain(own.iter().map(|model| model.name));
    let mut csv = Csv::with_header(KEY.into_iter().chain(names).chain(numbered));
    for (game, quote) in known {
        let Some((quote, quoting)) = quote.as_ref().map(Quote::forecast_early).zip(game.quoting()) else { continue };
        let forecast = forecasts(league, model_type, quoting, &quote, ai);
        if !forecast.is_empty() {
            csv.key(&game.key);
            csv.models(&forecast, columns);
            for model in own {
                csv.cell(own_cell(league, model_type, quoting, &quote, model));
            }
            end_row(&mut csv, game, numbered);
        }
    }
    csv.into_text()
}

fn end_row(csv: &mut Csv, game: &Game, numbered: Option<&str>) {
    if numbered.is_some() {
        csv.optional(game.key.game_number);
    }
    csv.end_row();
}

/// Returns the column that distinguishes the games of a doubleheader if start times are missing.
fn numbered(coverage: Coverage) -> Option<&'static str> {
    (coverage.times == Kept::No).then_some("game_number")
}

/// Returns the lines that a season's sources kept.
pub(crate) fn recorded(lines: GameLines, coverage: Coverage) -> GameLines {
    match coverage.point_prices {
        Kept::Yes => lines,
        Kept::No => {
            GameLines { spread_prices: TwoWayPrices::default(), total_prices: TwoWayPrices::default(), ..lines }
        }
    }
}

/// Returns the presence of the AI model in a season, and the model columns of its files.
pub(crate) fn models(coverage: Coverage) -> (AiModel, &'static [ModelColumn]) {
    const COLUMNS: [ModelColumn; 8] = ModelColumn::FORECASTS;
    match coverage.ai_model {
        Kept::Yes => (AiModel::Present, &COLUMNS),
        Kept::No => (AiModel::Absent, COLUMNS.split_at(1).1),
    }
}
