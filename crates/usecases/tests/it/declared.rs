//! Releases with declarations of models and columns of probabilities, read and published as a publisher does.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;
use sports_domain::content::ObjectHash;
use sports_domain::{ModelName, ModelType, Probability};
use sports_publication::registry::{
    Change, Declaration, Declarations, DeclaredAs, Declaring, ModelDeclaration, Moment, NamedColumn, RegistryOnRecord,
};
use sports_publication::testing::{a_game, a_release, place, season};
use sports_publication::{
    ArchivedGame, Extras, ForecastRecord, ForecastRow, Located, MarketHistory, Problem, Release, RowIds, SeasonArchive,
    Value,
};
use sports_usecases::publish::{Mode, PublishError, Published, Publisher};

use crate::world::{SPORT, World};

/// The number of times that a folder is read, as `sportsctl publish` does.
const READS: usize = 10;

pub fn name(text: &str) -> ModelName {
    text.parse().expect("a name")
}

/// Creates the declaration of a model with these fields.
pub fn model(change: impl FnOnce(&mut ModelDeclaration)) -> DeclaredAs {
    let mut declared = ModelDeclaration::default();
    change(&mut declared);
    DeclaredAs::Model(Box::new(declared))
}

/// Creates declarations; a headline that is `None` stays as it is.
pub fn declarations<'n>(
    models: impl IntoIterator<Item = (&'n str, DeclaredAs)>,
    headline: Option<&str>,
) -> Declarations {
    let declaration = |content| Declaration { written: "{}".to_owned(), content };
    let models = models.into_iter().map(|(name, content)| (name.to_owned(), declaration(content))).collect();
    let headline = headline.map_or(Change::Keep, |name| Change::Set(name.to_owned()));
    Declarations { models, headline, ..Declarations::default() }
}

/// A publisher's folder: declarations, and columns of one game in each of some seasons and all markets.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    pub declarations: Declarations,
    pub seasons: Vec<&'static str>,
    pub columns: Vec<(&'static str, f64)>,
}

/// The reason why a folder is not published.
#[derive(Debug)]
pub enum NotPublished {
    /// It cannot be read under the models on record: a declaration that cannot be made, or a column of a retired model.
    Unread(Vec<Problem>),
    Refused(PublishError),
}

impl Folder {
    /// Creates a folder with declarations alone.
    pub fn declaring(declarations: Declarations) -> Self {
        Self { declarations, ..Self::default() }
    }

    /// Reads the folder under the models on record.
    fn read(&self, models: &RegistryOnRecord) -> Result<Release, Vec<Problem>> {
        let moment = Moment { generation: models.next, at: DateTime::UNIX_EPOCH };
        let registry = models.registry.declare(&self.declarations, &Declaring { moment, before: models.object })?;
        let (mut record, mut extras) = (ForecastRecord::default(), Extras::default());
        for (column, value) in &self.columns {
            if let Ok(standard) = column.parse() {
                record.forecasts = record.forecasts.with(standard, Probability::new(*value).expect("from 0 to 1"));
                continue;
            }
            match registry.column(column, None) {
                NamedColumn::Model(model) => record.own.insert(model, Probability::new(*value).expect("from 0 to 1")),
                NamedColumn::Retired(_) => return Err(vec![Problem::at(place(1), "no such column")]),
                NamedColumn::NoModel | NamedColumn::Undeclared => extras.insert(*column, Value::Number(*value)),
            }
        }
        let mut release = a_release(SPORT, "2024", Vec::new());
        release.content = ObjectHash::from_bytes(format!("{self:?}").as_bytes());
        release.history = self.seasons.iter().flat_map(|label| history(label, &record, &extras)).collect();
        release.models.read_under = registry;
        release.models.declarations = self.declarations.clone();
        Ok(release)
    }

    /// Publishes the folder; reads it again whenever another publisher declared models meanwhile.
    pub async fn publish(&self, publisher: &Publisher) -> Result<Published, NotPublished> {
        for _ in 0..READS {
            let models = publisher.models(SPORT).await.map_err(NotPublished::Refused)?;
            let release = self.read(&models).map_err(NotPublished::Unread)?;
            match publisher.publish(&release, Mode::Commit).await {
                Err(PublishError::OtherModels) => {}
                outcome => return outcome.map_err(NotPublished::Refused),
            }
        }
        Err(NotPublished::Refused(PublishError::OtherModels))
    }
}

/// Creates the content of a season: a game, and its forecast in each market.
fn history(label: &str, record: &ForecastRecord, extras: &Extras) -> Vec<sports_publication::SeasonHistory> {
    let game: ArchivedGame = a_game().on(&format!("{label}-06-01")).unforecast().build();
    let key = game.facts.key.clone();
    let mut history = a_release(SPORT, label, vec![game]).history;
    let row = ForecastRow { key, ids: RowIds::default(), record: record.clone(), extras: extras.clone() };
    let forecasts = || vec![Located { place: place(2), value: row.clone() }];
    let market = |model_type| (model_type, MarketHistory { games: Vec::new(), forecasts: forecasts() });
    history[0].markets = ModelType::ALL.map(market).into();
    assert_eq!(history[0].season, season(SPORT, label));
    history
}

/// The value of each column on record, by season, market and name: those of models, and of extra columns.
pub type Columns = BTreeMap<(String, ModelType, String), f64>;

/// Returns the columns of models and the extra columns of the newest entry.
pub async fn columns_on_record(world: &World) -> (Columns, Columns) {
    let (mut models, mut extras) = (Columns::new(), Columns::new());
    for archive in archives(world).await {
        let place = |name: &str| (archive.season().to_string(), archive.market().model_type, name.to_owned());
        for game in archive.games() {
            models.extend(game.forecast.own.iter().map(|(model, value)| (place(model.as_str()), value.get())));
            let number = |value: &Value<String>| value.borrowed().written().parse::<f64>().expect("a number");
            extras.extend(game.facts.extras.iter().map(|(name, value)| (place(name), number(value))));
        }
    }
    (models, extras)
}

/// Returns the archives of the newest entry.
async fn archives(world: &World) -> Vec<SeasonArchive> {
    let catalog = world.head().await;
    let mut archives = Vec::new();
    for ((model_type, season), entry) in &catalog.results {
        let market = sports_domain::Market::new(SPORT, *model_type);
        let season = sports_ports::seasons::SeasonRef::from_artifact(market, *season, &entry.artifact);
        archives.push(world.archives.read(&season).await.expect("an archive"));
    }
    archives
}

/// Returns the names of columns.
pub fn names(columns: &Columns) -> BTreeSet<&str> {
    columns.keys().map(|(.., name)| name.as_str()).collect()
}
