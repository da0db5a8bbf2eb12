//! The table of season columns: the name and kind of each column, the place of its value in a game, and its meaning.
//! Publishers' files, archives, served rows and their documentation iterate over it.

mod column;
mod row_values;
mod table;

pub use column::{ColumnGroup, ColumnKind, GradedGame, InRows, InSeasons, SeasonColumn};
pub use row_values::{ArchiveColumn, NotAGame, RowValues};
pub use table::{
    AWAY_SCORE, AWAY_TEAM, DATE, FORECAST_PUBLISHED_AT, FORECAST_RUN, FORECAST_SOURCE, GAME_ID, GAME_NUMBER, GAME_TYPE,
    HOME_SCORE, HOME_TEAM, MATCH_ID, OPEN_SPREAD_PLACEHOLDER, PROBABILITY_SOURCE, QUOTE_SOURCE, RECORDED, SEASON,
    SEASON_COLUMNS, SETTLEMENT_STATUS, TIME,
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sports_domain::{LineColumn, Market, ModelColumn, ModelType, Sport};

    use super::*;
    use crate::SeasonArchive;
    use crate::testing::{a_game, season};

    #[test]
    fn each_column_has_a_name_of_its_own_and_a_sentence() {
        let names: BTreeSet<_> = SEASON_COLUMNS.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), SEASON_COLUMNS.len());
        for column in SEASON_COLUMNS {
            for sentence in [column.documentation, column.in_a_file()] {
                assert!(sentence.ends_with('.') && !sentence.contains("  "), "{}: {sentence}", column.name);
            }
        }
    }

    #[test]
    fn lines_and_models_stand_in_their_own_order() {
        let lines: Vec<_> = SEASON_COLUMNS.iter().filter_map(SeasonColumn::line_column).collect();
        assert_eq!(lines, LineColumn::ALL);
        let models = SEASON_COLUMNS.iter().filter(|column| column.group == ColumnGroup::Models);
        let models: Vec<_> = models.map(|column| column.name).collect();
        assert_eq!(models, ModelColumn::ALL.map(ModelColumn::name));
    }

    #[test]
    fn an_archive_stores_every_column_that_is_not_computed() {
        let market = Market::new(Sport::Nfl, ModelType::OverUnder);
        let archive = SeasonArchive::new(market, season(Sport::Nfl, "2024-25"), Vec::new()).expect("no game twice");
        let stored: BTreeSet<_> =
            ArchiveColumn::stored(&archive).iter().map(|column| column.name().to_owned()).collect();
        let table = SEASON_COLUMNS.iter().filter(|column| column.is_stored()).map(|column| column.name.to_owned());
        assert_eq!(stored, table.collect());
    }

    #[test]
    fn a_game_is_what_its_columns_say() {
        let at = "2024-11-24T14:50:00Z".parse().expect("an instant");
        for game in [a_game().build(), a_game().live("run-1", at).build(), a_game().unplayed().unforecast().build()] {
            let mut values = RowValues::default();
            for column in SEASON_COLUMNS {
                if let Some(value) = column.stored(&game, "2024-25") {
                    values.put(column, value.map_text(Into::into));
                }
            }
            let key = values.key().expect("a key");
            assert_eq!(values.game(key).expect("a game"), game);
        }
    }
}
