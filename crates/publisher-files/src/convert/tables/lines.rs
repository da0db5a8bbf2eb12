//! Lines, prices and probabilities of a game.

use sports_domain::LineColumn;

use super::entry::Spreads;
use super::field::{ForecastSide, Misread, OddsForm, ProbabilityForm, Reading, RowOfGame, SpreadForm};
use super::prices::Decimal;
use super::source::{BySize, Cells, Team};
use crate::cells::{LARGEST_LINE, SPREAD};
use crate::convert::tables::plan::{ModelOrigin, Origin, Plan};
use crate::convert::tables::prices::price;
use crate::remedy;

/// A cell that cannot be read.
pub(crate) type Refused<'r> = (&'r Origin, Misread);

/// A number that only one of two rows has, or that both have alike.
pub(crate) const ONE_NUMBER: &str =
    "only one of the two rows has a number, or both have the same: it may be the spread or the total";

/// A probability or a spread of a favourite in a game without one.
pub(crate) const NO_FAVOURITE: &str = "the game has no favourite";

/// Reads the prices of a game.
pub(crate) fn prices<'r>(
    plan: &'r Plan,
    cells: &Cells<'r>,
    mut refuse: impl FnMut(Refused<'r>),
) -> Vec<(LineColumn, i32)> {
    let mut prices = Vec::with_capacity(plan.prices.len());
    for (line, origin, form) in &plan.prices {
        let text = cells.text(origin);
        match if text.is_empty() { Ok(None) } else { price(text, *form, cells.mark) } {
            Ok(read) => prices.extend(read.map(|price| (*line, price))),
            Err(misread) => refuse((origin, misread)),
        }
    }
    check_decimal_odds(plan, &prices, refuse);
    prices
}

/// The two sides of each market.
const SIDES: [[LineColumn; 2]; 4] = [
    [LineColumn::HomeMoneyLine, LineColumn::AwayMoneyLine],
    [LineColumn::OpenHomeMoneyLine, LineColumn::OpenAwayMoneyLine],
    [LineColumn::HomePointSpreadLine, LineColumn::AwayPointSpreadLine],
    [LineColumn::OverLine, LineColumn::UnderLine],
];

/// The American price of decimal odds of 20, which at most one side of a market exceeds.
const LONGEST: i32 = 1_900;

/// Refuses decimal odds above 20 on both sides of a market.
fn check_decimal_odds<'r>(plan: &'r Plan, prices: &[(LineColumn, i32)], mut refuse: impl FnMut(Refused<'r>)) {
    let exceeds = |side: LineColumn| prices.iter().any(|(line, price)| *line == side && *price > LONGEST);
    for sides in SIDES.into_iter().filter(|sides| sides.iter().all(|side| exceeds(*side))) {
        let decimal = plan.prices.iter().filter(|(line, _, form)| sides.contains(line) && *form == OddsForm::Decimal);
        for (_, origin, _) in decimal {
            let misread = Misread::new("decimal odds that exceed 20 on one side at most");
            refuse((origin, misread.with_hint(Some("American odds? is = \"american\""))));
        }
    }
}

/// Reads the totals of a game; zero is a missing total.
pub(crate) fn totals<'r>(
    plan: &'r Plan,
    cells: &Cells<'r>,
    mut refuse: impl FnMut(Refused<'r>),
) -> Vec<(LineColumn, Decimal)> {
    let mut totals = Vec::with_capacity(plan.totals.len());
    for (line, origin) in &plan.totals {
        let text = cells.text(origin);
        if text.is_empty() {
            continue;
        }
        match Decimal::parse(text, cells.mark).filter(|total| total.is_within(0, LARGEST_LINE.into())) {
            Some(total) if total.is_zero() => {}
            Some(total) => totals.push((*line, total)),
            None => {
                let misread = Misread::new(format!("a total of at most {LARGEST_LINE} points, such as 41.5"));
                refuse((origin, misread.with_hint(remedy::line(text))));
            }
        }
    }
    totals
}

/// Reads the spreads of a game, as points of the home team. `skip` counts cells whose meaning is unclear.
pub(crate) fn spreads<'r>(
    plan: &'r Plan,
    cells: &Cells<'r>,
    favourite: Option<Team>,
    mut skip: impl FnMut(&'r Origin, &'static str),
    mut refuse: impl FnMut(Refused<'r>),
) -> Spreads {
    let mut spreads = Spreads::default();
    for (line, origin, form) in &plan.spreads {
        let is_opening = matches!(line, LineColumn::OpenHomePointSpread | LineColumn::OpenAwayPointSpread);
        let spread = match home_points(origin, *form, cells, favourite) {
            Ok(spread) => spread,
            Err(NotASpread::Unclear(reason)) => {
                skip(origin, reason);
                continue;
            }
            Err(NotASpread::Misread(misread)) => {
                refuse((origin, misread));
                continue;
            }
        };
        let known = if is_opening { &mut spreads.opening } else { &mut spreads.closing };
        match (*known, spread) {
            (Some(one), Some(other)) if one.compared(other).is_ne() => {
                refuse((origin, Misread::new("the opposite of the home team's spread")));
            }
            (None, Some(_)) => *known = spread,
            _ => {}
        }
    }
    spreads
}

/// The error for a cell that has no spread.
enum NotASpread {
    Unclear(&'static str),
    Misread(Misread),
}

fn home_points(
    origin: &Origin,
    form: SpreadForm,
    cells: &Cells<'_>,
    favourite: Option<Team>,
) -> Result<Option<Decimal>, NotASpread> {
    let by_size = by_size(origin, cells);
    if matches!(by_size, Some(BySize::Unclear)) {
        return Err(NotASpread::Unclear(ONE_NUMBER));
    }
    let text = cells.text(origin);
    if text.is_empty() {
        return Ok(None);
    }
    let points = cells
        .number(text)
        .filter(|points| points.is_within(-i128::from(LARGEST_LINE), LARGEST_LINE.into()))
        .ok_or_else(|| {
        let expected = format!("{SPREAD} from -{LARGEST_LINE} to {LARGEST_LINE}, such as -2.5, or pk");
        NotASpread::Misread(Misread::new(expected).with_hint(remedy::line(text)))
    })?;
    Ok(Some(match form {
        SpreadForm::HomePoints => points,
        SpreadForm::AwayPoints | SpreadForm::ExpectedMargin => points.negated(),
        SpreadForm::FavouritePoints if points.is_zero() => points,
        SpreadForm::FavouritePoints => match giver(origin, by_size, cells).or(favourite) {
            Some(Team::Home) => points.absolute().negated(),
            Some(Team::Away) => points.absolute(),
            None => return Err(NotASpread::Unclear(NO_FAVOURITE)),
        },
    }))
}

fn by_size(origin: &Origin, cells: &Cells<'_>) -> Option<BySize> {
    match origin {
        Origin::Column { index, row: Some(RowOfGame::Smaller | RowOfGame::Larger), .. } if cells.home.is_some() => {
            Some(cells.by_size(*index))
        }
        _ => None,
    }
}

/// Returns the team in whose row the favourite's points stand, in a file with two rows a game.
fn giver(origin: &Origin, by_size: Option<BySize>, cells: &Cells<'_>) -> Option<Team> {
    match (by_size, origin) {
        (Some(BySize::Both { smaller }), _) => Some(smaller),
        (None, Origin::Column { index, row, .. }) if cells.home.is_some() => match row {
            None => cells.only_team_with(*index),
            Some(_) => None,
        },
        _ => None,
    }
}

/// Returns the favourite by the closing spread.
pub(crate) fn favourite_by(spread: Option<Decimal>) -> Option<Team> {
    match spread?.compared(Decimal::ZERO) {
        std::cmp::Ordering::Less => Some(Team::Home),
        std::cmp::Ordering::Greater => Some(Team::Away),
        std::cmp::Ordering::Equal => None,
    }
}

/// Reads the probability of a model, of the positive side of its market; `Err(None)` if the game has no favourite.
pub(crate) fn probability(
    model: &ModelOrigin,
    cells: &Cells<'_>,
    favourite: Option<Team>,
) -> Result<Option<Decimal>, Option<Misread>> {
    let text = cells.text(&model.origin);
    if text.is_empty() {
        return Ok(None);
    }
    let Some(probability) = fraction(text, model.form, cells).map_err(Some)? else { return Ok(None) };
    let is_positive = match model.of {
        ForecastSide::Home | ForecastSide::Over => true,
        ForecastSide::Away | ForecastSide::Under => false,
        ForecastSide::Favourite => favourite.ok_or(None)? == Team::Home,
        ForecastSide::Underdog => favourite.ok_or(None)? == Team::Away,
    };
    Ok(Some(if is_positive { probability } else { probability.complement() }))
}

fn fraction(text: &str, form: ProbabilityForm, cells: &Cells<'_>) -> Reading<Decimal> {
    let (number, is_percent) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (text, form == ProbabilityForm::Percent),
    };
    let number = Decimal::parse(number, cells.mark);
    let read = number.map(|number| if is_percent { number.of_percent() } else { number });
    let within = read.filter(|number| number.is_within(0, 1));
    within.map(Some).ok_or_else(|| {
        let misread =
            Misread::new(if is_percent { "a probability from 0 to 100 percent" } else { "a probability from 0 to 1" });
        let percent = number.filter(|number| !is_percent && number.is_within(1, 100)).map(Decimal::of_percent);
        misread.with_hint(percent.map(|percent| format!("percent? {percent}, with is = \"percent\"")))
    })
}
