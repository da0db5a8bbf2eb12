//! A feed that is made by hand, and its conversion.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_domain::Sport;
use sports_publisher_files::convert::the_odds_api::{
    Conversion, Feed, FeedError, FeedRequest, KnownStarts, Reason, TeamTable, convert, odds_file,
};

pub const NOW: &str = "2026-11-21T20:30:00Z";

/// Returns a hockey game at seven in the evening, Eastern. One bookmaker has all markets, the other only the
/// moneyline. The order of outcomes differs from market to market.
pub fn a_game() -> Value {
    json!({
        "id": "aa01", "sport_key": "icehockey_nhl", "sport_title": "NHL", "commence_time": "2026-11-22T00:00:00Z",
        "home_team": "Boston Bruins", "away_team": "Montréal Canadiens",
        "bookmakers": [
            {
                "key": "draftkings", "title": "DraftKings", "last_update": "2026-11-21T20:20:00Z",
                "markets": [
                    { "key": "h2h", "last_update": "2026-11-21T20:15:10Z", "outcomes": [
                        { "name": "Montréal Canadiens", "price": 114 }, { "name": "Boston Bruins", "price": -135 } ] },
                    { "key": "spreads", "last_update": "2026-11-21T20:15:12Z", "outcomes": [
                        { "name": "Boston Bruins", "price": 180, "point": -1.5 },
                        { "name": "Montréal Canadiens", "price": -218, "point": 1.5 } ] },
                    { "key": "totals", "last_update": "2026-11-21T20:15:11Z", "outcomes": [
                        { "name": "Under", "price": -112, "point": 6 }, { "name": "Over", "price": -108, "point": 6 } ] },
                    { "key": "h2h_lay", "last_update": "2026-11-21T20:29:00Z", "outcomes": [
                        { "name": "Boston Bruins", "price": 1, "point": null } ] },
                ],
            },
            {
                "key": "betrivers", "title": "BetRivers", "last_update": "2026-11-21T20:14:55Z",
                "markets": [{ "key": "h2h", "outcomes": [
                    { "name": "Boston Bruins", "price": -134 }, { "name": "Montréal Canadiens", "price": 112 } ] }],
            },
        ],
    })
}

/// Returns the game of [`a_game`] with one field changed.
pub fn with(field: &str, value: impl Into<Value>) -> Value {
    let mut game = a_game();
    *game.pointer_mut(field).expect("a field") = value.into();
    game
}

pub struct World {
    pub sport: Sport,
    pub bookmaker: &'static str,
    pub starts: KnownStarts,
}

impl World {
    pub fn nhl() -> Self {
        Self { sport: Sport::Nhl, bookmaker: "draftkings", starts: KnownStarts::default() }
    }

    pub fn convert(&self, feed: &Value) -> Result<Conversion, FeedError> {
        let now: DateTime<Utc> = NOW.parse().expect("an instant");
        let feed = Feed::read(feed.to_string().as_bytes())?;
        let teams = TeamTable::new(self.sport);
        let request = FeedRequest {
            sport: self.sport,
            bookmaker: self.bookmaker,
            now,
            teams: &teams,
            known_starts: &self.starts,
        };
        convert(&feed, &request)
    }

    /// Returns the rows of the odds file, without the header.
    pub fn rows(&self, feed: &Value) -> Vec<String> {
        let file = odds_file(&self.convert(feed).expect("converts").games);
        String::from_utf8(file).expect("text").lines().skip(1).map(str::to_owned).collect()
    }

    pub fn reasons(&self, feed: &Value) -> Vec<Reason> {
        self.convert(feed).expect("converts").account.left_out.iter().map(|left| left.reason).collect()
    }
}

pub const ROW: &str = "aa01,2026-11-21,19:00:00,montreal_canadiens,boston_bruins,1.5,-218,-1.5,180,114,-135,6,-108,-112,\
                   draftkings,2026-11-21 15:15:12";
