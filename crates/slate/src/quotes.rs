use chrono::{NaiveDate, NaiveTime};
use sports_domain::{Probability, TeamSlug};

/// One game as a prediction market lists it: each team has a market of its own that pays if it wins.
///
/// The two prices come from two order books, so they need not add up to one.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotedGame {
    /// The Eastern date the game was scheduled for when the market opened.
    pub date: NaiveDate,
    /// The Eastern start of that schedule, if the market names a start.
    pub time: Option<NaiveTime>,
    /// The game's number in a doubleheader, if the market gives a number.
    pub game_number: Option<u8>,
    /// The two teams, in the market's order. At a neutral site it may differ from the sportsbook's order.
    pub teams: [QuotedTeam; 2],
}

/// One team's market.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotedTeam {
    /// The team on whose win the market pays.
    pub team: TeamSlug,
    /// The price of one unit paid on its win, strictly between 0 and 1; `None` without orders or trades.
    pub price: Option<Probability>,
}

impl QuotedGame {
    /// Returns the price of a team's win; `None` without a price, or if the team does not play in this game.
    pub fn price_of(&self, team: &TeamSlug) -> Option<Probability> {
        self.teams.iter().find(|quoted| quoted.team == *team)?.price
    }

    /// Returns true if these are the two teams of the game, in either order.
    pub fn is_between(&self, one: &TeamSlug, other: &TeamSlug) -> bool {
        let [first, second] = &self.teams;
        (first.team == *one && second.team == *other) || (first.team == *other && second.team == *one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_between_both_of_its_teams_in_either_order() {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let (foxes, gulls, kings) = (team("canal_foxes"), team("harbor_gulls"), team("prairie_kings"));
        let quoted = |team: &TeamSlug| QuotedTeam { team: team.clone(), price: None };
        let date = "2024-11-24".parse().expect("a date");
        let game = QuotedGame { date, time: None, game_number: None, teams: [quoted(&foxes), quoted(&gulls)] };
        assert!(game.is_between(&foxes, &gulls) && game.is_between(&gulls, &foxes));
        for (one, other) in [(&foxes, &kings), (&kings, &gulls), (&gulls, &kings), (&kings, &foxes), (&foxes, &foxes)] {
            assert!(!game.is_between(one, other), "{one} and {other}");
        }
    }
}
