use std::sync::LazyLock;

use sports_domain::{LineColumn, ModelColumn, ModelName, ModelType, check_visible};
use sports_publication::Extras;
use sports_publication::registry::{NamedColumn, Registry};
use sports_publication::season_table::{SeasonColumn, TIME};

use crate::columns::{Field, FileKind, columns_of};
use crate::findings::Findings;
use crate::names::{FORECASTS_ELSEWHERE, Meaning, meaning};
use crate::table::{Row, Table};
use crate::undeclared::{self, UndeclaredColumns};
use crate::{cells, names};

/// The registry that a table is read under, and the table's market.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileMarket<'r> {
    pub(crate) registry: &'r Registry,
    /// The market; `None` for a table of all markets.
    pub(crate) model_type: Option<ModelType>,
}

impl FileMarket<'static> {
    /// Returns the market of tables that keep no extra column.
    pub(crate) fn none() -> Self {
        static NOTHING: LazyLock<Registry> = LazyLock::new(Registry::default);
        Self { registry: &NOTHING, model_type: None }
    }
}

/// The meaning of each column of a table.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    taken: Vec<(Field, usize)>,
    extras: Vec<usize>,
    /// The columns of the publisher's own models.
    own: Vec<(ModelName, usize)>,
    /// The extra columns that are not declared to be no models.
    undeclared: Vec<usize>,
    /// Known columns with a misspelt name: the problem is recorded, so they are not reported as missing.
    misspelt: Vec<Field>,
}

impl Layout {
    /// Reads a header; `None` if a column of the game's key is missing.
    pub(crate) fn from_columns(
        kind: FileKind,
        market: FileMarket<'_>,
        columns: &[String],
        found: &mut Findings,
    ) -> Option<Self> {
        let mut layout = Self::default();
        for (index, name) in columns.iter().enumerate() {
            if name.is_empty() {
                let remedy = if index == 0 { "; pandas leaves its index out with index=False" } else { "" };
                found.row(1, format!("a name for every column; column {} has none{remedy}", index + 1));
            } else if let Err(hidden) = check_visible(name) {
                found.column(name, None, format!("a name without {hidden}"));
            } else if columns[..index].contains(name) {
                found.column(name, None, "every column once");
            } else {
                layout.take(kind, market, name, index, found);
            }
        }
        layout.check_models(kind, market, columns, found);
        layout.check_required(kind, columns, found).then_some(layout)
    }

    fn take(&mut self, kind: FileKind, market: FileMarket<'_>, name: &str, index: usize, found: &mut Findings) {
        match meaning(kind, name) {
            Meaning::Known(field) if field == TIME.into() && self.find(field).is_some() => {
                found.column(name, None, "either `time_est` or `time`, not both");
            }
            Meaning::Known(field) => self.taken.push((field, index)),
            Meaning::Ignored(why) => found.warn(&format!("column {name} is ignored: {why}")),
            Meaning::Refused(expected) => found.column(name, None, expected),
            Meaning::Misspelt(known, field) => {
                found.column(name, None, format!("the column's name as `{known}`"));
                self.misspelt.extend(field);
            }
            Meaning::Extra(near) if kind == FileKind::Games => self.take_of_games(market, name, index, near, found),
            Meaning::Extra(near) => self.take_own(market, name, index, near, found),
        }
    }

    /// Takes a column of the publisher's own in a file of all markets, where models have no column.
    fn take_of_games(
        &mut self,
        market: FileMarket<'_>,
        name: &str,
        index: usize,
        near: Option<&'static str>,
        found: &mut Findings,
    ) {
        match market.registry.column(name, None) {
            NamedColumn::Model(_) | NamedColumn::Retired(_) => found.column(name, None, FORECASTS_ELSEWHERE),
            NamedColumn::NoModel | NamedColumn::Undeclared => self.take_extra(name, index, near, found),
        }
    }

    /// Takes a column of the publisher's own: a model, or an extra column.
    fn take_own(
        &mut self,
        market: FileMarket<'_>,
        name: &str,
        index: usize,
        near: Option<&'static str>,
        found: &mut Findings,
    ) {
        match market.registry.column(name, market.model_type) {
            NamedColumn::Model(model) => self.own.push((model, index)),
            NamedColumn::Retired(generation) => {
                let back = "\"retired\": false takes it back";
                let expected = format!("no such column: the model is retired since generation {generation}; {back}");
                found.column(name, None, expected);
            }
            NamedColumn::NoModel => self.extras.push(index),
            NamedColumn::Undeclared => {
                if let Some(known) = market.registry.in_other_case(name) {
                    return found.column(name, None, format!("the column's name as `{known}`"));
                }
                self.take_extra(name, index, near, found);
                self.undeclared.push(index);
            }
        }
    }

    fn take_extra(&mut self, name: &str, index: usize, near: Option<&'static str>, found: &mut Findings) {
        if let Some(known) = near {
            found.warn(&format!("column {name} is kept as an extra column: it is not `{known}`"));
        }
        self.extras.push(index);
    }

    fn check_models(&self, kind: FileKind, market: FileMarket<'_>, columns: &[String], found: &mut Findings) {
        let is_model = |field: &Field| field.season_column().is_some_and(|column| column.model_column().is_some());
        let any = self.taken.iter().map(|(field, _)| field).chain(&self.misspelt).any(is_model);
        if matches!(kind, FileKind::Probabilities | FileKind::Predictions) && !any && self.own.is_empty() {
            let known = ModelColumn::FORECASTS.map(ModelColumn::name).join(", ");
            let declared = "or a model declared under `models` in release.json";
            let expected = format!("a column of probabilities: one of {known}, {declared}");
            let undeclared: Vec<_> = self.undeclared.iter().filter_map(|index| columns[*index].parse().ok()).collect();
            match undeclared.as_slice() {
                [] => found.file(expected),
                [only] => {
                    let remedy = undeclared::remedy(*only, market.registry, &[]);
                    found.column(only.as_str(), None, format!("{expected}; {remedy}"));
                }
                several => {
                    found.file(format!("{expected}; {}", undeclared::remedy_of_several(several, market.registry)));
                }
            }
        }
    }

    /// Returns true if every required column is present; records a problem for each missing one.
    fn check_required(&self, kind: FileKind, columns: &[String], found: &mut Findings) -> bool {
        let missing: Vec<_> =
            columns_of(kind).iter().filter(|column| column.required && self.find(column.field).is_none()).collect();
        for column in missing.iter().filter(|column| !self.misspelt.contains(&column.field)) {
            let hint = names::did_you_mean(column.name, columns.iter().map(String::as_str));
            found.column(column.name, None, format!("a column of this name{hint}"));
        }
        missing.is_empty()
    }

    /// Returns the index of a field's column.
    pub(crate) fn find(&self, field: impl Into<Field>) -> Option<usize> {
        let field = field.into();
        self.taken.iter().find(|(taken, _)| *taken == field).map(|(_, index)| *index)
    }

    /// Returns the columns of a season, in the order of the file.
    pub(crate) fn season_columns(&self) -> impl Iterator<Item = (&'static SeasonColumn, usize)> {
        self.taken.iter().filter_map(|(field, index)| Some((field.season_column()?, *index)))
    }

    /// Returns the columns of the publisher's own models.
    pub(crate) fn own_models(&self) -> &[(ModelName, usize)] {
        &self.own
    }

    /// Counts the values of extra columns without a declaration.
    pub(crate) fn undeclared(&self, table: &Table) -> UndeclaredColumns {
        UndeclaredColumns::in_columns(table, &self.undeclared)
    }

    /// Returns the line columns of the file, in the order of [`LineColumn`].
    pub(crate) fn given(&self) -> Vec<LineColumn> {
        let mut given: Vec<_> = self.season_columns().filter_map(|(column, _)| column.line_column()).collect();
        given.sort_unstable();
        given
    }

    /// Returns the values of a row in the publisher's own columns, and records the problems of each.
    pub(crate) fn extras(&self, row: Row<'_>, found: &mut Findings) -> Extras {
        let mut extras = Extras::default();
        for column in &self.extras {
            if let Ok(Some(value)) = found.take(row, Some(*column), cells::extra) {
                extras.insert(row.column(*column), value);
            }
        }
        extras
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(kind: FileKind, names: &str) -> (Option<Layout>, Vec<String>, Vec<String>) {
        let columns: Vec<_> = names.split(',').map(str::to_owned).collect();
        let mut found = Findings::in_file("f");
        let layout = Layout::from_columns(kind, FileMarket::none(), &columns, &mut found);
        (layout, found.problems.iter().map(ToString::to_string).collect(), found.warnings)
    }

    #[test]
    fn a_known_column_in_other_letters_is_a_problem_not_an_extra() {
        let (layout, problems, _) = header(FileKind::Probabilities, "date,away_team,Home_Team,blend,Over");
        assert!(layout.is_none());
        assert_eq!(
            problems,
            [
                "f, column Home_Team: expected the column's name as `home_team`",
                "f, column blend: expected the column's name as `BLEND`",
                "f, column Over: expected the column's name as `over`",
            ]
        );
    }

    #[test]
    fn a_missing_key_column_is_a_problem_with_the_name_that_may_be_meant() {
        let (_, problems, _) = header(FileKind::Games, "date,away_team,home team");
        assert_eq!(problems, ["f, column home_team: expected a column of this name (did you mean `home team`?)"]);
    }

    #[test]
    fn a_file_has_each_column_once_and_by_a_name() {
        let (layout, problems, _) = header(FileKind::Games, ",date,time,time_est,away_team,home_team,date");
        assert!(layout.is_some());
        assert_eq!(
            problems,
            [
                "f, row 1: expected a name for every column; column 1 has none; pandas leaves its index out with index=False",
                "f, column time_est: expected either `time_est` or `time`, not both",
                "f, column date: expected every column once",
            ]
        );
    }

    #[test]
    fn forecasts_do_not_belong_among_games_nor_prices_among_probabilities() {
        let (_, problems, warnings) = header(FileKind::Games, "date,away_team,home_team,BLEND,forecast_run,IMPLIED");
        assert_eq!(problems.len(), 2);
        assert_eq!(warnings, ["f: column IMPLIED is ignored: the service computes it"]);
        let (_, problems, warnings) =
            header(FileKind::Probabilities, "date,away_team,home_team,BLEND,over_line,game_type");
        assert_eq!(problems, ["f, column over_line: expected what was posted and played in games/ or results/"]);
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn probabilities_need_a_model() {
        let (layout, problems, _) = header(FileKind::Probabilities, "date,away_team,home_team,MINE");
        assert_eq!(layout.map(|layout| layout.extras), Some(vec![3]));
        assert_eq!(
            problems,
            [
                "f, column MINE: expected a column of probabilities: one of AI, BLEND, CATB, RF, LGB, LOGR, XGB, XT, or a model \
                 declared under `models` in release.json; for a model add \"models\": {\"MINE\": {}} to release.json, for \
                 anything else \"MINE\": false"
            ]
        );
    }

    #[test]
    fn probabilities_of_several_columns_without_a_declaration_name_them_all() {
        let (_, problems, _) = header(FileKind::Probabilities, "date,away_team,home_team,MINE,confidence,ELO");
        assert_eq!(
            problems,
            [
                "f: expected a column of probabilities: one of AI, BLEND, CATB, RF, LGB, LOGR, XGB, XT, or a model declared under \
                 `models` in release.json; MINE, confidence, ELO are not declared; the line for models among them is \"models\": \
                 {\"MINE\": {}, \"ELO\": {}} in release.json"
            ]
        );
    }

    #[test]
    fn a_near_miss_of_a_known_column_is_kept_with_a_warning() {
        let (_, problems, warnings) = header(FileKind::Games, "date,away_team,home_team,home_scores,stadium,note");
        assert_eq!(problems, [""; 0]);
        assert_eq!(warnings, ["f: column home_scores is kept as an extra column: it is not `home_score`"]);
    }

    #[test]
    fn a_name_of_the_trade_is_kept_with_a_warning_that_names_the_column() {
        let (_, problems, warnings) = header(FileKind::Games, "date,away_team,home_team,total_line,ML_home,gameday");
        assert_eq!(problems, [""; 0]);
        let expected = [("total_line", "over_under"), ("ML_home", "home_money_line"), ("gameday", "date")];
        let kept =
            expected.map(|(name, known)| format!("f: column {name} is kept as an extra column: it is not `{known}`"));
        assert_eq!(warnings, kept);
        let (_, _, warnings) = header(FileKind::Probabilities, "date,away_team,home_team,BLEND,ml_home");
        assert_eq!(warnings, [""; 0], "probabilities have no moneylines");
    }
}
