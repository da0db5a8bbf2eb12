use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use sports_domain::{GameKey, GameLines, Probability, TeamSlug};

/// A sportsbook's current lines and prices for one game, without openers.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OddsGame {
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub key: GameKey,
    /// The identity of the game in its league; in a publisher's row, the game that the row names.
    #[cfg_attr(feature = "serde", serde(with = "crate::slate::serialized::identity"))]
    pub game_id: Option<String>,
    /// The Eastern start in the odds, if it differs from the start on record.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "sports_domain::deserialize_reached_option"
        )
    )]
    pub listed_start: Option<NaiveDateTime>,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// Current lines and prices.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lines: GameLines,
    /// The source of the prices, such as the name of the sportsbook.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub quote_source: Option<String>,
    /// The time of the last reading of the book, on the Eastern wall clock, if the publisher gives it.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "sports_domain::deserialize_reached_option"
        )
    )]
    pub last_updated: Option<NaiveDateTime>,
}

impl OddsGame {
    /// Returns true if these odds are of the game with this key and, if both sides name an id, this id.
    pub fn is_of(&self, key: &GameKey, match_id: Option<&str>) -> bool {
        self.key == *key && !is_another(self.match_id.as_deref(), match_id)
    }

    /// Returns true if these odds are of the game with this id and these teams, at any start. Both sides must name the id.
    pub fn is_of_id(&self, key: &GameKey, match_id: Option<&str>) -> bool {
        self.match_id.is_some() && self.match_id.as_deref() == match_id && self.key.same_teams(key)
    }
}

/// Returns true if both ids are named and differ, so that they identify two games.
pub fn is_another(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

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
    /// The price of one unit paid on its win; `None` if neither orders nor trades give one.
    pub price: Option<QuotedPrice>,
}

/// A price of one unit paid on a team's win, strictly between 0 and 1, by its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QuotedPrice {
    /// The middle of a bid and an ask that are close together.
    Middle(Probability),
    /// The last trade, where orders are far apart or missing on a side.
    LastTrade(Probability),
}

impl QuotedPrice {
    /// Returns the price, as a probability of the win.
    pub const fn probability(self) -> Probability {
        match self {
            Self::Middle(price) | Self::LastTrade(price) => price,
        }
    }

    /// Returns the middle of bid and ask; `None` for a last trade, at which no order may stand.
    pub const fn middle(self) -> Option<Probability> {
        match self {
            Self::Middle(price) => Some(price),
            Self::LastTrade(_) => None,
        }
    }
}

impl QuotedGame {
    /// Returns the price of a team's win; `None` without a price, or if the team does not play in this game.
    pub fn price_of(&self, team: &TeamSlug) -> Option<QuotedPrice> {
        self.teams.iter().find(|quoted| quoted.team == *team)?.price
    }

    /// Returns true if these are the two teams of the game, in either order.
    pub fn is_between(&self, one: &TeamSlug, other: &TeamSlug) -> bool {
        let [first, second] = &self.teams;
        (first.team == *one && second.team == *other) || (first.team == *other && second.team == *one)
    }
}

/// The largest difference between our start of a doubleheader's game and a quoted start of the same game.
const WITHIN: TimeDelta = TimeDelta::hours(1);

/// Returns the quoted game that is `game`, if exactly one can be; `slate` is the whole slate of `game`.
///
/// Date and teams decide, in either order of the teams. Where the slate or the market has two games of the pair, or the
/// market numbers its game, starts decide: the nearest within an hour, nearest from both sides. An ambiguous game has no
/// match, because a guess would price another game.
pub(crate) fn quoted<'q>(game: &GameKey, slate: &[&GameKey], quotes: &'q [QuotedGame]) -> Option<&'q QuotedGame> {
    let quotes: Vec<_> = quotes.iter().filter(|quote| is_of(quote, game)).collect();
    let games: Vec<_> = slate.iter().copied().filter(|other| are_alike(other, game)).collect();
    match (&*games, &*quotes) {
        ([_], [quote]) if quote.game_number.is_none() => Some(quote),
        _ => by_start(game, &games, &quotes),
    }
}

fn is_of(quote: &QuotedGame, game: &GameKey) -> bool {
    quote.date == game.date && quote.is_between(&game.away, &game.home)
}

fn are_alike(one: &GameKey, other: &GameKey) -> bool {
    one.date == other.date
        && ((&one.away, &one.home) == (&other.away, &other.home)
            || (&one.away, &one.home) == (&other.home, &other.away))
}

/// Returns the quote whose start is nearest to the game's, if the game is also the nearest to that quote.
fn by_start<'q>(game: &GameKey, games: &[&GameKey], quotes: &[&'q QuotedGame]) -> Option<&'q QuotedGame> {
    let quote = *nearest(game.time?, quotes, |quote| quote.time)?;
    let back = *nearest(quote.time?, games, |game| game.time)?;
    (back == game).then_some(quote)
}

/// Returns the item nearest to a start, within [`WITHIN`] of it; `None` if two items are equally near.
fn nearest<T>(start: NaiveTime, items: &[T], time: impl Fn(&T) -> Option<NaiveTime>) -> Option<&T> {
    let distance = |item: &T| Some((time(item)? - start).abs());
    let reach = items.iter().filter_map(distance).min().filter(|distance| *distance <= WITHIN)?;
    let mut near = items.iter().filter(|item| distance(item) == Some(reach));
    near.next().filter(|_| near.next().is_none())
}

#[cfg(test)]
mod tests {
    use sports_domain::TeamSlug;

    use super::*;

    fn key(time: &str, home: &str) -> GameKey {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-11-24".parse().expect("a date");
        GameKey { date, time: time.parse().ok(), away: team("canal_foxes"), home: team(home), game_number: None }
    }

    #[test]
    fn two_ids_are_of_two_games_and_a_missing_one_says_nothing() {
        let table = [
            (Some("a"), Some("a"), false),
            (Some("a"), Some("b"), true),
            (Some("a"), None, false),
            (None, Some("b"), false),
            (None, None, false),
        ];
        for (one, other, differ) in table {
            assert_eq!(is_another(one, other), differ, "{one:?} and {other:?}");
        }
    }

    #[test]
    fn odds_are_of_a_game_by_its_key_or_by_its_id_and_teams() {
        let odds = |match_id: Option<&str>| OddsGame {
            key: key("13:00:00", "harbor_gulls"),
            game_id: None,
            listed_start: None,
            match_id: match_id.map(str::to_owned),
            lines: GameLines::default(),
            quote_source: None,
            last_updated: None,
        };
        let (same, later, other) =
            (key("13:00:00", "harbor_gulls"), key("16:00:00", "harbor_gulls"), key("13:00:00", "prairie_kings"));
        let table = [
            (Some("a"), &same, Some("a"), true, true),
            (Some("a"), &same, Some("b"), false, false),
            (Some("a"), &same, None, true, false),
            (None, &same, Some("a"), true, false),
            (None, &same, None, true, false),
            (Some("a"), &later, Some("a"), false, true),
            (Some("a"), &other, Some("a"), false, false),
        ];
        for (quoted, game, id, by_key, by_id) in table {
            let odds = odds(quoted);
            assert_eq!((odds.is_of(game, id), odds.is_of_id(game, id)), (by_key, by_id), "{quoted:?}, {game} {id:?}");
        }
    }

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
