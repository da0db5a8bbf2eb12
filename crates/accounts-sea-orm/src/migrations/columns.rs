//! Columns as the steps define them.

use sea_orm::sea_query::{ColumnDef, IntoIden};

pub(super) fn string(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).string().not_null().take()
}

pub(super) fn string_null(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).string().null().take()
}

pub(super) fn integer(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).integer().not_null().take()
}

pub(super) fn big_integer(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).big_integer().not_null().take()
}

pub(super) fn timestamp_with_time_zone(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).timestamp_with_time_zone().not_null().take()
}

pub(super) fn timestamp_with_time_zone_null(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).timestamp_with_time_zone().null().take()
}
