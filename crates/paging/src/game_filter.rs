use sports_domain::{DateSpan, TeamSlug};

/// A filter for games of a season: by date, by team, or both.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameFilter {
    pub dates: DateSpan,
    /// The team, under any of its names; `None` for all teams.
    pub team: Option<TeamSlug>,
}

impl GameFilter {
    /// Returns `true` if the filter keeps every game.
    pub fn leaves_all(&self) -> bool {
        *self == Self::default()
    }
}
