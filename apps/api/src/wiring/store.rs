//! The store of published data, and the polling of its logs.

use std::sync::Arc;
use std::time::Duration;

use sports_ports::error_chain;
use sports_program::settings::Settings;
use sports_store::{ArtifactStore, JsonSlates, OpenError, OpenOptions};
use sports_tables::archive::ParquetArchives;
use sports_telemetry::BackgroundTasks;
use sports_telemetry::dependencies::Dependencies;
use sports_telemetry::trace::TraceContext;
use sports_usecases::record::{Archives, CurrentGenerations, Slates};
use tokio::task::JoinHandle;

use crate::state::StoredData;

/// Opens the store of the settings. A store that does not answer yet is accepted and polled; a store that denies
/// access, or has no such bucket, is an error of the settings.
pub(super) async fn open(dependencies: &Dependencies, settings: &Settings) -> Result<ArtifactStore, OpenError> {
    let observer = dependencies.store.observer();
    let options = OpenOptions { trace_headers: TraceContext::headers, observer, ..OpenOptions::default() };
    let store = ArtifactStore::open_with(settings.store.url.reveal(), &options)?;
    match store.expect_bucket().await {
        Err(error) if error.may_pass() => {
            let causes = error_chain(&error);
            tracing::warn!("the store does not answer yet: {causes}");
        }
        answered => answered?,
    }
    Ok(store)
}

/// Returns the published data of a store.
pub(super) fn published(store: &ArtifactStore) -> StoredData {
    let store = Arc::new(store.clone());
    StoredData {
        log: Arc::clone(&store) as _,
        archives: Archives::new(Arc::clone(&store) as _, Arc::new(ParquetArchives)),
        slates: Slates::new(Arc::clone(&store) as _, Arc::new(JsonSlates)),
        files: store,
    }
}

/// The time for which a starting server waits for its first poll of the logs. If the store takes longer, polling goes on
/// while the server answers what it can.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// The longest time that a poll may take, with loads from a slow store, before the server counts as behind the log.
const LONGEST_POLL: Duration = Duration::from_mins(3);

/// The polling for newer generations.
pub(super) struct Polling(JoinHandle<()>);

impl Polling {
    /// Ends the polling: a poll that the end of the program interrupts would log that the store does not answer.
    pub async fn end(self) {
        self.0.abort();
        let _: Result<(), _> = self.0.await;
    }
}

/// Polls for newer generations. Returns after the first poll, so that the first requests find the published data.
pub(super) async fn follow(
    tasks: &BackgroundTasks,
    generations: Arc<CurrentGenerations>,
    interval: Duration,
) -> Polling {
    let (looked, first) = tokio::sync::oneshot::channel::<()>();
    let mut looked = Some(looked);
    let polling = tasks.supervise_within("log", interval + LONGEST_POLL, move |pulse| {
        let (generations, looked) = (Arc::clone(&generations), looked.take());
        async move {
            generations.poll().await;
            drop(looked);
            loop {
                pulse.beat();
                generations.read_older();
                tokio::time::sleep(interval).await;
                generations.poll().await;
            }
        }
    });
    let _: Result<Result<(), _>, _> = tokio::time::timeout(FIRST_LOOK, first).await;
    Polling(polling)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use async_trait::async_trait;
    use sports_cache::{CachedSeasonViews, ContentCache};
    use sports_domain::Sport;
    use sports_ports::publication::{Appended, LogEntry, PublicationLog};
    use sports_ports::{Clock, PortError};
    use sports_publication::{Catalog, Generation};
    use sports_tables::RenderedSeason;
    use sports_telemetry::metrics::Exposition;
    use sports_testkit::clock::ClockFake;
    use sports_testkit::publication::{CodecFake, SlateCodecFake, StoreFake};
    use sports_usecases::record::{Archives, CurrentSeasons, Slates};
    use tokio::time::sleep;

    use super::*;
    use crate::render_seasons::RenderSeasons;

    /// An empty log. A read panics while `broken` is above zero, and counts it down.
    #[derive(Default)]
    struct PanickingLog {
        empty: StoreFake,
        broken: AtomicUsize,
    }

    #[async_trait]
    impl PublicationLog for PanickingLog {
        async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
            let broken = self.broken.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
            assert!(broken.is_err(), "a fault");
            self.empty.numbers(sport).await
        }

        async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
            self.empty.numbers_after(sport, generation).await
        }

        async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
            self.empty.entry(sport, generation).await
        }

        async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
            self.empty.append(catalog).await
        }

        async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
            self.empty.honours_put_if_absent().await
        }

        async fn ping(&self) -> Result<(), PortError> {
            self.empty.ping().await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn polling_goes_on_after_a_panic_and_the_server_is_not_ready_meanwhile() {
        let (log, store) = (Arc::new(PanickingLog::default()), Arc::new(StoreFake::default()));
        let clock: Arc<dyn Clock> = Arc::new(ClockFake::at("2025-05-01T12:00:00Z"));
        let archives = Archives::new(store.clone(), Arc::new(CodecFake::default()));
        let slates = Slates::new(store, Arc::new(SlateCodecFake::default()));
        let rendered = Arc::new(RenderSeasons { archives, slates: slates.clone() });
        let cached = CachedSeasonViews::<RenderedSeason>::new(rendered, &ContentCache::new(1 << 20));
        let current = CurrentSeasons::new(Arc::new(cached));
        let generations = CurrentGenerations::new(log.clone(), slates, Arc::new(current), clock);
        let generations = Arc::new(generations);
        let tasks = Arc::<BackgroundTasks>::default();
        let polling = follow(&tasks, Arc::clone(&generations), Duration::from_secs(1)).await;
        assert!(generations.status().first_look && tasks.all_work());

        log.broken.store(1, Relaxed);
        sleep(Duration::from_millis(1_050)).await;
        assert!(!tasks.all_work(), "a poll panicked");
        sleep(Duration::from_millis(200)).await;
        assert!(tasks.all_work(), "a poll after the restart succeeded");
        let text = Exposition::text_of(move |exposition| tasks.expose(exposition));
        assert!(text.ends_with("background_task_panics_total{task=\"log\"} 1\n"), "{text}");
        polling.end().await;
    }
}
