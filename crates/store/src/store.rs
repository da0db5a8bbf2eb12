use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fmt, fs, io};

use async_trait::async_trait;
use bytes::Bytes;
use futures::TryStreamExt;
use futures::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::calls::{CallObserver, observed};
use sports_ports::publication::{ObjectKind, Objects};
use sports_program::regular_file;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout_at};

use crate::bucket::{Bucket, PassingErrors, with_last_status};
use crate::open_error::{Address, BucketAddress};
use crate::{OpenError, OpenOptions, layout};

/// The store that a service publishes to and reads from: logs and objects.
#[derive(Clone)]
pub struct ArtifactStore {
    pub(crate) store: Arc<dyn ObjectStore>,
    place: Backend,
    breaker: Arc<CircuitBreaker>,
    errors: Option<PassingErrors>,
    observer: CallObserver,
}

/// The kind of a store, with the details that its client does not show.
#[derive(Clone)]
enum Backend {
    /// The folder of a local store. If it is missing, the store is unavailable and not empty.
    Folder(PathBuf),
    Bucket(Bucket),
    Elsewhere,
}

/// The limit for the size of an entry or object, in bytes. A hundred seasons in one archive are smaller.
const LARGEST_READ: u64 = 64 << 20;

/// The reason why an entry or an object was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The store does not respond.
    #[error("the store does not answer")]
    Unavailable(#[from] object_store::Error),
    /// The name leads to something that is neither an entry nor an object, such as a named pipe or a file that is too
    /// large.
    #[error("the object is not one that this program writes")]
    NoObject(#[source] io::Error),
    /// The file cannot be opened, though its folder can.
    #[error("what is there cannot be opened")]
    Unopened(#[source] object_store::Error),
}

impl ReadError {
    /// Converts the error to one of a port: a store that does not respond is unavailable, and anything else is damage.
    pub(crate) fn of_port(self, port: &'static str) -> PortError {
        match self {
            Self::Unavailable(source) => PortError::unavailable(port, source),
            Self::NoObject(source) => PortError::corrupt(port, source),
            Self::Unopened(source) => PortError::corrupt(port, source),
        }
    }
}

/// The time limit for one request. After a timeout the store counts as unavailable.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);

impl ArtifactStore {
    /// Opens the store at `url`: `file:` and a folder, which is created if it does not exist, or `s3://` and a
    /// bucket. Sends no request to a bucket.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the address is of another kind, the folder cannot be created, or the variables for the bucket
    /// cannot be used.
    pub fn open(url: &str) -> Result<Self, OpenError> {
        Self::open_with(url, &OpenOptions::default())
    }

    /// Opens the store at `url` like [`open`](Self::open), with options for buckets.
    ///
    /// # Errors
    ///
    /// [`OpenError`], as [`open`](Self::open).
    pub fn open_with(url: &str, options: &OpenOptions) -> Result<Self, OpenError> {
        let folder = match Address::parse(url)? {
            Address::Bucket(address) => return Self::in_bucket(&address, options),
            Address::Folder(folder) => folder,
        };
        match std::fs::create_dir_all(&folder) {
            Ok(()) => Self::in_folder(folder, options),
            Err(_) if folder.exists() => Err(OpenError::NotAFolder(folder)),
            Err(source) => Err(OpenError::Folder { folder, source: source.into() }),
        }
    }

    /// Opens an existing store for reading, so that a mistyped address is an error and not an empty store. Does not
    /// check a bucket: use [`Self::expect_bucket`].
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the address is of another kind, or the folder does not exist.
    pub fn open_existing(url: &str) -> Result<Self, OpenError> {
        Self::open_existing_with(url, &OpenOptions::default())
    }

    /// Opens an existing store like [`open_existing`](Self::open_existing), with options for buckets.
    ///
    /// # Errors
    ///
    /// [`OpenError`], as [`open_existing`](Self::open_existing).
    pub fn open_existing_with(url: &str, options: &OpenOptions) -> Result<Self, OpenError> {
        match Address::parse(url)? {
            Address::Bucket(address) => Self::in_bucket(&address, options),
            Address::Folder(folder) => Self::in_folder(existing(folder)?, options),
        }
    }

    /// Returns the resolved address, without credentials. Equal stores have equal locations.
    pub fn location(&self) -> String {
        match &self.place {
            Backend::Folder(folder) => folder.canonicalize().unwrap_or_else(|_| folder.clone()).display().to_string(),
            Backend::Bucket(bucket) => bucket.location(),
            Backend::Elsewhere => self.store.to_string(),
        }
    }

    fn in_bucket(address: &BucketAddress, options: &OpenOptions) -> Result<Self, OpenError> {
        let errors = options.on_retry.clone().map(PassingErrors::reported_to);
        let (store, bucket) = Bucket::open(address, options, errors.as_ref())?;
        let observer = options.observer.clone();
        Ok(Self { place: Backend::Bucket(bucket), errors, observer, ..Self::over(store) })
    }

    fn in_folder(folder: PathBuf, options: &OpenOptions) -> Result<Self, OpenError> {
        match LocalFileSystem::new_with_prefix(&folder) {
            Ok(store) => {
                let (store, observer) = (store.with_fsync(true), options.observer.clone());
                Ok(Self { place: Backend::Folder(folder), observer, ..Self::over(Arc::new(store)) })
            }
            Err(source) => Err(OpenError::Folder { folder, source: source.into() }),
        }
    }

    /// Checks that the bucket of a store exists and accepts the credentials. Returns `Ok` for other stores.
    ///
    /// # Errors
    ///
    /// [`OpenError`], which [may pass](OpenError::may_pass) if the service does not respond.
    pub async fn expect_bucket(&self) -> Result<(), OpenError> {
        let Backend::Bucket(bucket) = &self.place else { return Ok(()) };
        // A folder that no store has, so that the listing is short.
        let nowhere = object_store::path::Path::from("sign-of-life");
        let listing = self.in_time(self.store.list_with_delimiter(Some(&nowhere)));
        let (listed, status) = with_last_status(listing).await;
        listed.map(drop).map_err(|refused| bucket.refusal(refused, status))
    }

    /// Returns a store that lives as long as the process.
    pub fn in_memory() -> Self {
        Self::over(Arc::new(InMemory::new()))
    }

    /// Returns a store over any other implementation that honours put-if-absent.
    pub fn over(store: Arc<dyn ObjectStore>) -> Self {
        Self {
            store,
            place: Backend::Elsewhere,
            breaker: Arc::default(),
            errors: None,
            observer: CallObserver::ignoring(),
        }
    }

    /// Returns the folder of a local store.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.place {
            Backend::Folder(folder) => Some(folder),
            Backend::Bucket(_) | Backend::Elsewhere => None,
        }
    }

    /// Returns the bucket of a store in a bucket.
    pub(crate) fn bucket(&self) -> Option<&Bucket> {
        match &self.place {
            Backend::Bucket(bucket) => Some(bucket),
            Backend::Folder(_) | Backend::Elsewhere => None,
        }
    }

    /// Writes bytes if the path is free. Returns `true` if they were written.
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

    /// Reads an entry or an object. Returns `None` if it does not exist.
    pub(crate) async fn read(&self, path: &object_store::path::Path) -> Result<Option<bytes::Bytes>, ReadError> {
        if let Some(folder) = self.folder() {
            let (folder, file) = (folder.to_owned(), folder.join(path.as_ref()));
            return self.on_disk(move || read_file(&folder, &file)).await?;
        }
        let read = async {
            let found = self.store.get(path).await?;
            let size = found.meta.size;
            if size > LARGEST_READ { Ok(Err(too_large(size))) } else { found.bytes().await.map(Ok) }
        };
        match self.in_time(read).await {
            Ok(Ok(bytes)) => Ok(Some(bytes)),
            Ok(Err(too_large)) => Err(ReadError::NoObject(too_large)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks the type of a file in a local store, if it is there: opening a named pipe would block until a writer opens it.
    pub(crate) async fn check_regular(&self, path: &object_store::path::Path) -> Result<(), ReadError> {
        let Some(folder) = self.folder() else { return Ok(()) };
        let file = folder.join(path.as_ref());
        // The read that follows shows whether the file is missing or the store is unavailable.
        let is_regular = move || fs::metadata(file).map_or(Ok(()), |metadata| regular_file::check(&metadata));
        self.on_disk(move || Ok(is_regular())).await?.map_err(ReadError::NoObject)
    }

    /// Lists the names in one folder of the store, of files of any type. In a bucket, starts after the name `after`.
    pub(crate) async fn names(
        &self,
        of: &object_store::path::Path,
        after: Option<&object_store::path::Path>,
    ) -> Result<Vec<String>, object_store::Error> {
        if let Some(folder) = self.folder() {
            let folder = folder.join(of.as_ref());
            return self.read_folder(move || names_in(&folder)).await;
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

    /// Reads folders of a local store, which must exist.
    pub(crate) async fn read_folder<T: Send + 'static>(
        &self,
        read: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, object_store::Error> {
        let folder = self.folder().map(Path::to_owned);
        self.on_disk(move || {
            folder.as_deref().map_or(Ok(()), expect_folder)?;
            read().map_err(local)
        })
        .await
    }

    /// Checks that the folder of a local store exists. If it does not, as with an unmounted disk, the store is
    /// unavailable and not empty.
    pub(crate) async fn expect_folder(&self) -> Result<(), object_store::Error> {
        match self.folder() {
            Some(_) => self.read_folder(|| Ok(())).await,
            None => Ok(()),
        }
    }

    /// Runs calls of the file system on a thread for blocking work, with the timeout and the circuit breaker of the store:
    /// each of them may hang on a mount that does not respond.
    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, object_store::Error> + Send + 'static,
    ) -> Result<T, object_store::Error> {
        let work = tokio::task::spawn_blocking(work);
        self.in_time(async { work.await.map_err(|failed| local(io::Error::other(failed))).flatten() }).await
    }

    /// Awaits a request, with a timeout that starts again with each transient error after which the client retries.
    async fn within_timeout<T>(&self, request: impl Future<Output = T>) -> Result<T, Elapsed> {
        let mut request = pin!(request);
        let mut last_activity = Instant::now();
        loop {
            match timeout_at(last_activity + REQUEST_TIMEOUT, request.as_mut()).await {
                Ok(answer) => return Ok(answer),
                Err(elapsed) => match self.errors.as_ref().and_then(PassingErrors::latest) {
                    Some(error) if error > last_activity => last_activity = error,
                    _ => return Err(elapsed),
                },
            }
        }
    }

    /// Runs a request with the timeout and the circuit breaker of the store, as one observed call.
    pub(crate) async fn in_time<T>(
        &self,
        request: impl Future<Output = Result<T, object_store::Error>>,
    ) -> Result<T, object_store::Error> {
        observed(&self.observer, self.guarded(request), is_failure).await
    }

    /// Runs a request, or a part of one, with the timeout and the circuit breaker of the store.
    async fn guarded<T>(
        &self,
        request: impl Future<Output = Result<T, object_store::Error>>,
    ) -> Result<T, object_store::Error> {
        let late =
            |why: Box<dyn std::error::Error + Send + Sync>| object_store::Error::Generic { store: "any", source: why };
        let Some(attempt) = self.breaker.begin(Instant::now()) else { return Err(late(STORE_HANGS.into())) };
        match self.within_timeout(request).await {
            Ok(answer) => {
                attempt.record_response(Instant::now());
                answer
            }
            Err(elapsed) => {
                attempt.record_timeout(Instant::now());
                Err(late(Box::new(elapsed)))
            }
        }
    }

    /// Collects a listing, with a time limit for each page.
    pub(crate) async fn listed(
        &self,
        mut listing: BoxStream<'static, Result<ObjectMeta, object_store::Error>>,
    ) -> Result<Vec<ObjectMeta>, object_store::Error> {
        let pages = async {
            let mut found = Vec::new();
            while let Some(next) = self.guarded(listing.try_next()).await? {
                found.push(next);
            }
            Ok(found)
        };
        observed(&self.observer, pages, is_failure).await
    }
}

/// The failure of a request while the circuit breaker is open: the last requests timed out.
const STORE_HANGS: &str = "the store did not answer the last requests, and no request is sent to it at the moment";

/// Lists the names in a folder that are UTF-8. Returns no names if the folder does not exist.
pub(crate) fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match folder.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    entries.filter_map(|entry| entry.map(|entry| entry.file_name().into_string().ok()).transpose()).collect()
}

/// Reads an entry or an object of the local store in `folder`. Returns `None` if it does not exist, though the store does.
/// The outer error is that of an unavailable store.
fn read_file(folder: &Path, file: &Path) -> Result<Result<Option<bytes::Bytes>, ReadError>, object_store::Error> {
    let error = match regular_file::read(file, LARGEST_READ) {
        Ok(bytes) => return Ok(Ok(Some(bytes.into()))),
        Err(error) => error,
    };
    match error.kind() {
        io::ErrorKind::NotFound => expect_folder(folder).map(|()| Ok(None)),
        io::ErrorKind::InvalidInput => Ok(Err(ReadError::NoObject(error))),
        io::ErrorKind::FileTooLarge => {
            Ok(Err(ReadError::NoObject(fs::metadata(file).map_or(error, |metadata| too_large(metadata.len())))))
        }
        _ if file.parent().is_some_and(can_be_listed) => Ok(Err(ReadError::Unopened(local(error)))),
        _ => Err(local(error)),
    }
}

/// Returns `false` for errors by which a store answers: they say what is there.
const fn is_failure(error: &object_store::Error) -> bool {
    !matches!(error, object_store::Error::NotFound { .. } | object_store::Error::AlreadyExists { .. })
}

fn too_large(size: u64) -> io::Error {
    let sentence = format!("it has {size} bytes, and no more than {LARGEST_READ} are read");
    io::Error::new(io::ErrorKind::FileTooLarge, sentence)
}

/// Returns `true` if a folder can be listed and entered. If so, an error for a file in it concerns that file alone.
fn can_be_listed(folder: &Path) -> bool {
    // `.` needs the permission to enter the folder, and not only the permission to list it.
    folder.join(".").read_dir().is_ok()
}

fn expect_folder(folder: &Path) -> Result<(), object_store::Error> {
    if folder.is_dir() {
        return Ok(());
    }
    let gone = OpenError::NoFolder(folder.to_owned());
    Err(object_store::Error::Generic { store: "local folder", source: gone.into() })
}

fn local(source: io::Error) -> object_store::Error {
    object_store::Error::Generic { store: "local folder", source: source.into() }
}

/// Returns a folder that exists.
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

const OBJECTS: &str = "the object store";

fn unavailable(source: object_store::Error) -> PortError {
    PortError::unavailable(OBJECTS, source)
}

fn unreadable(error: ReadError) -> PortError {
    error.of_port(OBJECTS)
}

#[async_trait]
impl Objects for ArtifactStore {
    async fn put(&self, sport: Sport, kind: ObjectKind, bytes: Bytes) -> Result<ObjectHash, PortError> {
        let hash = ObjectHash::from_bytes(&bytes);
        let path = layout::object(sport, kind, &hash);
        let written = self.put_if_absent(&path, bytes.clone()).await.map_err(unavailable)?;
        if !written && self.read(&path).await.map_err(unreadable)?.as_ref() != Some(&bytes) {
            // The stored bytes were damaged and do not hash to their name. They are overwritten.
            self.in_time(self.store.put(&path, PutPayload::from(bytes))).await.map_err(unavailable)?;
        }
        Ok(hash)
    }

    async fn get(&self, sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Result<Option<Bytes>, PortError> {
        let path = layout::object(sport, kind, object);
        let Some(bytes) = self.read(&path).await.map_err(unreadable)? else { return Ok(None) };
        if ObjectHash::from_bytes(&bytes) == *object {
            Ok(Some(bytes))
        } else {
            Err(PortError::corrupt(OBJECTS, format!("the bytes of {path} do not hash to its name")))
        }
    }
}

/// The time after a timed-out request during which no further request is sent. Then trial requests are sent, one at a
/// time, until the store responds. So several reads of a store that hangs wait for one timeout, and later reads fail at
/// once.
const PAUSE: Duration = Duration::from_secs(1);

/// A circuit breaker for a store: its state follows from the store's last responses and timeouts.
#[derive(Debug, Default)]
pub struct CircuitBreaker(Mutex<BreakerState>);

#[derive(Debug, Default)]
struct BreakerState {
    last_response: Option<Instant>,
    hang: Option<Hang>,
}

/// A store that did not respond in time, and has not responded since.
#[derive(Debug)]
struct Hang {
    /// The time of the last timeout.
    since: Instant,
    has_trial: bool,
}

/// A request in progress. If dropped before its end, it does not change the state of the store.
pub struct Attempt<'a> {
    breaker: &'a CircuitBreaker,
    begun: Instant,
    is_trial: bool,
}

impl CircuitBreaker {
    /// Begins a request. Returns `None` while the store hangs, except for a trial.
    pub fn begin(&self, now: Instant) -> Option<Attempt<'_>> {
        let is_trial = match &mut self.state().hang {
            None => false,
            Some(Hang { has_trial, since }) if !*has_trial && now >= *since + PAUSE => {
                *has_trial = true;
                true
            }
            Some(_) => return None,
        };
        Some(Attempt { breaker: self, begun: now, is_trial })
    }

    fn state(&self) -> MutexGuard<'_, BreakerState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt<'_> {
    /// Records a response of the store, which may be an error.
    pub fn record_response(mut self, now: Instant) {
        self.is_trial = false;
        *self.breaker.state() = BreakerState { last_response: Some(now), hang: None };
    }

    /// Records that the request timed out. If another request was answered since this one began, the store is healthy
    /// and its state stays.
    pub fn record_timeout(mut self, now: Instant) {
        let mut state = self.breaker.state();
        if state.last_response.is_none_or(|responded| responded < self.begun) {
            self.is_trial = false;
            state.hang = Some(Hang { since: now, has_trial: false });
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.is_trial {
            return;
        }
        if let Some(hang) = &mut self.breaker.state().hang {
            hang.has_trial = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_hangs_gets_one_trial_request_at_a_time_until_it_responds() {
        let (store, start) = (CircuitBreaker::default(), Instant::now());
        let [first, second] = [(); 2].map(|()| store.begin(start).expect("no timeout so far"));
        first.record_timeout(start);
        assert!(store.begin(start).is_none(), "not right after");
        let later = start + PAUSE;
        let trial = store.begin(later).expect("a trial");
        assert!(store.begin(later).is_none(), "one at a time");
        drop(trial);
        store.begin(later).expect("the last trial was not finished").record_timeout(later);
        assert!(store.begin(later).is_none());
        let _trial = store.begin(later + PAUSE).expect("a trial");
        second.record_response(later);
        assert!(store.begin(later).is_some() && store.begin(later).is_some());
    }

    #[test]
    fn a_timeout_does_not_count_if_a_later_request_was_answered() {
        let (store, start) = (CircuitBreaker::default(), Instant::now());
        let lost = store.begin(start).expect("no timeout so far");
        let later = start + PAUSE;
        store.begin(later).expect("no timeout so far").record_response(later);
        lost.record_timeout(later + PAUSE);
        let next = store.begin(later + PAUSE).expect("the store responds");
        next.record_timeout(later + PAUSE);
        assert!(store.begin(later + PAUSE).is_none(), "the last response is older than that request");
    }
}
