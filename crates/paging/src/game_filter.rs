use sports_domain::{DateSpan, TeamSlug};

/// Which games of a season are asked for: those of some dates, of one team, or both.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameFilter {
    /// The dates.
    pub dates: DateSpan,
    /// The team, under the name it was asked for by; `None` leaves all of them.
    pub team: Option<TeamSlug>,
}

impl GameFilter {
    /// Whether every game is asked for.
    #[must_use]
    pub fn leaves_all(&self) -> bool {
        *self == Self::default()
    }
}
