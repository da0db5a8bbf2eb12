use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::Market;
use sports_ports::PortError;
use sports_publication::ForecastKind;
use sports_publication::movement::{ForecastItem, SeasonMovement};

use super::{MadeBet, ProvenBets, ReadSeason, RowsAt};
use crate::analytics::tracking::earliest_start;
use crate::game_histories::places;
use crate::record::PastRecord;

/// The record that has the commitments to forecasts of a market.
pub struct Committed<'r> {
    pub market: Market,
    /// The time at which the model of the rule was declared.
    pub declared: Option<DateTime<Utc>>,
    pub record: &'r Arc<PastRecord>,
}

impl Committed<'_> {
    /// Gives bets the places of their forecasts in the league's tree, and counts those that others had before the start.
    pub(super) async fn prove(&self, bets: &mut [MadeBet], seasons: &[ReadSeason]) -> Result<ProvenBets, PortError> {
        let mut all = ProvenBets { recorded: 0, proven: Some(0) };
        for read in seasons {
            let Some(movement) = read.rows.movement() else { continue };
            let season = read.season.archive.season;
            let is_recorded =
                |bet: &&mut MadeBet| bet.bet.season == season && bet.forecast == Some(ForecastKind::Recorded);
            let found = bets.iter_mut().filter(is_recorded).filter_map(|bet| {
                let item = self.forecast(movement, &read.rows, &bet.game_id)?;
                Some((bet, item))
            });
            let (of_season, items): (Vec<_>, Vec<_>) = found.unzip();
            let indices = places(self.record, (self.market.sport, self.market.model_type), &items).await?;
            let times = read.evidence.times().await?;
            let mut proven = 0;
            for ((bet, item), index) in of_season.into_iter().zip(items).zip(indices) {
                bet.record_index = index;
                let at = match read.rows {
                    RowsAt::Imported | RowsAt::Recorded(_) => bet.recorded_at,
                    RowsAt::Known { .. } => Some(item.published.published_at),
                };
                let (Some(_), Some(at)) = (index, at) else { continue };
                all.recorded += 1;
                let start = earliest_start(self.market.sport, &bet.game);
                let is_evident = times.as_ref().is_some_and(|times| times.precede(start, at));
                proven += u32::from(is_evident && self.declared <= Some(at));
            }
            all.proven = all.proven.filter(|_| times.is_some()).map(|sum| sum + proven);
        }
        Ok(all)
    }

    /// Returns the forecast that a row of a game holds: the standing one, or the one that was served then.
    fn forecast<'m>(&self, movement: &'m SeasonMovement, rows: &RowsAt, game_id: &str) -> Option<ForecastItem<'m>> {
        let (history, model_type) = (movement.game(game_id)?, self.market.model_type);
        match rows {
            RowsAt::Imported | RowsAt::Recorded(_) => history.standing(model_type),
            RowsAt::Known { before, now, .. } => {
                let known_at = SeasonMovement::known_at(&history, *before, now.0)?;
                let forecasts = history.forecasts(model_type).into_iter();
                forecasts.take_while(|item| item.published.published_at <= known_at).last()
            }
        }
    }
}
