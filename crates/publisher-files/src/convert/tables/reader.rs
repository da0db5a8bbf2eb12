use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{
    FinalScore, GameKey, GameType, LineColumn, NotALabel, Season, Sport, TeamSlug, check_visible, check_visible_lines,
    eastern_date,
};
use sports_publication::{GameStatus, ReportedEnding};

use super::entry::{Game, Score, Spreads};
use super::field::{FinalForm, Misread, Reading, SeasonForm, TextColumn};
use super::findings::Teams;
use super::lines;
use super::pairs::BothRows;
use super::percentages::Percentages;
use super::prices::Decimal;
use super::source::{Cells, Team, matchup};
use crate::cells::LAST_GAME_NUMBER;
use crate::convert::tables::findings::{Findings, Reason};
use crate::convert::tables::lines::NO_FAVOURITE;
use crate::convert::tables::plan::{GameNumbers, GameTypeOrigin, Origin, Plan, TeamColumns, WordColumn};
use crate::convert::tables::starts::Starts;
use crate::did_you_mean;
use crate::key::changed_id;
use crate::remedy::{self, is_pick};

/// The games that a conversion selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameSelection {
    /// Games that have started: the tables of a season.
    History,
    /// Games that have not started: odds and predictions.
    Slate,
}

/// The rules for all files of a conversion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) sport: Sport,
    /// The season of files that do not name one; rows of other seasons are left out.
    pub(crate) season: Option<Season>,
    pub(crate) selection: GameSelection,
    pub(crate) now: DateTime<Utc>,
}

/// The lines, prices and probabilities of a game.
struct Quotes {
    prices: Vec<(LineColumn, i32)>,
    spreads: Spreads,
    totals: Vec<(LineColumn, Decimal)>,
    models: Vec<Option<Decimal>>,
}

/// The teams of a game.
struct Sides {
    away: TeamSlug,
    home: TeamSlug,
    /// True if the first of the two columns of points is the home team's.
    reverses_scores: bool,
}

/// A reader of the games of one file.
pub(crate) struct GameReader<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) rules: Rules,
    pub(crate) starts: Starts<'p>,
    pub(crate) both_rows: BothRows<'p>,
    pub(crate) teams: &'p mut Teams,
    /// The place of the file among all files.
    pub(crate) file: usize,
    /// The number of models of the map.
    pub(crate) models: usize,
    pub(crate) counted: BTreeMap<(NaiveDate, TeamSlug, TeamSlug), u8>,
    pub(crate) percentages: Percentages<'p>,
}

impl<'p> GameReader<'p> {
    /// Reads a game; records its problems and returns `None` if it is not converted.
    pub(crate) fn read<'r>(&mut self, cells: &Cells<'r>, found: &mut Findings) -> Option<Game>
    where
        'p: 'r,
    {
        let plan = self.plan;
        let before = found.cell_problems();
        let season = self.season(cells, found)?;
        let start = self.starts.read(cells);
        let start = start.map_err(|bad| found.cell(bad.row, Some(bad.column), Some(bad.value), bad.misread)).ok();
        let sides = self.sides(cells, season, found);
        let game_type = self.game_type(cells, start.map(|(date, _)| date), found)?;
        let reverses_scores = sides.as_ref().is_some_and(|sides| sides.reverses_scores);
        let score = score(plan, cells, reverses_scores, found);
        let (Some((date, time)), Some(Sides { away, home, .. })) = (start, sides) else { return None };
        if !season.can_have(date) {
            let years = season.years();
            let expected = format!("a date of {season}, in the years {} to {}", years.start(), years.end());
            found.cell(cells.first_row(), None, Some(&date.to_string()), Misread::new(expected));
            return None;
        }
        let key = GameKey { date, time, away, home, game_number: None };
        if self.is_left_out(&key, score, found) {
            return None;
        }
        let mut game = self.game(cells, season, key, found);
        (game.part, (game.score, game.status)) = (game_type, ending(plan, score, cells, found));
        (found.cell_problems() == before).then_some(game)
    }

    /// Reads the values beside key, part of the season and final.
    fn game<'r>(&mut self, cells: &Cells<'r>, season: Season, key: GameKey, found: &mut Findings) -> Game
    where
        'p: 'r,
    {
        let plan = self.plan;
        let given = plan.favourite.as_ref();
        let given = given.and_then(|column| favourite(column, cells, &key, found, self.teams, season));
        self.both_rows.check(cells, found);
        let quotes = self.quotes(cells, given, found);
        let ids = plan.texts.iter().filter(|(column, _)| *column == TextColumn::MatchId).map(|(_, origin)| origin);
        for (origin, expected) in ids.filter_map(|origin| Some((origin, changed_id(cells.text(origin))?))) {
            found.value(cells, origin, Misread::new(expected));
        }
        let kept = plan.texts.iter().map(|(_, origin)| (origin, false));
        let extras = plan.extras.iter().flatten().map(|origin| (origin, true));
        for (origin, has_lines) in kept.chain(extras) {
            check_text(cells, origin, has_lines, found);
        }
        let texts = plan.texts.iter().map(|(column, origin)| (*column, cells.text(origin).into())).collect();
        let extra = |origin: &'r Option<Origin>| origin.as_ref().map_or("", |origin| cells.text(origin)).into();
        Game {
            row: cells.first_row(),
            file: self.file,
            season,
            date: key.date,
            time: key.time,
            number: self.game_number(cells, &key, found),
            away: key.away,
            home: key.home,
            part: "".into(),
            score: None,
            status: "".into(),
            texts,
            prices: quotes.prices,
            spreads: quotes.spreads,
            totals: quotes.totals,
            models: quotes.models,
            extras: plan.extras.iter().map(extra).collect(),
        }
    }

    /// Reads lines, prices and probabilities; `given` is the favourite that a column names.
    fn quotes(&mut self, cells: &Cells<'_>, given: Option<Team>, found: &mut Findings) -> Quotes {
        let plan = self.plan;
        let (mut refused, mut skipped) = (Vec::new(), Vec::new());
        let prices = lines::prices(plan, cells, |cell| refused.push(cell));
        let totals = lines::totals(plan, cells, |cell| refused.push(cell));
        let skip = |origin, reason| skipped.push((origin, reason));
        let spreads = lines::spreads(plan, cells, given, skip, |cell| refused.push(cell));
        let favourite = given.or_else(|| lines::favourite_by(spreads.closing));
        let mut models = vec![None; self.models];
        self.percentages.add(cells);
        for model in &plan.models {
            match lines::probability(model, cells, favourite) {
                Ok(probability) => models[model.place] = probability,
                Err(None) => skipped.push((&model.origin, NO_FAVOURITE)),
                Err(Some(misread)) => refused.push((&model.origin, misread)),
            }
        }
        for (origin, misread) in refused {
            found.value(cells, origin, misread);
        }
        for (origin, reason) in skipped {
            found.skip(origin.name(), reason);
        }
        Quotes { prices, spreads, totals, models }
    }

    /// Reads the season; `None` if it is not the requested one, or cannot be read.
    fn season(&self, cells: &Cells<'_>, found: &mut Findings) -> Option<Season> {
        let Some((origin, form)) = &self.plan.season else { return self.rules.season };
        let text = cells.text(origin);
        if text.is_empty() && self.rules.season.is_some() {
            return self.rules.season;
        }
        let season = match season_of(self.rules.sport, text, *form) {
            Ok(season) => season,
            Err(misread) => {
                found.value(cells, origin, misread);
                return None;
            }
        };
        if self.rules.season.is_some_and(|wanted| wanted != season) {
            found.leave_out(Reason::OtherSeason(season.to_string()));
            return None;
        }
        Some(season)
    }

    /// Reads the teams; `None` if one cannot be read, or if both are the same.
    fn sides(&mut self, cells: &Cells<'_>, season: Season, found: &mut Findings) -> Option<Sides> {
        let (first, second, is_home_first) = match &self.plan.teams {
            TeamColumns::Sides { away, home } => ((away, cells.text(away)), (home, cells.text(home)), false),
            TeamColumns::Matchup(origin) => {
                let Some((first, second, team)) = matchup(cells.text(origin)) else {
                    found.value(cells, origin, Misread::new("two teams, such as `LAL @ BOS` or `BOS vs. LAL`"));
                    return None;
                };
                ((origin, first), (origin, second), team == Team::Home)
            }
            TeamColumns::Placed { team, opponent, place } => {
                let is_at_home = is_at_home(place, cells, found);
                ((team, cells.text(team)), (opponent, cells.text(opponent)), is_at_home?)
            }
        };
        let mut read = |(origin, written): (&Origin, &str)| {
            let team = self.teams.read(written, season);
            team.map_err(|misread| found.value(cells, origin, misread)).ok()
        };
        let (one, other) = (read(first), read(second));
        let (one, other) = (one?, other?);
        if one == other {
            found.value(cells, second.0, Misread::new("another team than the away team"));
            return None;
        }
        let (away, home) = if is_home_first { (other, one) } else { (one, other) };
        let reverses_scores = is_home_first && matches!(self.plan.teams, TeamColumns::Placed { .. });
        Some(Sides { away, home, reverses_scores })
    }

    /// Reads the part of the season; `None` if it does not count, or cannot be read.
    fn game_type(&self, cells: &Cells<'_>, date: Option<NaiveDate>, found: &mut Findings) -> Option<Box<str>> {
        let column = match &self.plan.game_type {
            GameTypeOrigin::NotNeeded => return Some("".into()),
            GameTypeOrigin::ByDate(postseason) => {
                let is_postseason = date.is_some_and(|date| postseason.has(date));
                return Some(if is_postseason { "postseason" } else { "regular" }.into());
            }
            GameTypeOrigin::Column(column) => column,
        };
        let written = cells.text(&column.origin);
        let word = match word(column, written, &["regular", "postseason", "preseason"]) {
            Ok(word) => word,
            // A map that lists the words of the file has to list all of them.
            Err(misread) if !column.words.is_empty() => {
                found.value(cells, &column.origin, misread);
                return None;
            }
            Err(_) => written,
        };
        let game_type = GameType::from_word(word);
        if game_type.counts_in(self.rules.sport) || game_type.word() == "preseason" {
            return Some(game_type.word().into());
        }
        found.leave_out(Reason::GameType(written.to_owned()));
        None
    }

    /// Leaves out games of the other side of the present, unless they have a final, and untimed games of a slate. A game
    /// whose start is not known yet is ahead on its date.
    fn is_left_out(&self, key: &GameKey, score: Option<Score>, found: &mut Findings) -> bool {
        let is_ahead = if key.has_placeholder(self.rules.sport) {
            key.date >= eastern_date(self.rules.now)
        } else {
            !key.may_have_started(self.rules.now)
        };
        let reason = match self.rules.selection {
            GameSelection::History => (is_ahead && score.is_none()).then_some(Reason::Ahead),
            GameSelection::Slate if !is_ahead || score.is_some() => Some(Reason::Started),
            GameSelection::Slate => key.time.is_none().then_some(Reason::NoTime),
        };
        reason.is_some_and(|reason| {
            found.leave_out(reason);
            true
        })
    }

    fn game_number(&mut self, cells: &Cells<'_>, key: &GameKey, found: &mut Findings) -> Option<u8> {
        match self.plan.game_number.as_ref()? {
            GameNumbers::Counted => {
                // In either order: a game that is made up in the other park has home and away exchanged.
                let (one, other) = (key.away.clone().min(key.home.clone()), key.away.clone().max(key.home.clone()));
                let number = self.counted.entry((key.date, one, other)).or_default();
                *number = number.saturating_add(1);
                if *number > LAST_GAME_NUMBER {
                    let expected = format!("at most {LAST_GAME_NUMBER} games of the same teams and date");
                    found.cell(cells.first_row(), None, None, Misread::new(expected));
                }
                Some(*number)
            }
            GameNumbers::Column(origin) => {
                let text = cells.text(origin);
                let number = Decimal::parse(text, cells.mark).and_then(Decimal::whole);
                let number = number
                    .and_then(|number| u8::try_from(number).ok())
                    .filter(|number| (0..=LAST_GAME_NUMBER).contains(number));
                if number.is_none() && !text.is_empty() {
                    let expected = format!("a game number from 1 to {LAST_GAME_NUMBER}, or 0 for a single game");
                    found.value(cells, origin, Misread::new(expected));
                }
                number.filter(|number| *number > 0)
            }
        }
    }
}

/// Records the problem of a text with a hidden character, with which no release can be published.
fn check_text(cells: &Cells<'_>, origin: &Origin, has_lines: bool, found: &mut Findings) {
    let text = cells.text(origin);
    let checked = if has_lines { check_visible_lines(text) } else { check_visible(text) };
    if let Err(hidden) = checked {
        found.value(cells, origin, Misread::new(NotALabel::Hidden(hidden).to_string()));
    }
}

/// Parses a season in one of the forms of files.
pub(crate) fn season_of(sport: Sport, text: &str, form: SeasonForm) -> Result<Season, Misread> {
    let year = |text: &str| text.strip_suffix(".0").unwrap_or(text).parse::<u16>().ok();
    let starting = |year: u16| Season::starting_in(sport, year);
    let season = match form {
        SeasonForm::FirstYear => year(text).and_then(starting),
        SeasonForm::LastYear => {
            year(text).and_then(|last| last.checked_sub(u16::from(sport.splits_years()))).and_then(starting)
        }
        SeasonForm::Label => Season::parse(sport, text).ok().or_else(|| {
            let (first, last) = text.split_once(['-', '/'])?;
            let first = first.trim().parse::<u16>().ok()?;
            let last = last.trim().parse::<u16>().ok()?;
            let is_next = sport.splits_years() && [first + 1, (first + 1) % 100].contains(&last);
            is_next.then(|| starting(first))?
        }),
    };
    season.ok_or_else(|| {
        let expected = match form {
            SeasonForm::Label if sport.splits_years() => "a season such as 2021-22, 2021-2022 or 2021/22",
            SeasonForm::Label | SeasonForm::FirstYear => "the year in which a season begins, such as 2021",
            SeasonForm::LastYear => "the year in which a season ends, such as 2022",
        };
        let first = year(text).filter(|_| form == SeasonForm::Label).and_then(starting);
        let hint = first.map(|first| {
            let years = first.years();
            format!(
                "is = \"first-year\" for {} to {}, is = \"last-year\" for {} to {}",
                years.start(),
                years.end(),
                years.start() - 1,
                years.start()
            )
        });
        Misread::new(expected).with_hint(hint)
    })
}

/// Translates a word of the file; without a translation it must be one of `known`.
fn word<'w>(column: &'w WordColumn, written: &'w str, known: &[&'static str]) -> Result<&'w str, Misread> {
    if let Some(word) = column.words.get(written) {
        return Ok(word);
    }
    let same = known.iter().find(|word| word.eq_ignore_ascii_case(written));
    if let Some(word) = same {
        return Ok(word);
    }
    let listed: Vec<_> = column.words.keys().map(String::as_str).chain(known.iter().copied()).collect();
    let hint =
        did_you_mean(written, listed.iter().copied()).trim_start_matches([' ', '(']).trim_end_matches(')').to_owned();
    let expected =
        format!("one of {}; other words have their meaning in `words` of the map's entry", listed.join(", "));
    Err(Misread::new(expected).with_hint((!hint.is_empty()).then_some(hint)))
}

/// Reads the status beside a score, and returns the score and the status to record.
fn ending(plan: &Plan, score: Option<Score>, cells: &Cells<'_>, found: &mut Findings) -> (Option<Score>, Box<str>) {
    let Some(column) = &plan.status else { return (score, "".into()) };
    let given = score.map(|Score { away, home }| FinalScore { away, home });
    let read = status(column, cells.text(&column.origin))
        .and_then(|written| ReportedEnding::in_history(given, written).map_err(Misread::new));
    let (ending, is_dropped) = read.unwrap_or_else(|misread| {
        found.value(cells, &column.origin, misread);
        Default::default()
    });
    if is_dropped {
        found.skip(column.origin.name(), "0-0 beside a game that was called off is no final");
    }
    (score.filter(|_| !is_dropped), ending.status.unwrap_or_default().into())
}

/// Returns the status that a file's word means, if it has one: a word of the map, of the table of words, or none of both.
fn status<'w>(column: &'w WordColumn, written: &'w str) -> Result<Option<&'w str>, Misread> {
    let is_known = written.is_empty() || GameStatus::read(written).is_some();
    let status = match column.words.get(written) {
        None if is_known => written,
        _ => word(column, written, &["settled", "cancelled", "postponed"])?,
    };
    Ok(Some(status).filter(|status| !status.is_empty()))
}

/// Reads the favourite: home, away, a team of the game, or none in a pick'em.
fn favourite(
    column: &WordColumn,
    cells: &Cells<'_>,
    key: &GameKey,
    found: &mut Findings,
    teams: &mut Teams,
    season: Season,
) -> Option<Team> {
    let written = cells.text(&column.origin);
    let text = column.words.get(written).map_or(written, String::as_str);
    if text.is_empty() || is_pick(text) {
        return None;
    }
    match text.to_ascii_lowercase().as_str() {
        "home" => return Some(Team::Home),
        "away" | "visitor" => return Some(Team::Away),
        _ => {}
    }
    let team = teams.read(text, season).ok();
    let side = team.and_then(|team| {
        [(&key.away, Team::Away), (&key.home, Team::Home)].into_iter().find(|(known, _)| **known == team)
    });
    if side.is_none() {
        found.value(cells, &column.origin, Misread::new("home, away, one of the two teams, or pk"));
    }
    side.map(|(_, side)| side)
}

/// Reads the place of a game: at home for its first team, or away.
fn is_at_home(place: &WordColumn, cells: &Cells<'_>, found: &mut Findings) -> Option<bool> {
    let written = cells.text(&place.origin);
    match place.words.get(written).map_or(written, String::as_str).to_ascii_lowercase().as_str() {
        "" | "home" | "vs" | "vs." => Some(true),
        "@" | "at" | "away" => Some(false),
        _ => {
            let expected =
                "`@` or away, or home or an empty cell; other words have their meaning in `words` of columns.place";
            found.value(cells, &place.origin, Misread::new(expected));
            None
        }
    }
}

/// Reads a final; `is_reversed` if the home team's points come first.
fn score(plan: &Plan, cells: &Cells<'_>, is_reversed: bool, found: &mut Findings) -> Option<Score> {
    if let Some((origin, form)) = &plan.score {
        let read = final_of(cells.text(origin), *form);
        return read.map_err(|misread| found.value(cells, origin, misread)).ok().flatten();
    }
    let mut points = |origin: &Option<Origin>| {
        let origin = origin.as_ref()?;
        let text = cells.text(origin);
        let points =
            Decimal::parse(text, cells.mark).and_then(Decimal::whole).and_then(|points| u16::try_from(points).ok());
        if points.is_none() && !text.is_empty() {
            let misread = Misread::new("a score: a whole number, 0 or more");
            found.value(cells, origin, misread.with_hint(remedy::number(text)));
        }
        points
    };
    let (first, second) = (points(&plan.scores[0]), points(&plan.scores[1]));
    if first.is_some() != second.is_some() && plan.scores.iter().all(Option::is_some) {
        let missing = plan.scores[usize::from(first.is_some())].as_ref();
        if let Some(origin) = missing.filter(|origin| cells.text(origin).is_empty()) {
            found.value(cells, origin, Misread::new("both scores or neither"));
        }
    }
    let (away, home) = if is_reversed { (second?, first?) } else { (first?, second?) };
    Some(Score { away, home })
}

/// Parses a final in one cell: two numbers with anything but digits between.
fn final_of(text: &str, form: FinalForm) -> Reading<Score> {
    if text.is_empty() {
        return Ok(None);
    }
    let numbers: Vec<_> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).map(str::parse::<u16>).collect();
    match (numbers.as_slice(), form) {
        ([Ok(first), Ok(second)], FinalForm::AwayHome) => Ok(Some(Score { away: *first, home: *second })),
        ([Ok(first), Ok(second)], FinalForm::HomeAway) => Ok(Some(Score { away: *second, home: *first })),
        _ => Err(Misread::new("a final of two whole numbers, such as 17-24")),
    }
}
