use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, fs, io};

use futures::TryStreamExt;
use futures::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout_at};

use crate::address::{Address, BucketAddress};
use crate::answering::Answering;
use crate::bucket::Bucket;
use crate::retries::PassingErrors;
use crate::{OpenError, OpenOptions};

/// The place a service publishes to and reads from: log and objects.
#[derive(Clone)]
pub struct ArtifactStore {
    pub(crate) store: Arc<dyn ObjectStore>,
    place: Place,
    answering: Arc<Answering>,
    errors: Option<PassingErrors>,
}

/// What more is known of the store than how to ask it.
#[derive(Clone)]
enum Place {
    /// The folder of a local store: once it is gone, nothing being there says nothing.
    Folder(PathBuf),
    Bucket(Bucket),
    Elsewhere,
}

/// More than any entry or object of ours has: a hundred seasons in one have less.
const LARGEST_READ: u64 = 64 << 20;

/// Why an entry or an object was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The store does not answer.
    #[error("the store does not answer")]
    Unavailable(#[from] object_store::Error),
    /// What has the name can be no entry and no object.
    #[error("the object is not one that this program writes")]
    NoObject(#[source] io::Error),
    /// What has the name cannot be opened, though the folder that it is in can.
    #[error("what is there cannot be opened")]
    Unopened(#[source] object_store::Error),
}

/// How long one request may take before the store counts as unavailable.
const PATIENCE: Duration = Duration::from_secs(8);

impl ArtifactStore {
    /// Opens the store at `url`: `file:` and a folder, which is made if it is not there, or `s3://` and a bucket, which is
    /// not asked yet.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when the address is of another kind, the folder cannot be made, or variables say how to reach the
    /// bucket and cannot be used.
    pub fn open(url: &str) -> Result<Self, OpenError> {
        Self::open_with(url, &OpenOptions::default())
    }

    /// The same, reaching a bucket in a way of one's own.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_with(url: &str, options: &OpenOptions) -> Result<Self, OpenError> {
        let folder = match Address::parse(url)? {
            Address::Bucket(address) => return Self::in_bucket(&address, options),
            Address::Folder(folder) => folder,
        };
        match std::fs::create_dir_all(&folder) {
            Ok(()) => Self::in_folder(folder),
            Err(_) if folder.exists() => Err(OpenError::NotAFolder(folder)),
            Err(source) => Err(OpenError::Folder { folder, source: source.into() }),
        }
    }

    /// Opens a store that was made before, to read it: a mistyped address is an error and no empty store. Whether there is
    /// a bucket, [`Self::expect_bucket`] says.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when the address is of another kind, or the folder is not there.
    pub fn open_existing(url: &str) -> Result<Self, OpenError> {
        Self::open_existing_with(url, &OpenOptions::default())
    }

    /// Opens a store like [`open_existing`](Self::open_existing), with options of its own.
    ///
    /// # Errors
    ///
    /// [`OpenError`].
    pub fn open_existing_with(url: &str, options: &OpenOptions) -> Result<Self, OpenError> {
        match Address::parse(url)? {
            Address::Bucket(address) => Self::in_bucket(&address, options),
            Address::Folder(folder) => Self::in_folder(existing(folder)?),
        }
    }

    /// Returns the place that its address leads to from this machine, without credentials: equal for equal stores.
    #[must_use]
    pub fn location(&self) -> String {
        match &self.place {
            Place::Folder(folder) => folder.canonicalize().unwrap_or_else(|_| folder.clone()).display().to_string(),
            Place::Bucket(bucket) => bucket.location(),
            Place::Elsewhere => self.store.to_string(),
        }
    }

    fn in_bucket(address: &BucketAddress, options: &OpenOptions) -> Result<Self, OpenError> {
        let errors = options.on_retry.clone().map(PassingErrors::reported_to);
        let (store, bucket) = Bucket::open(address, options, errors.as_ref())?;
        Ok(Self { place: Place::Bucket(bucket), errors, ..Self::over(store) })
    }

    fn in_folder(folder: PathBuf) -> Result<Self, OpenError> {
        match LocalFileSystem::new_with_prefix(&folder) {
            Ok(store) => {
                let store = store.with_fsync(true);
                Ok(Self { place: Place::Folder(folder), ..Self::over(Arc::new(store)) })
            }
            Err(source) => Err(OpenError::Folder { folder, source: source.into() }),
        }
    }

    /// Asks a store in a bucket whether it is there and lets us in. Other stores are.
    ///
    /// # Errors
    ///
    /// [`OpenError`], which [may pass](OpenError::may_pass) where the store did not answer.
    pub async fn expect_bucket(&self) -> Result<(), OpenError> {
        let Place::Bucket(bucket) = &self.place else { return Ok(()) };
        // A folder that no store has, so that little is listed.
        let nowhere = object_store::path::Path::from("sign-of-life");
        let listed = self.in_time(self.store.list_with_delimiter(Some(&nowhere))).await;
        listed.map(drop).map_err(|refused| bucket.refusal(refused))
    }

    /// A store that lives as long as the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::over(Arc::new(InMemory::new()))
    }

    /// Any other store that honours put-if-absent.
    #[must_use]
    pub fn over(store: Arc<dyn ObjectStore>) -> Self {
        Self { store, place: Place::Elsewhere, answering: Arc::default(), errors: None }
    }

    /// The folder of a local store.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Folder(folder) => Some(folder),
            Place::Bucket(_) | Place::Elsewhere => None,
        }
    }

    /// The bucket of a store in one.
    pub(crate) fn bucket(&self) -> Option<&Bucket> {
        match &self.place {
            Place::Bucket(bucket) => Some(bucket),
            Place::Folder(_) | Place::Elsewhere => None,
        }
    }

    /// Writes bytes unless there is a file already; gives whether they were written.
    pub(crate) async fn put_if_absent(
        &self,
        path: &object_store::path::Path,
        bytes: bytes::Bytes,
    ) -> Result<bool, object_store::Error> {
        let create = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.in_time(self.store.put_opts(path, PutPayload::from(bytes), create)).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads an entry or an object; `None` where nothing has the name.
    pub(crate) async fn read(&self, path: &object_store::path::Path) -> Result<Option<bytes::Bytes>, ReadError> {
        self.check_regular(path).map_err(ReadError::NoObject)?;
        let read = async {
            let found = self.store.get(path).await?;
            let size = found.meta.size;
            if size > LARGEST_READ { Ok(Err(size)) } else { found.bytes().await.map(Ok) }
        };
        match self.in_time(read).await {
            Ok(Ok(bytes)) => Ok(Some(bytes)),
            Ok(Err(size)) => Err(ReadError::NoObject(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("it has {size} bytes, and no more than {LARGEST_READ} are read"),
            ))),
            Err(object_store::Error::NotFound { .. }) => Ok(self.is_there().map(|()| None)?),
            Err(error) if !is_late(&error) && self.lists_folder_of(path).await => Err(ReadError::Unopened(error)),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the folder of a name in a local store can be listed, and what is in it asked for: then whatever is wrong
    /// with one file of it is wrong with that file alone.
    async fn lists_folder_of(&self, path: &object_store::path::Path) -> bool {
        let Some(folder) = self.folder() else { return false };
        let Some(folder) = folder.join(path.as_ref()).parent().map(Path::to_owned) else { return false };
        // Through `.`, since a folder that can be listed need not let us at its files.
        let listed = tokio::task::spawn_blocking(move || folder.join(".").read_dir().map(drop));
        let listed = async { listed.await.map_err(io::Error::other).flatten().map_err(local) };
        self.in_time(listed).await.is_ok()
    }

    /// Looks at the kind of a file in a local store: opening a named pipe would wait for a writer.
    pub(crate) fn check_regular(&self, path: &object_store::path::Path) -> io::Result<()> {
        let Some(folder) = self.folder() else { return Ok(()) };
        match fs::metadata(folder.join(path.as_ref())) {
            Ok(metadata) => sports_regular_files::check(&metadata),
            // Reading it shows whether it is missing or the store cannot be asked.
            Err(_) => Ok(()),
        }
    }

    /// The names in one folder of the store, whatever has them; of a bucket, those that come after one.
    pub(crate) async fn names(
        &self,
        of: &object_store::path::Path,
        after: Option<&object_store::path::Path>,
    ) -> Result<Vec<String>, object_store::Error> {
        self.is_there()?;
        if let Some(folder) = self.folder() {
            let folder = folder.join(of.as_ref());
            let listed = tokio::task::spawn_blocking(move || names_in(&folder));
            let listed = async { listed.await.map_err(io::Error::other).flatten().map_err(local) };
            return self.in_time(listed).await;
        }
        let listing = match after {
            Some(after) => self.store.list_with_offset(Some(of), after),
            None => self.store.list(Some(of)),
        };
        let listed = self.listed(listing).await?;
        let is_in_folder =
            |object: &&ObjectMeta| object.location.prefix_match(of).is_some_and(|rest| rest.count() == 1);
        let names = listed.iter().filter(is_in_folder).filter_map(|object| object.location.filename());
        Ok(names.map(str::to_owned).collect())
    }

    /// A local store whose folder is gone, such as an unmounted disk, is unavailable and not empty.
    pub(crate) fn is_there(&self) -> Result<(), object_store::Error> {
        match self.folder() {
            Some(folder) if !folder.is_dir() => {
                let gone = OpenError::NoFolder(folder.to_owned());
                Err(object_store::Error::Generic { store: "local folder", source: gone.into() })
            }
            _ => Ok(()),
        }
    }

    /// Waits for the answer to a request, for as long as the store is silent for no longer than the patience: errors after
    /// which the client sends the request again are signs of life.
    async fn answered<T>(&self, request: impl Future<Output = T>) -> Result<T, Elapsed> {
        let mut request = pin!(request);
        let mut last_sign = Instant::now();
        loop {
            match timeout_at(last_sign + PATIENCE, request.as_mut()).await {
                Ok(answer) => return Ok(answer),
                Err(elapsed) => match self.errors.as_ref().and_then(PassingErrors::latest) {
                    Some(error) if error > last_sign => last_sign = error,
                    _ => return Err(elapsed),
                },
            }
        }
    }

    /// Gives up on a store that does not answer, and does not ask one that hangs.
    pub(crate) async fn in_time<T>(
        &self,
        request: impl Future<Output = Result<T, object_store::Error>>,
    ) -> Result<T, object_store::Error> {
        let late =
            |why: Box<dyn std::error::Error + Send + Sync>| object_store::Error::Generic { store: "any", source: why };
        let Some(asking) = self.answering.ask(Instant::now()) else { return Err(late(Box::new(Hangs))) };
        match self.answered(request).await {
            Ok(answer) => {
                asking.answered(Instant::now());
                answer
            }
            Err(elapsed) => {
                asking.gave_up(Instant::now());
                Err(late(Box::new(elapsed)))
            }
        }
    }

    /// What a listing gives, each page in time.
    pub(crate) async fn listed(
        &self,
        mut listing: BoxStream<'static, Result<ObjectMeta, object_store::Error>>,
    ) -> Result<Vec<ObjectMeta>, object_store::Error> {
        let mut found = Vec::new();
        while let Some(next) = self.in_time(listing.try_next()).await? {
            found.push(next);
        }
        Ok(found)
    }
}

/// The last requests to the store were not answered in time.
#[derive(Debug, thiserror::Error)]
#[error("the store did not answer the last requests and is not asked at the moment")]
struct Hangs;

/// The names in a folder, as far as they are text; none where it is not there.
pub(crate) fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match folder.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    entries.filter_map(|entry| entry.map(|entry| entry.file_name().into_string().ok()).transpose()).collect()
}

/// Whether a request was given up.
fn is_late(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::Generic { source, .. }
        if source.is::<Elapsed>() || source.is::<Hangs>())
}

fn local(source: io::Error) -> object_store::Error {
    object_store::Error::Generic { store: "local folder", source: source.into() }
}

/// A folder that is there, or what is wrong with it.
pub(crate) fn existing(folder: PathBuf) -> Result<PathBuf, OpenError> {
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(if folder.exists() { OpenError::NotAFolder(folder) } else { OpenError::NoFolder(folder) })
}

impl fmt::Debug for ArtifactStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArtifactStore({})", self.store)
    }
}
