//! Builders with valid defaults, so that a test sets only the values it is about.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{
    AmericanPrice, FinalScore, GameKey, HomeSpread, ModelColumn, Probability, Season, Sport, TeamSlug, Total,
    TwoWayPrices,
};

use crate::identity::TakenIds;
use crate::registry::ReleaseModels;
use crate::{
    ArchivedGame, CalledOffStatus, Ending, ForecastOrigin, ForecastRecord, GameFacts, GamesFile, LeagueRecord, Located,
    Odds, Place, Predictions, Release, ReportedEnding, ReportedGame, SeasonArchive, SeasonHistory, SourceTimes,
};

/// Creates a game of 2024-11-24 that grades in every market: home wins 24-20 giving 2.5 with a total of 43.5, every
/// price -110, and a walk-forward blend of 0.6.
pub fn a_game() -> GameBuilder {
    let price = AmericanPrice::new(-110).ok();
    let prices = TwoWayPrices { positive: price, negative: price };
    let mut facts = GameFacts::unforecast(key("2024-11-24", "13:00:00", "away_team", "home_team"));
    facts.lines.money = prices;
    facts.lines.spread_prices = prices;
    facts.lines.total_prices = prices;
    facts.lines.spread = HomeSpread::new(-2.5).ok();
    facts.lines.total = Total::new(43.5).ok();
    GameBuilder(ArchivedGame { facts, forecast: ForecastRecord::default() }).ending(20, 24).blend(0.6)
}

/// A builder of archived games.
#[derive(Debug, Clone)]
pub struct GameBuilder(ArchivedGame);

impl GameBuilder {
    pub fn on(mut self, date: &str) -> Self {
        self.0.facts.key.date = self::date(date);
        self
    }

    /// Sets the away team.
    pub fn visited_by(mut self, away: &str) -> Self {
        self.0.facts.key.away = team(away);
        self
    }

    /// Removes the start time and sets the game number of a doubleheader, if given.
    pub const fn without_time(mut self, number: Option<u8>) -> Self {
        self.0.facts.key.time = None;
        self.0.facts.key.game_number = number;
        self
    }

    /// Sets a settled final.
    pub fn ending(mut self, away: u16, home: u16) -> Self {
        self.0.facts.ending = Some(Ending::settled(FinalScore { away, home }));
        self
    }

    /// Calls the game off with this status.
    ///
    /// # Panics
    ///
    /// Panics if `status` is `settled`.
    pub fn called_off(mut self, status: &str) -> Self {
        self.0.facts.ending = Some(called_off(status));
        self
    }

    /// Removes the ending.
    pub fn unplayed(mut self) -> Self {
        self.0.facts.ending = None;
        self
    }

    /// Sets a walk-forward blend of run `test-run`.
    ///
    /// # Panics
    ///
    /// Panics if `probability` is not a [`Probability`].
    pub fn blend(mut self, probability: f64) -> Self {
        let probability = Probability::new(probability).expect("a probability");
        let forecasts = self.0.forecast.forecasts.with(ModelColumn::Blend, probability);
        self.0.forecast = ForecastRecord { forecasts, ..ForecastRecord::default() }.completed(Some("test-run"));
        self
    }

    /// Marks the forecast as recorded live by this run.
    pub fn live(mut self, run: &str, published_at: DateTime<Utc>) -> Self {
        let origin = ForecastOrigin::Live { run: Some(run.to_owned()), published_at: Some(published_at) };
        let forecasts = self.0.forecast.forecasts;
        self.0.forecast =
            ForecastRecord { forecasts, origin: Some(origin), recorded: true, ..ForecastRecord::default() }
                .completed(None);
        self
    }

    /// Removes the forecast.
    pub fn unforecast(mut self) -> Self {
        self.0.forecast = ForecastRecord::default();
        self
    }

    /// Applies any other change.
    pub fn with(mut self, change: impl FnOnce(&mut ArchivedGame)) -> Self {
        change(&mut self.0);
        self
    }

    pub fn build(self) -> ArchivedGame {
        self.0
    }
}

/// Creates the ending of a game that was called off with this status.
///
/// # Panics
///
/// Panics if `status` is `settled`.
pub fn called_off(status: &str) -> Ending {
    Ending::CalledOff { status: CalledOffStatus::new(status).expect("a status of a game without a final") }
}

/// Converts a game to a row of a file that has every column.
fn reported(facts: GameFacts) -> ReportedGame {
    let status = facts.settlement_status().map(str::to_owned);
    let ending = ReportedEnding { score: facts.score(), status, void: None };
    facts.with_ending(ending)
}

/// Creates a release of `season` with these games for all three markets, in one file with every line column.
pub fn a_release(sport: Sport, season: &str, games: Vec<ArchivedGame>) -> Release {
    let mut history = SeasonHistory::empty(self::season(sport, season));
    let rows = games.into_iter().enumerate();
    let rows = rows.map(|(index, game)| Located { place: place(index + 2), value: reported(game.facts) });
    history.shared.push(GamesFile {
        given: sports_domain::LineColumn::ALL.to_vec(),
        gives_game_type: true,
        rows: rows.collect(),
    });
    Release {
        sport,
        slate_date: date("2024-11-24"),
        run: None,
        source_as_of: SourceTimes::default(),
        zero_spread_openers: None,
        season: None,
        odds: None,
        predictions: BTreeMap::new(),
        held_games: BTreeMap::new(),
        moved: Vec::new(),
        models: ReleaseModels::default(),
        content: sports_domain::content::ObjectHash::from_bytes(format!("{history:?}").as_bytes()),
        history: vec![history],
    }
}

/// Returns the place of row `row` of a fictitious file.
pub fn place(row: usize) -> Place {
    Place { file: "games/test.csv".into(), row: Some(row) }
}

/// Parses a season label.
///
/// # Panics
///
/// Panics if the label is not valid for the league.
pub fn season(sport: Sport, label: &str) -> Season {
    Season::parse(sport, label).expect("a season label")
}

/// Creates a game's key.
///
/// # Panics
///
/// Panics if the date, the time or a team cannot be parsed.
pub fn key(date: &str, time: &str, away: &str, home: &str) -> GameKey {
    let time = Some(time.parse().expect("a time"));
    GameKey { date: self::date(date), time, away: team(away), home: team(home), game_number: None }
}

fn date(date: &str) -> NaiveDate {
    date.parse().expect("a date")
}

fn team(name: &str) -> TeamSlug {
    TeamSlug::normalise(name).expect("a team")
}

/// Gives an identity to each game of a record that has none: one for each start, in all markets. A game of the slate has the
/// identity of the archived game with its start, or else with its `match_id` and teams.
pub fn identify(sport: Sport, record: &mut LeagueRecord) {
    let (mut taken, mut ids, mut named) = (TakenIds::default(), BTreeMap::new(), BTreeMap::new());
    for facts in record.archives.values().flat_map(SeasonArchive::games).map(|game| &game.facts) {
        let id = ids.entry(facts.key.clone()).or_insert(None);
        if let Some(known) = &facts.game_id {
            taken.take(known);
            *id = Some(known.clone());
        }
        if let Some(match_id) = &facts.match_id {
            named.insert(match_id.clone(), facts.key.clone());
        }
    }
    let predicted = record.predictions.values().flat_map(Predictions::games).map(|game| &game.game.game_id);
    let quoted = record.odds.iter().flat_map(Odds::games).map(|game| &game.game_id);
    let first = record.openers.iter().map(|(_, opener)| &opener.game_id);
    predicted.chain(quoted).chain(first).flatten().for_each(|id| taken.take(id));
    for (key, id) in &mut ids {
        id.get_or_insert_with(|| taken.next(sport, key));
    }
    let mut put = |key: &GameKey, match_id: Option<&str>, game_id: &mut Option<String>| {
        let named = match_id.and_then(|id| named.get(id)).filter(|named| named.same_teams(key));
        let key = if ids.contains_key(key) { key } else { named.unwrap_or(key) };
        game_id.get_or_insert_with(|| {
            ids.entry(key.clone()).or_default().get_or_insert_with(|| taken.next(sport, key)).clone()
        });
    };
    for archive in record.archives.values_mut() {
        archive.change_all(|game| put(&game.facts.key, None, &mut game.facts.game_id));
    }
    for predictions in record.predictions.values_mut() {
        predictions.change_all(|game| put(&game.key, game.match_id.as_deref(), &mut game.game_id));
    }
    if let Some(odds) = &mut record.odds {
        odds.change_all(|game| put(&game.key, game.match_id.as_deref(), &mut game.game_id));
    }
    record.openers.change_all(|key, opener| put(key, opener.match_id.as_deref(), &mut opener.game_id));
}
