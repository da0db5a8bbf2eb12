use std::collections::BTreeMap;

use sports_domain::Sport;
use sports_slate::{QuotedGame, QuotedTeam};

use crate::page::{Listed, Market};
use crate::ticker::Ticker;

/// A league's games, assembled from their markets.
#[derive(Debug, Default)]
pub(crate) struct Games {
    by_event: BTreeMap<String, QuotedGame>,
    /// The number of markets that were left out because they cannot be parsed.
    pub(crate) unreadable: usize,
}

impl Games {
    /// Adds a market. Leaves out markets that cannot be parsed or are not about a game of the league.
    pub(crate) fn add(&mut self, sport: Sport, listed: &Listed) {
        match listed {
            Listed::Market(market) => self.add_market(sport, market),
            Listed::Unreadable(_) => self.unreadable += 1,
        }
    }

    fn add_market(&mut self, sport: Sport, market: &Market) {
        let Some(ticker) = Ticker::read(sport, &market.ticker) else { return };
        let game = self.by_event.entry(ticker.event.to_owned()).or_insert_with(|| unpriced(&ticker));
        let price = if market.is_open() { market.book().price() } else { None };
        if let Some(quoted) = game.teams.iter_mut().find(|quoted| quoted.team == *ticker.pays) {
            quoted.price = price;
        }
    }

    pub(crate) fn into_vec(self) -> Vec<QuotedGame> {
        self.by_event.into_values().collect()
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
