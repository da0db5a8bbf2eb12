//! Comparisons of lines and prices with each other: in a season, and in each file of a slate.

use sports_domain::{LineBounds, LineColumn, LineValue, ModelType, Season, Side, Sport};

use super::report::{Share, percent, vig as vig_of};
use super::season_games::{Game, SeasonGames};
use super::{Finding, FindingKind, Severity, first_named};

/// Returns the rows and keys of the first games, and the number of the others.
fn named(games: &[&Game<'_>]) -> String {
    first_named(games.iter().map(|game| match game.place.and_then(|place| place.row) {
        Some(row) => format!("row {row}, {}", game.key),
        None => game.key.to_string(),
    }))
}

/// Returns the findings about the lines and prices of a season.
pub(crate) fn of_season(season: &SeasonGames<'_>) -> Vec<Finding> {
    let games: Vec<_> = season.listed.iter().collect();
    let found = spread_signs_of_season(season).into_iter().chain(vig_of_season(season)).chain(missing_lines(season));
    found
        .chain(zero_openers(season))
        .chain(equal_lines(season.sport, Some(season.season), &games, EQUAL_IN_SEASON))
        .collect()
}

/// The number of games of a slate with one mistake from which most games refuse the release.
const FEWEST_REFUSED: usize = 2;

/// Refuses a slate if most of the judged games have a mistake.
fn of_most(with: usize, judged: usize) -> Severity {
    if with >= FEWEST_REFUSED && with * 2 > judged { Severity::Refusal } else { Severity::Warning }
}

/// The largest spread, in points, at which a game closes that may have opened as a pick'em.
const NEAR_PICK_EM: f64 = 6.0;

/// Warns of opening spreads of 0, which are pick'ems in a history unless the release says otherwise.
fn zero_openers(season: &SeasonGames<'_>) -> Option<Finding> {
    let opened_at_zero = |game: &&Game<'_>| game.lines.open_spread.is_some_and(|opener| opener.home().abs() < 0.25);
    let games: Vec<_> = season.listed.iter().filter(opened_at_zero).collect();
    let far = Share::of(games.iter().map(|game| Some(game.lines.spread?.home().abs() > NEAR_PICK_EM)));
    let closed =
        far.ratio().map(|share| format!("; {} of {} closed more than 6 points away", percent(share), far.known));
    let message = format!(
        "column open_home_point_spread: 0 in {} games is taken as a pick'em{}. If your source writes 0 where it has no opener, \
         publish with \"zero_spread_openers\": \"placeholder\" in release.json",
        games.len(),
        closed.unwrap_or_default(),
    );
    Some(Finding::of(FindingKind::ZeroOpeners, Severity::Warning, Some(season.season), games.first()?, message))
}

// The prices of both sides of a market.

/// The usual range of the sum of implied probabilities, minus 1.
const USUAL_VIG: std::ops::RangeInclusive<f64> = -0.02..=0.2;

/// From this share of games outside the range a market of a season has a warning.
const UNUSUAL_PRICES: f64 = 0.1;

/// Above this share of games that have lost a minus sign the release is refused.
const LOST_SIGNS: f64 = 0.5;

/// Returns true if the prices of both sides do not fit together; `None` unless both have a price.
fn is_unusual(game: &Game<'_>, model_type: ModelType) -> Option<bool> {
    Some(!USUAL_VIG.contains(&vig_of(game.lines.prices(model_type))?))
}

/// Returns true if both sides have the price of an underdog, which no book offers; `None` unless both have a price.
fn has_lost_sign(game: &Game<'_>, model_type: ModelType) -> Option<bool> {
    let prices = game.lines.prices(model_type);
    let are_positive = prices.positive?.get() > 0 && prices.negative?.get() > 0;
    Some(are_positive && is_unusual(game, model_type)?)
}

const UNUSUAL: &str = "the implied probabilities of both sides, minus 1, are outside -2 % to 20 % in";

const WERE_SIGNS_LOST: &str = "; were minus signs lost?";

/// Returns the names of the columns with the prices of a market.
const fn price_columns(model_type: ModelType) -> &'static str {
    match model_type {
        ModelType::OverUnder => "columns over_line and under_line",
        ModelType::WonOnPoints => "columns home_money_line and away_money_line",
        ModelType::WonOnSpread => "columns home_point_spread_line and away_point_spread_line",
    }
}

/// Warns of each market of a season whose two prices do not fit together, and refuses one that has lost minus signs.
fn vig_of_season(season: &SeasonGames<'_>) -> impl Iterator<Item = Finding> {
    ModelType::ALL.into_iter().filter_map(|model_type| {
        let share = Share::of(season.listed.iter().map(|game| is_unusual(game, model_type)));
        let unusual = share.judged().filter(|unusual| *unusual >= UNUSUAL_PRICES)?;
        let lost = Share::of(season.listed.iter().map(|game| has_lost_sign(game, model_type)));
        let are_most = lost.judged().is_some_and(|lost| lost > LOST_SIGNS);
        let (severity, hint) = if are_most { (Severity::Refusal, WERE_SIGNS_LOST) } else { (Severity::Warning, "") };
        let first = season.listed.iter().find(|game| is_unusual(game, model_type) == Some(true))?;
        let (columns, share, known, key) = (price_columns(model_type), percent(unusual), share.known, first.key);
        let message = format!("{columns}: {UNUSUAL} {share} of {known} games, the first is {key}{hint}");
        Some(Finding::of(FindingKind::Vig, severity, Some(season.season), first, message))
    })
}

/// Names the games of a slate whose two prices in a market do not fit together.
pub(crate) fn vig_of_slate(season: Option<Season>, model_type: ModelType, games: &[&Game<'_>]) -> Option<Finding> {
    let known: Vec<_> = games.iter().filter_map(|game| Some((*game, is_unusual(game, model_type)?))).collect();
    let unusual: Vec<_> = known.iter().filter(|(_, is_unusual)| *is_unusual).map(|(game, _)| *game).collect();
    let first = unusual.first()?;
    let are_lost = unusual.iter().all(|game| has_lost_sign(game, model_type) == Some(true));
    let hint = if are_lost { WERE_SIGNS_LOST } else { "" };
    let message = format!(
        "{}: {UNUSUAL} {} of {} games: {}{hint}",
        price_columns(model_type),
        unusual.len(),
        known.len(),
        named(&unusual)
    );
    Some(Finding::of(FindingKind::Vig, of_most(unusual.len(), known.len()), season, first, message))
}

// The favourites by spread and by moneyline.

/// Below this share of equal favourites the season has a warning.
const EQUAL_FAVOURITES: f64 = 0.9;

/// Below this share the release is refused.
const OPPOSITE_FAVOURITES: f64 = 0.5;

/// Below this share of equal favourites the whole column has the other sign.
const OTHER_SIGN: f64 = 0.1;

/// The no-vig share of a favourite by the moneyline is this far from one half.
const CLEAR_SHARE: f64 = 0.06;

/// The smallest spread of a clear favourite, in points.
const CLEAR_SPREAD: f64 = 2.5;

/// Compares the favourite by the spread with the favourite by the moneyline, over games where both name one, and names games
/// with two clear favourites. Moneylines of two underdogs name none.
fn spread_signs_of_season(season: &SeasonGames<'_>) -> Option<Finding> {
    let share = Share::of(season.listed.iter().map(|game| Some(favourites(game)?.are_equal)));
    let same = share.judged().filter(|same| *same < EQUAL_FAVOURITES);
    let is_opposite = |game: &&Game<'_>| has_two_favourites(season.sport, game) == Some(true);
    let opposite: Vec<_> = season.listed.iter().filter(is_opposite).collect();
    let differs = |game: &&Game<'_>| favourites(game).is_some_and(|both| !both.are_equal);
    let first = match same {
        Some(_) => season.listed.iter().find(differs)?,
        None => *opposite.first()?,
    };
    let mut reasons = Vec::new();
    let mut severity = Severity::Warning;
    if let Some(same) = same {
        let refuses = same < OPPOSITE_FAVOURITES;
        severity = if refuses { Severity::Refusal } else { Severity::Warning };
        let (threshold, known) = (percent(if refuses { OPPOSITE_FAVOURITES } else { EQUAL_FAVOURITES }), share.known);
        let cause =
            if same < OTHER_SIGN { expected_margin() } else { "part of the rows may have the other sign".to_owned() };
        reasons.push(format!(
            "spread and moneyline name the same favourite in {} of {known} games, less than {threshold}; {cause}",
            percent(same)
        ));
    }
    if !opposite.is_empty() {
        let (count, named) = (opposite.len(), named(&opposite));
        reasons.push(format!("the clear favourites by spread and by moneyline differ in {count} games: {named}"));
    }
    let message = format!("column {}: {}", LineColumn::HomePointSpread.name(), reasons.join("; "));
    Some(Finding::of(FindingKind::SpreadSigns, severity, Some(season.season), first, message))
}

/// Returns the cause of a column of spreads with the other sign, and its remedy.
pub(crate) fn expected_margin() -> String {
    let column = LineColumn::HomePointSpread.name();
    format!(
        "{column} looks like expected margin: use its negative, or `is = \"expected-margin\"` in a map of `sportsctl convert csv`"
    )
}

/// The line of a slate's file that is judged by the other lines of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judged {
    /// The file has spreads.
    Spread,
    /// The file has moneylines, and others have the spreads.
    Moneyline,
}

/// Names the games of a slate in which spread and moneyline have a clear favourite each, and not the same.
pub(crate) fn spread_signs_of_slate(
    sport: Sport,
    season: Option<Season>,
    judged: Judged,
    games: &[&Game<'_>],
) -> Option<Finding> {
    let known: Vec<_> = games.iter().filter_map(|game| Some((*game, has_two_favourites(sport, game)?))).collect();
    let opposite: Vec<_> = known.iter().filter(|(_, are_two)| *are_two).map(|(game, _)| *game).collect();
    let first = opposite.first()?;
    let (column, with, known) = (LineColumn::HomePointSpread.name(), opposite.len(), known.len());
    let (columns, elsewhere) = match judged {
        Judged::Spread => (format!("column {column}"), ""),
        Judged::Moneyline => (price_columns(ModelType::WonOnPoints).to_owned(), ", which other files have,"),
    };
    let message = format!(
        "{columns}: the clear favourites by spread{elsewhere} and by moneyline differ in {with} of {known} games: {}; the home team \
         gives points where {column} is negative, and is the favourite where home_money_line is the lower price",
        named(&opposite)
    );
    Some(Finding::of(FindingKind::SpreadSigns, of_most(with, known), season, first, message))
}

/// The favourites by spread and moneyline of a game in which both name one.
struct Favourites {
    are_equal: bool,
    /// The distance of the no-vig share from one half.
    beyond_half: f64,
}

fn favourites(game: &Game<'_>) -> Option<Favourites> {
    let by_spread = Side::ahead(game.lines.spread?.away())?;
    let share = game.lines.money.no_vig().filter(|_| has_lost_sign(game, ModelType::WonOnPoints) == Some(false))?;
    Some(Favourites { are_equal: by_spread == share.favoured()?, beyond_half: (share.get() - 0.5).abs() })
}

/// Returns true if the favourites differ; `None` unless both are clear.
pub(crate) fn has_two_favourites(sport: Sport, game: &Game<'_>) -> Option<bool> {
    let spread = game.lines.spread?.home();
    let is_clear = spread.abs() >= CLEAR_SPREAD || LineBounds::is_fixed_spread(sport, spread);
    let favourites = favourites(game).filter(|both| is_clear && both.beyond_half > CLEAR_SHARE)?;
    Some(!favourites.are_equal)
}

// Lines that are missing or copied.

/// Warns of prices of a total or a spread without the line.
fn missing_lines(season: &SeasonGames<'_>) -> Vec<Finding> {
    let lacks_spread = |game: &Game<'_>| game.lines.spread.is_none() && game.lines.spread_prices.any();
    let lacks_total = |game: &Game<'_>| game.lines.total.is_none() && game.lines.total_prices.any();
    let of_line = |name: &str, lacks: &dyn Fn(&Game<'_>) -> bool| {
        let first = season.listed.iter().find(|game| lacks(game))?;
        let count = season.listed.iter().filter(|game| lacks(game)).count();
        let message = format!("{count} games have prices of a {name} and no {name}, the first is {}", first.key);
        Some(Finding::of(FindingKind::MissingLines, Severity::Warning, Some(season.season), first, message))
    };
    [of_line("spread", &lacks_spread), of_line("total", &lacks_total)].into_iter().flatten().collect()
}

/// The number of games of a season from which a line that is equal in all of them has a warning.
const EQUAL_IN_SEASON: usize = 20;

/// The same in a slate.
pub(crate) const EQUAL_IN_SLATE: usize = 4;

/// Warns of each line that is the same in all games.
pub(crate) fn equal_lines(
    sport: Sport,
    season: Option<Season>,
    games: &[&Game<'_>],
    fewest: usize,
) -> impl Iterator<Item = Finding> {
    let columns =
        [LineColumn::HomePointSpread, LineColumn::OverUnder, LineColumn::HomeMoneyLine, LineColumn::AwayMoneyLine];
    columns.into_iter().filter_map(move |column| {
        let mut values = games.iter().filter_map(|game| Some((game, game.lines.value(column)?)));
        let (first, value) = values.next()?;
        let count = values.try_fold(1, |count, (_, other)| (other == value).then_some(count + 1))?;
        if count < fewest || has_few_values(sport, column, value) {
            return None;
        }
        let message = format!("column {}: all {count} games have {value}; was one cell copied to all?", column.name());
        Some(Finding::of(FindingKind::EqualLines, Severity::Warning, season, first, message))
    })
}

/// Returns true for the lines of which a league has so few values that a day of games may have one: spreads of 1.5, totals of nhl.
fn has_few_values(sport: Sport, column: LineColumn, value: LineValue) -> bool {
    let is_fixed = |points| LineBounds::is_fixed_spread(sport, points);
    (column == LineColumn::OverUnder && sport == Sport::Nhl)
        || matches!(value, LineValue::Points(points) if column == LineColumn::HomePointSpread && is_fixed(points))
}
