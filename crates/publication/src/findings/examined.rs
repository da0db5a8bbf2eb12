use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::findings::checks;
use crate::findings::season_games::SeasonGames;
use crate::findings::{Finding, MarketReport};
use crate::{Release, SeasonArchives};

/// The findings and the report of a release's history.
#[derive(Debug, Clone, PartialEq)]
pub struct Examined {
    /// Probable mistakes, by season.
    pub findings: Vec<Finding>,
    /// The contents of each season and market.
    pub markets: Vec<MarketReport>,
}

/// Examines the history of a release. `record` has archives of its seasons that are on record; a season without an
/// archive is a first import.
#[must_use]
pub fn examine(release: &Release, record: &SeasonArchives) -> Examined {
    let of_season = |history| {
        let season = SeasonGames::of(release.sport, history, record);
        let mut findings = checks::of_season(&season);
        let mut markets = Vec::new();
        for (model_type, market) in &season.markets {
            findings.extend(checks::flipped::of_market(&season, *model_type, market));
            markets.push(MarketReport::of(season.season, *model_type, market));
        }
        (findings, markets)
    };
    let seasons: Vec<_> = release.history.par_iter().map(of_season).collect();
    let (findings, markets): (Vec<_>, Vec<_>) = seasons.into_iter().unzip();
    Examined { findings: findings.concat(), markets: markets.concat() }
}
