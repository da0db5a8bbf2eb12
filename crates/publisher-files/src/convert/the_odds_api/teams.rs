use std::collections::HashMap;

use super::not_csv;
use sports_domain::{Club, FormError, Sport, TeamSlug};

/// A table from the feed's names of teams to slugs.
///
/// A professional club is found by any of its names. A college's name ends in its mascot, which is removed: `Duke
/// Blue Devils` is `duke`. The publisher's own table has precedence over both rules.
#[derive(Debug, Clone)]
pub struct TeamTable {
    sport: Sport,
    own: HashMap<TeamSlug, TeamSlug>,
}

/// Returns the error of a wrong header, or of a row without two cells.
fn bad_row(row: usize) -> FormError {
    FormError::new(format!(
        "row {row}: expected a name as the feed has it and a team as you have it, under the header name,team"
    ))
}

impl TeamTable {
    /// Creates the table of a league.
    pub fn new(sport: Sport) -> Self {
        Self { sport, own: HashMap::new() }
    }

    /// Adds the publisher's own table: a CSV file with the columns `name` (in the feed) and `team` (in the
    /// publisher's data).
    ///
    /// # Errors
    ///
    /// [`FormError`] if the file is not such a table.
    pub fn with_table(mut self, file: &[u8]) -> Result<Self, FormError> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
        if reader.headers().map_err(not_csv)? != ["name", "team"].as_slice() {
            return Err(bad_row(1));
        }
        for (row, record) in (2..).zip(reader.records()) {
            let record = record.map_err(not_csv)?;
            let [name, team] = record.iter().collect::<Vec<_>>()[..] else { return Err(bad_row(row)) };
            let slug = |text| TeamSlug::normalise(text).map_err(|error| FormError::new(format!("row {row}: {error}")));
            self.own.insert(slug(name)?, slug(team)?);
        }
        Ok(self)
    }

    /// Returns the slug of a name; `None` for an unknown name.
    pub fn slug(&self, name: &str) -> Option<TeamSlug> {
        let slug = TeamSlug::normalise(name).ok()?;
        if let Some(own) = self.own.get(&slug) {
            return Some(own.clone());
        }
        if !self.sport.is_professional() {
            return school(&slug);
        }
        // The feed has only games to come, so today's name applies.
        Club::called_today(self.sport, &slug).map(|name| name.slug().clone())
    }
}

/// Removes the longest mascot at the end of a college's name. The feed shortens a last `State` to `St`.
fn school(slug: &TeamSlug) -> Option<TeamSlug> {
    let mascots = include_str!("mascots.txt").lines();
    let schools = mascots.filter_map(|mascot| slug.as_str().strip_suffix(mascot)?.strip_suffix('_'));
    let school = schools.min_by_key(|school| school.len())?;
    let state = school.strip_suffix("_st").map(|name| format!("{name}_state"));
    TeamSlug::normalise(state.as_deref().unwrap_or(school)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slug(sport: Sport, name: &str) -> Option<String> {
        TeamTable::new(sport).slug(name).map(|slug| slug.to_string())
    }

    #[test]
    fn names_become_slugs() {
        let table = [
            (Sport::Nhl, "St Louis Blues", "st_louis_blues"),
            (Sport::Nhl, "Montréal Canadiens", "montreal_canadiens"),
            (Sport::Nhl, "Utah Mammoth", "utah_mammoth"),
            (Sport::Nhl, "Utah Hockey Club", "utah_mammoth"),
            (Sport::Mlb, "St. Louis Cardinals", "st_louis_cardinals"),
            (Sport::Mlb, "Athletics", "athletics"),
            (Sport::Mlb, "Oakland Athletics", "athletics"),
            (Sport::Nba, "Philadelphia 76ers", "philadelphia_76ers"),
            (Sport::Nba, "Los Angeles Clippers", "los_angeles_clippers"),
            (Sport::Nfl, "San Francisco 49ers", "san_francisco_49ers"),
            (Sport::Ncaab, "Duke Blue Devils", "duke"),
            (Sport::Ncaaf, "Texas A&M Aggies", "texas_am"),
            (Sport::Ncaaf, "Miami (OH) RedHawks", "miami_oh"),
            (Sport::Ncaaf, "Hawai'i Rainbow Warriors", "hawaii"),
            (Sport::Ncaaf, "North Carolina Tar Heels", "north_carolina"),
            (Sport::Ncaaf, "North Carolina Central Eagles", "north_carolina_central"),
            (Sport::Ncaaf, "Southern Mississippi Golden Eagles", "southern_mississippi"),
            (Sport::Ncaaf, "Texas Tech Red Raiders", "texas_tech"),
            (Sport::Ncaaf, "San José State Spartans", "san_jose_state"),
            (Sport::Ncaaf, "Louisiana Ragin' Cajuns", "louisiana"),
            (Sport::Ncaab, "St. John's Red Storm", "st_johns"),
            (Sport::Ncaab, "Michigan St Spartans", "michigan_state"),
            (Sport::Ncaab, "Lipscomb Bisons", "lipscomb"),
            (Sport::Ncaab, "North Dakota St Bison", "north_dakota_state"),
            (Sport::Ncaab, "VMI Keydets", "vmi"),
            (Sport::Ncaab, "Grand Canyon Lopes", "grand_canyon"),
            (Sport::Ncaab, "Grand Canyon Antelopes", "grand_canyon"),
            (Sport::Ncaaf, "Oregon Ducks", "oregon"),
            (Sport::Ncaaf, "Oregon St Beavers", "oregon_state"),
            (Sport::Ncaab, "Albany Great Danes", "albany"),
            (Sport::Ncaab, "Arkansas-Little Rock Trojans", "arkansas_little_rock"),
            (Sport::Ncaab, "Army Knights", "army"),
            (Sport::Ncaab, "Boston Univ. Terriers", "boston_univ"),
            (Sport::Ncaab, "CSU Northridge Matadors", "csu_northridge"),
            (Sport::Ncaab, "Fort Wayne Mastodons", "fort_wayne"),
            (Sport::Ncaab, "GW Revolutionaries", "gw"),
            (Sport::Ncaab, "Gardner-Webb Runnin' Bulldogs", "gardner_webb"),
            (Sport::Ncaab, "IUPUI Jaguars", "iupui"),
            (Sport::Ncaab, "LIU Sharks", "liu"),
            (Sport::Ncaab, "Long Beach State 49ers", "long_beach_state"),
            (Sport::Ncaab, "Long Beach State Beach", "long_beach_state"),
            (Sport::Ncaab, "Miss Valley St Delta Devils", "miss_valley_state"),
            (Sport::Ncaab, "Mt. St. Mary's Mountaineers", "mt_st_marys"),
            (Sport::Ncaab, "SIU-Edwardsville Cougars", "siu_edwardsville"),
            (Sport::Ncaab, "Sam Houston State Bearkats", "sam_houston_state"),
            (Sport::Ncaab, "St. Thomas (MN) Tommies", "st_thomas_mn"),
            (Sport::Ncaab, "Tenn-Martin Skyhawks", "tenn_martin"),
            (Sport::Ncaab, "Texas A&M-CC Islanders", "texas_am_cc"),
            (Sport::Ncaab, "UMKC Kangaroos", "umkc"),
            (Sport::Ncaab, "UTRGV Vaqueros", "utrgv"),
        ];
        for (sport, name, expected) in table {
            assert_eq!(slug(sport, name).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn an_unknown_name_has_no_slug() {
        let table = [
            (Sport::Nfl, "AFC"),
            (Sport::Nba, "Boston Red Sox"),
            (Sport::Ncaaf, "Eagles"),
            (Sport::Ncaaf, "Duke"),
            (Sport::Nfl, "--"),
        ];
        for (sport, name) in table {
            assert_eq!(slug(sport, name), None, "{name}");
        }
    }

    #[test]
    fn the_publishers_own_table_of_teams_has_precedence() {
        let table = b"name,team\nTexas A&M Aggies,texas_a_m\nTampere Foxes,foxes\n";
        let names = TeamTable::new(Sport::Ncaaf).with_table(table).expect("a table");
        let slug = |name| names.slug(name).map(|slug| slug.to_string());
        assert_eq!(slug("Texas A&M Aggies").as_deref(), Some("texas_a_m"));
        assert_eq!(slug("TAMPERE FOXES").as_deref(), Some("foxes"));
        assert_eq!(slug("Duke Blue Devils").as_deref(), Some("duke"));
    }

    #[test]
    fn a_file_without_the_columns_of_teams_is_no_table() {
        let table: [(&[u8], &str); 4] = [
            (b"team,name\na,b\n", "row 1: expected a name"),
            (b"name,team\na\n", "row 2: expected a name"),
            (b"name,team\na,b\nc,d,e\n", "row 3: expected a name"),
            (b"name,team\na,--\n", "row 2"),
        ];
        for (file, message) in table {
            let error = TeamTable::new(Sport::Nfl).with_table(file).expect_err("no table").to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
