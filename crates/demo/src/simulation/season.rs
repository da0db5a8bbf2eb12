use chrono::{DateTime, Duration, NaiveDate, Utc};
use sports_domain::{FinalScore, GameKey, Season, TeamSlug, eastern_instant};

use crate::simulation::calendar::{Calendar, play_off};
use crate::simulation::contest::{Contest, Fixture, FixtureStatus, Stage};
use crate::simulation::files::Csv;
use crate::simulation::league::League;
use crate::simulation::quoting::{Openers, Quote, Quoting};
use crate::simulation::random::{Purpose, Stream};
use crate::simulation::scoring::Scoring;
use crate::simulation::teams::{Strength, teams_in};
use crate::simulation::{oddities, schedule};

/// One league's season, complete to its end.
#[derive(Debug)]
pub(crate) struct PlayedSeason {
    pub(crate) label: Season,
    pub(crate) coverage: Coverage,
    /// The games, in the order of play.
    pub(crate) games: Vec<Game>,
}

/// The data that the sources of a season have; older sources have less.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coverage {
    pub(crate) times: Kept,
    pub(crate) point_prices: Kept,
    pub(crate) ai_model: Kept,
    pub(crate) finals: Kept,
}

/// The presence of a kind of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    No,
}

/// The time before its start at which a game is called off.
const NOTICE: Duration = Duration::hours(3);

impl Coverage {
    fn aged(league: &League, age: u16) -> Self {
        use sports_domain::Sport::{Mlb, Nba, Ncaab, Ncaaf};
        let lost = |is_lost: bool| if is_lost { Kept::No } else { Kept::Yes };
        Self {
            times: lost(age >= 2 && matches!(league.sport, Mlb | Ncaaf)),
            point_prices: lost(age >= 2 && matches!(league.sport, Nba | Ncaab)),
            ai_model: lost(age >= 2 || !league.models.has_ai),
            finals: lost(age >= 1 && matches!(league.sport, Nba | Ncaab)),
        }
    }
}

impl PlayedSeason {
    /// Simulates the season `age` seasons before the season that contains `today`.
    pub(crate) fn play(seed: u64, league: &League, today: NaiveDate, age: u16) -> Self {
        let calendar = Calendar::for_season(league.sport, today, age);
        let coverage = Coverage::aged(league, age);
        let teams = teams_in(league.sport, calendar.season);
        let contests = contests(seed, league, calendar.season, teams.len());
        let mut games = Vec::with_capacity(contests.len());
        for (contest, number) in contests.into_iter().zip(1..) {
            let fixture = contest.fixture;
            // Only a current baseball season around New Year has days outside the years of its label.
            let Some(date) = calendar.date(fixture.day) else { continue };
            let key = key(fixture, date, coverage.times, &teams, &games);
            let match_id = format!("{}-{}-{number:04}", league.sport, calendar.season);
            games.push(game(league, contest, coverage.finals, key, match_id));
        }
        Self { label: calendar.season, coverage, games }
    }
}

/// Simulates every game of a season, in the order of play.
fn contests(seed: u64, league: &League, label: Season, teams: usize) -> Vec<Contest> {
    let stream = |purpose| Stream::for_purpose(seed, purpose, &[league.number(), u64::from(label.first_year())]);
    let strengths = Strength::of_all(seed, league, teams, label.first_year());
    let fixtures = schedule::fixtures(league, teams, &mut stream(Purpose::Schedule));
    let mut luck = stream(Purpose::Contest);
    let mut contests: Vec<_> =
        fixtures.into_iter().map(|fixture| Contest::play(league, fixture, &strengths, &mut luck)).collect();
    let ranking = ranking(&contests, teams);
    play_off(league.sport, &ranking, |fixture| {
        let contest = Contest::play(league, fixture, &strengths, &mut luck);
        let winner = contest.winner();
        contests.push(contest);
        winner
    });
    contests.sort_by_key(|contest| (contest.fixture.day, contest.fixture.time, contest.fixture.home));
    oddities::add(&mut contests, league, teams, &mut stream(Purpose::Oddity));
    contests
}

/// Returns the teams by games won in the regular season, best first.
fn ranking(contests: &[Contest], teams: usize) -> Vec<usize> {
    let mut wins = vec![0_u32; teams];
    for contest in contests.iter().filter(|contest| contest.fixture.stage == Stage::Regular) {
        wins[contest.winner()] += 1;
    }
    let mut ranking: Vec<_> = (0..teams).collect();
    ranking.sort_by_key(|team| std::cmp::Reverse(wins[*team]));
    ranking
}

fn key(fixture: Fixture, date: NaiveDate, times: Kept, teams: &[TeamSlug], earlier: &[Game]) -> GameKey {
    let (away, home) = (teams[fixture.away].clone(), teams[fixture.home].clone());
    let same_day = earlier.iter().rev().take_while(|game| game.key.date == date);
    let is_second = same_day.into_iter().any(|game| game.key.away == away && game.key.home == home);
    let without_time = times == Kept::No;
    GameKey {
        date,
        time: (!without_time).then_some(fixture.time),
        away,
        home,
        game_number: without_time.then_some(1 + u8::from(is_second)),
    }
}

fn game(league: &League, contest: Contest, finals: Kept, key: GameKey, match_id: String) -> Game {
    let Contest { fixture, quoting, score } = contest;
    let starts = eastern_instant(key.date, fixture.time);
    let outcome = match fixture.status {
        FixtureStatus::Unentered if finals == Kept::No => GameResult::Unentered,
        FixtureStatus::Played | FixtureStatus::Unentered => GameResult::Final(score),
        FixtureStatus::Postponed => GameResult::Postponed,
        FixtureStatus::Cancelled => GameResult::Cancelled,
    };
    let lasting = |minutes: i32| {
        let luck = Stream::for_purpose(quoting.seed, Purpose::Contest, &[]).bell() / 6.0;
        Duration::minutes(i64::from(crate::simulation::scoring::rounded(f64::from(minutes) * (1.0 + luck / 6.0))))
    };
    let ends = match outcome {
        GameResult::Final(_) | GameResult::Unentered => starts + lasting(league.minutes),
        GameResult::Postponed | GameResult::Cancelled => starts - NOTICE,
    };
    Game::new((key, match_id), fixture.stage, (starts, ends), outcome, quoting)
}

/// The outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// The game was played.
    Final(FinalScore),
    /// The game was called off for its day.
    Postponed,
    /// The game was called off for good.
    Cancelled,
    /// The game was played, but its final was not entered.
    Unentered,
}

impl GameResult {
    /// Returns the settlement status: `settled`, `postponed`, `cancelled`, or an empty text.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Final(_) => "settled",
            Self::Postponed => "postponed",
            Self::Cancelled => "cancelled",
            Self::Unentered => "",
        }
    }

    /// Returns the final of a game that was played.
    pub const fn score(self) -> Option<FinalScore> {
        match self {
            Self::Final(score) => Some(score),
            Self::Postponed | Self::Cancelled | Self::Unentered => None,
        }
    }
}

/// A game of a simulated season.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) key: GameKey,
    pub(crate) match_id: String,
    pub(crate) stage: Stage,
    pub(crate) starts: DateTime<Utc>,
    /// The time at which the outcome is known.
    pub(crate) ends: DateTime<Utc>,
    pub(crate) outcome: GameResult,
    quoting: Quoting,
}

/// The interval between two quotes.
const STEP: Duration = Duration::hours(2);

impl Game {
    pub(crate) fn new(
        (key, match_id): (GameKey, String),
        stage: Stage,
        (starts, ends): (DateTime<Utc>, DateTime<Utc>),
        outcome: GameResult,
        quoting: Quoting,
    ) -> Self {
        Self { key, match_id, stage, starts, ends, outcome, quoting }
    }

    /// Returns the market's view of the game; `None` in preseason.
    pub(crate) fn quoting(&self) -> Option<&Quoting> {
        (self.stage != Stage::Preseason).then_some(&self.quoting)
    }

    /// Returns the lines as of an instant: those of the last quote before it, but of none after the start.
    pub(crate) fn quote_at(&self, league: &League, instant: DateTime<Utc>) -> Option<Quote> {
        let last = self.last_step(league);
        Some(self.quoting()?.at_step(league, self.step(league, instant).min(last), last))
    }

    /// Returns the closing lines.
    pub(crate) fn closing_quote(&self, league: &League) -> Option<Quote> {
        self.quote_at(league, self.starts)
    }

    /// Returns the time of the last quote as of an instant.
    pub(crate) fn quoted_at(&self, league: &League, instant: DateTime<Utc>) -> DateTime<Utc> {
        let step = self.step(league, instant).min(self.last_step(league));
        self.opens(league) + Duration::hours(STEP.num_hours() * step)
    }

    /// Returns true if the opener columns contain prices and totals of zero.
    pub(crate) fn has_zero_prices(&self, league: &League) -> bool {
        self.quoting.quirks.openers == Openers::Zero && matches!(league.scoring, Scoring::Runs(_))
    }

    fn opens(&self, league: &League) -> DateTime<Utc> {
        self.starts - Duration::hours(league.market.open_hours)
    }

    fn step(&self, league: &League, instant: DateTime<Utc>) -> i64 {
        (instant - self.opens(league)).num_seconds().max(0) / STEP.num_seconds()
    }

    /// Returns the step of the last quote before the start.
    fn last_step(&self, league: &League) -> i64 {
        self.step(league, self.starts - Duration::seconds(1))
    }
}

/// A game's outcome, as input for `sportsctl settle`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub key: GameKey,
    /// The outcome of the game.
    pub outcome: GameResult,
}

impl Settlement {
    /// Returns the settlement file of a list of outcomes.
    pub fn file(settlements: &[Self]) -> String {
        let mut csv = Csv::with_header([
            "date",
            "time_est",
            "away_team",
            "home_team",
            "away_score",
            "home_score",
            "settlement_status",
        ]);
        for settlement in settlements {
            csv.key(&settlement.key);
            let score = settlement.outcome.score();
            csv.optional(score.map(|score| score.away));
            csv.optional(score.map(|score| score.home));
            csv.cell(settlement.outcome.word());
            csv.end_row();
        }
        csv.into_text()
    }
}
