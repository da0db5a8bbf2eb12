use std::ops::RangeInclusive;

use crate::{Season, TeamSlug};

/// A club of a professional league, with its present and former names.
#[derive(Debug)]
pub struct Club {
    /// Today's name first, then the former names, latest first.
    pub(super) names: Vec<ClubName>,
}

/// A name of a club: today's, or the name of some of its seasons.
#[derive(Debug)]
pub struct ClubName {
    pub(super) slug: TeamSlug,
    pub(super) display: String,
    pub(super) abbreviation: &'static str,
    /// The first years of the seasons in which it was used; `None` for today's name.
    pub(super) years: Option<RangeInclusive<u16>>,
}

impl ClubName {
    /// Returns the slug, as in keys of games.
    pub const fn slug(&self) -> &TeamSlug {
        &self.slug
    }

    /// Returns the display name.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Returns the usual abbreviation, such as `BOS`.
    pub const fn abbreviation(&self) -> &'static str {
        self.abbreviation
    }

    fn was_used_in(&self, season: Season) -> bool {
        self.years.as_ref().is_some_and(|years| years.contains(&season.first_year()))
    }
}

impl Club {
    /// Returns the club's present name.
    pub fn today(&self) -> &ClubName {
        &self.names[0]
    }

    /// Returns every present and former name.
    pub fn names(&self) -> &[ClubName] {
        &self.names
    }

    /// Returns the club's name in a season.
    pub fn name_in(&self, season: Season) -> &ClubName {
        self.names.iter().find(|name| name.was_used_in(season)).unwrap_or_else(|| self.today())
    }
}
