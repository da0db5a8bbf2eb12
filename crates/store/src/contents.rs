use std::fs::DirEntry;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use object_store::signer::{Method, SignedUrlOptions, Signer};
use object_store::{ObjectMeta, ObjectStore};
use sports_accounts::Download;
use sports_domain::Sport;
use sports_ports::contents::{FoundFile, Part, StoreContents};
use sports_ports::datasets::{DownloadLink, LinkError, LinkSigner, SignedLink};
use sports_ports::{Clock, PortError};

use crate::{ArtifactStore, layout, record_layout};

const PORT: &str = "the store";

/// The number of sizes of a tree at which unfinished files are listed.
const SIZES: usize = 256;

/// The number of these sizes at which they are removed: the newest ones that were complete before.
const SIZES_OF_REMOVAL: usize = 16;

#[async_trait]
impl StoreContents for ArtifactStore {
    async fn objects(&self, sport: Sport) -> Result<Vec<FoundFile>, PortError> {
        let unavailable = |source| PortError::unavailable(PORT, source);
        self.expect_folder().await.map_err(unavailable)?;
        let folder = layout::objects(sport);
        let listed = self.listed(self.store.list(Some(&folder))).await.map_err(unavailable)?;
        let mut files: Vec<_> = listed.into_iter().map(found).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    async fn leftovers(&self, part: Part) -> Result<Vec<FoundFile>, PortError> {
        let Some(store) = self.folder().map(Path::to_owned) else { return Ok(Vec::new()) };
        let left = self.read_folder(move || left_in_part(&store, part, None)).await;
        left.map_err(|source| PortError::unavailable(PORT, source))
    }

    async fn remove_leftovers(&self, part: Part, before: DateTime<Utc>) -> Result<usize, PortError> {
        let Some(store) = self.folder().map(Path::to_owned) else { return Ok(0) };
        let removed = self.read_folder(move || remove_left_in_part(&store, part, before)).await;
        removed.map_err(|source| PortError::unavailable(PORT, source))
    }
}

/// Removes the unfinished files in this part of a local store that were written before an instant; returns their number.
fn remove_left_in_part(store: &Path, part: Part, before: DateTime<Utc>) -> io::Result<usize> {
    let mut removed = 0;
    for file in left_in_part(store, part, Some(before))?.iter().filter(|file| file.written_at < before) {
        match fs::remove_file(store.join(&file.path)) {
            Ok(()) => removed += 1,
            // Another publisher may have removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(removed)
}

fn found(ObjectMeta { location, last_modified, size, .. }: ObjectMeta) -> FoundFile {
    let object = layout::object_named(&location);
    FoundFile { object, path: location.into(), bytes: size, written_at: last_modified }
}

/// Lists the unfinished files in this part of a local store, or those that may have been written before an instant.
fn left_in_part(store: &Path, part: Part, before: Option<DateTime<Utc>>) -> io::Result<Vec<FoundFile>> {
    let mut files = Vec::new();
    for folder in layout::folders(part) {
        files.extend(left_in(store, folder.as_ref(), layout::is_unfinished)?);
    }
    for folder in record_folders(store, part, before)? {
        files.extend(left_in(store, &folder, record_layout::is_unfinished)?);
    }
    Ok(files)
}

/// Returns the folders of a record in this part of a local store: those of the tiles, and of the newest sizes, at which a
/// killed writer leaves its files. With an instant, sizes are left out whose folder changed later: their turn comes.
fn record_folders(store: &Path, part: Part, before: Option<DateTime<Utc>>) -> io::Result<Vec<String>> {
    let sport = match part {
        Part::League(sport) => sport,
        Part::Keys => return Ok(vec![record_layout::keys().to_string()]),
        Part::Datasets => return Ok(Vec::new()),
    };
    let mut folders = Vec::new();
    let mut next = vec![record_layout::tiles(sport).to_string()];
    while let Some(folder) = next.pop() {
        next.extend(folders_in(store, &folder)?);
        folders.push(folder);
    }
    folders.sort();
    let sizes = folders_in(store, record_layout::checkpoints(sport).as_ref())?.into_iter().rev().take(SIZES);
    let Some(before) = before else {
        folders.extend(sizes);
        return Ok(folders);
    };
    let changed = |folder: &String| fs::metadata(store.join(folder)).and_then(|metadata| metadata.modified());
    let sizes = sizes.filter(|folder| changed(folder).is_ok_and(|changed| DateTime::<Utc>::from(changed) < before));
    folders.extend(sizes.take(SIZES_OF_REMOVAL));
    Ok(folders)
}

/// Lists the folders in one folder of a local store, by name.
fn folders_in(store: &Path, folder: &str) -> io::Result<Vec<String>> {
    let mut folders = Vec::new();
    for entry in entries_of(store, folder)? {
        let entry = entry?;
        if let (true, Some(name)) = (entry.file_type()?.is_dir(), entry.file_name().to_str()) {
            folders.push(format!("{folder}/{name}"));
        }
    }
    folders.sort();
    Ok(folders)
}

/// Reads a folder of a local store, which may be missing.
fn entries_of(store: &Path, folder: &str) -> io::Result<impl Iterator<Item = io::Result<DirEntry>>> {
    let entries = match fs::read_dir(store.join(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        entries => Some(entries?),
    };
    Ok(entries.into_iter().flatten())
}

/// Lists unfinished files in one folder of a local store. The store writes to a temporary name, which is the file's
/// name, `#` and a number; its listings omit such files.
fn left_in(store: &Path, folder: &str, is_unfinished: fn(&str) -> bool) -> io::Result<Vec<FoundFile>> {
    let mut files = Vec::new();
    for entry in entries_of(store, folder)? {
        // A file that was finished meanwhile is not a leftover.
        match leftover(folder, &entry?, is_unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            found => files.extend(found.ok().flatten()),
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn leftover(folder: &str, entry: &DirEntry, is_unfinished: fn(&str) -> bool) -> io::Result<Option<FoundFile>> {
    let name = entry.file_name();
    let Some(name) = name.to_str().filter(|name| is_unfinished(name)) else { return Ok(None) };
    let metadata = entry.metadata()?;
    let file = FoundFile {
        path: format!("{folder}/{name}"),
        object: None,
        bytes: metadata.len(),
        written_at: metadata.modified()?.into(),
    };
    Ok(metadata.is_file().then_some(file))
}

const LINKS: &str = "the links of the store";

/// Download links that the store itself serves.
#[derive(Clone)]
pub struct StoreLinks {
    signer: Arc<dyn Signer>,
    store: ArtifactStore,
    clock: Arc<dyn Clock>,
}

impl StoreLinks {
    /// Returns the links of a store; `None` if it cannot sign links. `clock` must be the clock that sets their
    /// expiry.
    pub fn to(store: &ArtifactStore, clock: Arc<dyn Clock>) -> Option<Self> {
        let signer = Arc::clone(store.bucket()?.signer()?);
        Some(Self { signer, store: store.clone(), clock })
    }
}

#[async_trait]
impl LinkSigner for StoreLinks {
    async fn sign(&self, download: &Download) -> Result<SignedLink, PortError> {
        let path = layout::dataset(&download.object);
        // The name is the dataset's: two datasets may have the same bytes.
        let saved_as = format!("attachment; filename=\"{}\"", download.file_name);
        let options = SignedUrlOptions::new().with_query([("response-content-disposition", saved_as)]);
        let left = (download.expires_at - self.clock.now()).to_std().unwrap_or_default();
        // Expiry is signed in whole seconds, rounded up.
        let left = Duration::from_secs((left + Duration::from_millis(999)).as_secs());
        let signed = self.signer.signed_url_opts(Method::GET, &path, left, &options);
        // The signer may have to fetch credentials.
        let url = self.store.in_time(signed).await.map_err(|source| PortError::unavailable(LINKS, source))?;
        Ok(SignedLink::Elsewhere(url.into()))
    }

    fn open(&self, _: &DownloadLink, _: DateTime<Utc>) -> Result<Download, LinkError> {
        Err(LinkError::Forged)
    }
}
