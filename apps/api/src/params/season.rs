use std::collections::BTreeSet;

use sports_domain::Season;
use sports_paging::SeasonChoice;
use utoipa::IntoParams;

use super::{FromParams, ParamReader, SEASON};
use crate::error::ApiError;

/// The seasons of a request for rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedSeasons {
    /// One season, by its label.
    One(Season),
    /// A list of several labels, or `all`.
    Several(SeasonChoice),
}

/// The word for every season.
const ALL: &str = "all";

/// Parses one label, several with commas between them, or `all`.
///
/// # Errors
///
/// [`ApiError::BadRequest`] for anything else.
pub fn seasons_of(params: &ParamReader<'_>) -> Result<Option<RequestedSeasons>, ApiError> {
    match params.text(SEASON) {
        Some(ALL) => Ok(Some(RequestedSeasons::Several(SeasonChoice::All))),
        Some(list) if list.contains(',') => {
            let mut seasons = BTreeSet::new();
            for label in list.split(',') {
                if !seasons.insert(params.season_labelled(label)?) {
                    return Err(ApiError::BadRequest(format!("`season` names {label} more than once")));
                }
            }
            Ok(Some(RequestedSeasons::Several(SeasonChoice::Listed(seasons))))
        }
        _ => Ok(params.season()?.map(RequestedSeasons::One)),
    }
}

/// The season of a request, with a label in the form of the league in its path.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SeasonQuery {
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others.
    #[param(value_type = Option<String>)]
    pub season: Option<Season>,
}

impl FromParams for SeasonQuery {
    const TAKES: &'static [&'static str] = &[SEASON];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { season: params.season()? })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::params::RawQuery;

    fn read(query: &str) -> Result<Option<RequestedSeasons>, String> {
        let request = TestRequest::default().param("sport", "nfl").to_http_request();
        let query = RawQuery::parse(query);
        seasons_of(&ParamReader::new(&query, &request)).map_err(|error| error.to_string())
    }

    #[test]
    fn seasons_are_one_label_or_several_or_all() {
        let season = |label: &str| Season::parse(sports_domain::Sport::Nfl, label).expect("a label");
        let several = |choice| Ok(Some(RequestedSeasons::Several(choice)));
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("season=2023-24"), Ok(Some(RequestedSeasons::One(season("2023-24")))));
        assert_eq!(read("season=all"), several(SeasonChoice::All));
        let two = [season("2022-23"), season("2023-24")].into();
        assert_eq!(read("season=2023-24,2022-23"), several(SeasonChoice::Listed(two)));
    }

    #[test]
    fn a_list_of_seasons_has_labels_of_the_league_each_once() {
        for list in ["2023-24,", ",2023-24", "2023-24,2024", "2023-24,all", "2023-24, 2024-25", "ALL", ","] {
            let refused = read(&format!("season={list}")).expect_err(list);
            assert!(refused.starts_with("`season`: ") && refused.contains("is not a season of nfl"), "{refused}");
        }
        assert_eq!(read("season=2023-24,2023-24"), Err("`season` names 2023-24 more than once".to_owned()));
    }
}
