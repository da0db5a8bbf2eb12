use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, Tier};
use sports_ports::metering::{Admission, Arrival, CountedCall, Meter, ProcessCount, ProcessCounts, UncountedAdmission};
use sports_ports::{Clock, PortError};
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use crate::address::RedisAddress;
use crate::calls::{Call, Outcome, Turn};
use crate::counts::{Count, Counts};
use crate::keeper;
use crate::link::{Ending, Link, OnFailure};
use crate::session::{Deed, Merged, OnRecord, SecondLimit, Seconds, Session, Verdict};

/// Counts calls together with other machines, in Redis; alone while Redis is away.
pub struct RedisMeter {
    parts: Arc<Parts>,
    /// Where calls are carried out: it outlives what the requests run on.
    runtime: Handle,
}

/// What a meter is made of.
pub struct Setup {
    /// Where Redis is.
    pub address: RedisAddress,
    /// Under which name the process counts: one that no other process ever has.
    pub process: ProcessId,
    /// Where counts outlive Redis.
    pub record: Arc<dyn ProcessCounts>,
    /// How much customers may ask.
    pub limits: Limits,
    /// By which months are counted.
    pub clock: Arc<dyn Clock>,
    /// What is to happen when Redis fails.
    pub on_failure: OnFailure,
    /// By which seconds are.
    pub seconds: Seconds,
}

/// What requests, the committing of counts and the keeping of a session have in common.
pub struct Parts {
    pub record: Arc<dyn ProcessCounts>,
    pub clock: Arc<dyn Clock>,
    pub counts: Counts,
    pub link: Arc<Link>,
    /// Notified when the record can be written again.
    pub record_is_back: Arc<Notify>,
    record_is_away: AtomicBool,
    process: ProcessId,
    limits: Limits,
    seconds: Seconds,
    /// What Redis knows of other processes and the record did not.
    found: Mutex<Found>,
}

type Found = HashMap<Name, ProcessCount>;

/// Whose calls, when, and which process counted them.
type Name = (CustomerId, CalendarMonth, Option<ProcessId>);

impl RedisMeter {
    /// How long the first session may take before calls are counted without one.
    const FIRST_SESSION: Duration = Duration::from_secs(3);

    /// Goes on from the counts on record and in Redis. Without Redis it counts alone, until Redis is there.
    ///
    /// # Errors
    ///
    /// [`PortError`] when the record cannot be read.
    pub async fn start(setup: Setup) -> Result<Self, PortError> {
        let Setup { address, process, record, limits, clock, on_failure, seconds } = setup;
        let (counts, found) = (Counts::new(process, limits), Mutex::default());
        let link = Arc::new(Link::awaiting(Self::FIRST_SESSION, on_failure));
        let (record_is_back, record_is_away) = (Arc::default(), AtomicBool::new(false));
        let parts =
            Parts { record, clock, counts, link, record_is_back, record_is_away, process, limits, seconds, found };
        let parts = Arc::new(parts);
        for month in parts.months() {
            parts.counts.learn(month, parts.on_record(month).await?);
        }
        tokio::spawn(keeper::keep(Arc::downgrade(&parts), address, process));
        parts.link.session().await;
        Ok(Self { parts, runtime: Handle::current() })
    }

    /// The link with Redis, to share and to ask about.
    #[must_use]
    pub fn link(&self) -> Arc<Link> {
        Arc::clone(&self.parts.link)
    }

    /// Whether Redis knows what this process counted.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.parts.link.session_now().is_some()
    }

    /// Puts on record what this process counted since the last time, and what Redis alone knew of others. Months that
    /// are over by `now` are forgotten.
    ///
    /// # Errors
    ///
    /// [`PortError`] when it cannot be written; the next time makes up for it.
    pub async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        self.parts.commit(now).await
    }

    /// How many counts are not on record.
    #[must_use]
    pub fn pending(&self) -> u64 {
        u64::try_from(self.parts.counts.unrecorded().len() + self.parts.found().len()).unwrap_or(u64::MAX)
    }

    /// Does something for a request, to its end: also where the request is given up meanwhile. Requests that come while a
    /// question to Redis about the same count is under way are in the next one, together.
    async fn carry_out(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        uptime: Duration,
        deed: Deed,
    ) -> Result<Outcome, PortError> {
        let count = self.parts.counts.count_of(customer, month);
        let (answer, outcome) = oneshot::channel();
        if let Some(turn) = Turn::of_call(&count, Call { deed, uptime, answer }) {
            let parts = Arc::clone(&self.parts);
            self.runtime.spawn(async move { parts.carry_out_in(turn).await });
        }
        outcome.await.map_err(|error| PortError::unavailable("meter", error))
    }
}

impl Parts {
    /// Calls are made in this month, given back to the one before, and soon made in the next.
    pub fn months(&self) -> [CalendarMonth; 3] {
        let month = CalendarMonth::containing(self.clock.now());
        [month.previous(), month, month.next()]
    }

    /// Reads what is on record of a month.
    pub async fn on_record(&self, month: CalendarMonth) -> Result<Arc<OnRecord>, PortError> {
        /// A record that hangs must not keep Redis from being looked at.
        const PATIENCE: Duration = Duration::from_secs(5);
        let read = timeout(PATIENCE, self.record.of_month_by_process(month)).await;
        let mut on_record = OnRecord::new();
        for count in read.map_err(|late| PortError::unavailable("process counts", late))?? {
            on_record.entry(count.customer).or_default().push(count);
        }
        Ok(Arc::new(on_record))
    }

    /// Brings a count together with what Redis knows, where that is to be done.
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
                count.hear(merged.tally_of(own.process));
                self.note_found(&merged, recorded);
                *merged_in = session.number();
            }
            Ok(None) => self.link.end(session, Ending::Emptied),
            Err(error) => self.link.end(session, error.into()),
        }
    }

    /// Carries out calls of a count for as long as there are some.
    async fn carry_out_in(&self, mut turn: Turn) {
        while let Some(calls) = turn.calls() {
            self.carry_out(turn.count(), calls).await;
        }
    }

    async fn carry_out(&self, count: &Count, calls: Vec<Call>) {
        /// Redis may lose what it had at any time, but hardly as often as this.
        const TRIES: usize = 3;
        let mut tries = 0;
        loop {
            tries += 1;
            self.link.session().await;
            let merged_in = count.merged_in.read().await;
            match self.link.session_now() {
                Some(session) if *merged_in == session.number() => {
                    match self.ask(count, &session, &calls).await {
                        Ok(Some(verdicts)) => {
                            for (call, verdict) in calls.into_iter().zip(verdicts) {
                                let outcome = heard(count, verdict, &call);
                                call.says(outcome);
                            }
                            return;
                        }
                        Ok(None) => self.link.end(&session, Ending::Emptied),
                        Err(error) => {
                            self.link.end(&session, error.into());
                            return decide(count, calls, alone_after_silence);
                        }
                    }
                    if tries > TRIES {
                        return decide(count, calls, alone);
                    }
                }
                Some(session) if tries <= TRIES && session.on_record(count.month).is_some() => {
                    drop(merged_in);
                    self.merge(count, &session).await;
                }
                // No other task merges the count meanwhile, and it was not merged in the session, if there is one.
                _ => return decide(count, calls, alone),
            }
        }
    }

    async fn ask(&self, count: &Count, session: &Session, calls: &[Call]) -> redis::RedisResult<Option<Vec<Verdict>>> {
        let limit = SecondLimit { per_second: self.limits.per_second, seconds: self.seconds };
        let calls = calls.iter().map(|call| (call.deed, call.uptime));
        session.carry_out(count.customer, count.month, calls, limit).await
    }

    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
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

    /// Notes what of a customer's month Redis has and the record had not when it was read in a session.
    pub fn note_found_in(&self, session: &Session, in_redis: &Merged) {
        let Some(any) = in_redis.counts.first() else { return };
        let on_record = session.on_record(any.month).unwrap_or_default();
        self.note_found(in_redis, on_record.get(&any.customer).map_or(&[], Vec::as_slice));
    }

    /// Notes what of others Redis has and the record had not.
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

/// Decides about calls in turn. The count is held meanwhile, so no merging misses one.
fn decide(count: &Count, calls: Vec<Call>, decided: impl Fn(&Count, &Call) -> Outcome) {
    for call in calls {
        let outcome = decided(count, &call);
        call.says(outcome);
    }
}

/// Decides without Redis.
fn alone(count: &Count, &Call { deed, uptime, .. }: &Call) -> Outcome {
    let used = count.known();
    match deed {
        Deed::GiveBack => Outcome::Done(count.take_one_back()),
        Deed::AdmitUncounted => match count.second.admit(uptime) {
            Some(_) => Outcome::Done(used),
            None => Outcome::SecondIsFull(used),
        },
        Deed::Admit(most) if used >= most => Outcome::MonthIsFull(used),
        Deed::Admit(most) => {
            let Some(place) = count.second.admit(uptime) else { return Outcome::SecondIsFull(used) };
            let Some(used) = count.add_up_to(most) else {
                count.second.release(place);
                return Outcome::MonthIsFull(count.known());
            };
            Outcome::Done(used)
        }
    }
}

/// The same where Redis was asked and did not say what it did. It may have counted the call; where the call is refused
/// now, it is counted and given back, which comes to the same whether it did or not.
fn alone_after_silence(count: &Count, call: &Call) -> Outcome {
    let outcome = alone(count, call);
    if let (Deed::Admit(_), Outcome::SecondIsFull(_) | Outcome::MonthIsFull(_)) = (call.deed, outcome) {
        count.add();
        count.take_one_back();
    }
    outcome
}

/// Takes over what Redis decided.
fn heard(count: &Count, verdict: Verdict, &Call { deed, uptime, .. }: &Call) -> Outcome {
    match verdict {
        Verdict::Done(tally) => {
            match deed {
                Deed::Admit(_) => count.add(),
                Deed::GiveBack => drop(count.take_one_back()),
                Deed::AdmitUncounted => {}
            }
            if !matches!(deed, Deed::GiveBack) {
                // Should Redis be away within the second, it is not forgotten that this call was in it.
                count.second.admit(uptime);
            }
            Outcome::Done(count.hear(tally))
        }
        Verdict::SecondIsFull(tally) => Outcome::SecondIsFull(count.hear(tally)),
        Verdict::MonthIsFull(tally) => Outcome::MonthIsFull(count.hear(tally)),
    }
}

#[async_trait]
impl Meter for RedisMeter {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        let Arrival { month, uptime } = arrival;
        let most = self.parts.limits.admitted_monthly(tier);
        Ok(match self.carry_out(customer, month, uptime, Deed::Admit(most)).await? {
            Outcome::Done(used) => Admission::Admitted(CountedCall { customer, month, used }),
            Outcome::SecondIsFull(used) => Admission::SecondIsFull { used },
            Outcome::MonthIsFull(used) => Admission::MonthIsFull { used },
        })
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        let outcome = self.carry_out(customer, arrival.month, arrival.uptime, Deed::AdmitUncounted).await?;
        Ok(match outcome {
            Outcome::Done(used) => UncountedAdmission::Admitted { used },
            Outcome::SecondIsFull(used) | Outcome::MonthIsFull(used) => UncountedAdmission::SecondIsFull { used },
        })
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        let outcome = self.carry_out(call.customer, call.month, Duration::ZERO, Deed::GiveBack).await?;
        let (Outcome::Done(used) | Outcome::SecondIsFull(used) | Outcome::MonthIsFull(used)) = outcome;
        Ok(used)
    }
}

impl std::fmt::Debug for RedisMeter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisMeter").field("limits", &self.parts.limits).finish_non_exhaustive()
    }
}
