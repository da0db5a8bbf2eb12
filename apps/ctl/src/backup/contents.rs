use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use sports_accounts_sea_orm::{AccountsDatabase, SqliteFile};
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates, LocalStore};
use sports_content::{ObjectHash, ObjectHasher};
use sports_domain::Sport;
use sports_ports::accounts::Customers;
use sports_usecases::datasets::verify_datasets;
use sports_usecases::record::{Archives, Slates, TreeReader};
use sports_usecases::verify::{Verified, verify, verify_record_files};
use tempfile::TempDir;

use super::files::{copy_file, fingerprint, unusable};
use crate::failure::Failure;

/// The contents of a database and a store, completely read and verified.
#[derive(Debug)]
pub struct Contents {
    customers: usize,
    datasets: usize,
    leagues: Vec<(Sport, Verified)>,
    /// The hash of the paths and hashes of everything that is signed. A checkpoint that is missing is no fault of a record, but one of
    /// a copy.
    signed: ObjectHash,
}

impl Contents {
    /// Reads all of a database and a store: the tables, each league's record, the files on sale. The database is read
    /// in a copy that is brought up to date, so an older form is accepted and not changed.
    pub async fn verified(database: &Path, store: &Path) -> Result<Self, Failure> {
        let unusable = |error| unusable(database, &error);
        let folder = TempDir::new_in(database.parent().unwrap_or(database)).map_err(unusable)?;
        let copy = folder.path().join("sports.db");
        copy_file(database, &copy)?;
        let copy = SqliteFile::in_file(copy).await?;
        let contents = Self::read(&copy, store, fingerprint_of_signed(store)?).await;
        copy.close().await.map_err(Failure::other)?;
        contents
    }

    async fn read(file: &SqliteFile, store: &Path, signed: ObjectHash) -> Result<Self, Failure> {
        file.check().await.map_err(Failure::other)?;
        let database = AccountsDatabase::from(file.clone());
        let customers = database.list().await.map_err(Failure::other)?.len();
        let store = ArtifactStore::open_existing(&format!("file:{}", store.display())).map_err(Failure::other)?;
        let datasets = count_datasets(&database, &store).await?;
        let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
        let slates = Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates));
        let trees = TreeReader::new(Arc::new(store.clone()), slates.clone(), Arc::new(store.clone()));
        let mut leagues = Vec::new();
        for sport in Sport::ALL {
            let failed = |error| Failure::other(format!("{sport}: {error}"));
            let verified = verify(&store, &archives, &slates, sport).await.map_err(failed)?;
            verify_record_files(&trees, sport, &verified.trees, &[]).await.map_err(failed)?;
            leagues.push((sport, verified));
        }
        Ok(Self { customers, datasets, leagues, signed })
    }

    /// Returns the contents as text lines.
    pub fn lines(&self) -> Vec<String> {
        let accounts = format!("{} customers and {} datasets verified", self.customers, self.datasets);
        let leagues = self.leagues.iter().map(|(sport, verified)| match verified.head {
            Some(head) => {
                format!(
                    "{sport}: {} log entries and {} objects verified; head {head}",
                    verified.entries, verified.objects
                )
            }
            None => format!("{sport}: nothing published"),
        });
        [accounts].into_iter().chain(leagues).collect()
    }

    /// Returns the contents as JSON, for programs and for the manifest.
    pub fn json(&self) -> Value {
        let leagues = self.leagues.iter().map(|(sport, verified)| {
            json!({
                "sport": sport.code(),
                "entries": verified.entries,
                "objects": verified.objects,
                "head": verified.head.map(|head| head.to_string()),
            })
        });
        json!({
            "customers": self.customers,
            "datasets": self.datasets,
            "record": leagues.collect::<Vec<_>>(),
            "signed_sha256": self.signed.to_string(),
        })
    }
}

fn fingerprint_of_signed(store: &Path) -> Result<ObjectHash, Failure> {
    let mut files = LocalStore::in_folder(store.to_owned()).signed_files().map_err(|error| unusable(store, &error))?;
    files.sort_unstable();
    let mut hasher = ObjectHasher::default();
    for file in files {
        hasher.update(format!("{} {}\n", file.display(), fingerprint(&store.join(&file))?).as_bytes());
    }
    Ok(hasher.finish())
}

async fn count_datasets(database: &AccountsDatabase, store: &ArtifactStore) -> Result<usize, Failure> {
    let datasets = verify_datasets(database, store).await.map_err(Failure::other)?;
    for (dataset, found) in &datasets {
        found.map_err(|fault| {
            let (name, object) = (&dataset.file_name, dataset.object);
            Failure::other(format!("{name} of {} for {}: the object {object} {fault}", dataset.product, dataset.sport))
        })?;
    }
    Ok(datasets.len())
}
