use std::collections::HashMap;
use std::sync::Arc;

use sports_domain::{DateSpan, GameKey, ModelColumn, ModelSet, OwnMatrix, Season};
use sports_publication::movement::KnownGame;
use sports_publication::{CountedForecasts, ForecastKind, ForecastSource};
use sports_strategies::{RowSource, Rule, RuleBet, RuleRow, SeasonRows, StrategyGame};

use super::{MadeBet, ReadSeason, RowsAt};
use crate::analytics::SeasonAnalytics;
use crate::results::snapshot;

/// The rows of a season of a rule, of the rule's source and in the order of results.
pub struct SeasonInput {
    season: Season,
    snapshot: String,
    opened: Arc<SeasonAnalytics>,
    /// The places of the rows in the season.
    places: Vec<usize>,
    /// The rows as they were known; `None` for the record.
    known: Option<KnownRows>,
}

/// Rows as they were known, in the order of the places.
struct KnownRows {
    models: ModelSet,
    games: Vec<KnownGame>,
    own: OwnMatrix,
    /// The present keys of all games with a row, of the rule's source or not.
    keys: Vec<GameKey>,
}

impl SeasonInput {
    pub(super) fn new(rule: &Rule, read: &ReadSeason) -> Self {
        let (archive, opened) = (read.season.archive, Arc::clone(&read.opened.0));
        let snapshot = snapshot(archive.market, archive.season, &archive.object).to_string();
        let (places, known) = match &read.rows {
            RowsAt::Imported | RowsAt::Recorded(_) => {
                let is_counted = |place: &usize| counts(rule.source(), opened.forecast_kinds[*place]);
                ((0..opened.keys.len()).filter(is_counted).collect(), None)
            }
            RowsAt::Known { before, movement, now, .. } => {
                let known = movement.get().known_season(archive.market.model_type, *before, now.0);
                let (places, known) = KnownRows::new(rule, known.games, &opened);
                (places, Some(known))
            }
        };
        Self { season: archive.season, snapshot, opened, places, known }
    }

    pub const fn season(&self) -> Season {
        self.season
    }

    /// Returns the rows as input of the rule.
    pub fn rows(&self, rule: &Rule) -> SeasonRows<'_> {
        let opened = &*self.opened;
        let (models, rows) = match &self.known {
            None => {
                let row = |place: &usize| RuleRow { key: &opened.keys[*place], game: opened.rule_game(*place) };
                (&opened.models, self.places.iter().map(row).collect())
            }
            Some(known) => {
                let (market, mut rows) = (rule.market().model_type, Vec::with_capacity(self.places.len()));
                for (row, (place, then)) in self.places.iter().zip(&known.games).enumerate() {
                    let (game, then) = (opened.rule_game(*place), &then.game);
                    let (score, finality) = (game.market().score(), game.finality());
                    let forecasts = then.forecasts.with_own(known.own.row(row));
                    let game = StrategyGame::new(market, &then.lines, score, forecasts, finality, ModelColumn::Blend);
                    rows.push(RuleRow { key: &then.key, game });
                }
                (&known.models, rows)
            }
        };
        SeasonRows { season: self.season, snapshot: &self.snapshot, models, rows }
    }

    /// Returns a bet on one of the rows with its game.
    pub fn made(&self, bet: RuleBet, total: f64) -> Option<MadeBet> {
        let (row, opened) = (bet.bet.game, &self.opened);
        let place = *self.places.get(row)?;
        let (game, forecast) = match &self.known {
            None => (&opened.keys[place], opened.forecast_kinds[place]),
            Some(known) => (&known.games[row].game.key, kind(&known.games[row])),
        };
        Some(MadeBet {
            game: game.clone(),
            game_id: opened.ids[place].to_string(),
            bet,
            total,
            forecast,
            recorded_at: opened.recorded_at(place),
            record_index: None,
        })
    }

    /// Returns the number of games on these dates that had no row then; `None` for the record.
    pub fn not_known_then(&self, span: DateSpan) -> Option<u32> {
        let known = self.known.as_ref()?;
        let on_dates = self.opened.keys.iter().filter(|key| span.contains(key.date)).count();
        let unknown = on_dates - known.keys.iter().filter(|key| span.contains(key.date)).count();
        Some(u32::try_from(unknown).unwrap_or(u32::MAX))
    }
}

impl KnownRows {
    /// Selects the rows of the rule's source; returns their places in the season, too.
    fn new(rule: &Rule, games: Vec<KnownGame>, opened: &SeasonAnalytics) -> (Vec<usize>, Self) {
        let by_id: HashMap<&str, usize> = opened.ids.iter().enumerate().map(|(place, id)| (&**id, place)).collect();
        let with_place = |game: KnownGame| Some((*by_id.get(game.game.game_id.as_deref()?)?, game));
        let mut rows: Vec<_> = games.into_iter().filter_map(with_place).collect();
        let keys = rows.iter().map(|(place, _)| opened.keys[*place].clone()).collect();
        rows.retain(|(_, game)| counts(rule.source(), kind(game)));
        rows.sort_by(|(_, one), (_, other)| one.game.key.cmp(&other.game.key));
        let (places, games): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let mut named: Vec<_> = rule.models().filter(|model| model.column().is_none()).collect();
        named.sort_unstable();
        named.dedup();
        // The models that a rule names are of one league, so they fit.
        let models = ModelSet::new(named).unwrap_or_default();
        let own = OwnMatrix::from_games(&models, games.iter().map(|known| &known.game.own));
        (places, Self { models, games, own, keys })
    }
}

/// Returns the kind of the forecast that the predictions had: they are releases of this log.
fn kind(known: &KnownGame) -> Option<ForecastKind> {
    let has_forecast = !known.game.forecasts.is_empty() || !known.game.own.is_empty();
    has_forecast.then_some(ForecastKind::Recorded)
}

fn counts(source: RowSource, kind: Option<ForecastKind>) -> bool {
    let counted = match source {
        RowSource::All => return true,
        RowSource::Recorded => CountedForecasts::Recorded,
        RowSource::Live => CountedForecasts::From(ForecastSource::Live),
        RowSource::WalkForward => CountedForecasts::From(ForecastSource::WalkForward),
    };
    kind.is_some_and(|kind| counted.include(kind))
}
