//! The meaning of column names, by kind of file.

use sports_domain::LineColumn;
use sports_publication::season_table::{ColumnGroup as Group, TIME};

use crate::columns::{Field, InputColumn, TIMES, columns_of, computed};
use crate::file_kind::FileKind;
use crate::hint;
use crate::trade_names::trade_name;

/// The refusal of forecasts in a file of all markets.
pub(crate) const FORECASTS_ELSEWHERE: &str = "forecasts in probabilities/ or results/, where they belong to one market";

/// The meaning of a name in a header, in one kind of file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Known(Field),
    /// A publisher's own column, kept as it is; the name is the known column that it may misspell.
    Extra(Option<&'static str>),
    /// A column that is not read, with the reason.
    Ignored(String),
    /// A column that does not belong in such a file, with the expected form.
    Refused(&'static str),
    /// A known name in other letter case.
    Misspelt(&'static str, Option<Field>),
}

/// Returns the meaning of `name` in a file of `kind`.
pub(crate) fn meaning(kind: FileKind, name: &str) -> Meaning {
    if TIMES.contains(&name) {
        return Meaning::Known(TIME.into());
    }
    if let Some(column) = columns_of(kind).iter().find(|column| column.name == name) {
        return Meaning::Known(column.field);
    }
    let is_name = |column: &&InputColumn| column.name == name;
    match kind {
        FileKind::Odds | FileKind::Finals => misspelt(kind, kind, name).unwrap_or_else(|| unlisted(kind, name)),
        _ if computed(kind).any(|computed| computed == name) => ignored("the service computes it"),
        _ => match columns_of(FileKind::Results).iter().find(is_name) {
            Some(column) => elsewhere(kind, column.field),
            None => misspelt(kind, FileKind::Results, name).unwrap_or_else(|| extra(kind, name)),
        },
    }
}

fn ignored(why: &str) -> Meaning {
    Meaning::Ignored(why.to_owned())
}

/// Returns the meaning of a column that belongs to files of another kind.
fn elsewhere(kind: FileKind, field: Field) -> Meaning {
    let group = field.season_column().map(|column| column.group);
    match (kind, group) {
        // Publishers repeat this column in every row; the values are read from games/ or results/.
        (FileKind::Probabilities, Some(Group::GameType)) => ignored("it is taken from games/ or results/"),
        (FileKind::Predictions, Some(Group::GameNumber)) => ignored("the start time distinguishes games"),
        (FileKind::Predictions, Some(Group::Score | Group::Settlement)) => {
            Meaning::Refused("finals in games/ or results/, or in a file for `sportsctl settle`")
        }
        (FileKind::Predictions, _) => {
            Meaning::Refused("no such column: the service itself records when a prediction came and from which release")
        }
        (FileKind::Games, _) => Meaning::Refused(FORECASTS_ELSEWHERE),
        _ => Meaning::Refused("what was posted and played in games/ or results/"),
    }
}

/// Returns the meaning of an unknown column in odds or finals, which do not keep extra columns.
fn unlisted(kind: FileKind, name: &str) -> Meaning {
    if LineColumn::ALL.iter().any(|line| line.name() == name) {
        return ignored(if kind == FileKind::Odds {
            "odds are of now, openers have no place in them"
        } else {
            "finals have no lines"
        });
    }
    Meaning::Ignored(
        resembled(kind, name)
            .map_or_else(|| format!("{} have no such column", kind.word()), |known| format!("it is not `{known}`")),
    )
}

fn extra(kind: FileKind, name: &str) -> Meaning {
    Meaning::Extra(resembled(kind, name))
}

/// Returns the column that an unknown name resembles: by its spelling, or because the trade calls the column so.
fn resembled(kind: FileKind, name: &str) -> Option<&'static str> {
    let known = || columns_of(kind).iter().map(|column| column.name);
    hint::nearest(name, known()).or_else(|| trade_name(name).filter(|meant| known().any(|known| known == *meant)))
}

/// Returns [`Meaning::Misspelt`] if the name equals, except for letter case, a column of `kind` or `among`, or a column
/// that the service computes for `kind`.
fn misspelt(kind: FileKind, among: FileKind, name: &str) -> Option<Meaning> {
    let listed = columns_of(kind).iter().chain(columns_of(among)).map(|column| (column.name, Some(column.field)));
    let times = TIMES.into_iter().map(|time| (time, Some(TIME.into())));
    let computed = computed(kind).map(|name| (name, None));
    let mut known = listed.chain(times).chain(computed);
    known.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(known, field)| Meaning::Misspelt(known, field))
}

#[cfg(test)]
mod tests {
    use sports_domain::ModelName;
    use sports_publication::registry::is_reserved;

    use super::*;

    #[test]
    fn no_model_can_have_the_name_of_a_column_with_a_meaning() {
        for kind in [FileKind::Games, FileKind::Probabilities, FileKind::Results, FileKind::Predictions] {
            let known = columns_of(kind).iter().map(|column| column.name).chain(computed(kind)).chain(TIMES);
            let is_model = |name: &str| name.parse().is_ok_and(|name: ModelName| name.column().is_some());
            let free: Vec<_> = known.filter(|name| !is_reserved(name) && !is_model(name)).collect();
            assert_eq!(free, [""; 0]);
        }
    }
}
