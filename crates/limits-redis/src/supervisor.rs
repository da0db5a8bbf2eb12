use std::collections::HashSet;
use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Weak};
use std::time::Duration;

use sports_accounts::{CalendarMonth, ProcessId};
use sports_ports::in_one_line;
use tokio::time::{Instant, sleep, timeout};

use crate::address::RedisAddress;
use crate::link::Ending;
use crate::meter_state::MeterState;
use crate::session::Session;

/// The interval between checks of Redis.
const CHECK: Duration = Duration::from_secs(1);

/// The pause after a failed session, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// The shortest session that resets the pause.
const WELL: Duration = Duration::from_secs(10);

/// The pause after a failed reconciliation.
const RECONCILE_AGAIN: Duration = Duration::from_secs(10);

/// Begins a session with Redis whenever there is no session, for the lifetime of the meter.
pub async fn run(state: Weak<MeterState>, address: RedisAddress, process: ProcessId) {
    let mut pause = PAUSE.0;
    let mut was_unshared = false;
    for number in 1.. {
        let began = Instant::now();
        let ending = match state.upgrade() {
            Some(state) => session(&state, &address, process, number, &mut was_unshared).await,
            None => return,
        };
        let ending = match ending {
            Ok(session) => tokio::select! {
                ending = watch(&state, &session) => ending,
                never = reconcile(&state, &session) => match never {},
            },
            Err(reason) => Ending::Failed(reason),
        };
        let was_well = began.elapsed() > WELL;
        if was_well {
            pause = PAUSE.0;
        }
        match ending {
            Ending::Emptied => {
                tracing::warn!("Redis lost the counts of calls, which are restored from the database and from memory");
                // Calls are delayed until the next session: the pause only spares a Redis that loses every session.
                if !was_well {
                    sleep(PAUSE.0).await;
                }
            }
            Ending::Failed(reason) => {
                if !was_unshared {
                    was_unshared = true;
                    tracing::warn!(reason, "limits are not shared, and each machine limits calls by itself: {reason}");
                }
                sleep(pause).await;
                pause = (2 * pause).min(PAUSE.1);
            }
        }
    }
}

/// Begins a session and merges every count of this process in it; returns the reason where that fails.
async fn session(
    state: &MeterState,
    address: &RedisAddress,
    process: ProcessId,
    number: u64,
    was_unshared: &mut bool,
) -> Result<Arc<Session>, String> {
    let begun = begin(state, address, process, number).await;
    let session = begun.inspect_err(|reason| state.link.fail(reason.clone()))?;
    check_policy(state, &session).await;
    state.link.begin(Arc::clone(&session));
    if std::mem::take(was_unshared) {
        tracing::info!("limits are shared again");
    }
    // Counts made without Redis are among them. A call of a customer that comes earlier merges its own count first.
    for count in state.counts.all() {
        if state.link.session_now().is_none() {
            break;
        }
        state.merge(&count, &session).await;
    }
    Ok(session)
}

async fn begin(
    state: &MeterState,
    address: &RedisAddress,
    process: ProcessId,
    number: u64,
) -> Result<Arc<Session>, String> {
    let begun = Session::begin(&address.0, process, number).await;
    let session = Arc::new(begun.map_err(|error| in_one_line(&error))?);
    read_record(state, &session).await?;
    Ok(session)
}

/// Reads the recorded counts of months that calls may be counted in, where the session lacks them.
async fn read_record(state: &MeterState, session: &Session) -> Result<(), String> {
    let counted = state.counts.all().into_iter().map(|count| count.month);
    let months: HashSet<_> = state.months().into_iter().chain(counted).collect();
    session.forget_all_but(&months);
    for month in months {
        if session.on_record(month).is_none() {
            read_month(state, session, month).await?;
        }
    }
    Ok(())
}

/// Notes the eviction policy of Redis. A Redis that refuses the request has no known policy.
async fn check_policy(state: &MeterState, session: &Session) {
    if let Ok(policy) = session.eviction_policy().await {
        state.link.note_policy(policy);
    }
}

/// Reads the recorded counts of a month.
async fn read_month(state: &MeterState, session: &Session, month: CalendarMonth) -> Result<(), String> {
    let on_record = state.on_record(month).await.map_err(|error| in_one_line(&error))?;
    state.counts.set_on_record(month, Arc::clone(&on_record));
    session.set_on_record(month, on_record);
    Ok(())
}

/// Reconciles Redis with the record in both directions, at session start and after each outage of the record: notes counts of
/// other processes that are only in Redis, and merges recorded counts that Redis lacks.
async fn reconcile(state: &Weak<MeterState>, session: &Session) -> Infallible {
    let mut is_read = true;
    loop {
        let found = match state.upgrade() {
            Some(state) => reconcile_once(&state, session, is_read).await.map(|()| Arc::clone(&state.record_is_back)),
            None => pending().await,
        };
        match found {
            Ok(record_is_back) => record_is_back.notified().await,
            Err(reason) => {
                tracing::warn!(reason, "what other machines left in Redis cannot be recorded yet: {reason}");
                sleep(RECONCILE_AGAIN).await;
            }
        }
        // Other processes recorded their counts meanwhile: beside an old record, all of them would look unrecorded.
        is_read = false;
    }
}

async fn reconcile_once(state: &MeterState, session: &Session, is_read: bool) -> Result<(), String> {
    if !is_read {
        for month in state.months() {
            read_month(state, session, month).await?;
        }
    }
    let (mut cursor, mut complete) = (0, HashSet::new());
    loop {
        let part = session.part(cursor, |month| session.on_record(month).is_some()).await;
        let (next, counts) = part.map_err(|error| in_one_line(&error))?;
        for merged in counts {
            state.note_found_in(session, &merged);
            complete.extend(merged.complete_beside(|month| session.on_record(month)));
        }
        if next == 0 {
            break;
        }
        cursor = next;
    }
    for month in state.months() {
        let Some(on_record) = session.on_record(month) else { continue };
        for customer in on_record.keys().filter(|customer| !complete.contains(&(**customer, month))) {
            state.merge(&state.counts.count_of(*customer, month), session).await;
        }
    }
    Ok(())
}

/// Checks Redis until the session is over; returns the reason.
async fn watch(state: &Weak<MeterState>, session: &Session) -> Ending {
    loop {
        let Some(state) = state.upgrade() else { return Ending::Emptied };
        if let Ok(ending) = timeout(CHECK, state.link.ended()).await {
            return ending;
        }
        match session.is_whole().await {
            Ok(true) => {
                // The record may be away: the next check makes up for it.
                let _ = read_record(&state, session).await;
                check_policy(&state, session).await;
            }
            Ok(false) => state.link.end(session, Ending::Emptied),
            Err(error) => state.link.end(session, error.into()),
        }
    }
}
