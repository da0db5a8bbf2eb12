//! The rules for replacing a season as a whole.

use std::collections::BTreeSet;

use sports_domain::{ModelName, ModelType, Season};

use crate::SeasonArchives;
use crate::{LeagueRecord, Place, Problem, Release, Replacement, SeasonArchive, SeasonHistory};

/// Returns a problem for every season that a release cannot replace: a season without a game in the release, a season
/// that is not on record, one with a row that was recorded live, and the season of the release's predictions.
pub fn irreplaceable(seasons: &BTreeSet<Season>, release: &Release, record: &LeagueRecord) -> Vec<Problem> {
    let problem = |season: &Season| {
        let archives = || record.archives.iter().filter(|((_, of), _)| of == season).map(|(_, archive)| archive);
        let is_live = |archive: &SeasonArchive| archive.games().iter().any(|game| game.forecast.is_live());
        let counts = |history: &SeasonHistory| history.rows().any(|row| row.value.game_type.counts_in(release.sport));
        let expected = if !release.history.iter().any(|history| history.season == *season && counts(history)) {
            "a season of which the release has a game in games/ or results/"
        } else if archives().next().is_none() {
            "a season on record; the release adds this one without the option"
        } else if archives().any(is_live) {
            "a season without live rows: what was recorded live is never replaced"
        } else if release.season == Some(*season) && !release.predictions.is_empty() {
            "a season without predictions in the release"
        } else {
            return None;
        };
        let place = Place { file: "--replace-season".into(), row: None };
        Some(Problem { value: Some(season.to_string()), ..Problem::at(place, expected) })
    };
    seasons.iter().filter_map(problem).collect()
}

/// Returns what a replacement did to each market of the seasons.
pub fn replacements(seasons: &BTreeSet<Season>, before: &SeasonArchives, after: &SeasonArchives) -> Vec<Replacement> {
    let places = seasons.iter().flat_map(|season| ModelType::ALL.map(|model_type| (model_type, *season)));
    let made = |place: (ModelType, Season)| {
        let (old, new) = (before.get(&place), after.get(&place));
        let kept = new.map(columns).unwrap_or_default();
        let dropped = old.map(columns).unwrap_or_default().into_iter().filter(|name| !kept.contains(name));
        let rows = |archive: Option<&SeasonArchive>| archive.map_or(0, |archive| archive.games().len());
        (old.is_some() || new.is_some()).then(|| Replacement {
            season: place.1,
            model_type: place.0,
            rows_before: rows(old),
            rows_after: rows(new),
            columns_dropped: dropped.collect(),
        })
    };
    places.filter_map(made).collect()
}

/// Returns the columns of models and of the publisher that have values.
fn columns(archive: &SeasonArchive) -> BTreeSet<String> {
    let mut columns = BTreeSet::new();
    for game in archive.games() {
        let own: Vec<_> = game.forecast.own.iter().map(|(model, _)| model).collect();
        let models = game.forecast.forecasts.iter().map(|(model, _)| model.name());
        let models = models.chain(own.iter().map(ModelName::as_str));
        for name in models.chain(game.facts.extras.iter().map(|(name, _)| name)) {
            if !columns.contains(name) {
                columns.insert(name.to_owned());
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use sports_domain::{Market, Probability, Sport};

    use super::*;
    use crate::testing::{a_game, season};

    #[test]
    fn a_replacement_names_own_models_and_extra_columns_that_it_drops() {
        let label = season(Sport::Nfl, "2024-25");
        let place = (ModelType::OverUnder, label);
        let archives = |own: bool| -> SeasonArchives {
            let game = a_game().with(|game| {
                if own {
                    game.forecast.own.insert("Foo".parse().expect("a name"), Probability::new(0.7).expect("below 1"));
                    game.facts.extras.insert("wind", crate::Value::Integer(3));
                }
            });
            let archive = SeasonArchive::new(Market::new(Sport::Nfl, place.0), label, vec![game.build()]);
            [(place, archive.expect("one game"))].into()
        };
        let made = replacements(&[label].into(), &archives(true), &archives(false));
        assert_eq!(made.iter().map(|made| made.columns_dropped.clone()).collect::<Vec<_>>(), [["Foo", "wind"]]);
    }
}
