use bytes::Bytes;
use csv::StringRecord;
use sports_domain::{FormError, Sport};

use super::source::Header;
use crate::convert::tables::field::{Field, TextColumn};
use crate::convert::tables::map::ColumnMap;
use crate::convert::tables::source::Source;
use crate::did_you_mean;

/// The part of a table of text in which its header is looked for, in bytes: one of millions of columns would fill the memory.
const LONGEST_HEADER: usize = 64 << 10;

/// A map that ships with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// The map, as TOML.
    pub text: &'static str,
}

impl Preset {
    /// Every preset. Several of one name are for different leagues.
    pub const ALL: [Self; 7] = [
        Self { name: "nflverse", text: include_str!("../../../presets/nflverse.toml") },
        Self { name: "sportsbookreviewsonline", text: include_str!("../../../presets/sportsbookreviewsonline.toml") },
        Self {
            name: "sportsbookreviewsonline",
            text: include_str!("../../../presets/sportsbookreviewsonline-baseball-hockey.toml"),
        },
        Self { name: "retrosheet", text: include_str!("../../../presets/retrosheet.toml") },
        Self { name: "basketball-reference", text: include_str!("../../../presets/basketball-reference.toml") },
        Self { name: "spreadspoke", text: include_str!("../../../presets/spreadspoke.toml") },
        Self { name: "kaggle-wide", text: include_str!("../../../presets/kaggle-wide.toml") },
    ];

    /// Finds the preset of a name for a league.
    ///
    /// # Errors
    ///
    /// [`FormError`], if there is no such preset, or if none of its maps is for the league.
    pub fn named(name: &str, sport: Option<Sport>) -> Result<Self, FormError> {
        let mut named = Self::ALL.into_iter().filter(|preset| preset.name == name).peekable();
        if named.peek().is_none() {
            let mut known = Self::ALL.map(|preset| preset.name).to_vec();
            known.dedup();
            let hint = did_you_mean(name, known.iter().copied());
            return Err(FormError::new(format!("`{name}` is no preset{hint}; known are {}", known.join(", "))));
        }
        let is_for = |preset: &Self| sport.is_none_or(|sport| preset.map().has(sport));
        named.find(is_for).ok_or_else(|| {
            let sport = sport.map_or("any league", Sport::code);
            FormError::new(format!("the preset {name} is not for {sport}"))
        })
    }

    /// Returns the preset whose columns a file has, if one does.
    pub fn fitting(file: &Bytes, sport: Option<Sport>) -> Option<&'static str> {
        let is_parquet = file.starts_with(b"PAR1");
        let source = if is_parquet { file.clone() } else { file.slice(..file.len().min(LONGEST_HEADER)) };
        let source = Source::open(&source, true).ok()?;
        let fits = |preset: &Self| preset.fits(&source.header) && sport.is_none_or(|sport| preset.map().has(sport));
        Self::ALL.into_iter().find(fits).map(|preset| preset.name)
    }

    /// Returns the preset of a league whose source has ids of games in this column, if there is one.
    pub fn with_ids_in(column: &str, sport: Option<Sport>) -> Option<&'static str> {
        let ids = Field::Text(TextColumn::MatchId);
        let fits = |map: &ColumnMap| {
            let has = map.entry(ids).is_some_and(|entry| entry.column.iter().any(|name| name == column));
            has && sport.is_none_or(|sport| map.has(sport))
        };
        Self::ALL.into_iter().find(|preset| fits(&preset.map())).map(|preset| preset.name)
    }

    /// Returns the source, in one line.
    pub fn title(&self) -> String {
        self.map().title.unwrap_or_default()
    }

    fn fits(self, header: &StringRecord) -> bool {
        let map = self.map();
        let mut header = Header::of(header);
        let needed = [Field::Start, Field::Date, Field::AwayTeam, Field::HomeTeam, Field::Side];
        let mut needed = needed.into_iter().filter_map(|field| map.entry(field));
        map.header != Some(false) && needed.all(|entry| header.column(entry).is_ok())
    }

    fn map(self) -> ColumnMap {
        // Every preset is a map, as a test asserts.
        ColumnMap::load(Some(self.text), None).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_map_with_a_title() {
        for preset in Preset::ALL {
            let map =
                ColumnMap::load(Some(preset.text), None).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            assert!(map.title.is_some(), "{}", preset.name);
        }
    }

    #[test]
    fn a_preset_is_found_by_name_and_league_and_by_the_columns_of_a_file() {
        let fitting = |header: &'static str| Preset::fitting(&Bytes::from_static(header.as_bytes()), None);
        assert_eq!(
            fitting("game_id,season,game_type,gameday,gametime,away_team,home_team,spread_line"),
            Some("nflverse")
        );
        assert_eq!(fitting("Date;Rot;VH;Team;Final;Open;Close;ML;2H"), Some("sportsbookreviewsonline"));
        assert_eq!(fitting("commence_time,home_team,away_team,home_odds"), Some("kaggle-wide"));
        assert_eq!(fitting("a,b"), None);
        for (name, sport, message) in [
            (
                "nflvers",
                None,
                "`nflvers` is no preset (did you mean `nflverse`?); known are nflverse, sportsbookreviewsonline, \
                 retrosheet, basketball-reference, spreadspoke, kaggle-wide",
            ),
            ("nflverse", Some(Sport::Nba), "the preset nflverse is not for nba"),
        ] {
            assert_eq!(Preset::named(name, sport).expect_err(name).to_string(), message);
        }
        let of = |sport| Preset::named("sportsbookreviewsonline", Some(sport)).expect("a preset").text;
        assert_ne!(of(Sport::Nfl), of(Sport::Mlb));
    }
}
