use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use foldhash::fast::RandomState;
use sports_domain::{Club, FormError, Season, Sport, TeamSlug};
use sports_publication::{Place, Problem, ProblemGroup, ProblemGroups};

use super::field::{Field, Misread, NameForm};
use super::map::ColumnMap;
use super::source::Cells;
use crate::convert::tables::plan::Origin;
use crate::teams::named;
use crate::{nearest, trade_name};

/// The reason for which a row is not converted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A filter of the map: the column and the word.
    Filtered {
        column: String,
        /// The row's word.
        word: String,
        /// The words that are kept; none if the word is one of those that are dropped.
        keep: Vec<String>,
    },
    /// The season is not the one that was requested.
    OtherSeason(String),
    /// A part of the season that does not count in the league, in the word of the file.
    GameType(String),
    /// A game that has not started: it belongs to a slate.
    Ahead,
    /// A game that has started: it does not belong to a slate.
    Started,
    /// A game without a start time, which a slate needs.
    NoTime,
    /// The header again.
    RepeatedHeader,
}

/// The problems and the rows left out of all files, in the order of discovery.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    file: Arc<str>,
    problems: ProblemGroups,
    /// The number of cells with a problem.
    cells: u64,
    pub(crate) left_out: BTreeMap<Reason, u64>,
    pub(crate) warnings: Vec<String>,
    /// Values that the map names and a file does not have.
    pub(crate) absent: Vec<String>,
    /// Cells that are not read, by column and reason.
    pub(crate) unread: BTreeMap<(String, &'static str), u64>,
}

impl Findings {
    /// Begins the next file.
    pub(crate) fn begin(&mut self, file: &str) {
        self.file = file.into();
    }

    /// Records a problem of the file, or of one of its columns.
    pub(crate) fn file_problem(&mut self, column: Option<&str>, expected: impl Into<String>) {
        let problem = self.problem(None, column, expected.into());
        self.problems.add(problem);
    }

    /// Records a problem of a cell, or of a row if there is no column.
    pub(crate) fn cell(&mut self, row: u64, column: Option<&str>, value: Option<&str>, misread: Misread) {
        self.cells += 1;
        let problem = self.problem(usize::try_from(row).ok(), column, misread.expected.into_owned());
        let value = value.filter(|value| !value.is_empty()).map(str::to_owned);
        self.problems.add(Problem { value, hint: misread.hint.map(String::into_boxed_str), ..problem });
    }

    fn problem(&self, row: Option<usize>, column: Option<&str>, expected: String) -> Problem {
        let place = Place { file: Arc::clone(&self.file), row };
        Problem { column: column.map(str::to_owned), ..Problem::at(place, expected) }
    }

    /// Records a problem of a value, in the row from which it is read.
    pub(crate) fn value(&mut self, cells: &Cells<'_>, origin: &Origin, misread: Misread) {
        self.cell(cells.row_of(origin), Some(origin.name()), Some(cells.text(origin)), misread);
    }

    pub(crate) fn leave_out(&mut self, reason: Reason) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    /// Records a warning about the file.
    pub(crate) fn warn(&mut self, warning: &str) {
        self.warnings.push(format!("{}: {warning}", self.file));
    }

    /// Records values that the map names and the file does not have.
    pub(crate) fn note_absent(&mut self, values: &[String]) {
        if !values.is_empty() {
            self.absent.push(format!("{}: {}", self.file, values.join(", ")));
        }
    }

    /// Counts a cell that is not read.
    pub(crate) fn skip(&mut self, column: &str, reason: &'static str) {
        match self.unread.get_mut(&(column.to_owned(), reason)) {
            Some(count) => *count += 1,
            None => drop(self.unread.insert((column.to_owned(), reason), 1)),
        }
    }

    pub(crate) const fn cell_problems(&self) -> u64 {
        self.cells
    }

    pub(crate) const fn problem_count(&self) -> usize {
        self.problems.len()
    }

    pub(crate) fn into_problems(self) -> Vec<ProblemGroup> {
        self.problems.finish()
    }
}

/// A reader of team names: the publisher's own table, then the known clubs. Colleges have no list; their names are taken
/// as they are.
#[derive(Debug)]
pub(crate) struct Teams {
    sport: Sport,
    own: HashMap<TeamSlug, TeamSlug>,
    form: NameForm,
    /// The names read so far, by season: a file repeats a few dozen of them.
    known: HashMap<Season, HashMap<String, TeamSlug, RandomState>, RandomState>,
}

impl Teams {
    pub(crate) fn new(sport: Sport, own: &BTreeMap<String, String>, form: NameForm) -> Result<Self, FormError> {
        let slug = |name: &str| TeamSlug::normalise(name).map_err(|error| FormError::new(format!("teams: {error}")));
        let own = own.iter().map(|(name, team)| Ok((slug(name)?, slug(team)?))).collect::<Result<_, FormError>>()?;
        Ok(Self { sport, own, form, known: HashMap::default() })
    }

    /// Finds the team with this name in a season.
    pub(crate) fn read(&mut self, written: &str, season: Season) -> Result<TeamSlug, Misread> {
        if let Some(team) = self.known.get(&season).and_then(|known| known.get(written)) {
            return Ok(team.clone());
        }
        let team = self.team(written, season)?;
        self.known.entry(season).or_default().insert(written.to_owned(), team.clone());
        Ok(team)
    }

    fn team(&self, written: &str, season: Season) -> Result<TeamSlug, Misread> {
        let name_of = |text: &str| named(text).map_err(Misread::new);
        let slug = name_of(written)?;
        if let Some(own) = self.own.get(&slug) {
            // The own table may name a team of another year, or one that is no known club.
            return Ok(Club::called(self.sport, season, own).map_or_else(|| own.clone(), |club| club.slug().clone()));
        }
        let spaced = if self.form == NameForm::Joined { name_of(&spaced(written))? } else { slug.clone() };
        let found = [&slug, &spaced].into_iter().find_map(|name| Club::called(self.sport, season, name));
        if let Some(club) = found {
            return Ok(club.slug().clone());
        }
        if self.sport.is_professional() || Club::of_another_league(self.sport, &slug).is_some() {
            let expected = format!("a team of {}, or its name under [teams] in a map", self.sport);
            return Err(Misread::new(expected).with_hint(self.hint(&spaced, season)));
        }
        Ok(spaced)
    }

    /// Returns the clubs that an unknown name may mean.
    fn hint(&self, name: &TeamSlug, season: Season) -> Option<String> {
        let several: Vec<_> = Club::candidates(self.sport, season, name).iter().map(|club| club.display()).collect();
        if !several.is_empty() {
            return Some(format!("it may be `{}`", several.join("` or `")));
        }
        let near = nearest(name.as_str(), Club::guesses(self.sport, season).map(|(word, _)| word))?;
        let (_, club) = Club::guesses(self.sport, season).find(|(word, _)| *word == near)?;
        Some(format!("did you mean `{}`?", club.display()))
    }
}

/// Separates the words of a joined name: `KansasCity` is `Kansas City`, `LAChargers` is `LA Chargers`, `St.Louis` is
/// `St. Louis`.
fn spaced(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut spaced = String::with_capacity(name.len() + 4);
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1);
        let begins_word = before.is_some_and(|before| {
            let is_capital = letter.is_uppercase();
            (is_capital && before.is_lowercase())
                || (is_capital && before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
                || (letter.is_ascii_digit() && before.is_lowercase())
                || (before == '.' && letter.is_alphabetic())
        });
        if begins_word {
            spaced.push(' ');
        }
        spaced.push(*letter);
    }
    spaced
}

/// Returns the columns that nothing reads although they look like a value that the map takes from nowhere, each with the
/// name of that value.
pub(crate) fn resemblances<'h>(unused: impl Iterator<Item = &'h str>, map: &ColumnMap) -> Vec<(&'h str, &'static str)> {
    let is_read = |name: &str| {
        let field = Field::all().find(|(_, known)| *known == name).map(|(field, _)| field);
        let by_start = ["date", "time_est"].contains(&name) && map.entry(Field::Start).is_some();
        by_start || field.is_some_and(|field| map.entry(field).is_some())
    };
    let meant = unused.filter_map(|column| Some((column, trade_name(column)?)));
    meant.filter(|(_, name)| !is_read(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_problem_in_many_rows_is_one_line() {
        let mut found = Findings::default();
        found.begin("games.csv");
        for row in 2..=1390 {
            let misread = Misread::new("a date as %Y-%m-%d").with_hint(Some("2022-01-07, with pattern = \"%m/%d/%Y\""));
            found.cell(row, Some("gameday"), Some("1/7/2022"), misread);
        }
        found.cell(9, Some("spread"), Some("x"), Misread::new("a number"));
        found.file_problem(None, "a season");
        let lines: Vec<_> = found.into_problems().iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "games.csv, rows 2–1390, 1,389 times, column gameday: `1/7/2022`: expected a date as %Y-%m-%d \
                 (2022-01-07, with pattern = \"%m/%d/%Y\")",
                "games.csv, row 9, column spread: `x`: expected a number",
                "games.csv: expected a season",
            ]
        );
    }

    fn teams(sport: Sport, own: &[(&str, &str)], form: NameForm) -> Teams {
        let own = own.iter().map(|(name, team)| ((*name).to_owned(), (*team).to_owned())).collect();
        Teams::new(sport, &own, form).expect("a table")
    }

    fn season(sport: Sport, year: u16) -> Season {
        Season::starting_in(sport, year).expect("a season")
    }

    #[test]
    fn joined_names_of_sheets_are_those_of_the_clubs_of_the_season() {
        for (sport, year, name, expected) in [
            (Sport::Nfl, 2021, "KansasCity", "kansas_city_chiefs"),
            (Sport::Nfl, 2021, "NYGiants", "new_york_giants"),
            (Sport::Nfl, 2020, "LAChargers", "los_angeles_chargers"),
            (Sport::Nfl, 2020, "BuffaloBills", "buffalo_bills"),
            (Sport::Nfl, 2010, "St.Louis", "st_louis_rams"),
            (Sport::Nfl, 2016, "LosAngeles", "los_angeles_rams"),
            (Sport::Nfl, 2021, "SanFrancisco", "san_francisco_49ers"),
            (Sport::Nba, 2010, "NewJersey", "new_jersey_nets"),
            (Sport::Nba, 2013, "Charlotte", "charlotte_bobcats"),
            (Sport::Nba, 2019, "LALakers", "los_angeles_lakers"),
            (Sport::Nba, 2019, "LA Clippers", "los_angeles_clippers"),
            (Sport::Nba, 2019, "Philadelphia76ers", "philadelphia_76ers"),
            (Sport::Nhl, 2019, "NYIslanders", "new_york_islanders"),
            (Sport::Ncaaf, 2017, "MiamiFlorida", "miami_florida"),
            (Sport::Ncaaf, 2017, "TexasA&M", "texas_am"),
        ] {
            let read = teams(sport, &[], NameForm::Joined).read(name, season(sport, year)).expect(name);
            assert_eq!(read.as_str(), expected);
        }
    }

    #[test]
    fn an_unknown_name_of_a_professional_league_is_refused_with_a_suggestion() {
        for (name, form, hint) in [
            ("Washingtom", NameForm::Joined, None),
            ("Bufalo Bills", NameForm::Spaced, Some("did you mean `Buffalo Bills`?")),
            ("New York", NameForm::Spaced, Some("it may be `New York Giants` or `New York Jets`")),
        ] {
            let refused = teams(Sport::Nfl, &[], form).read(name, season(Sport::Nfl, 2021)).expect_err(name);
            assert_eq!(refused.expected, "a team of nfl, or its name under [teams] in a map");
            assert_eq!(refused.hint.as_deref(), hint, "{name}");
        }
    }

    #[test]
    fn the_own_table_has_precedence_over_the_clubs() {
        let mut teams =
            teams(Sport::Nfl, &[("Washingtom", "Redskins"), ("Canal Foxes", "canal_foxes")], NameForm::Spaced);
        let mut read = |name, year| teams.read(name, season(Sport::Nfl, year)).expect(name).to_string();
        assert_eq!(read("WASHINGTOM", 2021), "washington_football_team");
        assert_eq!(read("Washingtom", 2010), "washington_redskins");
        assert_eq!(read("Canal Foxes", 2010), "canal_foxes");
    }
}
