use std::collections::BTreeMap;

use super::table::STORED_ORDER;
use super::{GradedGame, InSeasons, SEASON_COLUMNS, SeasonColumn};
use crate::{ArchivedGame, SeasonArchive, Value, ValueKind};

/// A column of one season: one of the table or one of the publisher's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveColumn {
    /// A column of the table.
    Known(&'static SeasonColumn),
    /// A column of the publisher's own.
    Extra {
        /// Its name.
        name: String,
        /// The kind of its values, in each row that has one.
        kind: ValueKind,
    },
}

impl ArchiveColumn {
    /// Returns the columns of a season's archive, in its order.
    #[must_use]
    pub fn stored(archive: &SeasonArchive) -> Vec<Self> {
        let known = SeasonColumn::in_groups(STORED_ORDER).filter(|column| column.is_stored());
        known.map(Self::Known).chain(extras(archive)).collect()
    }

    /// Returns the columns of a season's served rows, in their order. The columns are the same for all rows.
    #[must_use]
    pub fn served(archive: &SeasonArchive) -> Vec<Self> {
        let is_shown = |column: &&SeasonColumn| match column.in_seasons {
            InSeasons::All => true,
            InSeasons::None => false,
            InSeasons::Some => archive.games().iter().any(|game| column.stored(game, "").is_some()),
            InSeasons::OfMarket(model_type) => archive.market().model_type == model_type,
        };
        SEASON_COLUMNS.iter().filter(is_shown).map(Self::Known).chain(extras(archive)).collect()
    }

    /// Returns the column's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Known(column) => column.name,
            Self::Extra { name, .. } => name,
        }
    }

    /// Returns the kind of its values, in each row that has one.
    #[must_use]
    pub const fn value_kind(&self) -> ValueKind {
        match self {
            Self::Known(column) => column.kind.value_kind(),
            Self::Extra { kind, .. } => *kind,
        }
    }

    /// Returns a game's value in the archive of the season `season`.
    #[must_use]
    pub fn stored_value<'a>(&self, game: &'a ArchivedGame, season: &'a str) -> Option<Value<&'a str>> {
        match self {
            Self::Known(column) => column.stored(game, season),
            Self::Extra { name, .. } => game.facts.extras.get(name).map(Value::borrowed),
        }
    }

    /// Returns a game's value in a served row.
    #[must_use]
    pub fn served_value<'a>(&self, game: &GradedGame<'a>) -> Option<Value<&'a str>> {
        match self {
            Self::Known(column) => column.served(game),
            Self::Extra { name, .. } => game.game.facts.extras.get(name).map(Value::borrowed),
        }
    }
}

/// Returns the publisher's own columns by name. An archive has one kind for each column, so the first value decides.
fn extras(archive: &SeasonArchive) -> impl Iterator<Item = ArchiveColumn> {
    let mut kinds = BTreeMap::new();
    for (name, value) in archive.games().iter().flat_map(|game| game.facts.extras.iter()) {
        kinds.entry(name).or_insert_with(|| value.kind());
    }
    kinds.into_iter().map(|(name, kind)| ArchiveColumn::Extra { name: name.to_owned(), kind })
}
