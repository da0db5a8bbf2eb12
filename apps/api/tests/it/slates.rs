//! Slates to publish, and comparisons of their answers.

use serde_json::Value;
use sports_domain::content::ObjectHash;
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, HomeSpread, LineColumn, ModelColumn, ModelType, OwnForecasts,
    Probability, Sport, Total, TwoWayPrices,
};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{a_release, key, place, season};
use sports_publication::{Extras, Located, PredictedGame, PredictionsFile, Release, Run, SlateActivity};

pub const SPORT: Sport = Sport::Mlb;

/// A release to be published.
pub struct SlateRelease(Release);

/// Creates an empty release of the 2025 season for a slate date.
pub fn slate(date: &str) -> SlateRelease {
    slate_of(SPORT, "2025", date)
}

/// Creates an empty release of this league and season for a slate date.
pub fn slate_of(sport: Sport, label: &str, date: &str) -> SlateRelease {
    let mut release = a_release(sport, label, Vec::new());
    release.history.clear();
    release.slate_date = date.parse().expect("a date");
    release.season = Some(season(sport, label));
    SlateRelease(release)
}

impl SlateRelease {
    /// Adds a completed run.
    pub fn by_run(self, id: &str, [started_at, completed_at]: [&str; 2], slate: SlateActivity) -> Self {
        self.by(Run { id: id.to_owned(), started_at: at(started_at), completed_at: Some(at(completed_at)), slate })
    }

    /// Adds a run that is not completed.
    pub fn by_unfinished_run(self, id: &str, started_at: &str) -> Self {
        self.by(Run { id: id.to_owned(), started_at: at(started_at), completed_at: None, slate: SlateActivity::Active })
    }

    fn by(mut self, run: Run) -> Self {
        self.0.run = Some(run);
        self
    }

    pub fn odds(mut self, as_of: &str, games: Vec<OddsGame>) -> Self {
        self.0.source_as_of.odds = Some(at(as_of));
        self.0.odds = Some(located(games));
        self
    }

    pub fn predicting(mut self, model_type: ModelType, as_of: &str, games: Vec<SlateGame>) -> Self {
        self.0.source_as_of.predictions = Some(at(as_of));
        let games = games.into_iter();
        let rows =
            games.map(|game| PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() });
        let file = PredictionsFile {
            given: LineColumn::ALL.to_vec(),
            rows: located(rows.collect()),
            ..PredictionsFile::default()
        };
        self.0.predictions.insert(model_type, file);
        self
    }

    /// Adds the same games in all three markets.
    pub fn predicting_everywhere(self, as_of: &str, games: &[SlateGame]) -> Self {
        ModelType::ALL
            .into_iter()
            .fold(self, |release, model_type| release.predicting(model_type, as_of, games.to_vec()))
    }

    pub fn holding(mut self, model_type: ModelType, game: &GameKey) -> Self {
        self.0.held_games.insert(model_type, located(vec![game.clone()]));
        self
    }

    pub fn release(mut self) -> Release {
        self.0.content = ObjectHash::from_bytes(format!("{:?}", self.0).as_bytes());
        self.0
    }
}

fn located<T>(values: Vec<T>) -> Vec<Located<T>> {
    let rows = values.into_iter().enumerate();
    rows.map(|(index, value)| Located { place: place(index + 2), value }).collect()
}

fn at(instant: &str) -> chrono::DateTime<chrono::Utc> {
    instant.parse().expect("an instant")
}

/// Returns the key of the Yankees at the Red Sox.
pub fn at_boston(date: &str, time: &str) -> GameKey {
    key(date, time, "new_york_yankees", "boston_red_sox")
}

pub fn predicted(key: GameKey, lines: GameLines, probabilities: &[(ModelColumn, f64)]) -> SlateGame {
    let with = |forecasts: Forecasts<'static>, (model, probability): &(ModelColumn, f64)| {
        forecasts.with(*model, Probability::new(*probability).expect("a probability"))
    };
    SlateGame {
        key,
        game_id: None,
        match_id: None,
        lines,
        forecasts: probabilities.iter().fold(Forecasts::default(), with),
        own: OwnForecasts::default(),
    }
}

/// Returns a game with a BLEND and without lines.
pub fn blended(key: GameKey, blend: f64) -> SlateGame {
    predicted(key, GameLines::default(), &[(ModelColumn::Blend, blend)])
}

pub fn posted(key: GameKey, lines: GameLines) -> OddsGame {
    OddsGame { key, game_id: None, listed_start: None, match_id: None, lines, quote_source: None, last_updated: None }
}

/// Returns the prices of the home or the over side, and of the other side; zero means no price.
pub fn prices(positive: i32, negative: i32) -> TwoWayPrices {
    TwoWayPrices { positive: AmericanPrice::new(positive).ok(), negative: AmericanPrice::new(negative).ok() }
}

pub fn spread(home: f64) -> Option<HomeSpread> {
    HomeSpread::new(home).ok()
}

pub fn total(points: f64) -> Option<Total> {
    Total::new(points).ok()
}

/// Asserts that two JSON values are equal, with numbers within a billionth.
pub fn assert_same(found: &Value, expected: &Value) {
    fn same(found: &Value, expected: &Value) -> bool {
        match (found, expected) {
            (Value::Number(found), Value::Number(expected)) => {
                let [found, expected] = [found, expected].map(|number| number.as_f64().expect("a float"));
                (found - expected).abs() < 1e-9
            }
            (Value::Array(found), Value::Array(expected)) => {
                found.len() == expected.len()
                    && found.iter().zip(expected).all(|(found, expected)| same(found, expected))
            }
            (Value::Object(found), Value::Object(expected)) => {
                found.len() == expected.len()
                    && found.iter().all(|(key, value)| expected.get(key).is_some_and(|expected| same(value, expected)))
            }
            _ => found == expected,
        }
    }
    assert!(same(found, expected), "\nfound    {found}\nexpected {expected}");
}

/// Asserts that the text has these keys once each, in this order.
pub fn assert_key_order(text: &str, keys: &[&str]) {
    let place = |key: &&str| {
        let quoted = format!("\"{key}\":");
        assert_eq!(text.matches(&quoted).count(), 1, "{key} in {text}");
        text.find(&quoted)
    };
    let places: Vec<_> = keys.iter().map(place).collect();
    assert!(places.is_sorted(), "{keys:?} in {text}");
}
