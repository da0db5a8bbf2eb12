use sports_domain::{FinalScore, Sport};

use crate::simulation::contest::{Contest, FixtureStatus, Stage};
use crate::simulation::league::League;
use crate::simulation::quoting::{ForecastKind, Openers, Posted, Quirks};
use crate::simulation::random::Stream;
use crate::simulation::schedule::early_days;
use crate::simulation::scoring::Scoring;

/// The rate of each edge case among a season's games; each occurs at least once, early in the season.
struct Rates {
    missing_openers: f64,
    zero_openers: f64,
    /// The rate of one-sided prices; `None` if bookmakers never post them.
    one_sided: Option<f64>,
    unpriced: f64,
    unposted: f64,
    evenly_foreseen: f64,
}

const fn rates(sport: Sport) -> Rates {
    let (missing_openers, zero_openers, one_sided, unpriced) = match sport {
        Sport::Mlb => (0.005, 0.0, None, 0.002),
        Sport::Nba => (0.01, 0.0018, Some(0.0), 0.003),
        Sport::Nfl => (0.03, 0.0012, None, 0.01),
        Sport::Nhl => (0.01, 0.002, None, 0.003),
        Sport::Ncaaf => (0.04, 0.005, Some(0.01), 0.01),
        Sport::Ncaab => (0.04, 0.0145, None, 0.005),
    };
    Rates { missing_openers, zero_openers, one_sided, unpriced, unposted: 0.0005, evenly_foreseen: 0.003 }
}

/// The spread in points above which a game can have zero openers, so that the placeholder is clearly off.
const WIDE: f64 = 5.0;

/// The number of new teams per season, without forecasts in their first game.
const NEWCOMERS: usize = 2;

/// The minimum margin in points of a favourite whose price is mistyped on both sides, and of a certain favourite.
const CLEAR: f64 = 6.0;

const CERTAIN: f64 = 22.0;

/// The scores of tied games.
const TIED: [u16; 6] = [13, 17, 20, 23, 27, 30];

/// Adds every edge case of real data to a season.
pub(crate) fn add(contests: &mut [Contest], league: &League, teams: usize, stream: &mut Stream) {
    let mut order = Order::assign(contests, league.sport, stream);
    rare_endings(contests, league.sport, &mut order);
    onto_the_number(contests, league, &mut order);
    quirks_of_quotes(contests, league, &mut order);
    newcomers(contests, teams, stream);
}

/// Adds a game that ended as few do: tied, suspended, or without a final.
fn rare_endings(contests: &mut [Contest], sport: Sport, order: &mut Order) {
    match sport {
        Sport::Nfl => order.each(contests, 0.0, |_| true, |contest| contest.score = tied(contest.score)),
        Sport::Mlb => order.each(contests, 0.0, |_| true, |contest| contest.score = suspended(contest.score)),
        Sport::Nba | Sport::Ncaab => {
            order.each(contests, 0.0, |_| true, |contest| contest.fixture.status = FixtureStatus::Unentered);
        }
        Sport::Nhl | Sport::Ncaaf => {}
    }
}

/// Adds games whose openers, prices or forecasts are missing or mistyped.
fn quirks_of_quotes(contests: &mut [Contest], league: &League, order: &mut Order) {
    let rates = rates(league.sport);
    let is_wide = |contest: &Contest| {
        matches!(league.scoring, Scoring::Runs(_))
            || contest.quoting.close.margin.abs() > WIDE && contest.quoting.open.margin.abs() > WIDE
    };
    let mut quirk = |rate, wanted: &dyn Fn(&Contest) -> bool, change: fn(&mut Quirks)| {
        order.each(contests, rate, wanted, |contest| change(&mut contest.quoting.quirks));
    };
    quirk(rates.zero_openers, &is_wide, |quirks| quirks.openers = Openers::Zero);
    quirk(rates.missing_openers, &|_| true, |quirks| quirks.openers = Openers::Missing);
    if let Some(rate) = rates.one_sided {
        quirk(rate, &|_| true, |quirks| quirks.posted = Posted::HomeMoneyLineOnly);
    }
    let is_clear = |contest: &Contest| contest.quoting.close.margin.abs() > CLEAR;
    let is_certain = |contest: &Contest| contest.quoting.close.margin.abs() > CERTAIN;
    match league.sport {
        Sport::Nba => quirk(0.0, &is_clear, |quirks| quirks.posted = Posted::TwoFavourites),
        Sport::Ncaaf | Sport::Ncaab => quirk(0.0, &is_certain, |quirks| quirks.posted = Posted::Certainty),
        Sport::Mlb | Sport::Nfl | Sport::Nhl => {}
    }
    quirk(rates.unpriced, &|_| true, |quirks| quirks.posted = Posted::PointsOnly);
    quirk(rates.unposted, &|_| true, |quirks| quirks.posted = Posted::Nothing);
    quirk(rates.evenly_foreseen, &|_| true, |quirks| quirks.foreseen = ForecastKind::Evenly);
}

/// Leaves new teams without a forecast in their first game.
fn newcomers(contests: &mut [Contest], teams: usize, stream: &mut Stream) {
    for _ in 0..NEWCOMERS {
        let newcomer = stream.below(teams);
        let of_record = |contest: &&mut Contest| contest.fixture.stage != Stage::Preseason;
        let first = contests.iter_mut().filter(of_record).find(|contest| contest.fixture.is_of(newcomer));
        if let Some(contest) = first {
            contest.quoting.quirks.foreseen = ForecastKind::Never;
        }
    }
}

/// Adds one game each with a pick'em, a pushed spread and a pushed total, by moving a line that is half a point off.
fn onto_the_number(contests: &mut [Contest], league: &League, order: &mut Order) {
    let lines = |contest: &Contest| {
        let closing = contest.quoting.closing(league);
        (closing.margin_line, closing.total_line)
    };
    let margin_off = |contest: &Contest| 2 * contest.score.home_margin() - lines(contest).0;
    let total_off = |contest: &Contest| 2 * contest.score.combined().cast_signed() - lines(contest).1;
    if matches!(league.scoring, Scoring::Margins(_)) {
        let near = |contest: &Contest| (1..=2).contains(&lines(contest).0.abs());
        order.each(contests, 0.0, near, |contest| contest.quoting.quirks.spread_off = -lines(contest).0);
        let half = |contest: &Contest| margin_off(contest).abs() == 1;
        order.each(contests, 0.0, half, |contest| contest.quoting.quirks.spread_off = margin_off(contest));
    }
    let half = |contest: &Contest| total_off(contest).abs() == 1;
    order.each(contests, 0.0, half, |contest| contest.quoting.quirks.total_off = total_off(contest));
}

fn tied(score: FinalScore) -> FinalScore {
    let half = score.combined() / 2;
    let points = TIED.into_iter().min_by_key(|points| u32::from(*points).abs_diff(half)).unwrap_or(TIED[0]);
    FinalScore { away: points, home: points }
}

/// Returns the score at which a game was suspended, entered as if it were final.
fn suspended(score: FinalScore) -> FinalScore {
    let even = score.away.min(score.home);
    FinalScore { away: even, home: even }
}

/// The games available for edge cases, each used once: games of the early season first.
struct Order {
    left: Vec<usize>,
    games: u32,
}

impl Order {
    fn assign(contests: &[Contest], sport: Sport, stream: &mut Stream) -> Self {
        let played = |contest: &Contest| {
            contest.fixture.stage != Stage::Preseason && contest.fixture.status == FixtureStatus::Played
        };
        let is_early = |place: &usize| contests[*place].fixture.day < early_days(sport);
        let all = (0..contests.len()).filter(|place| played(&contests[*place]));
        let (mut left, mut later): (Vec<_>, Vec<_>) = all.partition(is_early);
        stream.shuffle(&mut left);
        stream.shuffle(&mut later);
        left.append(&mut later);
        let games = u32::try_from(left.len()).unwrap_or(u32::MAX);
        Self { left, games }
    }

    /// Changes the first suitable game, and as many others across the season as the rate requires.
    fn each(
        &mut self,
        contests: &mut [Contest],
        rate: f64,
        wanted: impl Fn(&Contest) -> bool,
        change: impl Fn(&mut Contest),
    ) {
        let share = rate * f64::from(self.games);
        let count = crate::simulation::scoring::rounded(share).max(1);
        for turn in 0..count {
            let from_the_end = turn % 2 == 1;
            let is_wanted = |place: &usize| wanted(&contests[*place]);
            let place =
                if from_the_end { self.left.iter().rposition(is_wanted) } else { self.left.iter().position(is_wanted) };
            let Some(place) = place else { return };
            change(&mut contests[self.left.remove(place)]);
        }
    }
}
