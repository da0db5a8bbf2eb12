use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use sports_domain::paging::{GameIndex, Order, PageRows};
use sports_domain::{GameKey, Market, ModelType, Season, Sport};
use sports_ports::tables::{ColumnHead, TableColumn};
use sports_publication::SeasonArchive;
use sports_publication::season_table::{ArchiveColumn, SEASON_COLUMNS, SeasonColumn};

use crate::tabular::{SeasonTable, TabularSeason};

/// The markets in the order of their columns, each with the beginning of their names.
pub const MARKET_PREFIXES: [(ModelType, &str); 3] =
    [(ModelType::WonOnPoints, "moneyline_"), (ModelType::WonOnSpread, "spread_"), (ModelType::OverUnder, "total_")];

/// The games of one season with their three markets beside each other: one row a game. Columns that identify a game come
/// once; the other columns of a market begin with the market's word. A game that a market does not have has nulls there.
pub struct JoinedSeason {
    sport: Sport,
    season: Season,
    /// In the order of [`MARKET_PREFIXES`].
    markets: [Arc<TabularSeason>; 3],
    /// The place of each game in each market, oldest first.
    rows: Vec<[Option<usize>; 3]>,
    columns: Vec<Joined>,
}

/// A column of joined seasons.
struct Joined {
    head: ColumnHead,
    source: Source,
}

enum Source {
    /// The first value that a market has.
    Game(&'static SeasonColumn),
    /// A column of one market, both by their places.
    Market(usize, usize),
}

impl JoinedSeason {
    /// Joins the seasons of some markets. A market that is absent has its columns, with nulls.
    pub fn new(sport: Sport, season: Season, seasons: &[Arc<TabularSeason>]) -> Self {
        let markets = MARKET_PREFIXES.map(|(model_type, _)| {
            let is_it = |one: &&Arc<TabularSeason>| one.graded().archive().market().model_type == model_type;
            seasons.iter().find(is_it).cloned().unwrap_or_else(|| without_games(Market::new(sport, model_type), season))
        });
        let (rows, columns) = (joined_rows(&markets), joined_columns(&markets));
        Self { sport, season, markets, rows, columns }
    }
}

fn without_games(market: Market, season: Season) -> Arc<TabularSeason> {
    let archive = SeasonArchive::new(market, season, Vec::new()).expect("no key repeats without games");
    Arc::new(TabularSeason::from_archive(archive))
}

/// Returns the key of a game: that of the first market that has the game.
fn key(markets: &[Arc<TabularSeason>; 3], row: [Option<usize>; 3]) -> Option<&GameKey> {
    let mut keys = markets.iter().zip(row).filter_map(|(market, place)| {
        let game = market.graded().archive().games().get(place?)?;
        Some(&game.facts.key)
    });
    keys.next()
}

/// Finds each game in all markets by its identity, and puts the games in the order of their keys.
fn joined_rows(markets: &[Arc<TabularSeason>; 3]) -> Vec<[Option<usize>; 3]> {
    let mut rows: Vec<[Option<usize>; 3]> = Vec::new();
    let mut known = HashMap::new();
    for (market, season) in markets.iter().enumerate() {
        for (place, game) in season.graded().archive().games().iter().enumerate() {
            // An archive from before identities has them when it is read; a game without one is known by its key.
            let identity = game.facts.game_id.as_deref().ok_or(&game.facts.key);
            let row = *known.entry(identity).or_insert_with(|| {
                rows.push([None; 3]);
                rows.len() - 1
            });
            rows[row][market] = Some(place);
        }
    }
    rows.sort_by(|one, other| key(markets, *one).cmp(&key(markets, *other)));
    rows
}

fn joined_columns(markets: &[Arc<TabularSeason>; 3]) -> Vec<Joined> {
    let identifies = |column: &ArchiveColumn| matches!(column, ArchiveColumn::Known(known) if known.identifies_games());
    let has = |column: &SeasonColumn| {
        let mut columns = markets.iter().flat_map(|market| market.graded().columns());
        columns.any(|one| matches!(one, ArchiveColumn::Known(known) if *known == column))
    };
    let of_games = SEASON_COLUMNS.iter().filter(|column| column.identifies_games() && has(column)).map(|column| {
        let head = ColumnHead { name: column.name.to_owned(), kind: column.kind.value_kind() };
        Joined { head, source: Source::Game(column) }
    });
    let of_markets = markets.iter().zip(MARKET_PREFIXES).enumerate().flat_map(|(market, (season, (_, prefix)))| {
        let columns = season.graded().columns().iter().enumerate().filter(|(_, column)| !identifies(column));
        columns.map(move |(place, column)| {
            let head = ColumnHead { name: format!("{prefix}{}", column.name()), kind: column.value_kind() };
            Joined { head, source: Source::Market(market, place) }
        })
    });
    of_games.chain(of_markets).collect()
}

impl SeasonTable for JoinedSeason {
    fn index(&self) -> GameIndex {
        let markets = self.markets.each_ref().map(|market| market.graded().progress().collect::<Vec<_>>());
        let games = self.rows.iter().filter_map(|row| {
            let known = markets.iter().zip(row).filter_map(|(market, place)| market.get((*place)?).copied());
            known.reduce(|(key, one), (_, other)| (key, one.or(other)))
        });
        GameIndex::new(Market::new(self.sport, MARKET_PREFIXES[0].0), self.season, games)
    }

    fn heads(&self) -> Vec<ColumnHead> {
        self.columns.iter().map(|column| column.head.clone()).collect()
    }

    fn table(&self, order: Order, rows: &PageRows) -> Vec<TableColumn<'_>> {
        let row = |index: usize| match order {
            Order::OldestFirst => self.rows.get(index),
            Order::NewestFirst => self.rows.len().checked_sub(index + 1).and_then(|place| self.rows.get(place)),
        };
        let rows: Vec<_> = rows.iter().filter_map(row).collect();
        let games = [0, 1, 2].map(|market| self.markets[market].games(rows.iter().map(|row| row[market])));
        let columns = self.columns.iter().map(|column| {
            let values = (0..rows.len()).map(|row| match column.source {
                Source::Game(known) => games.iter().find_map(|games| known.served(games[row].as_ref()?)),
                Source::Market(market, place) => {
                    self.markets[market].graded().columns()[place].served_value(games[market][row].as_ref()?)
                }
            });
            let values = values.map(|value| Some(value?.map_text(Cow::Borrowed))).collect();
            TableColumn { name: &column.head.name, kind: column.head.kind, values }
        });
        columns.collect()
    }
}

#[cfg(test)]
mod tests {
    use sports_publication::ValueKind;
    use sports_publication::testing::{GameBuilder, a_game, season};

    use super::*;

    fn market(model_type: ModelType, games: Vec<GameBuilder>) -> Arc<TabularSeason> {
        let (market, label) = (Market::new(Sport::Nfl, model_type), season(Sport::Nfl, "2024-25"));
        let games = games.into_iter().map(GameBuilder::build).collect();
        Arc::new(TabularSeason::from_archive(SeasonArchive::new(market, label, games).expect("games")))
    }

    fn identified(day: &str, id: Option<&str>) -> GameBuilder {
        a_game().on(day).with(|game| game.facts.game_id = id.map(str::to_owned))
    }

    fn joined() -> JoinedSeason {
        let moneyline = market(
            ModelType::WonOnPoints,
            vec![identified("2024-11-03", Some("a")).blend(0.7), identified("2024-11-24", None).ending(10, 7)],
        );
        // The first game has another start in this market, and the last is in this market alone.
        let total = market(
            ModelType::OverUnder,
            vec![
                identified("2024-11-02", Some("a")).blend(0.2),
                identified("2024-11-24", None).unplayed(),
                identified("2024-11-10", Some("b")),
            ],
        );
        JoinedSeason::new(Sport::Nfl, season(Sport::Nfl, "2024-25"), &[total, moneyline])
    }

    fn values(table: &[TableColumn<'_>], name: &str) -> Vec<Option<String>> {
        let column = table.iter().find(|column| column.name == name).unwrap_or_else(|| panic!("no column {name}"));
        column.values.iter().map(|value| value.as_ref().map(|value| value.borrowed().written().into_owned())).collect()
    }

    fn texts<const N: usize>(texts: [&str; N]) -> Vec<Option<String>> {
        texts.map(|text| (!text.is_empty()).then(|| text.to_owned())).into()
    }

    #[test]
    fn a_game_is_one_row_with_the_values_of_each_market() {
        let joined = joined();
        let table = joined.table(Order::OldestFirst, &PageRows::Run(0..3));
        let expected = [
            ("date", texts(["2024-11-03", "2024-11-10", "2024-11-24"])),
            ("game_id", texts(["a", "b", ""])),
            ("season", texts(["2024-25", "2024-25", "2024-25"])),
            ("moneyline_BLEND", texts(["0.7", "", "0.6"])),
            ("moneyline_away_score", texts(["20", "", "10"])),
            ("total_BLEND", texts(["0.2", "0.6", "0.6"])),
            ("total_away_score", texts(["20", "20", ""])),
            ("spread_BLEND", texts(["", "", ""])),
            ("total_graded", texts(["true", "true", "false"])),
        ];
        for (name, expected) in expected {
            assert_eq!(values(&table, name), expected, "{name}");
        }
        let newest = joined.table(Order::NewestFirst, &PageRows::Each([0, 2, 7].into()));
        assert_eq!(values(&newest, "date"), texts(["2024-11-24", "2024-11-03"]));
    }

    #[test]
    fn columns_that_identify_games_come_first_and_once() {
        let joined = joined();
        let heads = joined.heads();
        let names: Vec<_> = heads.iter().map(|head| head.name.as_str()).collect();
        assert_eq!(names[..7], ["date", "time_est", "season", "game_type", "away_team", "home_team", "game_id"]);
        assert_eq!(names[7..10], ["moneyline_away_score", "moneyline_home_score", "moneyline_won_on_points"]);
        for prefix in ["moneyline_", "spread_", "total_"] {
            let of_market: Vec<_> = names.iter().filter_map(|name| name.strip_prefix(prefix)).collect();
            assert!(of_market.contains(&"home_point_spread") && !of_market.contains(&"date"), "{of_market:?}");
        }
        assert!(names.contains(&"total_over") && !names.contains(&"spread_over"));
        let blend = heads.iter().find(|head| head.name == "spread_BLEND").expect("a column without games");
        assert_eq!(blend.kind, ValueKind::Number);
        let table = joined.table(Order::OldestFirst, &PageRows::Run(0..0));
        assert_eq!(table.iter().map(|column| column.name).collect::<Vec<_>>(), names);
        assert!(table.iter().all(|column| column.values.is_empty()));
    }

    #[test]
    fn the_index_finds_a_game_by_its_team_in_every_market() {
        let filter = sports_domain::paging::GameFilter {
            team: Some(sports_domain::TeamSlug::normalise("away_team").expect("a team")),
            ..Default::default()
        };
        assert_eq!(joined().index().filtered(&filter).expect("a team").total(), 3);
    }
}
