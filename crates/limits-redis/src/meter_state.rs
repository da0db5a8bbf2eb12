use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId};
use sports_ports::metering::{ProcessCount, ProcessCounts};
use sports_ports::{Clock, PortError};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::address::RedisAddress;
use crate::call::{Call, Decision, Operation, Tally};
use crate::counts::{Count, Counts};
use crate::fallback;
use crate::link::{Ending, Link, OnFailure};
use crate::session::{Merged, OnRecord, SecondLimit, Seconds, Session};

/// The parts and limits of a meter.
pub struct Setup {
    pub address: RedisAddress,
    /// The name under which the process counts, which no other process ever has.
    pub process: ProcessId,
    /// The record in which counts outlive Redis.
    pub record: Arc<dyn ProcessCounts>,
    /// The limits of customers' calls.
    pub limits: Limits,
    /// The clock by which months are counted.
    pub clock: Arc<dyn Clock>,
    /// The action on each failure of Redis.
    pub on_failure: OnFailure,
    /// The clock by which seconds are counted.
    pub seconds: Seconds,
}

/// The state that requests, commits and the supervisor of sessions share.
pub struct MeterState {
    pub record: Arc<dyn ProcessCounts>,
    pub clock: Arc<dyn Clock>,
    pub counts: Counts,
    pub link: Arc<Link>,
    /// Notified when the record can be written again.
    pub record_is_back: Arc<Notify>,
    record_is_away: AtomicBool,
    process: ProcessId,
    pub limits: Limits,
    seconds: Seconds,
    /// Counts of other processes that Redis has and the record had not.
    found: Mutex<Found>,
}

type Found = HashMap<Name, ProcessCount>;

/// A customer, a month, and the process that counted the calls; `None` for counts without a process.
type Name = (CustomerId, CalendarMonth, Option<ProcessId>);

impl MeterState {
    /// Returns the state at the start of a process.
    pub fn new(setup: Setup, timeout: Duration) -> Self {
        let Setup { process, record, limits, clock, on_failure, seconds, .. } = setup;
        Self {
            record,
            clock,
            counts: Counts::new(process, limits),
            link: Arc::new(Link::pending(timeout, on_failure)),
            record_is_back: Arc::default(),
            record_is_away: AtomicBool::new(false),
            process,
            limits,
            seconds,
            found: Mutex::default(),
        }
    }

    /// Returns the number of counts that are not on record.
    pub fn pending(&self) -> u64 {
        u64::try_from(self.counts.unrecorded().len() + self.found().len()).unwrap_or(u64::MAX)
    }

    /// Returns the months in which calls are refunded, made, and soon made.
    pub fn months(&self) -> [CalendarMonth; 3] {
        let month = CalendarMonth::containing(self.clock.now());
        [month.previous(), month, month.next()]
    }

    /// Reads the recorded counts of a month.
    pub async fn on_record(&self, month: CalendarMonth) -> Result<Arc<OnRecord>, PortError> {
        /// A record that hangs must not delay the checks of Redis.
        const READ_TIMEOUT: Duration = Duration::from_secs(5);
        let read = timeout(READ_TIMEOUT, self.record.of_month_by_process(month)).await;
        let mut on_record = OnRecord::new();
        for count in read.map_err(|late| PortError::unavailable("process counts", late))?? {
            on_record.entry(count.customer).or_default().push(count);
        }
        Ok(Arc::new(on_record))
    }

    /// Merges a count with the counts in Redis, unless that was done in this session.
    pub async fn merge(&self, count: &Count, session: &Session) {
        let Some(on_record) = session.on_record(count.month) else { return };
        let mut merged_in = count.merged_in.write().await;
        if *merged_in == session.number() {
            return;
        }
        let own = count.own();
        let recorded = on_record.get(&count.customer).map_or(&[][..], Vec::as_slice);
        let known = recorded.iter().filter(|known| known.process != own.process).copied().chain([own]);
        match session.merge(count.customer, count.month, &known.collect::<Vec<_>>()).await {
            Ok(Some(merged)) => {
                count.update(merged.tally_of(own.process));
                self.note_found(&merged, recorded);
                *merged_in = session.number();
            }
            Ok(None) => self.link.end(session, Ending::Emptied),
            Err(error) => self.link.end(session, error.into()),
        }
    }

    /// Carries out a call, in Redis if it replies, else by the counts in memory.
    pub async fn carry_out(&self, count: &Count, call: Call) -> Decision<u64> {
        /// Redis may lose its data at any time, but hardly as often as this.
        const TRIES: usize = 3;
        let mut tries = 0;
        loop {
            tries += 1;
            self.link.session().await;
            // Calls of a customer share this lock, so their scripts are pipelined on the one connection.
            let merged_in = count.merged_in.read().await;
            match self.link.session_now() {
                Some(session) if *merged_in == session.number() => {
                    let limit = SecondLimit { per_second: self.limits.per_second, seconds: self.seconds };
                    match session.carry_out(count.customer, count.month, call, limit).await {
                        Ok(Some(decision)) => return apply(count, decision, call),
                        Ok(None) => self.link.end(&session, Ending::Emptied),
                        Err(error) => {
                            self.link.end(&session, error.into());
                            return fallback::decide_after_silence(count, call);
                        }
                    }
                    if tries > TRIES {
                        return fallback::decide(count, call);
                    }
                }
                Some(session) if tries <= TRIES && session.on_record(count.month).is_some() => {
                    drop(merged_in);
                    self.merge(count, &session).await;
                }
                // No other task merges the count meanwhile, and it was not merged in the session, if there is one.
                _ => return fallback::decide(count, call),
            }
        }
    }

    /// Records the counts of this process, and those of other processes that only Redis knew.
    pub async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        /// So many found counts at once; the others are recorded a moment later.
        const FOUND_AT_ONCE: usize = 1_000;
        let changed = self.counts.unrecorded();
        let found: Vec<_> = self.found().values().take(FOUND_AT_ONCE).copied().collect();
        let all: Vec<_> = changed.iter().map(|(_, own)| *own).chain(found.iter().copied()).collect();
        if !all.is_empty() {
            let recorded = self.record.record_of_processes(&all).await;
            let was_away = self.record_is_away.swap(recorded.is_err(), Relaxed);
            recorded?;
            if was_away {
                self.record_is_back.notify_one();
            }
            for (count, own) in &changed {
                count.set_recorded(own);
            }
            let mut kept = self.found();
            for count in &found {
                // What was found meanwhile is higher.
                if let Entry::Occupied(entry) = kept.entry(name(count))
                    && entry.get() == count
                {
                    entry.remove();
                }
            }
        }
        self.counts.forget_before(CalendarMonth::containing(now).previous());
        Ok(())
    }

    /// Notes counts of a customer's month that Redis has and the record had not when the session read it.
    pub fn note_found_in(&self, session: &Session, in_redis: &Merged) {
        let Some(any) = in_redis.counts.first() else { return };
        let on_record = session.on_record(any.month).unwrap_or_default();
        self.note_found(in_redis, on_record.get(&any.customer).map_or(&[], Vec::as_slice));
    }

    /// Notes counts of other processes that Redis has and the record had not.
    fn note_found(&self, in_redis: &Merged, recorded: &[ProcessCount]) {
        let is_of_another = |count: &&ProcessCount| count.process.is_some_and(|process| process != self.process);
        for count in in_redis.counts.iter().filter(is_of_another).filter(|count| !recorded.contains(count)) {
            let mut found = self.found();
            let known = found.entry(name(count)).or_insert(*count);
            known.admitted = known.admitted.max(count.admitted);
            known.given_back = known.given_back.max(count.given_back);
        }
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name(count: &ProcessCount) -> Name {
    (count.customer, count.month, count.process)
}

/// Applies a decision of Redis to the counts in memory; returns it with the month's count.
fn apply(count: &Count, decision: Decision<Tally>, Call { operation, uptime }: Call) -> Decision<u64> {
    match decision {
        Decision::Done(tally) => {
            match operation {
                Operation::Admit(_) => count.add(),
                Operation::Refund => drop(count.refund()),
                Operation::AdmitUncounted => {}
            }
            if operation != Operation::Refund {
                // A fallback within the second takes this call into account.
                count.second.admit(uptime);
            }
            Decision::Done(count.update(tally))
        }
        Decision::SecondIsFull(tally) => Decision::SecondIsFull(count.update(tally)),
        Decision::MonthIsFull(tally) => Decision::MonthIsFull(count.update(tally)),
    }
}
