use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sports_calibration::{Close, ClosingValue, Offer, TakenForecast};
use sports_domain::paging::Snapshot;
use sports_domain::{DateSpan, ModelId, ModelName, ModelType};
use sports_grading::MarketGame;
use sports_ports::PortError;
use sports_publication::movement::{ClosingLine, ForecastItem, SeasonMovement};
use sports_publication::slate::SlateGame;
use sports_publication::{CountedForecasts, ForecastSource, Generation};

use super::known::{MovementAt, PlayInstant, RecordedGame};
use super::season_figures::{ForecastGame, QuestionKind, SeasonFigures};
use super::{ForecastCounts, ListedModels, PublishedSeason, SeasonAnalytics};
use crate::record::off_thread;
use crate::results::snapshot;

/// The value of a season's picks at the close.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonClv {
    pub season: PublishedSeason,
    /// An identifier of the season's content under these grading rules.
    pub snapshot: Snapshot,
    /// The forecast of each game that is measured.
    pub taken: TakenRule,
    /// The maximum age of a close.
    pub close_within: CloseWithin,
    /// The dates included.
    pub span: DateSpan,
    /// Each listed model with a live probability in the season, on any date.
    pub models: Vec<(ModelName, ClosingValue)>,
    /// The games that are left out.
    pub left_out: CountedGames,
    /// The games of these dates by the kind of their forecast.
    pub forecast_games: ForecastCounts,
}

/// Numbers of games with a live forecast that are left out, each game once, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CountedGames {
    /// Games whose forecast no release of this log made.
    pub not_recorded_here: u32,
    /// Games that were called off.
    pub not_played: u32,
    /// Games that had not started.
    pub not_started: u32,
}

#[derive(Hash)]
pub(super) struct ClvQuestion {
    pub(super) season: PublishedSeason,
    pub(super) rules: ClvRules,
    pub(super) models: ListedModels,
    pub(super) movement: MovementAt,
    pub(super) instant: PlayInstant,
}

impl QuestionKind for ClvQuestion {
    type Answer = SeasonClv;

    const IS_EXPENSIVE: bool = true;
    const READS_LOG: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonClv, PortError> {
        let Self { season, rules, models, movement, instant } = self;
        let movement = movement.into_inner();
        let opened = figures.open(&season).await?;
        let forecast_games = opened.count_forecasts(rules.span);
        let archive = season.archive;
        let snapshot = snapshot(archive.market, archive.season, &archive.object);
        let seed = snapshot.clone();
        let measured = move || {
            let games = MeasuredGames::select(&opened, &movement, archive.market.model_type, rules, instant.get());
            (games.models(&opened, rules, &models, &seed), games.left_out)
        };
        let (models, left_out) = off_thread("closing-line values", measured).await?;
        let ClvRules { taken, close_within, span, .. } = rules;
        Ok(SeasonClv { season, snapshot, taken, close_within, span, models, left_out, forecast_games })
    }
}

/// The games that are measured, and the numbers of the others.
struct MeasuredGames<'s> {
    model_type: ModelType,
    games: Vec<MeasuredGame<'s>>,
    left_out: CountedGames,
}

/// A game that has started, with its forecasts and its close.
struct MeasuredGame<'s> {
    date: NaiveDate,
    /// The game by its row.
    row: MarketGame<'s>,
    /// The forecasts before the start that the rule may measure, oldest first.
    forecasts: Vec<ServedForecast>,
    close: Option<ClosingLine>,
}

/// A forecast with the lines served with it.
struct ServedForecast {
    /// The first entry that published it.
    generation: Generation,
    standing: bool,
    game: SlateGame,
}

impl<'s> MeasuredGames<'s> {
    fn select(
        season: &'s SeasonAnalytics,
        movement: &SeasonMovement,
        model_type: ModelType,
        rules: ClvRules,
        now: DateTime<Utc>,
    ) -> Self {
        let (mut games, mut left_out) = (Vec::new(), CountedGames::default());
        let live = season.forecast_games(rules.counted);
        for live in live.filter(|live| rules.span.contains(live.key.date)) {
            let Some(recorded) = RecordedGame::of(movement, model_type, &live) else {
                left_out.not_recorded_here += 1;
                continue;
            };
            if recorded.history.is_called_off() {
                left_out.not_played += 1;
            } else if live.key.has_started(now) {
                games.push(MeasuredGame::of(&live, &recorded, rules.taken));
            } else {
                left_out.not_started += 1;
            }
        }
        Self { model_type, games, left_out }
    }

    /// Measures each listed model with a live probability in the season.
    fn models(
        &self,
        season: &SeasonAnalytics,
        rules: ClvRules,
        listed: &ListedModels,
        snapshot: &Snapshot,
    ) -> Vec<(ModelName, ClosingValue)> {
        let models = season.forecast_models(rules.counted).filter(|(name, _)| listed.include(name.as_str()));
        let measured = models.map(|(name, id)| {
            let taken = self.games.iter().filter_map(|game| game.taken(self.model_type, (name, id), rules));
            let taken: Vec<_> = taken.collect();
            let value = ClosingValue::from_forecasts(self.model_type, name.as_str(), &taken, snapshot.as_str());
            (name, value)
        });
        measured.collect()
    }
}

impl<'s> MeasuredGame<'s> {
    fn of(live: &ForecastGame<'s>, recorded: &RecordedGame<'_>, taken: TakenRule) -> Self {
        let may_be_taken = |item: &&ForecastItem<'_>| taken == TakenRule::First || item.standing;
        let served = |item: &ForecastItem<'_>| {
            let (generation, standing) = (item.published.generation, item.standing);
            Some(ServedForecast { generation, standing, game: item.slate_game()? })
        };
        let forecasts = recorded.forecasts.iter().filter(may_be_taken).filter_map(served).collect();
        Self { date: live.key.date, row: live.market, forecasts, close: recorded.history.lines().close }
    }

    /// Returns the forecast of a model that is measured; `None` without a probability of the model.
    fn taken(&self, model_type: ModelType, (name, id): (ModelName, ModelId), rules: ClvRules) -> Option<TakenForecast> {
        let mut forecasts = self.forecasts.iter();
        let (forecast, probability) = match rules.taken {
            TakenRule::First => {
                forecasts.find_map(|served| Some((served, served.game.probability(model_type, name)?)))?
            }
            // A model that was declared after the forecast is in the row alone.
            TakenRule::Standing => (forecasts.find(|served| served.standing)?, self.row.probability(id)?),
        };
        let taken = Offer::from_lines(model_type, &forecast.game.lines);
        let close = self.close_after(model_type, forecast.generation, rules);
        Some(TakenForecast { date: self.date, probability, taken, close })
    }

    /// Returns the close as far as a forecast of an entry is compared with it.
    fn close_after(&self, model_type: ModelType, taken: Generation, rules: ClvRules) -> Close {
        match &self.close {
            None => Close::Missing,
            Some(close) if !rules.close_within.permits(close.age) => Close::Stale,
            Some(close) if close.last_quoted.generation <= taken => Close::NotLater,
            Some(close) => Close::Offered(Offer::from_lines(model_type, &close.lines)),
        }
    }
}

/// The parameters of closing-line values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClvRules {
    /// The forecast of each game that is measured.
    pub taken: TakenRule,
    /// The maximum age of a close at the start.
    pub close_within: CloseWithin,
    /// The dates included.
    pub span: DateSpan,
    /// The live forecasts included.
    pub counted: CountedForecasts,
}

impl Default for ClvRules {
    /// Returns the rules for all live forecasts of a season.
    fn default() -> Self {
        let (taken, close_within, span) = (TakenRule::default(), CloseWithin::default(), DateSpan::default());
        Self { taken, close_within, span, counted: CountedForecasts::From(ForecastSource::Live) }
    }
}

/// The forecast of a game that is measured at the close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum TakenRule {
    /// The first forecast with a probability of the model.
    First,
    /// The forecast that holds for the record.
    #[default]
    Standing,
}

impl TakenRule {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::First, Self::Standing];

    /// Returns the word served as `taken`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Standing => "standing",
        }
    }

    /// Returns the rule with this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.word() == word)
    }
}

/// The maximum time from the reading of a close's source to the start of the game, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CloseWithin(u16);

impl CloseWithin {
    /// The permitted minutes: up to a day.
    pub const MINUTES: RangeInclusive<usize> = 1..=1440;

    /// Returns the maximum of so many minutes; `None` outside [`Self::MINUTES`].
    pub fn of_minutes(minutes: usize) -> Option<Self> {
        let minutes = Some(minutes).filter(|minutes| Self::MINUTES.contains(minutes))?;
        u16::try_from(minutes).ok().map(Self)
    }

    pub fn minutes(self) -> u32 {
        self.0.into()
    }

    /// Returns true if a close of this age counts.
    pub(super) fn permits(self, age: TimeDelta) -> bool {
        age <= TimeDelta::minutes(self.0.into())
    }
}

impl Default for CloseWithin {
    /// Returns two hours.
    fn default() -> Self {
        Self(120)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_close_counts_up_to_its_maximum_age() {
        let within = CloseWithin::of_minutes(90).expect("permitted");
        assert!(within.permits(TimeDelta::minutes(90)) && within.permits(TimeDelta::seconds(-5)));
        assert!(!within.permits(TimeDelta::minutes(90) + TimeDelta::milliseconds(1)));
        assert_eq!([0, 1441].map(CloseWithin::of_minutes), [None; 2]);
        assert_eq!(
            [1, 1440].map(|minutes| CloseWithin::of_minutes(minutes).map(CloseWithin::minutes)),
            [Some(1), Some(1440)]
        );
        assert_eq!(CloseWithin::default().minutes(), 120);
    }

    #[test]
    fn rules_have_their_words() {
        assert_eq!(TakenRule::ALL.map(|rule| TakenRule::named(rule.word())), TakenRule::ALL.map(Some));
        assert_eq!(["best", "First", ""].map(TakenRule::named), [None; 3]);
    }
}
