use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameKey, ModelType, Season, Sport, eastern_date};

use crate::simulation::files::{Manifest, ReleaseFiles, RunOf, SlateActivity};
use crate::simulation::forecaster::OwnModels;
use crate::simulation::history;
use crate::simulation::league::League;
use crate::simulation::season::{PlayedSeason, Settlement};
use crate::simulation::slate::DaySlate;

/// Six leagues, each in the middle of a season, with some earlier seasons.
///
/// The seed and the instant determine everything: worlds with equal seeds and instants write equal bytes on every
/// platform.
#[derive(Debug)]
pub struct World {
    seed: u64,
    /// The seasons of each league, newest first; never empty.
    seasons: BTreeMap<Sport, Vec<PlayedSeason>>,
    own_models: OwnModels,
}

/// The run of the models that makes a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// The first run for its games, without earlier predictions to hold.
    First,
    /// A later run with newer odds, in which some games keep their previous predictions.
    Rebuild,
    /// A run that has just begun, without any data.
    Begun,
    /// A run in progress, with odds and totals but no other market.
    Underway,
    /// A run without anything to predict, on any day.
    DayOff,
}

impl Run {
    /// Returns the markets for which the run has predictions.
    const fn markets(self) -> &'static [ModelType] {
        match self {
            Self::First | Self::Rebuild => &ModelType::ALL,
            Self::Underway => &[ModelType::OverUnder],
            Self::Begun | Self::DayOff => &[],
        }
    }
}

impl World {
    /// Creates a world in which every league plays on the Eastern day of `now`, with `seasons` seasons per league
    /// including the current one; at least one.
    ///
    /// # Panics
    ///
    /// Panics if a season would be in a year without four digits.
    pub fn new(seed: u64, now: DateTime<Utc>, seasons: usize) -> Self {
        let today = eastern_date(now);
        let ages = 0..u16::try_from(seasons.max(1)).unwrap_or(u16::MAX);
        let of_league = |sport| {
            let league = League::for_sport(sport);
            let seasons = ages.clone().map(|age| PlayedSeason::play(seed, league, today, age));
            (sport, seasons.collect())
        };
        let seasons = Sport::ALL.into_iter().map(of_league).collect();
        Self { seed, seasons, own_models: OwnModels::none(today) }
    }

    /// Declares two own models in hockey. The history has both; the releases of the day of the world's creation, and
    /// those of later days, have a new version of the first and retire the second.
    pub fn with_own_models(self) -> Self {
        Self { own_models: self.own_models.declared(), ..self }
    }

    /// Returns a league's seasons, newest first.
    pub fn seasons(&self, sport: Sport) -> impl Iterator<Item = Season> + '_ {
        self.seasons_of(sport).iter().map(|season| season.label)
    }

    /// Returns the history: every game whose outcome is known at `instant`, with closing lines and walk-forward
    /// probabilities, as `games/`, `probabilities/` and `release.json`.
    pub fn history_release(&self, sport: Sport, instant: DateTime<Utc>) -> ReleaseFiles {
        let mut files = ReleaseFiles::default();
        for season in self.seasons_of(sport) {
            history::add(&mut files, League::for_sport(sport), season, self.own_models.of_history(sport), instant);
        }
        let manifest = Manifest {
            sport,
            season: None,
            instant,
            slate: None,
            run: Some(RunOf::done("walk-forward", instant)),
            odds_as_of: None,
            held: &[],
            models: self.own_models.declarations(sport, None),
        };
        files.add("release.json", manifest.text());
        files
    }

    /// Returns the slate of the Eastern day of `instant`: predictions of every market, odds and `release.json`. In
    /// football it includes the following six days. On a day without games it is `release.json` alone, with the slate
    /// `none`. An unfinished run has a part of these files.
    pub fn day_release(&self, sport: Sport, instant: DateTime<Utc>, run: Run) -> ReleaseFiles {
        let (season, slate) = self.slate(sport, instant);
        let mut files = ReleaseFiles::default();
        let markets = if slate.is_empty() { &[] } else { run.markets() };
        if !markets.is_empty() {
            files.add("odds.csv", slate.odds());
        }
        let own = self.own_models.in_use(sport, instant);
        for model_type in markets {
            files.add(format!("predictions/{model_type}.csv"), slate.predictions(*model_type, &own));
        }
        let held = if run == Run::Rebuild { slate.held(self.seed) } else { Vec::new() };
        let is_off = slate.is_empty() || run == Run::DayOff;
        let manifest = Manifest {
            sport,
            season: Some(season.label),
            instant,
            slate: Some(if is_off { SlateActivity::None } else { SlateActivity::Active }),
            run: Some(match run {
                Run::First | Run::Rebuild | Run::DayOff => RunOf::done("daily", instant),
                Run::Begun => RunOf::begun("daily", instant),
                Run::Underway => RunOf::underway("daily", instant),
            }),
            odds_as_of: (!markets.is_empty()).then(|| slate.odds_as_of()),
            held: &held,
            models: self.own_models.declarations(sport, Some(instant)),
        };
        files.add("release.json", manifest.text());
        files
    }

    /// Returns the odds of the same games as of `instant`, with a `release.json` that has no run; `None` on a day
    /// without games.
    pub fn odds_refresh(&self, sport: Sport, instant: DateTime<Utc>) -> Option<ReleaseFiles> {
        let (_, slate) = self.slate(sport, instant);
        if slate.is_empty() {
            return None;
        }
        let manifest = Manifest {
            sport,
            season: None,
            instant,
            slate: None,
            run: None,
            odds_as_of: Some(slate.odds_as_of()),
            held: &[],
            models: None,
        };
        let mut files = ReleaseFiles::default();
        files.add("odds.csv", slate.odds());
        files.add("release.json", manifest.text());
        Some(files)
    }

    /// Returns the markets of upcoming games that keep their previous predictions in a rebuild at `instant`.
    pub fn held_games(&self, sport: Sport, instant: DateTime<Utc>) -> Vec<(ModelType, GameKey)> {
        self.slate(sport, instant).1.held(self.seed)
    }

    /// Returns the start of the first game of a day that has lines; `None` on a day without one.
    pub fn first_start(&self, sport: Sport, date: NaiveDate) -> Option<DateTime<Utc>> {
        let games = self.seasons_of(sport).iter().flat_map(|season| &season.games);
        games.filter(|game| game.key.date == date && game.quoting().is_some()).map(|game| game.starts).min()
    }

    /// Returns the outcomes that became known after `from` and not after `to`, in the order of play. Preseason games
    /// are omitted, since no archive contains them.
    pub fn finals(&self, sport: Sport, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<Settlement> {
        let games = self.seasons_of(sport).iter().rev().flat_map(|season| &season.games);
        let known = games.filter(|game| game.quoting().is_some() && from < game.ends && game.ends <= to);
        known.map(|game| Settlement { key: game.key.clone(), outcome: game.outcome }).collect()
    }

    /// Returns the slate of an instant and its season: the newest season that has begun, or the oldest of all.
    fn slate(&self, sport: Sport, instant: DateTime<Utc>) -> (&PlayedSeason, DaySlate<'_>) {
        let league = League::for_sport(sport);
        let today = eastern_date(instant);
        let seasons = self.seasons_of(sport);
        let begun = |season: &&PlayedSeason| season.games.first().is_some_and(|game| game.key.date <= today);
        let season = seasons.iter().find(begun).unwrap_or(&seasons[seasons.len() - 1]);
        (season, DaySlate::at(league, season, instant))
    }

    fn seasons_of(&self, sport: Sport) -> &[PlayedSeason] {
        &self.seasons[&sport]
    }
}
