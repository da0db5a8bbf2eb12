//! The checks, each with its threshold.

mod final_total;
pub(crate) mod flipped;
mod nothing_kept;
mod prices;
mod spread_signs;
mod time_zone;

use crate::findings::Finding;
use crate::findings::season_games::SeasonGames;

/// Returns the findings of the games of a season, which its markets share.
pub(crate) fn of_season(season: &SeasonGames<'_>) -> Vec<Finding> {
    let found = [
        nothing_kept::finding(season),
        spread_signs::finding(season),
        time_zone::finding(season),
        final_total::finding(season),
    ];
    found.into_iter().flatten().chain(prices::vig(season)).chain(prices::missing_lines(season)).collect()
}
