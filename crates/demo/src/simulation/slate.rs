use chrono::{DateTime, Days, Utc};
use chrono_tz::America::New_York;
use sports_domain::{GameKey, LineColumn, ModelType, Sport, eastern_date};

use crate::simulation::files::{Csv, Zeros};
use crate::simulation::forecaster::{OwnModel, forecasts, own_cell};
use crate::simulation::history::{QUOTE_SOURCE, models, recorded};
use crate::simulation::league::League;
use crate::simulation::random::{Purpose, Stream};
use crate::simulation::season::{Game, PlayedSeason};

const KEY: [&str; 6] = ["date", "time_est", "away_team", "home_team", "match_id", "quote_source"];

const ODDS_KEY: [&str; 5] = ["match_id", "date", "time", "away_team", "home_team"];

const ODDS: [LineColumn; 9] = [
    LineColumn::AwayPointSpread,
    LineColumn::AwayPointSpreadLine,
    LineColumn::HomePointSpread,
    LineColumn::HomePointSpreadLine,
    LineColumn::AwayMoneyLine,
    LineColumn::HomeMoneyLine,
    LineColumn::OverUnder,
    LineColumn::OverLine,
    LineColumn::UnderLine,
];

const TOTAL: [LineColumn; 4] =
    [LineColumn::OverUnder, LineColumn::OverLine, LineColumn::UnderLine, LineColumn::OpenOverUnder];

const SPREAD: [LineColumn; 6] = [
    LineColumn::AwayPointSpread,
    LineColumn::HomePointSpread,
    LineColumn::AwayPointSpreadLine,
    LineColumn::HomePointSpreadLine,
    LineColumn::OpenAwayPointSpread,
    LineColumn::OpenHomePointSpread,
];

const MONEY: [LineColumn; 4] = [
    LineColumn::AwayMoneyLine,
    LineColumn::HomeMoneyLine,
    LineColumn::OpenAwayMoneyLine,
    LineColumn::OpenHomeMoneyLine,
];

/// The probability that a market of an upcoming game keeps its previous predictions.
const HELD: f64 = 0.04;

/// The games of one day (in football, of the week that begins on it), as known at an instant.
#[derive(Debug)]
pub(crate) struct DaySlate<'w> {
    league: &'static League,
    season: &'w PlayedSeason,
    instant: DateTime<Utc>,
    games: Vec<&'w Game>,
}

impl<'w> DaySlate<'w> {
    pub(crate) fn at(league: &'static League, season: &'w PlayedSeason, instant: DateTime<Utc>) -> Self {
        let first = eastern_date(instant);
        let days = if matches!(league.sport, Sport::Nfl | Sport::Ncaaf) { 7 } else { 1 };
        let end = first.checked_add_days(Days::new(days)).unwrap_or(first);
        let is_on = |game: &&Game| {
            let called_off = game.outcome.score().is_none() && game.ends <= instant;
            (first..end).contains(&game.key.date) && game.quoting().is_some() && !called_off
        };
        let games = season.games.iter().filter(is_on).collect();
        Self { league, season, instant, games }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the markets of games not yet started that keep their previous predictions.
    pub(crate) fn held(&self, seed: u64) -> Vec<(ModelType, GameKey)> {
        let upcoming = || self.games.iter().filter(|game| game.starts > self.instant);
        let is_held = |model_type: ModelType, game: &Game| {
            let id = game.match_id.bytes().map(u64::from).collect::<Vec<_>>();
            let key = [&[model_type as u64], id.as_slice()].concat();
            Stream::for_purpose(seed, Purpose::Holding, &key).happens(HELD)
        };
        let of_market = |model_type| {
            let held = upcoming().filter(move |game| is_held(model_type, game));
            held.map(move |game| (model_type, game.key.clone()))
        };
        ModelType::ALL.into_iter().flat_map(of_market).collect()
    }

    /// Returns the time of the newest odds.
    pub(crate) fn odds_as_of(&self) -> DateTime<Utc> {
        let quoted_at = self.games.iter().map(|game| game.quoted_at(self.league, self.instant));
        quoted_at.filter(|quoted_at| *quoted_at <= self.instant).max().unwrap_or(self.instant)
    }

    /// Returns the text of `odds.csv`.
    pub(crate) fn odds(&self) -> String {
        let names = ODDS_KEY.into_iter().chain(ODDS.map(LineColumn::name)).chain(["quote_source", "last_updated"]);
        let mut csv = Csv::with_header(names);
        for game in &self.games {
            let Some(quote) = game.quote_at(self.league, self.instant) else { continue };
            csv.cell(&game.match_id);
            csv.key(&game.key);
            csv.lines(&recorded(quote.lines, self.season.coverage), &ODDS, Zeros::Nowhere);
            csv.cell(QUOTE_SOURCE);
            let updated = game.quoted_at(self.league, self.instant).with_timezone(&New_York);
            csv.cell(updated.format("%Y-%m-%d %H:%M:%S"));
            csv.end_row();
        }
        csv.into_text()
    }

    /// Returns the text of `predictions/{model_type}.csv`, with these own models; a game without forecasts has empty
    /// probabilities.
    pub(crate) fn predictions(&self, model_type: ModelType, own: &[&OwnModel]) -> String {
        let lines: &[LineColumn] = match model_type {
            ModelType::OverUnder => &TOTAL,
            ModelType::WonOnPoints => &MONEY,
            ModelType::WonOnSpread => &SPREAD,
        };
        let (ai, columns) = models(self.season.coverage);
        let own: Vec<_> = own.iter().filter(|model| model.has(model_type)).collect();
        let line_names = lines.iter().map(|column| column.name());
        let names = columns.iter().map(|column| column.name()).chain(own.iter().map(|model| model.name));
        let mut csv = Csv::with_header(KEY.into_iter().chain(line_names).chain(names));
        for game in &self.games {
            let quote = game.quote_at(self.league, self.instant);
            let Some((quote, quoting)) = quote.zip(game.quoting()) else { continue };
            csv.key(&game.key);
            csv.cell(&game.match_id);
            csv.cell(QUOTE_SOURCE);
            let zeros = if game.has_zero_prices(self.league) { Zeros::InOpeners } else { Zeros::Nowhere };
            csv.lines(&recorded(quote.lines, self.season.coverage), lines, zeros);
            csv.models(&forecasts(self.league, model_type, quoting, &quote, ai), columns);
            for model in &own {
                csv.cell(own_cell(self.league, model_type, quoting, &quote, model));
            }
            csv.end_row();
        }
        csv.into_text()
    }
}
