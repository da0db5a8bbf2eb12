use sports_domain::Season;
use sports_paging::NoSuchTeam;
use sports_ports::PortError;
use sports_usecases::record::NotReadYet;
use sports_usecases::results::ResultsError;
use sports_usecases::season_tables::{MOST_GAMES, SeasonTableError};

use crate::error::ApiError;

impl From<NotReadYet> for ApiError {
    fn from(error: NotReadYet) -> Self {
        Self::Unavailable(PortError::unavailable("the publication log", error))
    }
}

impl From<ResultsError> for ApiError {
    fn from(error: ResultsError) -> Self {
        match error {
            ResultsError::NotReadYet(error) => error.into(),
            ResultsError::NoSuchModel(error) => error.into(),
            ResultsError::Unwalked(error) => error.into(),
            ResultsError::Unreadable(error) => error.into(),
            ResultsError::NothingPublished(market) => Self::NotFound(format!("No results are published for {market}")),
            ResultsError::NoSuchSeason { market, season } => Self::NotFound(format!(
                "No results are published for {market} in season {season}; \
                 /api/v1/results/{}/{}/seasons lists those there are",
                market.sport, market.model_type
            )),
            ResultsError::OutsideSeason { market, season, seasons } => {
                let labels: Vec<_> = seasons.iter().map(ToString::to_string).collect();
                let others = match &*labels {
                    [] => "no season has".to_owned(),
                    [only] => format!("`season={only}` has"),
                    labels => format!("seasons with such dates: {}", labels.join(", ")),
                };
                Self::BadRequest(format!("`from`, `to`: season {season} of {market} has no such dates; {others}"))
            }
            ResultsError::SnapshotChanged { market, season } => Self::Conflict(format!(
                "Season {season} of {market} was published anew since this snapshot; \
                 start again from the first page, without `snapshot` and `offset`"
            )),
            ResultsError::AnotherMoment { season } => Self::Conflict(format!(
                "This is not the snapshot of season {season} as of {{as_of}}: start again from the first page"
            )),
            ResultsError::NoSuchSnapshot { market, season } => Self::Conflict(format!(
                "This is no snapshot of season {season} of {market}; \
                 start again from the first page, without `snapshot` and `offset`"
            )),
        }
    }
}

impl From<SeasonTableError> for ApiError {
    fn from(error: SeasonTableError) -> Self {
        match error {
            SeasonTableError::NothingPublished(subject) => {
                Self::NotFound(format!("No results are published for {subject}"))
            }
            SeasonTableError::NoSuchSeason { subject, season, known } => Self::NotFound(format!(
                "No results are published for {subject} in season {season}; there are {}",
                labels(&known)
            )),
            SeasonTableError::OutsideSeasons { subject, seasons } => {
                let others = match &*seasons {
                    [] => "no season has".to_owned(),
                    seasons => format!("seasons with such dates: {}", labels(seasons)),
                };
                Self::BadRequest(format!("`from`, `to`: no requested season of {subject} has such dates; {others}"))
            }
            SeasonTableError::TooManyGames { subject, seasons, games, fitting } => Self::BadRequest(format!(
                "`season`: {seasons} seasons of {subject} have {games} games together, and a table has at most {MOST_GAMES}; \
                 request fewer at once, such as season={}",
                labels(&fitting).replace(' ', "")
            )),
        }
    }
}

fn labels(seasons: &[Season]) -> String {
    seasons.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl From<NoSuchTeam> for ApiError {
    fn from(error: NoSuchTeam) -> Self {
        match error {
            NoSuchTeam::Unknown { market, season, team } => Self::NotFound(format!(
                "No game of season {season} of {market} has a team `{team}`; \
                 rows have the names of teams in `away_team` and `home_team`"
            )),
            ambiguous @ NoSuchTeam::Ambiguous { .. } => Self::BadRequest(format!("`team`: {ambiguous}")),
        }
    }
}
