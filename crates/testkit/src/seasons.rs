//! The contract suite of [`SeasonViews`].

use std::fmt::Debug;
use std::sync::Arc;

use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::publication::{ArchiveCodec, ObjectKind, Objects};
use sports_ports::seasons::{SeasonRef, SeasonViews};

use crate::publication::contract::an_archive;
use crate::publication::{CodecFake, StoreFake};

/// Runs every check; `over` creates views of the archives in a store.
///
/// # Panics
///
/// Panics if a promise is broken.
pub async fn contract<V, S>(over: impl Fn(Arc<dyn Objects>, Arc<dyn ArchiveCodec>) -> S)
where
    V: Debug + PartialEq + Send + Sync,
    S: SeasonViews<V>,
{
    let (store, codec) = (Arc::new(StoreFake::default()), Arc::new(CodecFake::default()));
    let archive = an_archive();
    let bytes = codec.encode(&archive).expect("encodes");
    let size = bytes.len() as u64;
    let object = store.put(archive.market().sport, ObjectKind::Parquet, bytes).await.expect("stored");
    let season = SeasonRef { market: archive.market(), season: archive.season(), object, bytes: size, public_in: None };
    let views = over(store.clone(), codec.clone());

    let missing = SeasonRef { object: ObjectHash::from_bytes(b"nothing"), ..season };
    let answer = views.view(&missing).await;
    assert!(matches!(answer, Err(PortError::Corrupt { .. })), "a missing archive: {answer:?}");
    assert_eq!(views.cached(&missing).await, None, "a failure is not cached");
    store.set_unavailable(true);
    assert_eq!(views.cached(&season).await, None, "nothing is loaded for `cached`");
    let answer = views.view(&season).await;
    assert!(matches!(answer, Err(PortError::Unavailable { .. })), "an unavailable store: {answer:?}");
    store.set_unavailable(false);
    let view = views.view(&season).await.expect("a failure is not cached");
    assert_eq!(views.view(&season).await.expect("answers"), view, "two views of one season");
    assert!(views.cached(&season).await.is_none_or(|kept| kept == view), "the cached view is another one");
    assert_eq!(over(store, codec).view(&season).await.expect("answers"), view, "a view depends on the archive alone");
}
