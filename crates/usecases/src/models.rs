//! The models of a league: its registry, and extra columns that look like models without a declaration.

use std::collections::BTreeMap;
use std::sync::Arc;

use sports_domain::{Market, ModelName, ModelType, Probability, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::{NamedColumn, NotDeclarable, Registry, ShownTo, probability_in};
use sports_publication::{Catalog, Generation, SeasonArchive};

use crate::record::{Archives, Defaults, LeagueDefaults, Slates, newest_entry};

/// A league's models at its newest entry.
#[derive(Debug, Clone, PartialEq)]
pub struct LeagueModels {
    pub generation: Generation,
    pub registry: Registry,
    pub defaults: LeagueDefaults,
    /// The extra columns that look like probabilities; empty unless they were requested.
    pub undeclared: Vec<UndeclaredColumn>,
}

/// An extra column on record whose values are all from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct UndeclaredColumn {
    pub name: ModelName,
    /// The seasons of each market that have it, oldest first.
    pub seasons: BTreeMap<ModelType, Vec<Season>>,
    /// The games with a value, each market's counted.
    pub games: usize,
    pub lowest: f64,
    pub highest: f64,
    /// `Ok` if it can be declared beside the models and the columns before it.
    pub declarable: Result<(), NotDeclarable>,
}

/// The fewest values of a column that can be a model's.
const FEWEST: usize = 5;

/// Returns the models of a league, with `undeclared` the extra columns without a declaration; `None` for a league
/// without releases.
///
/// # Errors
///
/// [`PortError`] if the log, the registry or an archive cannot be read.
pub async fn league_models(
    log: &dyn PublicationLog,
    archives: &Archives,
    slates: &Slates,
    sport: Sport,
    undeclared: bool,
) -> Result<Option<LeagueModels>, PortError> {
    let Some(entry) = newest_entry(log, sport).await? else { return Ok(None) };
    let registry = slates.registry(&entry.catalog).await?;
    let found = if undeclared { undeclared_columns(archives, &entry.catalog, &registry).await? } else { Vec::new() };
    let defaults = default_models(archives, slates, &entry.catalog, &registry).await?;
    Ok(Some(LeagueModels { generation: entry.catalog.generation, registry, defaults, undeclared: found }))
}

async fn default_models(
    archives: &Archives,
    slates: &Slates,
    catalog: &Catalog,
    registry: &Registry,
) -> Result<LeagueDefaults, PortError> {
    let mut read = BTreeMap::new();
    for (model_type, entry) in &catalog.predictions {
        read.insert(*model_type, Arc::new(slates.predictions(catalog.sport, &entry.artifact).await?));
    }
    Defaults { catalog, registry, shown_to: ShownTo::Subscribers }.of_league(&read, archives).await
}

async fn undeclared_columns(
    archives: &Archives,
    catalog: &Catalog,
    registry: &Registry,
) -> Result<Vec<UndeclaredColumn>, PortError> {
    let mut columns = BTreeMap::new();
    for ((model_type, season), entry) in &catalog.results {
        let market = Market::new(catalog.sport, *model_type);
        let archive = archives.read(&SeasonRef::from_artifact(market, *season, &entry.artifact)).await?;
        add_columns(&archive, registry, &mut columns);
    }
    let columns = columns
        .into_values()
        .flatten()
        .filter(|(column, is_between): &(UndeclaredColumn, bool)| *is_between && column.games >= FEWEST);
    let mut taken: Vec<_> = registry.not_models().iter().copied().collect();
    let columns = columns.map(|(column, _)| {
        let declarable = registry.check_name(column.name, taken.iter().copied());
        taken.push(column.name);
        UndeclaredColumn { declarable, ..column }
    });
    Ok(columns.collect())
}

/// Adds an archive's extra columns: each with `true` if a value is neither 0 nor 1, or `None` if a value is no
/// probability.
fn add_columns(
    archive: &SeasonArchive,
    registry: &Registry,
    columns: &mut BTreeMap<ModelName, Option<(UndeclaredColumn, bool)>>,
) {
    let (model_type, season) = (archive.market().model_type, archive.season());
    for (name, value) in archive.games().iter().flat_map(|game| game.facts.extras.iter()) {
        let Ok(name) = name.parse::<ModelName>() else { continue };
        let is_undeclared = registry.column(name.as_str(), Some(model_type)) == NamedColumn::Undeclared;
        if !is_undeclared {
            continue;
        }
        let number = probability_in(value).map(Probability::get);
        let new = || {
            let (seasons, lowest, highest) = (BTreeMap::new(), f64::INFINITY, f64::NEG_INFINITY);
            Some((UndeclaredColumn { name, seasons, games: 0, lowest, highest, declarable: Ok(()) }, false))
        };
        let column = columns.entry(name).or_insert_with(new);
        let (Some(number), Some((counted, is_between))) = (number, column.as_mut()) else {
            *column = None;
            continue;
        };
        counted.games += 1;
        counted.lowest = counted.lowest.min(number);
        counted.highest = counted.highest.max(number);
        *is_between |= number > 0.0 && number < 1.0;
        let seasons = counted.seasons.entry(model_type).or_default();
        if seasons.last() != Some(&season) {
            seasons.push(season);
        }
    }
}
