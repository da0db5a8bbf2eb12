use std::collections::BTreeMap;

use sports_domain::ModelName;

use super::table::STORED_ORDER;
use super::{GradedGame, InSeasons, SEASON_COLUMNS, SeasonColumn};
use crate::{ArchivedGame, SeasonArchive, Value, ValueKind};

/// A column of one season: a column of the table, or a model or another column of the publisher's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveColumn {
    /// A column of the table.
    Known(&'static SeasonColumn),
    /// The probabilities of a model of the publisher's own.
    Own(ModelName),
    /// Another column of the publisher's own.
    Extra {
        name: String,
        /// The kind of its values, in each row that has one.
        kind: ValueKind,
    },
}

impl ArchiveColumn {
    /// Returns the columns of a season's archive, in its order.
    pub fn stored(archive: &SeasonArchive) -> Vec<Self> {
        let known = SeasonColumn::in_groups(STORED_ORDER).filter(|column| column.is_stored());
        with_own(known, archive)
    }

    /// Returns the columns of a season's served rows, in their order. The columns are the same for all rows.
    pub fn served(archive: &SeasonArchive) -> Vec<Self> {
        let is_shown = |column: &&SeasonColumn| match column.in_seasons {
            InSeasons::All => true,
            InSeasons::None => false,
            InSeasons::Some => archive.games().iter().any(|game| column.stored(game, "").is_some()),
            InSeasons::OfMarket(model_type) => archive.market().model_type == model_type,
        };
        with_own(SEASON_COLUMNS.iter().filter(is_shown), archive)
    }

    /// Returns the column's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(column) => column.name,
            Self::Own(model) => model.as_str(),
            Self::Extra { name, .. } => name,
        }
    }

    /// Returns the kind of its values, in each row that has one.
    pub const fn value_kind(&self) -> ValueKind {
        match self {
            Self::Known(column) => column.kind.value_kind(),
            Self::Own(_) => ValueKind::Number,
            Self::Extra { kind, .. } => *kind,
        }
    }

    /// Returns a game's value in the archive of the season `season`.
    pub fn stored_value<'a>(&self, game: &'a ArchivedGame, season: &'a str) -> Option<Value<&'a str>> {
        match self {
            Self::Known(column) => column.stored(game, season),
            Self::Own(model) => own_value(game, *model),
            Self::Extra { name, .. } => game.facts.extras.get(name).map(Value::borrowed),
        }
    }

    /// Returns a game's value in a served row.
    pub fn served_value<'a>(&self, game: &GradedGame<'a>) -> Option<Value<&'a str>> {
        match self {
            Self::Known(column) => column.served(game),
            Self::Own(model) => own_value(game.game, *model),
            Self::Extra { name, .. } => game.game.facts.extras.get(name).map(Value::borrowed),
        }
    }
}

fn own_value(game: &ArchivedGame, model: ModelName) -> Option<Value<&'static str>> {
    game.forecast.own.get(model).map(|probability| Value::Number(probability.get()))
}

/// Returns the columns of a season: the publisher's own models behind the last of the specification, other columns of
/// the publisher's own at the end.
fn with_own(known: impl Iterator<Item = &'static SeasonColumn>, archive: &SeasonArchive) -> Vec<ArchiveColumn> {
    let mut columns: Vec<_> = known.map(ArchiveColumn::Known).collect();
    let is_model = |column: &ArchiveColumn| match column {
        ArchiveColumn::Known(known) => known.model_column().is_some(),
        _ => false,
    };
    let behind = columns.iter().rposition(is_model).map_or(columns.len(), |last| last + 1);
    columns.splice(behind..behind, archive.models().own().iter().map(|model| ArchiveColumn::Own(*model)));
    columns.extend(extras(archive));
    columns
}

/// Returns the publisher's own columns by name. An archive has one kind for each column, so the first value decides.
fn extras(archive: &SeasonArchive) -> impl Iterator<Item = ArchiveColumn> {
    let mut kinds = BTreeMap::new();
    for (name, value) in archive.games().iter().flat_map(|game| game.facts.extras.iter()) {
        kinds.entry(name).or_insert_with(|| value.kind());
    }
    kinds.into_iter().map(|(name, kind)| ArchiveColumn::Extra { name: name.to_owned(), kind })
}
