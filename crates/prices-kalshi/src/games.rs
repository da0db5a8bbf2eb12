use std::collections::BTreeMap;

use sports_domain::Sport;
use sports_slate::{QuotedGame, QuotedTeam};

use crate::page::Market;
use crate::ticker::Ticker;

/// A league's games put together from their markets.
#[derive(Debug, Default)]
pub(crate) struct Games(BTreeMap<String, QuotedGame>);

impl Games {
    /// Adds a market; one that is not about a game of the league is left out.
    pub(crate) fn add(&mut self, sport: Sport, market: &Market) {
        let Some(ticker) = Ticker::read(sport, &market.ticker) else { return };
        let game = self.0.entry(ticker.event.to_owned()).or_insert_with(|| unpriced(&ticker));
        let price = if market.is_open() { market.book().price() } else { None };
        if let Some(quoted) = game.teams.iter_mut().find(|quoted| quoted.team == *ticker.pays) {
            quoted.price = price;
        }
    }

    pub(crate) fn into_vec(self) -> Vec<QuotedGame> {
        self.0.into_values().collect()
    }
}

fn unpriced(ticker: &Ticker<'_>) -> QuotedGame {
    QuotedGame {
        date: ticker.date,
        time: ticker.time,
        game_number: ticker.game_number,
        teams: [ticker.away, ticker.home].map(|team| QuotedTeam { team: team.clone(), price: None }),
    }
}
