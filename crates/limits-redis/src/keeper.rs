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
use crate::meter::Parts;
use crate::session::Session;

/// How often Redis is looked at while it is well.
const LOOK: Duration = Duration::from_secs(1);

/// How long after a session that failed the next one is tried, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// How long a session lasts that shows that all is well again.
const WELL: Duration = Duration::from_secs(10);

/// How long after looking through Redis failed it is done again.
const FIND_AGAIN: Duration = Duration::from_secs(10);

/// Begins a session with Redis whenever there is none, for as long as there is a meter.
pub async fn keep(parts: Weak<Parts>, address: RedisAddress, process: ProcessId) {
    let mut pause = PAUSE.0;
    let mut was_alone = false;
    for number in 1.. {
        let began = Instant::now();
        let ending = match parts.upgrade() {
            Some(parts) => session(&parts, &address, process, number, &mut was_alone).await,
            None => return,
        };
        let ending = match ending {
            Ok(session) => tokio::select! {
                ending = watch(&parts, &session) => ending,
                never = find(&parts, &session) => match never {},
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
                // Calls wait for the next session: the pause only keeps a Redis that loses all of them from being busy.
                if !was_well {
                    sleep(PAUSE.0).await;
                }
            }
            Ending::Failed(reason) => {
                if !was_alone {
                    was_alone = true;
                    tracing::warn!(reason, "limits are not shared, and each machine limits calls by itself: {reason}");
                }
                sleep(pause).await;
                pause = (2 * pause).min(PAUSE.1);
            }
        }
    }
}

/// Begins a session, in which everything that this process counted is merged; gives the reason where that fails.
async fn session(
    parts: &Parts,
    address: &RedisAddress,
    process: ProcessId,
    number: u64,
    was_alone: &mut bool,
) -> Result<Arc<Session>, String> {
    let begun = begin(parts, address, process, number).await;
    let session = begun.inspect_err(|reason| parts.link.fail(reason.clone()))?;
    look_at_policy(parts, &session).await;
    parts.link.begin(Arc::clone(&session));
    if std::mem::take(was_alone) {
        tracing::info!("limits are shared again");
    }
    // Those that were counted without Redis, too. Calls of a customer that come before are merged first, by themselves.
    for count in parts.counts.all() {
        if parts.link.session_now().is_none() {
            break;
        }
        parts.merge(&count, &session).await;
    }
    Ok(session)
}

async fn begin(parts: &Parts, address: &RedisAddress, process: ProcessId, number: u64) -> Result<Arc<Session>, String> {
    let begun = Session::begin(&address.0, process, number).await;
    let session = Arc::new(begun.map_err(|error| in_one_line(&error))?);
    learn(parts, &session).await?;
    Ok(session)
}

/// Reads what is on record of months that calls may be counted in, where the session does not know it.
async fn learn(parts: &Parts, session: &Session) -> Result<(), String> {
    let counted = parts.counts.all().into_iter().map(|count| count.month);
    let months: HashSet<_> = parts.months().into_iter().chain(counted).collect();
    session.forget_all_but(&months);
    for month in months {
        if session.on_record(month).is_none() {
            read(parts, session, month).await?;
        }
    }
    Ok(())
}

/// Notes whether Redis evicts keys. One that does not let us look has no policy that is known.
async fn look_at_policy(parts: &Parts, session: &Session) {
    if let Ok(policy) = session.eviction_policy().await {
        parts.link.note_policy(policy);
    }
}

/// Reads what is on record of a month.
async fn read(parts: &Parts, session: &Session, month: CalendarMonth) -> Result<(), String> {
    let on_record = parts.on_record(month).await.map_err(|error| in_one_line(&error))?;
    parts.counts.learn(month, Arc::clone(&on_record));
    session.learn(month, on_record);
    Ok(())
}

/// Looks through Redis for what other processes counted and could not record, and brings what is on record and not in
/// Redis there: when the session begins, and each time the record is back after it was away.
async fn find(parts: &Weak<Parts>, session: &Session) -> Infallible {
    let mut is_read = true;
    loop {
        let found = match parts.upgrade() {
            Some(parts) => find_once(&parts, session, is_read).await.map(|()| Arc::clone(&parts.record_is_back)),
            None => pending().await,
        };
        match found {
            Ok(record_is_back) => record_is_back.notified().await,
            Err(reason) => {
                tracing::warn!(reason, "what other machines left in Redis cannot be recorded yet: {reason}");
                sleep(FIND_AGAIN).await;
            }
        }
        // Meanwhile the others recorded what they counted: compared with an old record, all of it would be news.
        is_read = false;
    }
}

async fn find_once(parts: &Parts, session: &Session, is_read: bool) -> Result<(), String> {
    if !is_read {
        for month in parts.months() {
            read(parts, session, month).await?;
        }
    }
    let (mut cursor, mut complete) = (0, HashSet::new());
    loop {
        let part = session.part(cursor, |month| session.on_record(month).is_some()).await;
        let (next, counts) = part.map_err(|error| in_one_line(&error))?;
        for merged in counts {
            parts.note_found_in(session, &merged);
            complete.extend(merged.complete_beside(|month| session.on_record(month)));
        }
        if next == 0 {
            break;
        }
        cursor = next;
    }
    for month in parts.months() {
        let Some(on_record) = session.on_record(month) else { continue };
        for customer in on_record.keys().filter(|customer| !complete.contains(&(**customer, month))) {
            parts.merge(&parts.counts.count_of(*customer, month), session).await;
        }
    }
    Ok(())
}

/// Looks at Redis until the session is over; gives why it is.
async fn watch(parts: &Weak<Parts>, session: &Session) -> Ending {
    loop {
        let Some(parts) = parts.upgrade() else { return Ending::Emptied };
        if let Ok(ending) = timeout(LOOK, parts.link.ended()).await {
            return ending;
        }
        match session.is_whole().await {
            Ok(true) => {
                // The record may be away: the next look makes up for it.
                let _ = learn(&parts, session).await;
                look_at_policy(&parts, session).await;
            }
            Ok(false) => parts.link.end(session, Ending::Emptied),
            Err(error) => parts.link.end(session, error.into()),
        }
    }
}
