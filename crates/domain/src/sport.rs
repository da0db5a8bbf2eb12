use std::fmt;
use std::str::FromStr;

use crate::FormError;

/// One of the six leagues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sport {
    /// Major League Baseball.
    Mlb,
    /// National Basketball Association.
    Nba,
    /// National Football League.
    Nfl,
    /// National Hockey League.
    Nhl,
    /// NCAA Football.
    Ncaaf,
    /// NCAA Basketball.
    Ncaab,
}

fn unknown_sport(code: &str) -> FormError {
    FormError::new(format!("`{code}` is not a sport; known sports: {}", Sport::ALL.map(Sport::code).join(", ")))
}

impl Sport {
    /// Every league, in the service's order.
    pub const ALL: [Self; 6] = [Self::Mlb, Self::Nba, Self::Nfl, Self::Nhl, Self::Ncaaf, Self::Ncaab];

    /// Returns the code used in paths and files, such as `nfl`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Mlb => "mlb",
            Self::Nba => "nba",
            Self::Nfl => "nfl",
            Self::Nhl => "nhl",
            Self::Ncaaf => "ncaaf",
            Self::Ncaab => "ncaab",
        }
    }

    /// Returns the league's full name, such as `National Football League`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mlb => "Major League Baseball",
            Self::Nba => "National Basketball Association",
            Self::Nfl => "National Football League",
            Self::Nhl => "National Hockey League",
            Self::Ncaaf => "NCAA Football",
            Self::Ncaab => "NCAA Basketball",
        }
    }

    /// Returns `true` for a professional league. Preseason games of these are not part of the record.
    pub const fn is_professional(self) -> bool {
        !matches!(self, Self::Ncaaf | Self::Ncaab)
    }

    /// Returns `true` if a season spans two calendar years, so that its label is `YYYY-YY`.
    pub const fn splits_years(self) -> bool {
        !matches!(self, Self::Mlb)
    }

    /// Returns the usual months of a season's first and last games that count, numbered from January.
    pub(crate) const fn usual_months(self) -> (u32, u32) {
        match self {
            Self::Mlb => (3, 11),
            Self::Nba | Self::Nhl => (10, 6),
            Self::Nfl => (9, 2),
            Self::Ncaaf => (8, 1),
            Self::Ncaab => (11, 4),
        }
    }
}

impl fmt::Display for Sport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Sport {
    type Err = FormError;

    /// Parses a code in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|sport| sport.code().eq_ignore_ascii_case(raw)).ok_or_else(|| unknown_sport(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_those_of_the_specification() {
        let table = [
            ("mlb", "Major League Baseball", true, false),
            ("nba", "National Basketball Association", true, true),
            ("nfl", "National Football League", true, true),
            ("nhl", "National Hockey League", true, true),
            ("ncaaf", "NCAA Football", false, true),
            ("ncaab", "NCAA Basketball", false, true),
        ];
        assert_eq!(table.len(), Sport::ALL.len());
        for (code, name, professional, split) in table {
            let sport: Sport = code.parse().expect(code);
            assert_eq!((sport.code(), sport.name()), (code, name));
            assert_eq!((sport.is_professional(), sport.splits_years()), (professional, split));
        }
    }

    #[test]
    fn a_code_is_parsed_in_any_case_and_an_unknown_code_names_the_known() {
        assert_eq!("NfL".parse(), Ok(Sport::Nfl));
        let error = "xfl".parse::<Sport>().expect_err("no such league");
        assert_eq!(error.to_string(), "`xfl` is not a sport; known sports: mlb, nba, nfl, nhl, ncaaf, ncaab");
    }
}
