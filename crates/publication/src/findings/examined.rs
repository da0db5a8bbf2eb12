use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::findings::Finding;
use crate::findings::checks;
use crate::findings::season_games::SeasonGames;
use crate::{Release, SeasonArchives};

/// Returns the probable mistakes in the history of a release, by season. `record` has archives of its seasons that are on
/// record; a season without an archive is a first import.
pub fn examine(release: &Release, record: &SeasonArchives) -> Vec<Finding> {
    let of_season = |history| {
        let season = SeasonGames::of(release.sport, history, record);
        let of_markets = season.markets.iter();
        let of_markets =
            of_markets.flat_map(|(model_type, market)| checks::flipped::of_market(&season, *model_type, market));
        checks::of_season(&season).into_iter().chain(of_markets).collect::<Vec<_>>()
    };
    release.history.par_iter().map(of_season).collect::<Vec<_>>().concat()
}
