//! The baseline of answers as of earlier moments: reads entries of a log and the objects that they name, decodes them, and does
//! nothing else.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;

use sports_domain::{ModelType, Sport};
use sports_ports::publication::PublicationLog;
use sports_publication::Catalog;
use sports_store::{ArtifactStore, JsonSlates};
use sports_usecases::record::Slates;

const USAGE: &str = "plain-reads STORE SPORT STEP [MODEL_TYPE]";

/// A reader of the objects of entries; of one market's predictions if a market is named.
struct Reader {
    slates: Slates,
    only: Option<ModelType>,
    read: HashSet<String>,
}

impl Reader {
    /// Reads the objects of an entry that were not read before.
    async fn read(&mut self, catalog: &Catalog) -> Result<(), Box<dyn Error>> {
        for (model_type, entry) in &catalog.predictions {
            if self.only.is_none_or(|only| only == *model_type) && self.read.insert(entry.artifact.object.to_string()) {
                self.slates.predictions(catalog.sport, &entry.artifact).await?;
            }
        }
        if let Some(odds) = catalog.odds.as_ref().filter(|_| self.only.is_none())
            && self.read.insert(odds.object.to_string())
        {
            self.slates.odds(catalog.sport, odds).await?;
        }
        Ok(())
    }
}

/// Reads every entry whose number is a multiple of `STEP`.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let store = Arc::new(ArtifactStore::open(&arguments.next().ok_or(USAGE)?)?);
    let sport: Sport = arguments.next().ok_or(USAGE)?.parse()?;
    let step: u64 = arguments.next().ok_or(USAGE)?.parse()?;
    let only = arguments.next().map(|name| name.parse()).transpose()?;
    let slates = Slates::new(Arc::clone(&store) as _, Arc::new(JsonSlates));
    let mut reader = Reader { slates, only, read: HashSet::new() };
    for number in store.numbers(sport).await?.into_iter().filter(|number| number.get().is_multiple_of(step)) {
        let entry = store.entry(sport, number).await?.ok_or("an entry was removed")?;
        reader.read(&entry.catalog).await?;
    }
    Ok(())
}
